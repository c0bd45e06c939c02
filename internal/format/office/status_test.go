package office

import (
	"testing"

	"almanac/internal/stat"
)

// TestEurostatFlags: each of several letters is a flag; any other text is kept as it
// is.
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
