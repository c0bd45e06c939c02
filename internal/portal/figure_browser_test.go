package portal_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestReadingTheChart moves through a chart by the keyboard, by the pointer and from the table: what is
// read is what the table has, and the column of the table lights up.
func TestReadingTheChart(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	tab.open(base + "/datasets/1/une_rt_a?country=EL&country=ES&country=DE")
	agrees := `(period => {
		const read = [...document.querySelectorAll(".read tr")].map(r => [...r.children].map(c => c.textContent).join(" "));
		const table = [...document.querySelectorAll("#t1 tbody tr")].map(r => r.cells[0].textContent.trim() + " " + r.querySelector('[data-p="' + period + '"]').textContent.trim());
		return document.querySelector(".read caption")?.textContent === period && !document.querySelector(".read").hidden && read.length === 3 && read.every(r => table.includes(r)) && document.querySelectorAll('#t1 .at[data-p="' + period + '"]').length === 4;
	})`
	evaluate[bool](tab, `document.querySelector("[data-chart]").focus() ?? true`)
	for _, step := range []struct{ key, period string }{{"ArrowLeft", "2019"}, {"ArrowLeft", "2018"}, {"ArrowRight", "2019"}, {"ArrowRight", "2019"}} {
		evaluate[bool](tab, press+`("`+step.key+`")`)
		tab.waitFor(agrees + `("` + step.period + `")`)
	}
	for range 20 {
		evaluate[bool](tab, press+`("ArrowLeft")`)
	}
	tab.waitFor(agrees + `("1999")`) // of a column that is hidden
	tab.waitFor(`document.querySelector("#said").textContent.startsWith("1999: ")`)
	evaluate[bool](tab, press+`("Escape")`)
	tab.waitFor(`document.querySelector(".read").hidden && !document.querySelector("#t1 .at")`)
	evaluate[bool](tab, `document.querySelector('#t1 tbody td[data-p="2010"]').dispatchEvent(new PointerEvent("pointerover", {bubbles: true}))`)
	tab.waitFor(agrees + `("2010")`)
	evaluate[bool](tab, `(() => {
		const svg = document.querySelector("[data-chart] .desk-only svg"), plot = svg.querySelector("g.plot"), i = plot.dataset.p.split(" ").indexOf("2003");
		const m = svg.getScreenCTM(), x = m.a * plot.dataset.x.split(" ")[i] + m.e;
		return svg.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: x + 1, clientY: m.f + 100 * m.d}));
	})()`)
	tab.waitFor(agrees + `("2003")`)
	evaluate[bool](tab, `document.querySelector("#t1 tbody td:has(sup)").dispatchEvent(new PointerEvent("pointerover", {bubbles: true}))`)
	tab.waitFor(`document.querySelectorAll(".read sup").length > 0 && document.querySelectorAll(".read sup").length === document.querySelectorAll("#t1 .at sup").length`)
	for _, line := range tab.complaints(base) {
		t.Error(line)
	}
}

// TestTextsOfCharts measures texts in charts of pages: the stylesheet of pages changes none, so each has the length that the chart gave it.
func TestTextsOfCharts(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	for _, address := range []string{"/", "/datasets/1/une_rt_a", "/datasets/1/une_rt_a?view=ranking"} {
		tab.open(base + address)
		got := evaluate[string](tab, `(() => {
			const texts = [...document.querySelectorAll(".plot svg text")];
			const other = texts.filter(t => parseFloat(getComputedStyle(t).fontSize) !== parseFloat(t.getAttribute("font-size")));
			return texts.length ? other.map(t => t.textContent).join("; ") : "no texts";
		})()`)
		if got != "" {
			t.Errorf("%s: texts in another size than in the chart: %s", address, got)
		}
	}
}

