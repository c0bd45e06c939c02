package geo_test

import (
	"strings"
	"testing"

	"almanac/internal/geo"
)

// TestResolveAll resolves the columns of testdata/columns.txt.
func TestResolveAll(t *testing.T) {
	for _, fields := range readList(t, "columns.txt") {
		t.Run(fields[0], func(t *testing.T) {
			var codes []geo.Labelled
			var want []string
			for _, field := range fields[3:] {
				text, id, _ := strings.Cut(field, " > ")
				code, label, _ := strings.Cut(text, "=")
				codes, want = append(codes, geo.Labelled{Code: code, Label: label}), append(want, id)
			}
			r := geo.ResolveAll(fields[1], fields[2], codes)
			for i, a := range r.Areas {
				if a.ID != want[i] {
					t.Errorf("%v is %s, want %s (%s)", codes[i], a.ID, want[i], r)
				}
			}
		})
	}
}

// TestWholeOf checks which areas of a source lie within another one.
func TestWholeOf(t *testing.T) {
	for _, c := range []struct {
		text, source, id string
		want             bool
	}{
		{"US", "local", "US", true},
		{"us", "local", "US-GA", true},
		{"USA", "local", "US-GA", true},
		{"840", "local", "US-GA", true},
		{"GE", "local", "US-GA", false},
		{"US-GA", "local", "US-GA", true},
		{"US-GA", "local", "US-TX", false},
		{"US-GA", "local", "US", false},
		{"ES-AN", "local", "ES-AL", true},
		{"ES", "local", "ES-AL", true},
		{"DE", "eurostat", "DE11", true},
		{"DE1", "eurostat", "DE11", true},
		{"DE1", "eurostat", "DE21", false},
		{"GR", "eurostat", "EL30", true},
		{"EE", "eurostat", "EEA", false},
		{"SE", "scb", "scb:01", true},
		{"SE", "ine", "ine:01", false},
		{"CA", "ine", "CA06", false},
		{"ES", "ine", "CA06", true},
		{"ES", "ine", "FR", false},
		{"FR", "insee", "insee:FM", true},
		{"FM", "insee", "insee:FM", false},
		{"SE", "scb", "Frankrike", false},
		{"EU27_2020", "eurostat", "DE11", true},
		{"EU27_2020", "eurostat", "UKC1", false},
		{"EU27_2020", "worldbank", "FR", true},
		{"150", "un", "FR", true},
		{"DE", "local", "local:DE12", false},
		{"nowhere", "local", "US-GA", false},
		{"US", "local", "census:01001", true},
		{"US-AL", "local", "census:01001", true},
		{"US-GA", "local", "census:01001", false},
		{"GB", "local", "E12000007", true},
		{"GB-ENG", "local", "E06000001", true},
		{"GB-SCT", "ons", "E06000001", false},
		{"NL", "local", "GM0363", true},
		{"SE-AB", "scb", "scb:0114", true},
		{"SE-AB", "scb", "scb:01", true},
		{"SE-C", "scb", "scb:01", false},
		{"US", "gdl", "USAr999", true},
		{"GE", "gdl", "USAr111", false},
		{"DK-84", "dst", "dst:084", true},
		{"DK-84", "dst", "dst:085", false},
		{"FR-11", "insee", "insee:11", false}, // Aude, or Île-de-France
		{"FR", "insee", "insee:11", true},
		{"NL-GR", "cbs", "PV20", true},
		{"ES-M", "ine", "ine:28079", true},
		{"US-AL", "census", "census:1", false}, // the Northeast
		{"DK", "local", "dst:101", true},
	} {
		if got := geo.WholeOf(c.text).Has(c.source, c.id); got != c.want {
			t.Errorf("%s of %s is within %s: %t, want %t", c.id, c.source, c.text, got, c.want)
		}
	}
}

// Names of a country as a whole in a table of its parts, in the languages of the offices.
func TestIsWhole(t *testing.T) {
	for name, want := range map[string]bool{"Riket": true, "Hele landet": true, "Ország összesen": true, "KOKO MAA": true, "Stockholm county": false, "": false} {
		if geo.IsWhole(name) != want {
			t.Errorf("IsWhole(%q) = %t", name, !want)
		}
	}
}
