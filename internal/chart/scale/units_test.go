package scale_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/chart/scale"
	"almanac/internal/stattest"
)

// Units of Eurostat that are percentages have the sign "%". Multiples, indices and
// changes do not have the sign of a currency.
func TestUnitsOfEurostat(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "eurostat", "dic", "unit.dic"))
	if err != nil {
		t.Fatal(err)
	}
	percents, euros := 0, 0
	for line := range strings.Lines(string(text)) {
		_, unit, _ := strings.Cut(strings.TrimSpace(line), "\t")
		prefix, suffix := scale.SignOf(unit)
		lower := strings.ToLower(unit)
		if strings.HasPrefix(lower, "percentage") != (suffix == "%") && !strings.HasPrefix(lower, "percent") {
			t.Errorf("%q: sign %q", unit, suffix)
		}
		if suffix == "%" {
			percents++
		}
		if prefix == "" {
			continue
		}
		euros++
		for _, word := range []string{"thousand", "million", "milliard", "percentage", "index", "change"} {
			if prefix != "€" || strings.Contains(lower, word) {
				t.Errorf("%q: sign %q", unit, prefix)
			}
		}
	}
	if percents < 100 || euros != 8 {
		t.Errorf("%d units with %% and %d with €, want at least 100 and exactly 8", percents, euros)
	}
}
