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
