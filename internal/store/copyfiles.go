package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/store/blob"
)

// CopiedFiles says what [CopyFiles] did.
type CopiedFiles struct {
	Files  int   // of the store
	Copied int   // of these; the others were there already
	Bytes  int64 // of those that were copied
}

// Files are the files of a store, wherever they are: versions, updates in quarantine, and the data of charts.
type Files struct{ folders map[string]blob.Store }

// OpenFiles prepares the use of the files of a store.
func OpenFiles(o Options) (*Files, error) {
	s := &Store{now: time.Now}
	if err := s.openBlobs(o); err != nil {
		return nil, err
	}
	return &Files{map[string]blob.Store{"vintages": s.blobs, "quarantine": s.quarantine, "charts": s.charts}}, nil
}

// List returns the names of all files, such as vintages/0/1/000001-1.0-3fa94c01b7de.parquet: the paths that they
// have in a data directory.
func (f *Files) List() (names []string, err error) {
	for _, folder := range slices.Sorted(maps.Keys(f.folders)) {
		keys, err := f.folders[folder].List("")
		if err != nil {
			return nil, fmt.Errorf("listing the files of the store: %w", err)
		}
		for _, key := range keys {
			names = append(names, folder+"/"+key)
		}
	}
	return names, nil
}

// Open opens a file. The error wraps [fs.ErrNotExist] if there is none.
func (f *Files) Open(name string) (*blob.Blob, error) {
	folder, key, _ := strings.Cut(name, "/")
	return f.folders[folder].Open(context.Background(), key, blob.Original)
}

// CopyFiles copies the files of the store at from to the store at to, which may be in another place. Each copy
// is read again and compared by digest. Files that are there already are compared and not copied, so an interrupted
// copying is continued by doing it again. No server may use either store meanwhile.
func CopyFiles(ctx context.Context, from, to Options) (c CopiedFiles, err error) {
	source, err := OpenFiles(from)
	if err != nil {
		return c, err
	}
	target, err := OpenFiles(to)
	if err != nil {
		return c, err
	}
	names, err := source.List()
	if err != nil {
		return c, err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		folder, key, _ := strings.Cut(name, "/")
		n, isCopied, err := copyBlob(source.folders[folder], target.folders[folder], key)
		if err != nil {
			return c, fmt.Errorf("copying %s: %w", name, err)
		}
		c.Files++
		if isCopied {
			c.Copied++
			c.Bytes += n
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
	b, err := from.Open(context.Background(), key, blob.Original)
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
	b, err := in.Open(context.Background(), key, blob.Original)
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