// TestReadingComparedSeries reads charts of the page that compares sources: what is read is the row of the table, of the series
// of the chart only if each has its own. So it is for the days of a table, whose periods are written in another way in a chart.
func TestReadingComparedSeries(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	for address, want := range map[string]string{
		"/compare?country=PT&s=1:dim4%3DM&s=1:dim4%3DF":                     "2019: Males, Females",
		"/compare?country=PT&s=1:&s=5:&period_to=2016":                      "2016: World Bank",
		"/datasets/2/eurofxref?dim1=USD&period_from=2020&period_to=2020-03": "31/03/2020: Euro area",
	} {
		tab.open(base + address)
		evaluate[bool](tab, `(() => { const boxes = document.querySelectorAll("[data-chart]"); boxes[boxes.length - 1].focus(); return true; })()`)
		evaluate[bool](tab, press+`("ArrowLeft")`)
		tab.waitFor(`document.querySelector("#said").textContent !== ""`)
		got := evaluate[string](tab, `(() => {
			const tip = [...document.querySelectorAll(".read")].find(t => !t.hidden), period = tip.querySelector("caption").textContent;
			const table = [...document.querySelectorAll('#t1 tbody .at[data-p="' + period + '"]')].map(c => c.textContent.trim());
			const values = [...tip.querySelectorAll("td")].map(c => c.textContent);
			if (!values.length || !values.every(v => table.includes(v))) return "the chart has " + values + ", the table " + table;
			return period + ": " + [...tip.querySelectorAll("th")].map(c => c.textContent).sort((a, b) => b.localeCompare(a)).join(", ");
		})()`)
		if got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
		for _, line := range tab.complaints(base) {
			t.Error(line)
		}
	}
}

// TestPickingWithoutLoading changes what is shown: chart, table, links and address change together
// without loading the page, focus and open lists stay, each change is said once, and back undoes it.
func TestPickingWithoutLoading(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	tab.open(base + "/datasets/1/une_rt_a?country=EL&country=ES")
	evaluate[bool](tab, `(() => {
		window.isSame = true; window.said = [];
		new MutationObserver(() => window.said.push(document.querySelector("#said").textContent)).observe(document.querySelector("#said"), {childList: true});
		const list = document.querySelector('[data-keep="dim4"]'); list.open = true;
		const women = list.querySelector('input[value="F"]'); women.focus(); women.click();
		return true;
	})()`)
	tab.waitFor(`location.search.includes("dim4=F")`)
	tab.waitFor(`window.isSame && document.querySelector('[data-keep="dim4"]').open && document.activeElement.value === "F" && document.activeElement.checked`)
	tab.waitFor(`document.querySelector("#take a[href*='data.csv']").href.includes("dim4=F")`)
	tab.waitFor(`document.querySelector("#t1 caption").textContent.includes("Females") && window.said.length === 1 && /^Chart and table now show 54 values of 2 areas/.test(window.said[0])`)
	evaluate[bool](tab, `(() => {
		const find = document.querySelector('[data-find="country"]'); find.value = "pt"; find.dispatchEvent(new Event("input", {bubbles: true}));
		const seen = [...find.closest("details").querySelectorAll(".opt")].filter(o => o.checkVisibility()).map(o => o.querySelector("input").value);
		if (!seen.includes("PT") || seen.includes("FI")) return false;
		const none = find.closest("details").querySelector("[data-none]");
		find.value = "zz"; find.dispatchEvent(new Event("input", {bubbles: true}));
		if (!none.checkVisibility()) return false;
		find.value = "pt"; find.dispatchEvent(new Event("input", {bubbles: true}));
		if (none.checkVisibility()) return false;
		document.querySelector('input[name="country"][value="PT"]').click();
		return true;
	})()`)
	tab.waitFor(`location.search.includes("country=PT") && document.querySelectorAll("#t1 tbody tr").length === 3 && document.querySelector('[data-find="country"]').value === "pt"`)
	evaluate[bool](tab, `(() => { document.querySelector('.tabs a[href*="view=bar"]').click(); return true; })()`)
	tab.waitFor(`location.search.includes("view=bar") && !!document.querySelector("[data-chart] rect.series")`)
	tab.do(chromedp.NavigateBack())
	tab.waitFor(`!location.search.includes("view=bar") && !document.querySelector("[data-chart] rect.series")`)
	tab.do(chromedp.NavigateBack())
	tab.waitFor(`window.isSame && !location.search.includes("country=PT") && document.querySelectorAll("#t1 tbody tr").length === 2`)
	for _, line := range tab.complaints(base) {
		t.Error(line)
	}
}

