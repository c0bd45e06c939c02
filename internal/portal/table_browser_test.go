package portal_test

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
)

// A page with the table alone has it where the chart would be, also if the reader comes there from the chart and goes back.
func TestTableAlone(t *testing.T) {
	base, tab := serve(t, realStore(t), nil), newTab(t)
	isAbove := `document.querySelectorAll("#t1, #table").length === 2 && document.querySelector("#t1").getBoundingClientRect().top + scrollY < 400`
	tab.open(base + "/datasets/1/une_rt_a?view=table")
	if err := tab.expect(isAbove + ` && document.querySelector("#t1").getBoundingClientRect().bottom < innerHeight`); err != nil {
		t.Error(err)
	}
	tab.open(base + "/datasets/1/une_rt_a")
	for range 2 {
		evaluate[bool](tab, `document.querySelector('.tabs a[href*="view=table"]').click() ?? true`)
		tab.waitFor(`location.search.includes("view=table") && ` + isAbove)
		evaluate[bool](tab, `document.querySelector('.tabs a').click() ?? true`)
		tab.waitFor(`!location.search.includes("view=table") && document.querySelector("[data-chart] svg") && document.querySelectorAll("#table #t1, #table").length === 2 && !document.querySelector("#table").hidden`)
	}
	for _, line := range tab.complaints(base) {
		t.Error(line)
	}
}

// The last column of a table is seen in a wide window without scrolling, below the chart and alone.
func TestTablesFit(t *testing.T) {
	tab := newTab(t)
	tab.do(chromedp.EmulateViewport(1440, 900))
	for base, n := range map[string]int{serve(t, officeStore(t), nil): len(officeFiles), serve(t, realStore(t), nil): len(realFiles)} {
		for id := range n {
			for _, view := range []string{"line", "table"} {
				address := base + "/datasets/" + strconv.Itoa(id+1) + "?view=" + view
				tab.open(address)
				if over := evaluate[int](tab, `(s => s.scrollWidth - s.clientWidth)(document.querySelector("#t1").parentElement)`); over > 0 {
					t.Errorf("%s: the table is %d pixels wider than its place", address, over)
				}
			}
		}
	}
}
