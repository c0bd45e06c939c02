package importer

import (
	"testing"

	"almanac/internal/stat"
)

func TestIsIn(t *testing.T) {
	d := &stat.Dataset{Dimensions: []stat.Dimension{
		{ID: "sex", Codes: []stat.Code{{ID: "M", Label: "Males"}, {ID: "F", Label: "Females"}}},
		{ID: "unit", Role: stat.RoleUnit, Codes: []stat.Code{{ID: "PC", Label: "Percentage"}}},
	}}
	texts := func(dim string, codes map[string]string) *stat.Translation {
		return &stat.Translation{Dimensions: map[string]*stat.DimensionTexts{dim: {Codes: codes}}}
	}
	for _, c := range []struct {
		name  string
		texts *stat.Translation
		want  bool
	}{
		{"name", &stat.Translation{Name: "Arbeitslose"}, true},
		{"all codes of a dimension", texts("sex", map[string]string{"M": "Männer", "F": "Frauen"}), true},
		{"half of the codes", texts("sex", map[string]string{"M": "Männer"}), false},
		{"unit alone", texts("unit", map[string]string{"PC": "Prozent"}), false},
		{"areas alone", texts("geo", map[string]string{"DE": "Deutschland"}), false},
	} {
		if got := isIn(d, c.texts); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
