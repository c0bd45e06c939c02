package portal_test

import "testing"

// A ranking of few areas shows them all, in both sizes; one of the world shows some.
func TestRankingShowsAll(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for address, all := range map[string]bool{"/datasets/1/une_rt_a?view=ranking": true, "/datasets/5/sp.pop.totl?view=ranking": false} {
		root := openPage(t, base+address)
		for _, class := range []string{"class=desk-only", "class=phone"} {
			bars := map[string]bool{}
			for _, bar := range elements(elements(root, "div", class)[0], "rect", "data-area", "data-v") {
				area, _ := attribute(bar, "data-area")
				bars[area] = true
			}
			if all && len(bars) < 30 || !all && len(bars) > 25 {
				t.Errorf("%s: the picture with %s has %d bars", address, class, len(bars))
			}
		}
	}
}