// TestMapOfTheme shows a map once: the picture for the size of the window and for the theme.
func TestMapOfTheme(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	tab.open(base + "/datasets/1/une_rt_a?view=map")
	shown := `[...document.querySelectorAll(".plot img")].filter(e => e.checkVisibility()).map(e => e.className).join(", ")`
	for _, c := range []struct {
		width       int64
		theme, want string
	}{{1440, "light", "desk-only on-light"}, {1440, "dark", "desk-only on-dark"}, {390, "dark", "phone on-dark"}, {390, "light", "phone on-light"}} {
		tab.do(chromedp.EmulateViewport(c.width, 844))
		tab.prefer("prefers-color-scheme", c.theme)
		if got := evaluate[string](tab, shown); got != c.want {
			t.Errorf("%d pixels, %s: %s is shown, want %s", c.width, c.theme, got, c.want)
		}
	}
}

// TestCopying puts buttons where there is something to copy, in pages of a dataset and of its chart.
func TestCopying(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	for address, buttons := range map[string][]string{
		"/datasets/1/une_rt_a?country=EL&country=ES": {"Copy address", "Copy table", "Copy"},
		"/datasets/1/une_rt_a/studio?country=EL":     {"Copy text", "Copy address", "Copy"},
	} {
		tab.open(base + address)
		evaluate[bool](tab, `(() => { window.copied = []; navigator.clipboard.writeText = async text => { window.copied.push(text); }; document.querySelectorAll("button.slim").forEach(b => b.click()); return true; })()`)
		tab.waitFor(`window.copied.length === document.querySelectorAll("button.slim").length`)
		copied := evaluate[[]string](tab, `window.copied`)
		labels := strings.Join(evaluate[[]string](tab, `[...document.querySelectorAll("[data-done]")].map(e => Object.values(e.dataset).join("|"))`), "\n")
		for _, name := range buttons {
			if !strings.Contains(labels, name) {
				t.Errorf("%s has no button %s: %s", address, name, labels)
			}
		}
		for _, text := range copied {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s copies nothing: %q", address, copied)
			}
		}
		if all := strings.Join(copied, "\n---\n"); strings.Contains(address, "studio") && !strings.Contains(all, `"chartType": "line"`) || !strings.Contains(address, "studio") && !strings.Contains(all, "EL\tGreece\t") {
			t.Errorf("%s copies %s", address, all)
		}
	}
}

// TestFrame opens the page of an embedded chart in a narrow window: it is loaded again as a picture of the width of the window, and
// as the usual one when the window is wide. A page whose address says a size stays as it is.
func TestFrame(t *testing.T) {
	tab := newTab(t)
	address := serve(t, realStore(t), nil) + "/api/datasets/1/chart.svg?country=EL&embed=html"
	tab.do(chromedp.EmulateViewport(374, 450))
	tab.open(address + "&width=900")
	if err := tab.expect(`location.hash === ""`); err != nil {
		t.Error("an address with a width:", err)
	}
	tab.open(address)
	tab.waitFor(`location.search.endsWith("&width=360&height=420")`)
	tab.do(chromedp.EmulateViewport(900, 450))
	tab.waitFor(`location.search.endsWith("&embed=html") && location.hash === ""`)
}

// TestFocusStays changes what is shown by links whose address is another one afterwards, or that are gone: the focus stays where the
// reader is.
func TestFocusStays(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	for _, c := range []struct{ link, changed, want string }{
		{`#t1 th[data-p="2019"] a`, "sort=-2019", `th[data-p="2019"] a`},
		{`#t1 thead .stick a`, "sort=name", "thead .stick a"},
		{`#table .sym a`, "all=true", `#table .scroll`},
		{`[data-keep="dim4"] p a`, "many=dim4", `[data-keep="dim4"] input:checked`},
		{`.tabs a[href*="view=bar"]`, "view=bar", `.tabs a[href*="view=bar"]`},
	} {
		tab.open(base + "/datasets/1/une_rt_a?country=EL&country=ES")
		evaluate[bool](tab, `(() => {
			document.querySelectorAll("details").forEach(d => { d.open = true; });
			const a = document.querySelector(`+"`"+c.link+"`"+`); a.focus(); a.click();
			return document.activeElement === a;
		})()`)
		tab.waitFor(`location.search.includes("` + c.changed + `")`)
		tab.waitFor("document.activeElement.matches(`" + c.want + "`)")
	}
	for _, line := range tab.complaints(base) {
		t.Error(line)
	}
}
