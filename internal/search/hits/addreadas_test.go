package hits

import (
	"slices"
	"testing"
)

// TestAddReadAs checks that nothing is said twice.
func TestAddReadAs(t *testing.T) {
	var s series
	for _, text := range []string{`"a" is read as A [1]`, `"b" is read as B [2]; areas with a similar name are C`, `"a" is read as A [1]; areas with a similar name are D`, `"b" is read as B [2]`} {
		s.addReadAs(text)
	}
	if want := []string{`"a" is read as A [1]; areas with a similar name are D`, `"b" is read as B [2]; areas with a similar name are C`}; !slices.Equal(s.readAs, want) {
		t.Errorf("%q, want %q", s.readAs, want)
	}
}
