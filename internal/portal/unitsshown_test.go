package portal_test

import (
	"strings"
	"testing"
)

// The unit of the values is at the chart, at the readout and at the table, also if the chart writes them in another one, if it only
// says that they are numbers, or if the office states none.
func TestUnitsAreShown(t *testing.T) {
	offices, own := serve(t, officeStore(t), nil), serve(t, realStore(t), nil)
	for _, c := range []struct {
		address, figure, unit string
	}{
		{offices + "/datasets/3/df_34100158?view=line", "In the table and at the pointer: Units (thousands)", "Units (thousands)"},
		{offices + "/datasets/3/df_34100158?view=bar", "In the table and at the pointer: Units (thousands)", "Units (thousands)"},
		{offices + "/datasets/4/nama_10_gdp?view=ranking", "In the table and at the pointer: Current prices, million euro", "Current prices, million euro"},
		{offices + "/datasets/2/demo_r_mwk_ts?view=line", "Number", "Number"},
		{own + "/datasets/1/une_rt_a", "Percentage", "Percentage"},
		{own + "/datasets/5/sp.pop.totl", "unit not stated", "unit not stated"},
		{own + "/datasets/5/sp.pop.totl?lang=de", "Einheit nicht angegeben", "Einheit nicht angegeben"},
	} {
		root := openPage(t, c.address)
		figure, caption := textOf(elements(root, "figcaption")[0]), textOf(elements(root, "caption")[0])
		pointer, _ := attribute(elements(root, "div", "class=plot")[0], "data-unit")
		if !strings.Contains(figure, c.figure) || !strings.Contains(caption, c.unit) || !strings.Contains(pointer, c.unit) {
			t.Errorf("%s: the chart says %q, the table %q, the pointer %q; the unit is %q", c.address, figure, caption, pointer, c.unit)
		}
	}
}

// The readout names the unit of its values, and says it.
func TestReadoutHasUnit(t *testing.T) {
	base, tab := serve(t, officeStore(t), nil), newTab(t)
	for _, address := range []string{"/datasets/3/df_34100158", "/datasets/3/df_34100158?view=ranking"} {
		tab.open(base + address)
		evaluate[bool](tab, `document.querySelector("[data-chart]").focus() ?? true`)
		evaluate[bool](tab, press+`("End")`)
		tab.waitFor(`document.querySelector(".read p")?.textContent === "Units (thousands)" && document.querySelector("#said").textContent.endsWith(", Units (thousands)")`)
	}
}
