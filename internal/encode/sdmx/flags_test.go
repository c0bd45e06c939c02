package sdmx_test

import (
	"testing"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// OBS_STATUS holds one code, and no flag is lost.
func TestSplitFlags(t *testing.T) {
	for _, c := range []struct {
		name                         string
		flags                        stat.Flags
		status, all, confidentiality string
	}{
		{"none", "", "", "", ""},
		{"one code", "P", "P", "", ""},
		{"a break and low reliability", stat.NewFlags("U", "B"), "B", "B U", ""},
		{"a reason for a missing value", stat.NewFlags("E", "Q"), "Q", "E Q", ""},
		{"normal comes last", stat.NewFlags("A", "P"), "P", "A P", ""},
		{"the office's own", "ESTAT:i", "", "ESTAT:i", ""},
		{"the office's own beside a code", stat.NewFlags("ESTAT:s", "E"), "E", "E ESTAT:s", ""},
		{"confidentiality", stat.NewFlags("Q", stat.ConfPrefix+"C"), "Q", "", "C"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, all, confidentiality := sdmx.SplitFlags(c.flags)
			if status != c.status || all != c.all || confidentiality != c.confidentiality {
				t.Errorf("%q %q %q, want %q %q %q", status, all, confidentiality, c.status, c.all, c.confidentiality)
			}
			for _, code := range c.flags.List() {
				if len(code) == 1 && sdmx.StatusName(code) == "" {
					t.Errorf("%s has no name", code)
				}
			}
		})
	}
}
