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

// newListImporter returns an importer with an additional format for files *.list. The
// text of a file decides what Learn returns; for "stopped", Learn calls stop.
func newListImporter(t *testing.T, stop func()) (*Importer, *store.Store) {
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
	list := format.Format{
		Name: "list", Holds: "a code list", Learn: learn,
		Recognise: func(name string, _ []byte) bool { return strings.HasSuffix(name, ".list") },
	}
	im.formats = append([]format.Format{list}, im.formats...)
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

// women returns the label of code F after an import of birthsTable.
func women(t *testing.T, s *store.Store, outcomes []Outcome) string {
	t.Helper()
	if len(outcomes) != 1 || outcomes[0].Status == Refused {
		t.Fatalf("%+v, want one dataset", outcomes)
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

// listsOf returns the number of stored code lists.
func listsOf(t *testing.T, s *store.Store) int {
	t.Helper()
	known, err := s.Dictionary(t.Context(), "eurostat")
	if err != nil {
		t.Fatal(err)
	}
	return len(known.Lists)
}

// An import that is interrupted while it reads codes stores nothing. A file without any
// codes is refused like any other file without data.
func TestInterruptedCodes(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	im, s := newListImporter(t, stop)
	got := im.Read(ctx, "a.list", strings.NewReader("stopped"))
	if len(got) != 1 || !strings.Contains(got[0].Error, "interrupted") || listsOf(t, s) != 0 {
		t.Errorf("%+v, want an error that says interrupted", got)
	}
	got = im.Read(t.Context(), "a.list", strings.NewReader("nothing"))
	if len(got) != 1 || !strings.Contains(got[0].Error, "holds no data") || strings.Contains(got[0].Error, "stored") {
		t.Errorf("%+v, want a refusal that mentions no stored codes", got)
	}
}

// The readable part of a truncated list in an archive is used, and a note has the error,
// as with a folder of lists. An archive without data is refused with that error, and
// nothing of it is stored.
func TestTruncatedListInArchive(t *testing.T) {
	im, s := newListImporter(t, nil)
	got := im.Read(t.Context(), "births.zip", archive(t, "births.tsv", birthsTable, "lists/sex.list", "a part"))
	if label := women(t, s, got); label != "Women" {
		t.Errorf("label %q, want Women from the readable part", label)
	}
	example := ""
	for _, n := range got[0].Notes {
		if n.Kind == NoteLabelsUnread {
			example = n.Example
		}
	}
	if want := "lists/sex.list:2:3: the list is truncated"; example != want {
		t.Errorf("notes %+v, want %s %q", got[0].Notes, NoteLabelsUnread, want)
	}

	im, s = newListImporter(t, nil)
	got = im.Read(t.Context(), "lists.zip", archive(t, "a.list", "whole", "b.list", "a part"))
	if len(got) != 1 || !strings.Contains(got[0].Error, "b.list:2:3: the list is truncated") || listsOf(t, s) != 0 {
		t.Errorf("%+v and %d stored lists, want the error and none", got, listsOf(t, s))
	}
	if label := women(t, s, im.Read(t.Context(), "births.tsv", strings.NewReader(birthsTable))); label != "F" {
		t.Errorf("label %q comes from a refused archive", label)
	}
}

// The codes of a refused file are neither used for the rest of the command nor stored.
// Those of an imported file are.
func TestCodesOfRefusedFilesAreNotUsed(t *testing.T) {
	im, s := newListImporter(t, nil)
	for name, data := range map[string]io.Reader{
		"bad.zip": archive(t, "sex.list", "whole", "births.tsv", brokenTable),
		"a.list":  strings.NewReader("a part"),
	} {
		if got := im.Read(t.Context(), name, data); len(got) != 1 || got[0].Status != Refused {
			t.Fatalf("%+v, want a refusal", got)
		}
	}
	if label := women(t, s, im.Read(t.Context(), "births.tsv", strings.NewReader(birthsTable))); label != "F" || listsOf(t, s) != 0 {
		t.Errorf("label %q and %d stored lists come from refused files", label, listsOf(t, s))
	}
	got := im.Read(t.Context(), "good.zip", archive(t, "sex.list", "whole", "deaths.tsv", birthsTable))
	if label := women(t, s, got); label != "Women" {
		t.Errorf("label %q, want Women from the list in the archive", label)
	}
	other := im.Read(t.Context(), "moves.tsv", strings.NewReader(birthsTable))
	if label := women(t, s, other); label != "Women" {
		t.Errorf("label %q, want Women from the earlier archive", label)
	}
	if cache := im.dictionaries; len(cache.current) != 0 || len(cache.confirmed) != 1 || cache.confirmed[0].Source != "eurostat" {
		t.Errorf("%d confirmed and %d current dictionaries, want 1 and 0", len(cache.confirmed), len(cache.current))
	}
}

// The labels of the previous version are collected once per dimension, and the
// costly lookup is made only for codes without any other label.
func TestLabelsAreCollectedOnce(t *testing.T) {
	const many = 60_000
	before := &stat.Dataset{Dimensions: []stat.Dimension{{ID: "nuts"}}}
	dim := stat.Dimension{ID: "nuts"}
	for i := range many {
		id := fmt.Sprint("N", i)
		before.Dimensions[0].Codes = append(before.Dimensions[0].Codes, stat.Code{ID: id, Label: "Area " + id})
		dim.Codes = append(dim.Codes, stat.Code{ID: id})
	}
	dim.Codes = append(dim.Codes, stat.Code{ID: "new"})
	b := bookOf(&stat.Dataset{}, before)
	label := b.labels(&dim)
	if got := label("N0"); got != "Area N0" {
		t.Fatalf("label %q", got)
	}
	b.table = nil // collecting again, or asking whether the code is an area, would panic
	for _, c := range dim.Codes[:many] {
		if got := label(c.ID); got != "Area "+c.ID {
			t.Fatalf("%s has the label %q: the labels are collected again", c.ID, got)
		}
	}
	completeLabels(&dim, before.Dimensions[0])
	if last, added := dim.Codes[many-1].Label, dim.Codes[many].Label; last != fmt.Sprint("Area N", many-1) || added != "new" {
		t.Errorf("labels %q and %q, want the previous one and the code", last, added)
	}
}
