package portal_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A question that is only an area leads to the page of the area, and says how many datasets have it, however few have it as a word.
func TestQuestionIsArea(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, c := range []struct{ question, area, leadsTo string }{
		{"germany", "Germany", "/areas/DE"},
		{"EL", "Greece", "/areas/GR"},
		{"Griechenland", "Greece", "/areas/GR"},
		{"unemployment+germany", "", "/areas/DE"},
		{"unemployment", "", ""},
	} {
		root := openPage(t, base+"/search?q="+c.question)
		main := elements(root, "main")[0]
		if c.area == "" {
			if got := heading(t, root); strings.HasSuffix(got, " datasets for Germany") || len(elements(main, "p", "class=lead")) > 0 {
				t.Errorf("%s is taken for an area: %s", c.question, got)
			}
			continue
		}
		var counted struct {
			Facets struct{ Coverage []struct{ Status string } }
		}
		fromInterface(t, base+"/api/search?area="+strings.TrimPrefix(c.leadsTo, "/areas/"), &counted)
		if all := counted.Facets.Coverage; len(all) == 0 || len(slices.Compact(slices.Clone(all))) < len(all) || len(all) > 1 && all[0] == all[len(all)/2] {
			t.Errorf("%s: the datasets of one area are counted as %v", c.area, all)
		}
		var found struct{ Area struct{ Datasets int } }
		fromInterface(t, base+"/api"+c.leadsTo, &found)
		if got, want := heading(t, root), fmt.Sprintf("%d datasets for %s", found.Area.Datasets, c.area); got != want {
			t.Errorf("%s: %s, want %s", c.question, got, want)
		}
		if text := textOf(main); len(elements(main, "a", "href="+c.leadsTo)) == 0 || strings.Contains(text, "only words that say nothing") || strings.Contains(text, "0 datasets") || len(elements(main, "article")) == 0 {
			t.Errorf("%s: %s", c.question, text)
		}
	}
}
