package geo_test

import (
	"strings"
	"testing"

	"almanac/internal/geo"
)

// TestNamesakes lists what else a name may mean than the area that it is read as.
func TestNamesakes(t *testing.T) {
	for _, c := range []struct{ text, id, want string }{
		{"Limburg", "BE-VLI", "Limburg, Netherlands [NL-LI]"},
		{"Limburg", "BE22", "Limburg, Netherlands [NL-LI]"},
		{"Limburg", "NL42", "Limburg, Belgium [BE-VLI]"},
		{"Virgin Islands", "VI", "British Virgin Islands [VG]"},
		{"Congo", "CG", "Democratic Republic of the Congo [CD]"},
		{"Kongo", "CD", "Congo [CG]"},
		{"Korea", "KR", "North Korea [KP]"},
		{"Georgia", "GE", "Georgia, United States [US-GA]"},
		{"Georgia", "US-GA", "Georgia [GE]"},
		{"Luxembourg", "LU", "Luxembourg, Belgium [BE-WLX]"},
		{"Córdoba", "ES613", "Córdoba, Argentina [AR-X]; Córdoba, Colombia [CO-COR]"},
		{"Granada", "GD", "Granada, Spain [ES614]; Granada, Nicaragua [NI-GR]"},
		{"Punjab", "IN-PB", "Punjab, Pakistan [PK-PB]"},
		{"China", "CN", ""},
		{"Chine", "CN", ""},
		{"Brandenburg", "DE-BB", ""},
		{"Brandenburg", "DE40", ""},
		{"Berlin", "DE3", ""},
		{"Germany", "DE", ""},
		{"DE", "DE", ""},
		{"nowhere", "DE", ""},
	} {
		var got []string
		for _, e := range geo.Namesakes(c.text, c.id) {
			got = append(got, e.FullName()+" ["+e.Key+"]")
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s, read as %s, may also mean %q, want %q", c.text, c.id, text, c.want)
		}
	}
}
