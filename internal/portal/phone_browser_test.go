package portal_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"almanac/internal/people"
)

// visible returns the elements that a selector finds and a reader sees.
func visible(selector string) string {
	return `[...document.querySelectorAll("` + selector + `")].filter(e => e.checkVisibility())`
}

// The words under a ranking are those of the picture that is shown: the one for phones has fewer bars.
func TestWordsUnderRanking(t *testing.T) {
	base, tab := serve(t, realStore(t), nil), newTab(t)
	for _, width := range []int64{1440, 390} {
		tab.do(chromedp.EmulateViewport(width, 844))
		tab.open(base + "/datasets/5/sp.pop.totl?view=ranking&period=2010&lang=fr")
		bars := evaluate[int](tab, visible("[data-chart] svg")+`.map(s => s.querySelectorAll("rect.series:not([data-area=EUU])").length)[0]`)
		notes := evaluate[string](tab, visible(".fig .note, .words")+`.map(e => e.textContent).join("\n")`)
		if want := "les " + strconv.Itoa(bars) + " ayant les plus grandes valeurs"; bars == 0 || !strings.Contains(notes, want) || !strings.Contains(notes, "Parmi les "+strconv.Itoa(bars)+" valeurs") {
			t.Errorf("%d pixels: there are %d bars, and the page says %s", width, bars, notes)
		}
	}
}

// A page with the table alone has it before the facts in a narrow window.
func TestTableComesFirstOnPhone(t *testing.T) {
	base, tab := serve(t, realStore(t), nil), newTab(t)
	tab.do(chromedp.EmulateViewport(390, 844))
	tab.open(base + "/datasets/1/une_rt_a?view=table&country=EL")
	if err := tab.expect(`document.querySelector("#t1").getBoundingClientRect().bottom < document.querySelector(".facts").getBoundingClientRect().top`); err != nil {
		t.Error(err)
	}
	if err := tab.expect(`document.querySelector("#t1").getBoundingClientRect().top < innerHeight`); err != nil {
		t.Error(err)
	}
}

// The chart of a dataset is seen without scrolling: whole on a desk, and on a phone at least its first third.
func TestChartIsSeenFirst(t *testing.T) {
	base, tab := serve(t, realStore(t), nil), newTab(t)
	for width, height := range map[int64]int64{1440: 900, 390: 844} {
		tab.do(chromedp.EmulateViewport(width, height, chromedp.EmulateMobile))
		tab.open(base + "/datasets/1/une_rt_a?country=EL&country=ES&country=PT")
		seen := evaluate[float64](tab, visible("[data-chart] svg")+`.map(e => e.getBoundingClientRect()).map(r => (innerHeight - r.top) / r.height)[0]`)
		if least := map[bool]float64{true: 1, false: 1. / 3}[width > 760]; seen < least {
			t.Errorf("%d pixels: only %.2f of the chart is seen", width, seen)
		}
	}
}

// Areas are found by other codes and by names in other languages, which the service knows.
func TestFindAreaByOtherNames(t *testing.T) {
	base, tab := serve(t, realStore(t), nil), newTab(t)
	tab.open(base + "/datasets/1/une_rt_a?country=EL")
	find := func(text string) {
		evaluate[bool](tab, `(() => { const f = document.querySelector('[data-find="country"]'); f.focus(); f.value = "`+text+`"; f.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`)
	}
	for _, typed := range []string{"DEU", "Deutschl", "276"} {
		find(typed)
		tab.waitFor(visible("#pick [name=country][value=DE]") + `.length === 1 && ` + visible("#pick [name=country]") + `.length < 5`)
		if err := tab.expect(`document.activeElement.dataset.find === "country" && document.activeElement.value === "` + typed + `"`); err != nil {
			t.Errorf("%s: %v", typed, err)
		}
	}
	find("")
	tab.waitFor(visible("#pick [name=country]") + `.length > 20`)
	for _, find := range []string{"DEU", "Deutschland"} { // without scripts
		if options := elements(openPage(t, base+"/datasets/1/une_rt_a?country=EL&find="+find), "input", "name=country", "value=DE"); len(options) != 1 {
			t.Errorf("find=%s does not list Germany", find)
		}
	}
}

