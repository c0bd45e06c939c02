package agent

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stat"
)

// TestNamedOnce checks what the notices on missing values say of areas that the notice on other periods names.
func TestNamedOnce(t *testing.T) {
	above := namedAbove([]notice{
		{Parameter: "country", Message: "\"X\" is read as Y"},
		{Parameter: "latest_mode", Message: "some areas have no value of 2020; their last values are of other periods: A, town (until 2011) (2010), B (Q4/2009); latest_mode=area shows the last value of each area"},
	})
	if !slices.Equal(above, []string{"A, town (until 2011)", "B"}) {
		t.Errorf("%q", above)
	}
	for _, c := range []struct {
		areas []string
		want  string
	}{
		{[]string{"A, town (until 2011)", "B"}, "the areas named above"},
		{[]string{"C", "A, town (until 2011)", "B"}, "the areas named above, C"},
		{[]string{"B", "C"}, "B, C"}, // of A there is another reason, or none
		{[]string{"C", "D"}, "C, D"},
	} {
		var list []observation
		for _, area := range c.areas {
			list = append(list, observation{area: area, period: "2020", value: Cell(json.RawMessage("null")), flags: "M"})
		}
		want := "no value of 2020 is published for " + c.want + ": " + list[0].reason()
		if got := missing(list, above...); !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %q, want %q", c.areas, got, want)
		}
	}
}

// TestMeaningInNote takes the meaning of a flag from the note beside it if nothing else tells it.
func TestMeaningInNote(t *testing.T) {
	of := &structure{}
	list := []observation{{flags: "LOCAL:x", note: "suppressed"}, {flags: "LOCAL:r", note: "revised"}, {flags: "LOCAL:r", note: "of May"}, {flags: "LOCAL:y"}, {flags: "P", note: "of May"}}
	want := map[string]string{
		"LOCAL:x": "suppressed", "LOCAL:r": "flag LOCAL:r: see the notes of its values",
		"LOCAL:y": "flag y: meaning not given by the office", "P": "provisional value",
	}
	for flag, meaning := range of.meaningsOf(list) {
		if !strings.EqualFold(meaning, want[flag]) {
			t.Errorf("%s means %q, want %q", flag, meaning, want[flag])
		}
	}
}

// TestMeaningInLegend takes the meaning of a flag from a line beside the table, if all notes of its values have it.
func TestMeaningInLegend(t *testing.T) {
	of := &structure{dataset: &stat.Dataset{Description: "Source: Ministry. Contact: a@b\n(p) provisional\nc confidential\n.. not available\n- nil\nx secret\na) April not published"}}
	list := []observation{
		{flags: "A LOCAL:c", note: "April not published; confidential"}, {flags: "A LOCAL:..", note: "April not published; not available"},
		{flags: "A LOCAL:n/a"}, {flags: "LOCAL:- P", note: "nil"}, {flags: "LOCAL:x", note: "secret; of May"}, {flags: "LOCAL:x A", note: "of May"},
	}
	want := map[string]string{
		"A": "normal value", "P": "provisional value", "LOCAL:c": "confidential", "LOCAL:..": "not available", "LOCAL:-": "nil",
		"LOCAL:n/a": "flag n/a: meaning not given by the office", "LOCAL:x": "flag LOCAL:x: see the notes of its values",
	}
	for flag, meaning := range of.meaningsOf(list) {
		if !strings.EqualFold(meaning, want[flag]) {
			t.Errorf("%s means %q, want %q", flag, meaning, want[flag])
		}
	}
}
