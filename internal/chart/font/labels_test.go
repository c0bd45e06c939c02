package font

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"almanac/internal/stattest"
)

// The fonts have every letter and sign in the files of the offices.
func TestFontsCoverTheLabelsOfOffices(t *testing.T) {
	root := stattest.DataDir(t)
	where := map[rune]string{}
	read := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".xls") { // a binary format; its country names are in English
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		name, _ := filepath.Rel(root, path)
		return unpack(name, data, func(name string, data []byte) {
			for _, r := range Missing(decode(name, data)) {
				if where[r] == "" {
					where[r] = name
				}
			}
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 20 {
		t.Fatalf("read %d files in %s, want at least 20", read, root)
	}
	for r, name := range where {
		t.Errorf("no font has %q (%U), which is in %s", r, r, name)
	}
}

// unpack calls each with the contents of a file, or of each file in an archive.
func unpack(name string, data []byte, each func(name string, data []byte)) error {
	switch filepath.Ext(name) {
	case ".gz":
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		inner, err := io.ReadAll(r)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		each(name, inner)
	case ".zip":
		archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, f := range archive.File {
			r, err := f.Open()
			if err != nil {
				return fmt.Errorf("%s in %s: %w", f.Name, name, err)
			}
			inner, err := io.ReadAll(r)
			if err != nil {
				return fmt.Errorf("%s in %s: %w", f.Name, name, err)
			}
			each(name+"/"+f.Name, inner)
		}
	default:
		each(name, data)
	}
	return nil
}

var escaped = regexp.MustCompile(`(\\u[0-9a-fA-F]{4})+`)

// decode returns a file's characters, including those escaped in JSON and XML.
func decode(name string, data []byte) string {
	if !utf8.Valid(data) {
		coding := charmap.Windows1252.NewDecoder()
		if strings.Contains(name, "japan") {
			coding = japanese.ShiftJIS.NewDecoder()
		}
		data, _ = coding.Bytes(data)
	}
	text := string(data)
	switch filepath.Ext(strings.TrimSuffix(name, ".gz")) {
	case ".json", ".geojson", ".topojson":
		text = escaped.ReplaceAllStringFunc(text, func(s string) string {
			plain, err := strconv.Unquote(`"` + s + `"`)
			if err != nil {
				return s
			}
			return plain
		})
	case ".xml":
		text = html.UnescapeString(text)
	}
	return text
}

// The fonts cover country names in every language of the Unicode locale data in
// golang.org/x/text, except for a few scripts.
func TestFontsCoverCountryNames(t *testing.T) {
	// No country's office publishes in these scripts, and each costs 40 to 550 KB.
	excluded := []string{"Tibt", "Cakm", "Cher", "Yiii", "Vaii"}
	countries := countries()
	languages := 0
	for _, tag := range display.Supported.Tags() {
		regions := display.Regions(tag)
		if script, _ := tag.Script(); regions == nil || slices.Contains(excluded, script.String()) {
			continue
		}
		languages++
		for _, country := range countries {
			name := regions.Name(country)
			if missing := Missing(name); missing != nil {
				t.Errorf("%s: no font has %q, which are in %s", tag, missing, name)
			}
		}
	}
	if languages < 40 || len(countries) < 240 {
		t.Fatalf("%d languages and %d countries, want at least 40 and 240", languages, len(countries))
	}
}

func countries() (list []language.Region) {
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			if r, err := language.ParseRegion(string([]rune{a, b})); err == nil && r.IsCountry() {
				list = append(list, r)
			}
		}
	}
	return list
}
