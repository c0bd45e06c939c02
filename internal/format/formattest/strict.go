package formattest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	stdpath "path"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format"
)

// Strict tries formats on every file of a folder, packed ones unpacked: they
// may recognise those whose names are given and no others.
func Strict(t *testing.T, folder fs.FS, formats []format.Format, own ...string) {
	t.Helper()
	var seen []string
	try := func(path string, data []byte) {
		for _, f := range formats {
			if f.Recognise(stdpath.Base(path), data[:min(len(data), 64<<10)]) {
				seen = append(seen, path)
			}
		}
	}
	err := fs.WalkDir(folder, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(folder, path)
		if err != nil {
			return err
		}
		return unpacked(path, data, try)
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(seen)
	slices.Sort(own)
	if !slices.Equal(seen, own) {
		t.Errorf("recognised are %q, and %q are to be", seen, own)
	}
}

// unpacked hands over what a file holds: itself, or its unpacked parts.
func unpacked(path string, data []byte, try func(path string, data []byte)) error {
	switch {
	case strings.HasSuffix(path, ".gz"):
		packed, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return err
		}
		head, err := io.ReadAll(io.LimitReader(packed, 64<<10))
		try(strings.TrimSuffix(path, ".gz"), head)
		return err
	case strings.HasSuffix(path, ".zip"):
		archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return err
		}
		for _, entry := range archive.File {
			file, err := entry.Open()
			if err != nil {
				return err
			}
			head, err := io.ReadAll(io.LimitReader(file, 64<<10))
			if err != nil {
				return err
			}
			try(path+"/"+entry.Name, head)
		}
		return nil
	}
	try(path, data)
	return nil
}
