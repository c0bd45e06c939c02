package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store/blob"
)

// The files of a store are below its data directory, or in an object store: then the data directory
// has copies of some of them, in blobs/, and says in blobs.txt where they are. A store is
// opened only with the place in which its files are, because it would take all of them for lost.

// DefaultBlobCache is the default size of [Options].BlobCache.
const DefaultBlobCache = 10 << 30

const blobCacheFolder = "blobs"

// PlaceFile is the file of a data directory that says where the files of its store are.
const PlaceFile = "blobs.txt"

func (s *Store) openBlobs(o Options) (err error) {
	folders := map[string]*blob.Store{"vintages": &s.blobs, "quarantine": &s.quarantine, "charts": &s.charts}
	if o.Blobs == "" {
		if err := checkPlace(o.Dir, ""); err != nil {
			return err
		}
		for name, folder := range folders {
			if *folder, err = blob.OpenDir(filepath.Join(o.Dir, name), s.now()); err != nil {
				return err
			}
		}
		return nil
	}
	place, err := blob.ParsePlace(o.Blobs)
	if err != nil {
		return &stat.Error{Kind: stat.Invalid, Message: err.Error()}
	}
	if err := checkPlace(o.Dir, place.String()); err != nil {
		return err
	}
	if o.BlobCache == 0 {
		o.BlobCache = DefaultBlobCache
	}
	bucket, err := blob.OpenBucket(blob.BucketOptions{Place: place, Dir: filepath.Join(o.Dir, blobCacheFolder), Cache: o.BlobCache, Now: s.now})
	if err != nil {
		return err
	}
	for name, folder := range folders {
		*folder = bucket.Folder(name)
	}
	return os.WriteFile(filepath.Join(o.Dir, PlaceFile), []byte(place.String()+"\n"), 0o640)
}

// PlaceOf returns where the files of the store in dir are, such as s3://BUCKET/PREFIX; "" is dir itself.
func PlaceOf(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, PlaceFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), stat.Wrap(err, "reading where the files of the store are")
}

// checkPlace returns an error if the files of the store in dir are in another place, which is ""
// for dir itself.
func checkPlace(dir, place string) error {
	before, err := PlaceOf(dir)
	switch {
	case err != nil || before == place:
		return err
	case before == "":
		if _, err := os.Stat(filepath.Join(dir, "vintages")); err == nil {
			return stat.Errorf(stat.Invalid, "the files of the store in %s are in its folders vintages, quarantine and charts; move them to %s first", dir, place)
		}
		return nil
	case place == "":
		return stat.Errorf(stat.Invalid, "the files of the store in %s are in %s; state that place", dir, before)
	}
	return stat.Errorf(stat.Invalid, "the files of the store in %s are in %s, not in %s", dir, before, place)
}
