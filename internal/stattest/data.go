// Package stattest contains helpers for tests: the offices' real files, and cases
// in testdata that -update rewrites.
package stattest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
)

// DataDir returns the folder of the offices' real files: $ALMANAC_TESTDATA, or
// else ../shared/data beside the project's root. If it does not exist, the test
// is skipped, or fails if ALMANAC_REQUIRE=1.
func DataDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("ALMANAC_TESTDATA")
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared", "data")
	}
	if _, err := os.Stat(dir); err != nil {
		Missing(t, "the offices' files are not at "+dir+"; set ALMANAC_TESTDATA")
	}
	return dir
}

// Missing skips a test because this machine lacks something, or fails it if
// ALMANAC_REQUIRE=1.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("ALMANAC_REQUIRE") == "1" {
		t.Fatal(what)
	}
	t.Skip("SKIPPED: " + what)
}

// root returns the folder of go.mod, at or above the test's folder.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = up
	}
}

// Rounds returns how often a test repeats: short within `go test ./...`, full if
// ALMANAC_SOAK=1 (`make soak`).
func Rounds(t testing.TB, short, full int) int {
	t.Helper()
	if os.Getenv("ALMANAC_SOAK") == "1" {
		return full
	}
	return short
}

// Sample returns one of the offices' real files, by its path below [DataDir].
func Sample(t testing.TB, file string) formattest.Sample {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(DataDir(t), filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	ends := strings.HasSuffix(file, ".json") || strings.HasSuffix(file, ".xml")
	return formattest.Sample{Name: path.Base(file), Data: data, Ends: ends}
}

// Strict tries formats on all of the offices' real files, uncompressed. They must
// recognise their own files, given as paths below [DataDir], and no others.
func Strict(t *testing.T, formats []format.Format, own ...string) {
	t.Helper()
	var recognised []string
	try := func(name string, file io.Reader) error {
		head, err := io.ReadAll(io.LimitReader(file, 64<<10))
		for _, f := range formats {
			if f.Recognise(path.Base(name), head) {
				recognised = append(recognised, name)
			}
		}
		return err
	}
	folder := os.DirFS(DataDir(t))
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		return tryUnpacked(name, data, try)
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(recognised)
	slices.Sort(own)
	if !slices.Equal(recognised, own) {
		t.Errorf("recognised %q, want %q", recognised, own)
	}
}

// tryUnpacked calls try with a file, or with its uncompressed parts.
func tryUnpacked(name string, data []byte, try func(name string, file io.Reader) error) error {
	plain, isGzip := strings.CutSuffix(name, ".gz")
	switch {
	case isGzip:
		file, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return err
		}
		return try(plain, file)
	case strings.HasSuffix(name, ".zip"):
		archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return err
		}
		for _, member := range archive.File {
			file, err := member.Open()
			if err != nil {
				return err
			}
			if err := try(name+"/"+member.Name, file); err != nil {
				return err
			}
		}
		return nil
	}
	return try(name, bytes.NewReader(data))
}
