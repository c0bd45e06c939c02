package importer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/importer"
)

// TestPreview checks that the cells that Inspect shows are those of the file, among them
// the first and the last, and the same each time.
func TestPreview(t *testing.T) {
	var text strings.Builder
	text.WriteString("geo,sex,year,value,obs_status\n")
	want := map[string]bool{}
	for i, country := range []string{"DE Germany", "FR France", "IT Italy"} {
		for j, sex := range []string{"F", "M"} {
			for year := 2000; year < 2020; year++ {
				code, label, _ := strings.Cut(country, " ")
				value := float64(i*1000+j*100) + float64(year)/10
				fmt.Fprintf(&text, "%s,%s,%d,%v,P\n", code, sex, year, value)
				want[fmt.Sprintf("%s %s [%s] %d %v [P]", code, label, sex, year, value)] = true
			}
		}
	}
	path := filepath.Join(t.TempDir(), "pop.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	im, err := importer.New(openStore(t), importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list := func() (cells []string) {
		for _, c := range im.Inspect(t.Context(), path)[0].Preview {
			cells = append(cells, fmt.Sprintf("%s %s %v %s %v %v", c.Geo, c.Area, c.Codes, c.Period, *c.Value, c.Flags))
		}
		return cells
	}
	cells := list()
	if len(cells) != 10 || !strings.HasPrefix(cells[0], "DE Germany [F] 2000") || !strings.HasPrefix(cells[9], "IT Italy [M] 2019") {
		t.Errorf("the cells are %q", cells)
	}
	for _, c := range cells {
		if !want[c] {
			t.Errorf("the file has no cell %s", c)
		}
	}
	if again := list(); !slices.Equal(again, cells) {
		t.Errorf("the second time the cells are %q", again)
	}
}

// TestListFolder checks which files of a folder are imported.
func TestListFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b/data.csv", "a.tsv", "README.txt", "notes.pdf", ".hidden.csv", ".git/x.csv", "__MACOSX/a.csv", "empty.csv", "~$book.xlsx", "book.xlsx", "readings.csv"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		content := []byte("x")
		if name == "empty.csv" {
			content = nil
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, passed, err := importer.ListFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	names := strings.ReplaceAll(strings.ReplaceAll(strings.Join(files, " "), dir+string(filepath.Separator), ""), `\`, "/")
	if names != "a.tsv b/data.csv book.xlsx readings.csv" {
		t.Errorf("the files are %s", names)
	}
	if text := strings.Join(passed, " "); len(passed) != 4 || !strings.Contains(text, "empty.csv: it is empty") || !strings.Contains(text, "README.txt: by its name it holds no data") {
		t.Errorf("passed over: %q", passed)
	}
}
