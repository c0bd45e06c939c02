package portal_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBackShowsFiltersOfAddress narrows results twice and goes back: the filters are those of the address.
func TestBackShowsFiltersOfAddress(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	tab.open(base + "/search?q=population")
	show := func(selector, address string) {
		tab.do(chromedp.Click(chromedp.CSS("#narrow " + selector)))
		tab.do(chromedp.Click(chromedp.CSS(`#narrow aside > button`)))
		tab.waitFor(`location.search.includes("` + address + `") && document.readyState === "complete"`)
	}
	show(`[name="source"]`, "source=")
	show(`[name="frequency"]`, "frequency=")
	evaluate[bool](tab, `(history.back(), true)`) // a page that the browser kept has no load event
	tab.waitFor(`location.search.includes("source=") && !location.search.includes("frequency=")`)
	tab.waitFor(`document.querySelectorAll("#narrow [name=source]:checked").length === 1 && document.querySelectorAll("#narrow [name=frequency]:checked").length === 0`)
	evaluate[bool](tab, `(history.back(), true)`) // a page that the browser kept has no load event
	tab.waitFor(`!location.search.includes("source=") && document.querySelectorAll("#narrow [type=checkbox]:checked").length === 0`)
}
