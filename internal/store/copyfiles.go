package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"almanac/internal/store/blob"
)

// CopiedFiles says what [CopyFiles] did.
type CopiedFiles struct {
	Files  int   // of the store
	Copied int   // of these; the others were there already
	Bytes  int64 // of those that were copied
}

// CopyFiles copies the files of the store at from to the store at to, which may be in another place: versions,
// updates in quarantine, and the data of charts. Each copy is read again and compared by digest. Files that are
// there already are compared and not copied, so an interrupted copying is continued by doing it again. No
// server may use either store meanwhile.
func CopyFiles(ctx context.Context, from, to Options) (c CopiedFiles, err error) {
	source, target := &Store{now: time.Now}, &Store{now: time.Now}
	if err := errors.Join(source.openBlobs(from), target.openBlobs(to)); err != nil {
		return c, err
	}
	for _, folder := range [][2]blob.Store{{source.blobs, target.blobs}, {source.quarantine, target.quarantine}, {source.charts, target.charts}} {
		keys, err := folder[0].List("")
		if err != nil {
			return c, fmt.Errorf("listing the files of the store: %w", err)
		}
		for _, key := range keys {
			if err := ctx.Err(); err != nil {
				return c, err
			}
			n, isCopied, err := copyBlob(folder[0], folder[1], key)
			if err != nil {
				return c, fmt.Errorf("copying %s: %w", key, err)
			}
			c.Files++
			if isCopied {
				c.Copied++
				c.Bytes += n
			}
		}
	}
	return c, nil
}

// copyBlob copies a blob unless it is there already.
func copyBlob(from, to blob.Store, key string) (n int64, isCopied bool, err error) {
	want, err := digestOfBlob(from, key)
	if err != nil {
		return 0, false, err
	}
	got, err := digestOfBlob(to, key)
	if err == nil && bytes.Equal(got, want) {
		return 0, false, nil
	}
	exists := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, false, err
	}
	b, err := from.Open(key, blob.Original)
	if err != nil {
		return 0, false, err
	}
	defer b.Close()
	staged, err := to.Stage(func(w io.Writer) error {
		n, err = io.Copy(w, b.Reader())
		return err
	})
	if err != nil {
		return 0, false, err
	}
	defer staged.Discard()
	save := staged.SaveAs
	if exists {
		save = staged.Replace
	}
	if err := save(key); err != nil {
		return 0, false, err
	}
	if got, err = digestOfBlob(to, key); err == nil && !bytes.Equal(got, want) {
		err = fmt.Errorf("the copy has the digest %x, not %x", got, want)
	}
	return n, true, err
}

func digestOfBlob(in blob.Store, key string) ([]byte, error) {
	b, err := in.Open(key, blob.Original)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, b.Reader()); err != nil {
		return nil, err
	}
	return sum.Sum(nil), nil
}
