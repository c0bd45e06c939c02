package importer

import (
	"testing"

	"almanac/internal/stat"
)

// A country's English name is replaced by its code, also if the office has another name
// for it.
func TestAreaNamesAreReplacedByCodes(t *testing.T) {
	before := &stat.Dataset{Geography: stat.Dimension{ID: "geo", Codes: []stat.Code{{ID: "DE", Label: "Germany (until 1990 former territory of the FRG)", Area: "DE"}}}}
	d := &stat.Dataset{Source: stat.Source{ID: "eurostat"}, Geography: stat.Dimension{ID: "geo", Codes: []stat.Code{{ID: "Germany"}}}}
	replaceNames(d, before, nil, &stat.Report{})
	if got := d.Geography.Codes[0].ID; got != "DE" {
		t.Errorf("the code of Germany is %q, want DE", got)
	}
}

// A file with names instead of codes has the same data as one with codes, if a
// dictionary or the previous version has the names.
func TestNamesAreReplacedByCodes(t *testing.T) {
	dictionary := stat.NewDictionary("office")
	dictionary.Lists["sex"] = &stat.CodeList{Name: "sex", Codes: []stat.Code{
		{ID: "T", Label: "Total"}, {ID: "F", Label: "Women"}, {ID: "X", Label: "Both"}, {ID: "Y", Label: "Both"}, {ID: "Men", Label: "Odd"},
	}}
	before := &stat.Dataset{Geography: stat.Dimension{ID: "geo", Codes: []stat.Code{{ID: "EL", Label: "Greece"}, {ID: "A", Label: "Same [A]", SourceLabel: "Same"}}}}
	d := &stat.Dataset{
		Dimensions: []stat.Dimension{{ID: "sex", Codes: []stat.Code{
			{ID: "Women"}, {ID: " Total "}, {ID: "Both"}, {ID: "Men"}, {ID: "Others"}, {ID: "Odd", Label: "labelled otherwise"},
		}}},
		Geography: stat.Dimension{ID: "geo", Codes: []stat.Code{{ID: "Greece"}, {ID: "EL"}, {ID: "Same"}}},
	}
	report := &stat.Report{}
	replaceNames(d, before, dictionary, report)
	for _, c := range []struct {
		axis stat.Dimension
		want []string
	}{
		{d.Dimensions[0], []string{"F", "T", "Both", "Men", "Others", "Odd"}},
		{d.Geography, []string{"Greece", "EL", "A"}}, // EL is there already: two codes are never merged
	} {
		for i, code := range c.axis.Codes {
			if code.ID != c.want[i] {
				t.Errorf("%s: code %d is %q, want %q", c.axis.ID, i, code.ID, c.want[i])
			}
		}
	}
	if n := report.Notes(); len(n) != 1 || n[0].Count != 3 {
		t.Errorf("notes %+v, want one note with a count of 3", n)
	}
	replaceNames(d, nil, nil, report) // nothing known: nothing changes
	if d.Dimensions[0].Codes[4].ID != "Others" {
		t.Error("a code changed without a dictionary")
	}
}
