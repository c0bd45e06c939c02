package importer

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/stat"
	"almanac/internal/store"
)

const (
	birthsTable = "freq,sex,geo\\TIME_PERIOD\t2022 \t2023 \nA,T,DE\t738819 \t692989 p\nA,F,DE\t360000 \t: c\n"
	brokenTable = birthsTable + "A,M,DE\tmany \t1 \n"
)

// withLists makes an importer with an additional format: files *.says, whose text
// decides what Learn returns. It calls stop in the middle of "stopped".
func withLists(t *testing.T, stop func()) (*Importer, *store.Store) {
	t.Helper()
	im, s := newImporter(t)
	learn := func(_ context.Context, in format.Input) (*stat.Dictionary, error) {
		word, err := io.ReadAll(in.Data)
		if err != nil {
			return nil, err
		}
		d := stat.NewDictionary("eurostat")
		d.Lists["sex"] = &stat.CodeList{Name: "sex", Codes: []stat.Code{{ID: "F", Label: "Women"}, {ID: "T", Label: "Total"}}}
		switch string(word) {
		case "nothing":
			return nil, nil
		case "a part":
			return d, stat.BadFile(stat.Position{Line: 2, Column: 3}, "the list is truncated")
		case "stopped":
			stop()
		}
		return d, nil
	}
	says := format.Format{
		Name: "says", Holds: "a list that says something", Learn: learn,
		Recognise: func(name string, _ []byte) bool { return strings.HasSuffix(name, ".says") },
	}
	im.formats = append([]format.Format{says}, im.formats...)
	return im, s
}

