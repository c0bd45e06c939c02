package portal_test

import (
	"strings"
	"testing"
)

// A dataset without areas that have outlines has no tab for a map. Who comes to its map by an address reads why there is none in
// words of the page, has the unit at the table, and is offered no picture of it.
func TestNoMap(t *testing.T) {
	base := serve(t, officeStore(t), nil)
	const rates, deaths = "/datasets/5/eurofxref", "/datasets/2/demo_r_mwk_ts"
	for page, has := range map[string]bool{rates: false, deaths: true} {
		root := openPage(t, base+page)
		leads := false
		for _, a := range elements(root, "a") {
			address, _ := attribute(a, "href")
			leads = leads || strings.Contains(address, "view=map")
		}
		if tabs := elements(root, "span", "class=off"); leads != has || (len(tabs) == 1) == has {
			t.Errorf("%s: a link to a map is %v, tabs that lead nowhere %d", page, leads, len(tabs))
		}
	}
	for _, lang := range []string{"en", "de", "fr", "es"} {
		got := ask(t, "GET", base+rates+"?view=map&use=embed&lang="+lang)
		root := parse(t, got.body)
		figure := textOf(elements(root, "figure")[0])
		if strings.Contains(figure, "horizontal-bar") || strings.Contains(got.body, "embed=html") || strings.Contains(strings.Join(got.Header["Link"], " "), "chart.svg") {
			t.Errorf("%s: the page says %q, or offers a picture: %q", lang, figure, got.Header["Link"])
		}
		if caption := textOf(elements(root, "caption")[0]); !strings.Contains(caption, "US") || !strings.Contains(strings.ToLower(caption), "euro") {
			t.Errorf("%s: the table says %q", lang, caption)
		}
	}
	if figure := textOf(elements(openPage(t, base+rates+"?view=map"), "figure")[0]); !strings.Contains(figure, "No area of this selection has an outline on a map.") {
		t.Errorf("the page says %q", figure)
	}
}
