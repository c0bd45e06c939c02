package portal_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// The regions of each country of a dataset can be chosen together: the page then shows as many areas as it says, which are
// parts of the country, and the other countries can still be chosen.
func TestRegionsOfACountry(t *testing.T) {
	s := newStore(t)
	file, err := os.Open(filepath.Join(stattest.DataDir(t), "eurostat", "tsv-old", "tgs00026.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	load(t, s, "tgs00026.tsv.gz", file)
	base := serve(t, s, nil)
	const page = "/datasets/1/tgs00026"
	count := func(address string) (links map[string]string) {
		links = map[string]string{}
		for _, link := range elements(withID(t, openPage(t, base+address), "pick"), "a") {
			if to, _ := attribute(link, "href"); strings.HasSuffix(textOf(link.Parent), "regions") {
				links[to] = textOf(link.Parent)
			}
		}
		return links
	}
	links := count(page)
	if got := links[page+"?within=BE"]; got != "Belgium 11 regions" || len(links) < 15 {
		t.Errorf("of %d countries, Belgium is %q", len(links), got)
	}
	areas := map[string]bool{}
	for key := range cells(t, openPage(t, base+page+"?within=BE")) {
		area, _, _ := strings.Cut(key, " ")
		if areas[area] = true; !strings.HasPrefix(area, "BE") {
			t.Errorf("%s is shown within Belgium", area)
		}
	}
	if again := count(page + "?within=BE&view=bar"); len(areas) != 11 || len(again) != len(links) {
		t.Errorf("within Belgium, the page shows %d areas and offers %d countries", len(areas), len(again))
	}
}