// archive packs files, stated as name, content, name, content …
func archive(t *testing.T, files ...string) io.Reader {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// women returns the label of the code F after an import of a file of births.
func women(t *testing.T, s *store.Store, outcomes []Outcome) string {
	t.Helper()
	if len(outcomes) != 1 || outcomes[0].Status == Refused {
		t.Fatalf("%+v, wanted one dataset", outcomes)
	}
	v, err := s.Vintage(t.Context(), outcomes[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range dimensionOf(v.Dataset, "sex").Codes {
		if c.ID == "F" {
			return c.Label
		}
	}
	return ""
}

// listsOf counts the code lists that the store keeps of the office.
func listsOf(t *testing.T, s *store.Store) int {
	t.Helper()
	known, err := s.Dictionary(t.Context(), "eurostat")
	if err != nil {
		t.Fatal(err)
	}
	return len(known.Lists)
}

// An import that is interrupted while it reads codes stores nothing and says so; a
// file without any codes is refused like any other without data.
func TestReadingOfCodesStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	im, s := withLists(t, stop)
	got := im.Read(ctx, "a.says", strings.NewReader("stopped"))
	if len(got) != 1 || !strings.Contains(got[0].Error, "interrupted") || listsOf(t, s) != 0 {
		t.Errorf("%+v, wanted that it was interrupted", got)
	}
	got = im.Read(t.Context(), "a.says", strings.NewReader("nothing"))
	if len(got) != 1 || !strings.Contains(got[0].Error, "holds no data") || strings.Contains(got[0].Error, "kept") {
		t.Errorf("%+v, wanted a refusal that does not mention stored codes", got)
	}
}

// A list in an archive that could be read in part is used, and the dataset
// notes what is the matter, as with a folder of lists. Without data the archive
// is refused with that error, and nothing of it is kept.
func TestListInAnArchiveReadInPart(t *testing.T) {
	im, s := withLists(t, nil)
	got := im.Read(t.Context(), "births.zip", archive(t, "births.tsv", birthsTable, "lists/sex.says", "a part"))
	if label := women(t, s, got); label != "Women" {
		t.Errorf("label %q, wanted that of the part that could be read", label)
	}
	example := ""
	for _, n := range got[0].Notes {
		if n.Kind == NoteLabelsUnread {
			example = n.Example
		}
	}
	if want := "lists/sex.says:2:3: the list is truncated"; example != want {
		t.Errorf("notes %+v, wanted %s %q", got[0].Notes, NoteLabelsUnread, want)
	}

	im, s = withLists(t, nil)
	got = im.Read(t.Context(), "lists.zip", archive(t, "a.says", "whole", "b.says", "a part"))
	if len(got) != 1 || !strings.Contains(got[0].Error, "b.says:2:3: the list is truncated") || listsOf(t, s) != 0 {
		t.Errorf("%+v and %d lists kept, wanted the error and none", got, listsOf(t, s))
	}
	if label := women(t, s, im.Read(t.Context(), "births.tsv", strings.NewReader(birthsTable))); label != "F" {
		t.Errorf("label %q of a refused archive", label)
	}
}

// The codes of a refused file are used neither for the rest of the command nor by
// the store; those of an accepted one are.
func TestRefusedCodesAreNotKept(t *testing.T) {
	im, s := withLists(t, nil)
	for name, data := range map[string]io.Reader{
		"bad.zip": archive(t, "sex.says", "whole", "births.tsv", brokenTable),
		"a.says":  strings.NewReader("a part"),
	} {
		if got := im.Read(t.Context(), name, data); len(got) != 1 || got[0].Status != Refused {
			t.Fatalf("%+v, wanted a refusal", got)
		}
	}
	if label := women(t, s, im.Read(t.Context(), "births.tsv", strings.NewReader(birthsTable))); label != "F" || listsOf(t, s) != 0 {
		t.Errorf("label %q and %d lists kept of what was refused", label, listsOf(t, s))
	}
	got := im.Read(t.Context(), "good.zip", archive(t, "sex.says", "whole", "deaths.tsv", birthsTable))
	if label := women(t, s, got); label != "Women" {
		t.Errorf("label %q, wanted that of the list beside it", label)
	}
	other := im.Read(t.Context(), "moves.tsv", strings.NewReader(birthsTable))
	if label := women(t, s, other); label != "Women" {
		t.Errorf("label %q, wanted that of the archive before", label)
	}
	if cache := im.dictionaries; len(cache.current) != 0 || len(cache.confirmed) != 1 || cache.confirmed[0].Source != "eurostat" {
		t.Errorf("%d confirmed and %d current dictionaries, want 1 and 0", len(cache.confirmed), len(cache.current))
	}
}

// The labels of the previous version are collected once per dimension, and the
// costly lookup is made only for codes without any other label.
func TestLabelsOfManyCodes(t *testing.T) {
	const many = 60_000
	before := &stat.Dataset{Dimensions: []stat.Dimension{{ID: "nuts"}}}
	dim := stat.Dimension{ID: "nuts"}
	for i := range many {
		id := fmt.Sprint("N", i)
		before.Dimensions[0].Codes = append(before.Dimensions[0].Codes, stat.Code{ID: id, Label: "Area " + id})
		dim.Codes = append(dim.Codes, stat.Code{ID: id})
	}
	dim.Codes = append(dim.Codes, stat.Code{ID: "new"})
	b := &codebook{table: &table{stored: &store.Vintage{Dataset: before}}}
	label := b.labels("nuts")
	if got := label("N0"); got != "Area N0" {
		t.Fatalf("label %q", got)
	}
	b.stored = nil
	for _, c := range dim.Codes[:many] {
		if got := label(c.ID); got != "Area "+c.ID {
			t.Fatalf("%s is %q: the labels are looked for again", c.ID, got)
		}
	}
	lookups := 0
	completeLabels(&dim, before.Dimensions[0], func(id string) string { lookups++; return "" })
	if lookups != 1 || dim.Codes[many-1].Label != fmt.Sprint("Area N", many-1) || dim.Codes[many].Label != "new" {
		t.Errorf("%d lookups, wanted 1", lookups)
	}
}