// What is wrong with an option of a chart stands at its field, and the picture as it was stays.
func TestMistakeInStudio(t *testing.T) {
	base, tab := serve(t, realStore(t), nil), newTab(t)
	tab.open(base + "/set?lang=fr&to=/datasets/1/une_rt_a/studio?country=EL")
	evaluate[bool](tab, `(() => { window.here = true; const f = document.querySelector('[name="width"]'); f.closest("details").open = true; f.value = "7"; f.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
	tab.waitFor(`document.querySelector("#mistake")`)
	for _, condition := range []string{
		`window.here`, // the page was not loaded anew
		`document.querySelector("#mistake").closest("details").querySelector('[name="width"]').getAttribute("aria-describedby") === "mistake"`,
		`document.querySelector("#mistake").textContent === "Largeur\u00a0: entre 100 et 4096 pixels, et non 7"`,
		`document.querySelector('[name="width"]').value === "7"`,
		`document.querySelector(".framed img").width && document.querySelector(".framed img").getAttribute("width") === "1200"`,
		`document.querySelector("#said").textContent.includes("Largeur")`,
	} {
		if err := tab.expect(condition); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []struct{ query, option, shows string }{
		{"referenceLines=abc", "referenceLines", "„abc“ ist keine Zahl"},
		{"seriesColors=Greece+%3D+red1", "seriesColors", "„red1“ ist keine Farbe für „Greece“"},
		{"shadedSpans=q", "shadedSpans", "„q“ ist keine Spanne"},
	} {
		got := ask(t, "GET", base+"/datasets/1/une_rt_a/studio?country=EL&lang=de&"+c.query)
		root := parse(t, got.body)
		if field := elements(root, "textarea", "name="+c.option, "aria-describedby=mistake"); got.StatusCode != http.StatusBadRequest || len(field) != 1 || !strings.Contains(textOf(elements(root, "p", "id=mistake")[0]), c.shows) || len(withClass(root, "div", "framed")) != 1 {
			t.Errorf("%s: %d, %s", c.query, got.StatusCode, textOf(root))
		}
	}
}

// Flags are copied with a table, in columns of their own.
func TestCopiedTableHasFlags(t *testing.T) {
	base, tab := serve(t, realStore(t), nil), newTab(t)
	tab.open(base + "/datasets/1/une_rt_a?country=EL&country=ES&country=DE")
	copied := evaluate[string](tab, `(() => { let copied; navigator.clipboard.writeText = async text => { copied = text; }; document.querySelector("[data-copy-table] button").click(); return copied; })()`)
	lines := strings.Split(copied, "\n")
	head := strings.Split(lines[0], "\t")
	flagged := evaluate[map[string]string](tab, `Object.fromEntries([...document.querySelectorAll("#t1 tbody sup")].map(s => [s.closest("tr").cells[0].dataset.area + " " + s.closest("td").dataset.p, s.textContent]))`)
	if len(flagged) == 0 {
		t.Fatal("the table has no flags")
	}
	found := map[string]string{}
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != len(head) {
			t.Errorf("%d columns, the head has %d: %s", len(cells), len(head), line)
			continue
		}
		for i, name := range head {
			if period, ok := strings.CutSuffix(name, " flags"); ok && cells[i] != "" {
				found[cells[0]+" "+period] = cells[i]
			}
		}
	}
	if len(found) != len(flagged) {
		t.Errorf("the copy has the flags %v, the table %v", found, flagged)
	}
}

// An invitation that cannot be used says who gives a new one.
func TestExpiredInvitation(t *testing.T) {
	o := openOffice(t, nil)
	r := o.newReader(t)
	r.open("/join/nothing").want(404, "/join/nothing", "Ask an owner of your organisation, or the operator")
	if n := len(elements(elements(r.root, "main")[0], "input", "type=search")); n != 0 {
		t.Error("the page offers a search for datasets")
	}
	if len(elements(elements(r.root, "main")[0], "a", "href=/signin")) != 1 {
		t.Error("the page does not lead to signing in")
	}
}

// Values are read off a map by the pointer, by touch and by keys, as the table has them.
func TestReadingMap(t *testing.T) {
	base, tab := serve(t, realStore(t), nil), newTab(t)
	for _, width := range []int64{1440, 390} {
		tab.do(chromedp.EmulateViewport(width, 900))
		tab.open(base + "/datasets/1/une_rt_a?view=map&period=2010")
		kind := map[bool]string{true: "touch", false: "mouse"}[width < 760]
		at := func(x, y string) {
			evaluate[bool](tab, `(() => { const box = document.querySelector("[data-map]"), r = box.getBoundingClientRect(); box.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true, pointerType: "`+kind+`", clientX: `+x+`, clientY: `+y+`})); return true; })()`)
		}
		evaluate[bool](tab, `(() => { document.querySelector("[data-map]").scrollIntoView({block: "center"}); return true; })()`)
		at("r.left + 2", "r.top + 2") // the sea, which has the outlines fetched
		tab.waitFor(`document.querySelector(".over [data-v]")`)
		for _, area := range []struct{ code, name string }{{"ES", "Spain"}, {"FI", "Finland"}} {
			path := `document.querySelector('.over [data-name="` + area.code + `"]').getBoundingClientRect()`
			at(path+".left + "+path+".width / 2", path+".top + "+path+".height / 2")
			tab.waitFor(`document.querySelector(".read")?.textContent.includes("` + area.name + `")`)
			if err := tab.expect(`document.querySelector(".read table").textContent === "2010" + "` + area.name + `" + document.querySelector('#t1 [data-area="` + area.code + `"]').parentElement.querySelector('[data-p="2010"]').textContent.trim()`); err != nil {
				t.Errorf("%d pixels: %v; it is %s", width, err, evaluate[string](tab, `document.querySelector(".read").textContent`))
			}
		}
	}
	evaluate[bool](tab, `(() => { document.querySelector("[data-map]").focus(); return true; })()`)
	evaluate[bool](tab, `(() => { `+press+`("Escape"); `+press+`("ArrowRight"); return true; })()`)
	tab.waitFor(`document.querySelector("#said").textContent.startsWith("2010: Austria ")`)
	evaluate[bool](tab, `(() => { `+press+`("ArrowRight"); return true; })()`)
	tab.waitFor(`document.querySelector("#said").textContent.startsWith("2010: Belgium ") && !document.querySelector(".read").hidden`)
	evaluate[bool](tab, `(() => { `+press+`("Escape"); return true; })()`)
	tab.waitFor(`document.querySelector(".read").hidden`)
	if err := tab.expect(`[...document.querySelectorAll(".over *")].every(e => getComputedStyle(e).fill === "none")`); err != nil {
		t.Error("the outlines are seen:", err)
	}
	// Without a table, which would have too many values, numbers are written as the page writes others.
	tab.open(base + "/set?lang=fr&to=/datasets/5/sp.pop.totl?view=map")
	evaluate[bool](tab, `(() => { document.querySelector("[data-map]").focus(); `+press+`("ArrowLeft"); return true; })()`)
	tab.waitFor(`/^2016: Zimbabwe \d{2}\u202f\d{3}\u202f\d{3}$/.test(document.querySelector("#said").textContent)`)
	for _, line := range tab.complaints(base) {
		t.Error(line)
	}
}

// On a phone, the whole picture of the studio is seen and opens in its full size, and the controls follow it.
func TestStudioOnPhone(t *testing.T) {
	base, tab := serve(t, sampleStore(t), nil), newTab(t)
	tab.do(chromedp.EmulateViewport(390, 844))
	tab.open(base + "/datasets/1/gapminder/studio?country=DE")
	for _, condition := range []string{
		`document.querySelector(".framed img").getBoundingClientRect().right <= 390 && document.documentElement.scrollWidth <= 390`,
		`(f => f.scrollWidth === f.clientWidth)(document.querySelector(".framed"))`,
		`document.querySelector(".framed a").href === document.querySelector(".framed img").src`,
		`(a => a.href === document.querySelector(".framed img").src && a.checkVisibility() && a.textContent === "Open in full size")(document.querySelector("figcaption .btn"))`,
		`(at => at("[data-swap=figure]").bottom <= at("#pick").top && at("#pick").height > 0 && at("#pick").bottom <= at("[data-swap=words]").top)(part => document.querySelector(part).getBoundingClientRect())`,
	} {
		if err := tab.expect(condition); err != nil {
			t.Error(err)
		}
	}
}

// On a phone, a field of the page of an account takes the line, and its button begins the next one; text and headings keep their
// distance from code and from the buttons that copy it.
func TestSpaceOnPhone(t *testing.T) {
	o, tab := openOffice(t, nil), newTab(t)
	o.member(t, "ann@example.org", "Example Times", people.Owner)
	all, err := o.people.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := o.people.StartSession(t.Context(), all[0].ID, people.SignedIn, true, people.Client{Family: "IPv4"})
	if err != nil {
		t.Fatal(err)
	}
	tab.keepSession(o.base, token)
	tab.do(chromedp.EmulateViewport(390, 844))
	tab.open(o.base + "/account")
	if err := tab.expect(`[...document.querySelectorAll(".inline")].length === 2 && [...document.querySelectorAll(".inline .btn")].every(b => { const field = b.previousElementSibling.getBoundingClientRect(), own = b.getBoundingClientRect(); return own.left === field.left && own.top > field.bottom && field.width > 300; })`); err != nil {
		t.Error(err)
	}
	tab.open(o.base + "/account/keys/new")
	evaluate[bool](tab, `(() => { document.querySelector("form.form .btn.main").click(); return true; })()`)
	tab.waitFor(`document.querySelectorAll("[data-copy] button").length === 3`)
	const gaps = `[...document.querySelectorAll("pre + .acts")].every(a => a.getBoundingClientRect().top - a.previousElementSibling.getBoundingClientRect().bottom >= 8 && (!a.nextElementSibling || a.nextElementSibling.getBoundingClientRect().top - a.getBoundingClientRect().bottom >= 14))`
	if err := tab.expect(gaps); err != nil {
		t.Error(err)
	}
	tab.open(o.base + "/datasets/1/gapminder/studio?country=DE")
	tab.waitFor(`document.querySelectorAll("[data-copy] button").length === 4`)
	for _, condition := range []string{gaps, `[...document.querySelectorAll(".note + pre, h2 + pre")].every(c => c.getBoundingClientRect().top - c.previousElementSibling.getBoundingClientRect().bottom >= 8)`} {
		if err := tab.expect(condition); err != nil {
			t.Error(err)
		}
	}
}
