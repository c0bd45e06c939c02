package importer

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// pages is a format whose files state which page they are ("page 1 2"), followed by
// rows "code year value".
var pages = format.Format{
	Name:      "pages",
	Recognise: func(_ string, head []byte) bool { return bytes.HasPrefix(head, []byte("page ")) },
	Read: func(_ context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
		return func(yield func(*stat.Table, error) bool) {
			d := &stat.Dataset{
				Source: stat.Source{ID: "nso", Name: "Office"}, Code: "paged",
				Geography: stat.Dimension{ID: "geo", Role: stat.RoleGeo, Codes: []stat.Code{{ID: "DE"}}},
			}
			items := (&assemble.Table{Table: stat.Table{Dataset: d}}).Arrange([]stat.Dimension{{ID: "item"}, d.Geography}, 1)[0]
			t := &stat.Table{Dataset: d, Report: &stat.Report{}}
			t.Observations = func(yield func(stat.Observation, error) bool) {
				text, _ := io.ReadAll(in.Data)
				for n, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
					var page, of, year int
					var code string
					var value float64
					if _, err := fmt.Sscanf(line, "page %d %d", &page, &of); err == nil {
						t.Partial, t.Share = fmt.Sprintf("page %d of %d", page, of), stat.Share{First: page, Last: page, Of: of}
						continue
					}
					if _, err := fmt.Sscanf(line, "updated %d", &year); err == nil {
						d.Updated = time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
						continue
					}
					fmt.Sscan(line, &code, &year, &value)
					t.Report.Read++
					o := stat.Observation{Key: []int32{items.Code([]byte(code)), 0}, Period: stat.NewPeriod(stat.Annual, year, 1), Value: value, At: stat.Position{Line: n + 1}}
					if !yield(o, nil) {
						return
					}
				}
			}
			yield(t, nil)
		}
	},
}

// A file that states that it is a part gets the note partial. It can create a dataset but
// not replace one. All parts in one command are one import.
func TestPagesOfOneDataset(t *testing.T) {
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one, two := file("1", "page 1 2\nB 2023 1\nA 2023 2\n"), file("2", "page 2 2\nC 2023 3\nA 2022 4\n")
	changed := file("3", "page 2 2\nC 2023 33\nA 2022 4\n")
	newer := file("5", "page 2 2\nupdated 2030\nC 2023 33\n")
	broken := file("4", "page 2 2\nC 2023 33\nC 2023 34\n")
	for _, c := range []struct {
		what    string
		files   []string
		status  Status
		version string
		stored  int
		note    string
		message string
	}{
		{"a part creates a dataset", []string{one}, Created, "1.0", 2, "page 1 of 2", ""},
		{"the same part again", []string{one}, Unchanged, "1.0", 2, "page 1 of 2", ""},
		{"another part does not replace it", []string{two}, Refused, "", 0, "", "a part can create a dataset but not replace one"},
		{"all parts are one import", []string{two, one}, Updated, "1.1", 4, "", ""},
		{"all parts again, in another order", []string{one, two}, Unchanged, "1.1", 4, "", ""},
		{"all parts, one of them changed", []string{one, changed}, Updated, "1.2", 4, "", ""},
		{"the same page twice is incomplete", []string{one, one}, Refused, "", 0, "", "but not replace one"},
		{"a page given twice", []string{one, changed, changed}, Unchanged, "1.2", 4, "", ""},
		{"a page given twice, first", []string{changed, changed, one}, Unchanged, "1.2", 4, "", ""},
		{"a page of another release", []string{one, newer}, Refused, "", 0, "", "are parts of different releases of dataset paged"},
		{"a part with an error", []string{one, broken}, Refused, "", 0, "", "the value 34 conflicts with"},
	} {
		t.Run(c.what, func(t *testing.T) {
			im, err := New(s, Options{})
			if err != nil {
				t.Fatal(err)
			}
			im.formats = []format.Format{pages}
			outcomes := im.Import(t.Context(), c.files...)
			if len(outcomes) != 1 {
				t.Fatalf("%+v, want one outcome", outcomes)
			}
			got := outcomes[0]
			if got.Status != c.status || got.Version != c.version || got.Observations.Stored != c.stored || !strings.Contains(got.Error, c.message) {
				t.Errorf("%+v, want status %s, version %s, %d stored and the error %q", got, c.status, c.version, c.stored, c.message)
			}
			note := ""
			for _, n := range got.Notes {
				if n.Kind == stat.NotePartial {
					note = n.Example
				}
			}
			if note != c.note {
				t.Errorf("the note partial has the example %q, want %q", note, c.note)
			}
			if got.Status == Refused {
				return
			}
			v, err := s.Vintage(t.Context(), 1)
			if err != nil || v.Dataset.Partial != c.note {
				t.Errorf("the dataset is partial: %q, %v, want %q", v.Dataset.Partial, err, c.note)
			}
		})
	}
}

func TestAreComplete(t *testing.T) {
	for _, c := range []struct {
		shares []stat.Share
		want   bool
	}{
		{nil, false},
		{[]stat.Share{{First: 1, Last: 1, Of: 1}}, true},
		{[]stat.Share{{First: 2, Last: 2, Of: 2}, {First: 1, Last: 1, Of: 2}}, true},
		{[]stat.Share{{First: 1, Last: 1, Of: 2}, {First: 1, Last: 1, Of: 2}}, false},
		{[]stat.Share{{First: 1, Last: 1000, Of: 2500}, {First: 1001, Last: 2000, Of: 2500}}, false},
		{[]stat.Share{{First: 1, Last: 1000, Of: 1500}, {First: 900, Last: 1500, Of: 1500}}, true},
		{[]stat.Share{{First: 1, Last: 2, Of: 3}, {First: 3, Last: 3, Of: 4}}, false},
	} {
		if got := areComplete(c.shares); got != c.want {
			t.Errorf("areComplete(%v) = %v", c.shares, got)
		}
	}
}

// Joined parts, such as the pages in an archive, can be completed by later parts, but not
// by a part that does not state its share.
func TestPartsJoinedBefore(t *testing.T) {
	two := &table{partial: "pages 1 and 2 of 3", shares: []stat.Share{{First: 1, Last: 1, Of: 3}, {First: 2, Last: 2, Of: 3}}}
	third := &table{partial: "page 3 of 3", shares: []stat.Share{{First: 3, Last: 3, Of: 3}}}
	if got := partialOf([]*table{two, third}); got != "" {
		t.Errorf("all pages are still partial: %q", got)
	}
	if got := partialOf([]*table{two, third, {partial: "a part"}}); got == "" {
		t.Error("a part that does not state its share completes the dataset")
	}
}
