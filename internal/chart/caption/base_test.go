package caption

import "testing"

func TestIsIndex(t *testing.T) {
	for unit, want := range map[string]bool{
		"Index, 2015=100": true, "Índice": true, "Indexpunkt": true, "2015 = 100": true, "I": true,
		"Number = 1000": false, "Subindexed": false, "Percent": false, "": false,
	} {
		if got := IsIndex(unit); got != want {
			t.Errorf("IsIndex(%q) = %v, want %v", unit, got, want)
		}
	}
}
