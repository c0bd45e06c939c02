package format

import (
	"testing"

	"almanac/internal/stat"
)

// TestAttributes: an attribute is known by its ID, in any case.
func TestAttributes(t *testing.T) {
	for id, want := range map[string]Attribute{
		"OBS_STATUS": AttributeStatus, "obs_flag": AttributeStatus, "CONF_STATUS": AttributeConfidentiality, "OBS_CONF": AttributeConfidentiality,
		"OBS_COM": AttributeNote, "COUNTRY_NOTES": AttributeNote, "COMMENT_TS": AttributeNote, "SERIES_COMMENT": AttributeNote,
		"OBS_PRE_BREAK": AttributePreBreak, "UNIT": AttributeUnit, "UNIT_MEASURE": AttributeUnit, "UNIT_MULT": AttributeMultiplier,
		"UNIT_INDEX_BASE": AttributeOther, "DECIMALS": AttributeOther, "TITLE": AttributeOther, "GEO": AttributeOther,
	} {
		if got := AttributeOf(id); got != want {
			t.Errorf("AttributeOf(%q) = %d, want %d", id, got, want)
		}
	}
}

// TestUnitText: the multiplier stands beside the unit.
func TestUnitText(t *testing.T) {
	for _, c := range [][3]string{
		{"Euro", "", "Euro"}, {"Euro", "0", "Euro"}, {"Euro", "6", "Euro (millions)"}, {"Euro", " 3 ", "Euro (thousands)"},
		{"Euro", "7", "Euro (× 10^7)"}, {"Euro", "-2", "Euro (× 10^-2)"}, {"", "9", "billions"}, {"Euro", "units", "Euro"},
	} {
		if got := UnitText(c[0], c[1]); got != c[2] {
			t.Errorf("UnitText(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestEurostatFlags: letters one after another are flags of their own; a text
// that is no such letters stays as it is.
func TestEurostatFlags(t *testing.T) {
	for text, want := range map[string]struct {
		flags stat.Flags
		known bool
	}{
		"":                     {"", true},
		"b":                    {"B", true},
		"bdu":                  {"B D U", true},
		"b e p":                {"B E P", true},
		"s":                    {"E ESTAT:s", true},
		"@C":                   {"CONF_STATUS:C", true},
		"z":                    {"M", true},
		"@":                    {"ESTAT:@", false},
		"B":                    {"ESTAT:B", false},
		"bx":                   {"ESTAT:bx", false},
		"break in time series": {"ESTAT:break-in-time-series", false},
	} {
		flags, known := Status("eurostat", "OBS_FLAG", text)
		if flags != want.flags || known != want.known {
			t.Errorf("%q is %q (known %v), want %q (%v)", text, flags, known, want.flags, want.known)
		}
	}
	if flags, _ := Status("eurostat", "", "B"); flags != "B" {
		t.Errorf("B of CL_OBS_STATUS is %q at Eurostat", flags)
	}
}
