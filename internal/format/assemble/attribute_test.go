package assemble

import "testing"

// TestAttributes: an attribute is recognised by its ID, in upper or lower case.
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
