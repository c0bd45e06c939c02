package backup

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/store/blob"
)

// isBucket reports whether a backup is in an object store.
func isBucket(to string) bool { return strings.HasPrefix(to, "s3://") }

// openBucket opens the objects below a place. Files are written to dir on their way.
func openBucket(address, dir string) (blob.Store, error) {
	place, err := blob.ParsePlace(address)
	if err != nil {
		return nil, err
	}
	b, err := blob.OpenBucket(blob.BucketOptions{Place: place, Dir: dir, Now: time.Now})
	if err != nil {
		return nil, err
	}
	return b.All(), nil
}

// withObjects calls work with a bucket and the names of the objects below a place in it.
func withObjects(address string, work func(bucket blob.Store, names []string) error) error {
	dir, err := os.MkdirTemp("", "almanac-backup-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bucket, err := openBucket(address, dir)
	if err != nil {
		return err
	}
	names, err := bucket.List("")
	if err != nil {
		return err
	}
	return work(bucket, names)
}

// checkFreeBucket returns an error if there are objects below a place.
func checkFreeBucket(address string) error {
	return withObjects(address, func(_ blob.Store, names []string) error {
		if len(names) > 0 {
			return fmt.Errorf("%s is not empty: it has %s; use another prefix, or delete what an interrupted backup has left there, which has no %s", address, names[0], manifestFile)
		}
		return nil
	})
}

// bucketTarget is a place in an object store. The manifest is written last.
type bucketTarget struct {
	bucket     blob.Store
	written    []string
	isFinished bool
}

func newBucketTarget(address, partial string) (*bucketTarget, error) {
	bucket, err := openBucket(address, filepath.Join(partial, "upload"))
	return &bucketTarget{bucket: bucket}, err
}

func (t *bucketTarget) put(f File, r io.Reader) error {
	staged, err := t.bucket.Stage(func(w io.Writer) error {
		n, err := io.Copy(w, r)
		if err == nil && n != f.Size {
			err = io.ErrUnexpectedEOF
		}
		return err
	})
	if err != nil {
		return err
	}
	defer staged.Discard()
	t.written = append(t.written, f.Path)
	return staged.Replace(f.Path)
}

func (t *bucketTarget) finish() error {
	t.isFinished = true
	return nil
}

// close deletes the objects of a backup that is not finished. Those that cannot be deleted stop the next backup to the
// place, whose error says so.
func (t *bucketTarget) close() {
	if t.isFinished {
		return
	}
	for _, name := range t.written {
		_ = t.bucket.Delete(name)
	}
}

func readBucket(from string, each func(name string, r io.Reader) error) error {
	return withObjects(from, func(bucket blob.Store, names []string) error {
		for _, name := range names {
			if err := readObject(bucket, name, each); err != nil {
				return err
			}
		}
		return nil
	})
}

func readObject(bucket blob.Store, name string, each func(name string, r io.Reader) error) error {
	b, err := bucket.Open(context.Background(), name, blob.Original)
	if err != nil {
		return err
	}
	defer b.Close()
	return each(name, b.Reader())
}
