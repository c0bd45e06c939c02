package stat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"almanac/internal/stat"
)

// Only notes that drop count dropped cells.
func TestReport(t *testing.T) {
	r := stat.Report{Read: 10, Missing: 3}
	r.Add(stat.NoteUndated, 1, "")
	r.Add(stat.NoteUndated, 2, "2020W99")
	r.Add(stat.NoteUndated, 1, "LTAA")
	r.Add(stat.NoteDoubled, 1, "DE 2020")
	r.Add(stat.NoteEncoding, 1, "line 3")
	want := []stat.Note{
		{Kind: "doubled", Count: 1, Drops: true, Example: "DE 2020"},
		{Kind: "encoding", Count: 1, Drops: false, Example: "line 3"},
		{Kind: "undated", Count: 4, Drops: true, Example: "2020W99"},
	}
	if got := r.Notes(); !slices.Equal(got, want) {
		t.Errorf("notes %v, want %v", got, want)
	}
	if got := r.Dropped(); got != 5 {
		t.Errorf("dropped %d, want 5", got)
	}
}

// A report without notes has an empty list of notes, not null, in JSON.
func TestReportWithoutNotes(t *testing.T) {
	var r stat.Report
	text, err := json.Marshal(r.Notes())
	if err != nil || string(text) != "[]" || r.Dropped() != 0 {
		t.Errorf("notes %s, error %v, dropped %d", text, err, r.Dropped())
	}
}

// A note has kind, count, drops and an example in JSON.
func TestNoteJSON(t *testing.T) {
	text, err := json.Marshal(stat.Note{Kind: stat.NoteUndated, Count: 2, Drops: true, Example: "2020W99"})
	if want := `{"kind":"undated","count":2,"drops":true,"example":"2020W99"}`; err != nil || string(text) != want {
		t.Errorf("%s, error %v, want %s", text, err, want)
	}
}

func TestKindOf(t *testing.T) {
	file := stat.BadFile(stat.Position{Line: 3}, "no")
	for _, c := range []struct {
		err  error
		want stat.Kind
	}{
		{errors.New("disk full"), stat.Internal},
		{stat.Errorf(stat.Invalid, "no"), stat.Invalid},
		{stat.Errorf(stat.NotFound, "no"), stat.NotFound},
		{stat.Errorf(stat.Unavailable, "no"), stat.Unavailable},
		{file, stat.Refused},
		{fmt.Errorf("importing: %w", file), stat.Refused},
		{fmt.Errorf("requesting: %w", stat.Errorf(stat.Invalid, "no")), stat.Invalid},
		{&stat.Error{Kind: stat.NotFound, Message: "no such thing", Err: file}, stat.NotFound},
	} {
		if got := stat.KindOf(c.err); got != c.want {
			t.Errorf("the kind of %q is %d, want %d", c.err, got, c.want)
		}
	}
}

func TestErrorTexts(t *testing.T) {
	cause := errors.New("no route")
	wrapped := &stat.Error{Kind: stat.Unavailable, Message: "the office does not answer", Err: cause}
	if !errors.Is(wrapped, cause) || wrapped.Error() != "the office does not answer: no route" {
		t.Errorf("%q, is its cause: %t", wrapped, errors.Is(wrapped, cause))
	}
	if got := stat.Errorf(stat.Invalid, "period %q", "soon").Error(); got != `period "soon"` {
		t.Error(got)
	}
}

// The text of a file error has the file, the line and the column, as far as known.
func TestFileErrorTexts(t *testing.T) {
	for _, c := range []struct {
		file string
		at   stat.Position
		want string
	}{
		{"a.tsv", stat.Position{Line: 3, Column: 14}, "a.tsv:3:14: 7x is not a number"},
		{"a.tsv", stat.Position{Line: 3}, "a.tsv:3: 7x is not a number"},
		{"a.tsv", stat.Position{}, "a.tsv: 7x is not a number"},
	} {
		err := stat.BadFile(c.at, "%s is not a number", "7x")
		var bad *stat.FileError
		if !errors.As(err, &bad) {
			t.Fatalf("%v is a %T", err, err)
		}
		bad.File = c.file
		if got := err.Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Axes returns pointers into the dataset, so that codes can be appended to them: the
// dimensions, then the geography.
func TestAxes(t *testing.T) {
	d := stat.Dataset{
		Dimensions:  []stat.Dimension{{ID: "unit"}, {ID: "na_item"}},
		Geography:   stat.Dimension{ID: "geo"},
		GeographyAt: 1,
	}
	var ids []string
	for _, axis := range d.Axes() {
		ids = append(ids, axis.ID)
		axis.Codes = append(axis.Codes, stat.Code{ID: "x"})
	}
	if want := []string{"unit", "na_item", "geo"}; !slices.Equal(ids, want) {
		t.Errorf("axes %v, want %v", ids, want)
	}
	if len(d.Dimensions[0].Codes) != 1 || len(d.Dimensions[1].Codes) != 1 || len(d.Geography.Codes) != 1 {
		t.Error("a code that was appended to an axis is not in the dataset")
	}
}
