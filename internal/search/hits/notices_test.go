package hits_test

import (
	"testing"

	"almanac/internal/search"
	"almanac/internal/search/hits"
)

// A word that is misspelt for a place and for a word of titles is named once.
func TestCorrectionsNameAWordOnce(t *testing.T) {
	twice := search.Correction{Word: "portugel", ReadAs: "portugal"}
	got := hits.Corrections("portugel", []search.Correction{twice, twice}, nil)
	if want := `no dataset has "portugel"; showing results for "portugal"`; len(got) != 1 || got[0].Message != want {
		t.Errorf("%+v, want %s", got, want)
	}
}
