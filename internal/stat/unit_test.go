package stat

import (
	"strings"
	"testing"
)

func TestSplitUnit(t *testing.T) {
	for _, c := range []struct{ text, unit, multiplier string }{
		{"Euro (millions)", "Euro", "6"},
		{"US dollar (2015 prices) (billions)", "US dollar (2015 prices)", "9"},
		{"thousands", "", "3"},
		{"Tonnes (× 10^8)", "Tonnes", "8"},
		{"Tonnes (× 10^-3)", "Tonnes", "-3"},
		{"Tonnes (× 10^+8)", "Tonnes (× 10^+8)", ""}, // which UnitText does not write
		{"U.S. dollars (Billions)", "U.S. dollars", "9"},
		{"Billion yen", "Billion yen", ""},
		{"Euro", "Euro", ""},
		{"(millions)", "(millions)", ""},
		{"Euro (constant)", "Euro (constant)", ""},
		{"", "", ""},
	} {
		unit, multiplier := SplitUnit(c.text)
		if unit != c.unit || multiplier != c.multiplier {
			t.Errorf("SplitUnit(%q) = %q, %q, want %q, %q", c.text, unit, multiplier, c.unit, c.multiplier)
		}
		if whole := UnitText(unit, multiplier); !strings.EqualFold(whole, c.text) {
			t.Errorf("UnitText(%q, %q) = %q, want %q", unit, multiplier, whole, c.text)
		}
	}
}

// TestUnitText: the multiplier follows the unit.
func TestUnitText(t *testing.T) {
	for _, c := range [][3]string{
		{"Euro", "", "Euro"}, {"Euro", "0", "Euro"}, {"Euro", "6", "Euro (millions)"}, {"Euro", " 3 ", "Euro (thousands)"},
		{"Euro", "7", "Euro (× 10^7)"}, {"Euro", "-2", "Euro (× 10^-2)"}, {"", "9", "billions"}, {"Euro", "units", "Euro"},
		{"Euro", "Millions", "Euro (millions)"}, {"Euro", "Thousand", "Euro (thousands)"}, {"Euro", "_Z", "Euro"},
	} {
		if got := UnitText(c[0], c[1]); got != c[2] {
			t.Errorf("UnitText(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestTranslatedUnit: the unit that is stated for a series is the label of its code in the language of the dataset, if the
// list has the code with that label.
func TestTranslatedUnit(t *testing.T) {
	list := &CodeList{Language: "en", Codes: []Code{{ID: "300", Label: "Units"}}}
	list.Translate("fr", "300", "Unités")
	base := &Dataset{}
	for _, unit := range []Code{{ID: "300", Label: "Units"}, {ID: "300", Label: "Dollars"}, {ID: "301", Label: "Persons"}} {
		base.TranslateUnit(unit.Label, list.TranslationsOf(unit), " (thousands)")
	}
	french := &Dataset{Base: base, SeriesUnits: base.Translations["fr"].SeriesUnits}
	for stated, want := range map[string]string{"Units (thousands)": "Unités (thousands)", "Units": "Units", "Dollars (thousands)": "Dollars (thousands)", "Persons (thousands)": "Persons (thousands)"} {
		if got := french.UnitOf(nil, stated); got != want {
			t.Errorf("%s: %s; want %s", stated, got, want)
		}
	}
	if got := list.TranslationsOf(Code{ID: "300", Label: "Unités"})["en"]; got != "Units" {
		t.Errorf("of the French label: %q", got)
	}
}
