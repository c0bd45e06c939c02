// Package blob stores files under keys: put if absent, read at, list, delete. A [Dir] keeps
// them in a folder, an [S3] in an object store, with copies of those in use on the local disk.
//
// A key consists of path-safe words separated by "/": "0/12/000003-1.2-3fa94c01b7de.parquet". A
// blob with a key is complete and never changes: it is written to the local disk under a temporary
// name before it gets its key. Only a damaged blob is replaced.
package blob

import (
	"context"
	"io"
	"os"
)

// Store stores blobs. It is safe for concurrent use. Errors are [stat.Unavailable] if the blobs
// are in an object store that cannot be reached.
type Store interface {
	// Stage writes a blob to the local disk. SaveAs makes it visible; Discard deletes it.
	Stage(write func(io.Writer) error) (Staged, error)
	// Open opens a blob. The error wraps [fs.ErrNotExist] if there is none. Requests to an object
	// store are spans within that of ctx, also those of later reads; its end does not stop them.
	Open(ctx context.Context, key string, use Use) (*Blob, error)
	// Delete deletes a blob. It is not an error if there is none.
	Delete(key string) error
	// List returns the sorted keys below a folder ("12/"); "" lists all.
	List(folder string) ([]string, error)
	// Address returns where other programs find a blob: an absolute path, or s3://BUCKET/KEY.
	Address(key string) string
	// Scratch creates a temporary file for reading and writing on the local disk. Its name is
	// removed at once where the system allows that, so that a killed process leaves nothing.
	Scratch() (*os.File, error)
}

// Staged is a blob that has been written but has no key yet.
type Staged interface {
	// SaveAs gives the blob its key. An existing blob with the key stays, because equal keys
	// mean equal bytes.
	SaveAs(key string) error
	// Replace gives the blob the key of a damaged one, which it replaces.
	Replace(key string) error
	// Discard deletes a blob that was not saved under a key.
	Discard()
}

// Use says what a blob is opened for, which decides how much of it is copied to the local disk.
type Use int

// The uses of a blob.
const (
	Part     Use = iota // some parts are read
	Whole               // all of it is read
	Original            // a copy on the local disk is not trusted
)

// Blob is a blob open for reading.
type Blob struct {
	io.ReaderAt
	Size int64
	// Digest is the SHA-256 of a blob that was copied to the local disk, else nil.
	Digest []byte
	close  func() error
	remote *remote // nil if the blob is on the local disk
}

// Close closes the blob.
func (b *Blob) Close() error {
	if b.close == nil {
		return nil
	}
	return b.close()
}

// Reader returns a reader of all bytes.
func (b *Blob) Reader() io.ReadSeeker {
	if f, isFile := b.ReaderAt.(*os.File); isFile && b.Digest == nil {
		return f // from which the kernel can copy to a connection
	}
	return io.NewSectionReader(b, 0, b.Size)
}

// IsRemote reports whether reading the blob asks an object store.
func (b *Blob) IsRemote() bool { return b.remote != nil }

// Span is a part of a blob: the bytes From … To-1.
type Span struct{ From, To int64 }

// Load reads parts of a remote blob into memory, several at once, instead of those that it
// loaded before. It does nothing if the blob is on the local disk.
func (b *Blob) Load(parts []Span) error {
	if b.remote == nil {
		return nil
	}
	return b.remote.load(parts)
}
