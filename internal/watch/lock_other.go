//go:build !unix

package watch

import "os"

// On systems without locks of single bytes that we know, only this process is
// kept from taking an item twice: of several that synchronise one data
// directory, two may fetch the same dataset at once. It is stored once all the
// same.

func takeByte(*os.File, int64) (ok bool, err error) { return true, nil }

func freeByte(*os.File, int64) error { return nil }
