package portal_test

import (
	"strings"
	"testing"
)

// Bars of one period are those of the ranking: the same period, and groups of countries apart.
func TestBarsAreRanking(t *testing.T) {
	base := serve(t, realStore(t), nil)
	const page = "/datasets/1/une_rt_a?dim2=Y15-74"
	words := func(view string) string {
		root := openPage(t, base+page+"&period=2019&view="+view)
		return textOf(elements(root, "p", "class=note words")[0])
	}
	bars, ranking := words("bar"), words("ranking")
	if bars != ranking || !strings.Contains(bars, "2019") {
		t.Errorf("the bars are %q, the ranking is %q", bars, ranking)
	}
}
