package portal_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"
)

// classesOf returns the classes of an element.
func classesOf(n *html.Node) []string {
	class, _ := attribute(n, "class")
	return strings.Fields(class)
}

// TestAlignmentOfColumns goes through the tables of all pages: the cells of a column have the class of numbers if its head has it, and
// no others, so that heads stand above what they name.
func TestAlignmentOfColumns(t *testing.T) {
	base, compared := serve(t, realStore(t), nil), serve(t, twoVersions(t), nil)
	addresses := []string{compared + "/datasets/1/density", compared + "/datasets/1/density/versions?a=1.0&b=1.1"}
	for _, p := range pages {
		addresses = append(addresses, base+p.address)
	}
	tables := 0
	for _, address := range addresses {
		for _, table := range elements(parse(t, ask(t, "GET", address).body), "table") {
			heads := elements(table, "thead")
			if len(heads) == 0 {
				continue
			}
			tables++
			columns := cellsOf(elements(heads[0], "tr")[0])
			for _, row := range elements(elements(table, "tbody")[0], "tr") {
				cells := cellsOf(row)
				if len(cells) != len(columns) {
					continue // a row that spans columns
				}
				for i, cell := range cells {
					if isNumber := slices.Contains(classesOf(columns[i]), "num"); slices.Contains(classesOf(cell), "num") != isNumber {
						t.Errorf("%s: below %q, which has numbers: %t, stands %q of the classes %q", address, textOf(columns[i]), isNumber, textOf(cell), classesOf(cell))
					}
				}
			}
		}
	}
	if tables < len(pages)/2 {
		t.Errorf("only %d tables were found", tables)
	}
}

// cellsOf returns the cells of a row.
func cellsOf(row *html.Node) (cells []*html.Node) {
	for n := range row.ChildNodes() {
		if n.Data == "td" || n.Data == "th" {
			cells = append(cells, n)
		}
	}
	return cells
}

// TestVersionsOnPhone opens the versions of a dataset in a narrow window: each stands with all its numbers, which say what they are,
// and nothing is cut off.
func TestVersionsOnPhone(t *testing.T) {
	base, tab := serve(t, twoVersions(t), nil), newTab(t)
	for _, width := range []int64{320, 390} {
		tab.do(chromedp.EmulateViewport(width, 844))
		for _, address := range []string{"/datasets/1/density", "/datasets/1/density/versions?a=1.0&b=1.1"} {
			tab.open(base + address)
			if cut := evaluate[[]string](tab, visible(".stack td, .stack tbody th")+`.filter(e => e.getBoundingClientRect().right > innerWidth || e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)`); len(cut) > 0 {
				t.Errorf("%s, %d pixels: cut off: %s", address, width, strings.Join(cut, "; "))
			}
			unnamed := evaluate[[]string](tab, visible(".stack td.num")+`.filter(e => !getComputedStyle(e, ":before").content.includes(e.dataset.head || "?")).map(e => e.textContent)`)
			if n := evaluate[int](tab, visible(".stack td.num")+".length"); n < 4 || len(unnamed) > 0 {
				t.Errorf("%s, %d pixels: of %d numbers are without a name: %s", address, width, n, strings.Join(unnamed, "; "))
			}
		}
	}
}
