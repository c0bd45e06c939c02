package crosstab

import (
	"slices"
	"strings"
	"testing"
)

// TestAreItems: sexes, ages and areas are items of one dimension, and measures are none.
func TestAreItems(t *testing.T) {
	areas := func(names []string) int {
		isOther := func(name string) bool { return !strings.Contains("Germany France Italy Georgia", name) }
		return len(slices.DeleteFunc(slices.Clone(names), isOther))
	}
	for headings, want := range map[string]bool{
		"Men|Women|Total": true, "under 15|15-64|65+": true, "0-14|15 bis 64|65 Jahre und älter": true, "Total|15-24|25 and over": true, "moins de 20 ans|20 à 64 ans|65 ans et plus": true,
		"Germany|France|Total": true, "Germany|France|Other countries": true,
		"Employed|Unemployed": false, "Men|Women|Rate": false, "Germany|Exchange rate": false, "Goods|Services": false, "Cattle|Farms": false, "2015|Change": false,
	} {
		if got := AreItems(strings.Split(headings, "|"), areas); got != want {
			t.Errorf("the headings %s are items of one dimension: %v, want %v", headings, got, want)
		}
	}
}
