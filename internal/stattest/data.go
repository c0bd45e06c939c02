// Package stattest contains helpers for tests: the offices' real files, and cases
// in testdata that -update rewrites.
package stattest

import (
	"archive/zip"
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
	return sharedDir(t, "data", "ALMANAC_TESTDATA", "the offices' files")
}

// SearchDir returns the folder with a catalogue of offices, questions and judgements:
// $ALMANAC_SEARCH, or else ../shared/search beside the project's root. If it does not
// exist, the test is skipped, or fails if ALMANAC_REQUIRE=1.
func SearchDir(t testing.TB) string {
	t.Helper()
	return sharedDir(t, "search", "ALMANAC_SEARCH", "the judged questions")
}

// sharedDir returns the folder that a variable names, or else the one of that name in
// ../shared beside the project's root.
func sharedDir(t testing.TB, name, variable, what string) string {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared", name)
	}
	if _, err := os.Stat(dir); err != nil {
		SkipOrFail(t, what+" are not at "+dir+"; set "+variable)
	}
	return dir
}

// SkipOrFail skips a test because the machine lacks something, or fails it if
// ALMANAC_REQUIRE=1.
func SkipOrFail(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("ALMANAC_REQUIRE") == "1" {
		t.Fatal(reason)
	}
	t.Skip("SKIPPED: " + reason)
}

// root returns the folder of go.mod, at or above the test's folder.
func root(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	t.Fatalf("no go.mod at or above the test's folder (error %v)", err)
	return ""
}

// Rounds returns how often a test repeats: short in `go test ./...`, full if
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
	hasEnd := strings.HasSuffix(file, ".json") || strings.HasSuffix(file, ".xml")
	return formattest.Sample{Name: path.Base(file), Data: data, HasEnd: hasEnd}
}

// SampleMore returns one of the further real files, by its path below the folder
// data-more beside [DataDir]. If that folder does not exist, the test is skipped, or
// fails if ALMANAC_REQUIRE=1.
func SampleMore(t testing.TB, file string) formattest.Sample {
	t.Helper()
	if _, err := os.Stat(filepath.Join(DataDir(t), "..", "data-more")); err != nil {
		SkipOrFail(t, "the further real files are not beside "+DataDir(t)+" in data-more")
	}
	return Sample(t, "../data-more/"+file)
}

// CheckRecognition tries formats on all of the offices' real files, uncompressed.
// They must recognise their own files, given as paths below [DataDir], and no others.
func CheckRecognition(t *testing.T, formats []format.Format, own ...string) {
	t.Helper()
	var recognised []string
	err := walkUnpacked(DataDir(t), func(name string, file io.Reader) error {
		head, err := io.ReadAll(io.LimitReader(file, 64<<10))
		for _, f := range formats {
			if f.Recognise(path.Base(name), head) {
				recognised = append(recognised, name)
			}
		}
		return err
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

// walkUnpacked calls try with each file of a folder, or with its uncompressed
// parts.
func walkUnpacked(dir string, try func(name string, file io.Reader) error) error {
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer file.Close()
		switch path.Ext(name) {
		case ".gz":
			unpacked, err := gzip.NewReader(file)
			if err != nil {
				return err
			}
			return try(strings.TrimSuffix(name, ".gz"), unpacked)
		case ".zip":
			archive, err := zip.OpenReader(file.Name())
			if err != nil {
				return err
			}
			defer archive.Close()
			for _, part := range archive.File {
				content, err := part.Open()
				if err == nil {
					err = try(name+"/"+part.Name, content)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}
		return try(name, file)
	})
}
