package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"

	"almanac/internal/stat"
	"almanac/internal/store/blob"
)

// File is the Parquet file of a vintage, open for reading.
type File struct {
	*blob.Blob
	Digest [sha256.Size]byte // SHA-256 of its bytes
}

// File opens the file that a vintage is stored in; docs/storage.md describes it. The caller
// closes it. The digest was recorded when the vintage was published; of vintages of earlier
// versions of Almanac it is computed when first needed. The error wraps [ErrDamaged] if the file
// does not have it.
func (v *Vintage) File() (*File, error) {
	v = v.Stored()
	digest := v.fileDigest.Load()
	b, err := v.openFile(context.Background(), blob.Whole)
	if err == nil {
		if b.Digest != nil && digest != nil && bytes.Equal(b.Digest, digest[:]) { // a copy that was compared
			return &File{b, *digest}, nil
		}
		b.Close()
	}
	if !v.isVerified.Load() {
		if err := v.verify(); err != nil {
			return nil, err
		}
		v.isVerified.Store(true)
	}
	if b, err = v.openBlob(context.Background(), blob.Original); err != nil {
		return nil, err
	}
	if digest == nil {
		hash := sha256.New()
		if _, err := io.Copy(hash, b.Reader()); err != nil {
			b.Close()
			return nil, stat.Wrap(err, "reading the file of dataset %d, version %s", v.Dataset.ID, v.Version)
		}
		digest = (*[sha256.Size]byte)(hash.Sum(nil))
		v.fileDigest.Store(digest)
	}
	return &File{b, *digest}, nil
}

// Address returns where the file of a vintage is, for programs that read it in place: a path, or
// s3://BUCKET/KEY.
func (v *Vintage) Address() string { return v.store.blobs.Address(v.Stored().file) }

// FileSize returns how many bytes and rows the file of a vintage has. It reads the end of the file only.
func (v *Vintage) FileSize() (bytes, rows int, err error) {
	v = v.Stored()
	b, err := v.openBlob(context.Background(), blob.Part)
	if err != nil {
		return 0, 0, err
	}
	defer b.Close()
	f, err := openFile(b)
	if err != nil {
		return 0, 0, v.damaged(stat.Wrap(err, "reading the end of the file of dataset %d, version %s", v.Dataset.ID, v.Version))
	}
	return int(b.Size), int(f.NumRows()), nil
}
