package chart

import (
	"testing"

	"almanac/internal/chart/words"
)

// What a dataset is a part of is said in the chart's own words, unless the statement is of one format only.
func TestPartIn(t *testing.T) {
	for _, c := range []struct{ part, language, want string }{
		{"page 1 of 2", "", "part 1 of 2"},
		{"page 1 of 2", "fr", "partie 1 sur 2"},
		{"page 1 of 2", "ja", "全2部のうち第1部"},
		{"1000 of 7419264 series", "", "1,000 of 7,419,264 series"},
		{"1000 of 7419264 series", "de", "1.000 von 7.419.264 Reihen"},
		{"500 of 2000 records", "it", "500 record su 2.000"},
		{"filtered, as its name says", "de", "filtered, as its name says"},
		{"100% of 2000 rows", "", "100% of 2,000 rows"},
	} {
		if got := words.In(c.language).Part(c.part); got != c.want {
			t.Errorf("%s in %q: %q, want %q", c.part, c.language, got, c.want)
		}
	}
}
