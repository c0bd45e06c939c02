package stat_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/stat"
	"almanac/internal/stattest/property"
)

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		codes     []string
		want      stat.Flags
		obs, conf string
		missing   bool
	}{
		{nil, "", "", "", false},
		{[]string{""}, "", "", "", false},
		{[]string{"P"}, "P", "P", "", false},
		{[]string{"P", "", "B", "P"}, "B P", "B P", "", false},
		{[]string{"CONF_STATUS:C"}, "CONF_STATUS:C", "", "C", false},
		{[]string{"Q", "CONF_STATUS:N", "CONF_STATUS:C", "ESTAT:i"}, "CONF_STATUS:C CONF_STATUS:N ESTAT:i Q", "ESTAT:i Q", "C N", true},
	} {
		f := stat.NewFlags(c.codes...)
		if f != c.want {
			t.Errorf("NewFlags(%q) = %q, want %q", c.codes, f, c.want)
		}
		obs, conf := f.Split()
		if obs != c.obs || conf != c.conf {
			t.Errorf("%q splits into %q and %q, want %q and %q", f, obs, conf, c.obs, c.conf)
		}
		if f.Missing() != c.missing {
			t.Errorf("%q missing: %t, want %t", f, f.Missing(), c.missing)
		}
	}
}

// H, L, M, O and Q of CL_OBS_STATUS 2.2 mean a missing value. An office's own flag with
// the same letter does not, nor does confidentiality.
func TestFlagsMissing(t *testing.T) {
	for _, code := range []string{"A", "B", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "S", "U", "V", "W",
		"ILO:M", "CONF_STATUS:M", "CONF_STATUS:O", "MM"} {
		want := slices.Contains([]string{"H", "L", "M", "O", "Q"}, code)
		if got := stat.NewFlags(code, "P").Missing(); got != want {
			t.Errorf("%s and P missing: %t, want %t", code, got, want)
		}
	}
}

func TestFlagsHas(t *testing.T) {
	f := stat.NewFlags("P", "ESTAT:i")
	for code, want := range map[string]bool{"P": true, "ESTAT:i": true, "i": false, "ESTAT": false, "": false, "P ESTAT:i": false} {
		if got := f.Has(code); got != want {
			t.Errorf("%q has %q: %t, want %t", f, code, got, want)
		}
	}
	if stat.Flags("").Has("") || stat.Flags("").List() != nil {
		t.Error("empty flags have a code")
	}
}

func TestJoinFlags(t *testing.T) {
	for _, c := range []struct {
		obs, conf string
		want      stat.Flags
	}{
		{"", "", ""},
		{"P B", "", "B P"},
		{"P", "F", "CONF_STATUS:F P"},
		{"", "N C", "CONF_STATUS:C CONF_STATUS:N"},
	} {
		if got := stat.JoinFlags(c.obs, c.conf); got != c.want {
			t.Errorf("JoinFlags(%q, %q) = %q, want %q", c.obs, c.conf, got, c.want)
		}
	}
}

// The order of the codes does not matter, the flags are exactly the codes, and JoinFlags
// is the inverse of Split.
func TestPropertyFlags(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		codes := rapid.SliceOf(rapid.SampledFrom([]string{"B", "P", "E", "M", "ESTAT:i", "ESTAT:r", "CONF_STATUS:C", "CONF_STATUS:F"})).Draw(t, "codes")
		f := stat.NewFlags(codes...)
		if shuffled := rapid.Permutation(codes).Draw(t, "shuffled"); stat.NewFlags(shuffled...) != f {
			t.Fatalf("%q gives %q, %q gives %q", codes, f, shuffled, stat.NewFlags(shuffled...))
		}
		for _, code := range codes {
			if !f.Has(code) {
				t.Fatalf("%q lacks %q", f, code)
			}
		}
		list := f.List()
		if len(list) > len(codes) || !slices.IsSorted(list) || stat.NewFlags(list...) != f {
			t.Fatalf("%q lists %q", f, list)
		}
		if obs, conf := f.Split(); stat.JoinFlags(obs, conf) != f {
			t.Fatalf("%q splits into %q and %q, which join to %q", f, obs, conf, stat.JoinFlags(obs, conf))
		}
	})
}
