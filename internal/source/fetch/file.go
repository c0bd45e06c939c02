package fetch

import (
	"mime"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// saveAs creates a file with all of its content, or none.
func saveAs(path string, fill filler) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), ".fetch-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(file.Name())
		}
	}()
	if err := fill(file); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// Limits of a file name and of the extension that a shortened name keeps, in bytes.
const (
	maxName      = 100
	maxExtension = 10
)

// filename returns the file name in a Content-Disposition, made safe for the local
// disk; empty if there is none or no safe part of it.
func filename(disposition string) string {
	_, parameters, err := mime.ParseMediaType(disposition)
	if err != nil {
		return ""
	}
	name := parameters["filename"]
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) || strings.ContainsRune(`:*?"<>|`, r) {
			return -1
		}
		return r
	}, name)
	name = strings.TrimLeft(name, ". ")
	name = strings.TrimRight(name, ". ")
	if len(name) <= maxName {
		return name
	}
	extension := filepath.Ext(name)
	if len(extension) > maxExtension {
		extension = ""
	}
	stem := name[:maxName-len(extension)]
	for !utf8.ValidString(stem) {
		stem = stem[:len(stem)-1]
	}
	return stem + extension
}
