package scale_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/chart/scale"
	"almanac/internal/stattest"
)

// Eurostat's units that begin as percentages have the sign for it. No multiple of
// money, comparison or change has a currency's sign.
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
		t.Errorf("%d percentages and %d amounts of euro", percents, euros)
	}
}
