package totals_test

import (
	"testing"

	"almanac/internal/totals"
)

func TestWords(t *testing.T) {
	for _, c := range []struct {
		label            string
		is, begins, ends bool
	}{
		{"total", true, true, true},
		{" Both sexes ", true, false, false},
		{"Yhteensä", true, false, false},
		{"総数", true, true, true},
		{"total - all activities", false, true, false},
		{"alle transportmåter", false, true, false},
		{"varer i alt", false, false, true},
		{"受理_総数", false, false, true},
		{"totally", false, false, false},
		{"subtotal", false, false, false},
		{"allowances", false, false, false},
		{"", false, false, false},
	} {
		if is, begins, ends := totals.Is(c.label), totals.Begins(c.label), totals.Ends(c.label); is != c.is || begins != c.begins || ends != c.ends {
			t.Errorf("%q: is %t, begins %t, ends %t", c.label, is, begins, ends)
		}
	}
}
