package portal_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestNumbersAreWhole looks at how pages set numbers: digits are below one another whether values have flags or not, a number is on one
// line with its flag on a narrow phone too, and the rows of tables are as wide as their rules.
func TestNumbersAreWhole(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	const edges = `[...document.querySelectorAll('#t1 td[data-p="2005"]')].map(td => { const r = document.createRange(); r.selectNode(td.firstChild); return Math.round(r.getBoundingClientRect().right); })`
	for _, c := range []struct {
		address   string
		width     int64
		condition string
	}{
		{"/datasets/1/une_rt_a", 1440, `(all => all.length > 5 && document.querySelector('#t1 td[data-p="2005"] sup') && all.every(x => x === all[0]))(` + edges + `)`},
		{"/datasets/1/une_rt_a", 1440, `[...document.querySelectorAll("#t1 sup")].every(s => s.getBoundingClientRect().right <= document.querySelector("#t1").getBoundingClientRect().right)`},
		{"/areas/PT", 320, `(all => all.length && all.every(n => n.getClientRects().length === 1 && n.getBoundingClientRect().right < innerWidth))([...document.querySelectorAll(".big")])`},
		{"/reference", 1440, `(all => all.length && all.every(t => Math.abs(t.tBodies[0].rows[0].getBoundingClientRect().right - t.getBoundingClientRect().right) < 1))([...document.querySelectorAll("table")])`},
	} {
		tab.do(chromedp.EmulateViewport(c.width, 900))
		tab.open(base + c.address)
		if err := tab.expect(c.condition); err != nil {
			t.Errorf("%s, %d pixels wide: %v", c.address, c.width, err)
		}
	}
}
