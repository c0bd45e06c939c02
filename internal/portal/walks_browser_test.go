package portal_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestWalkFromTypoToNumbers misspells a word, opens what is found, and chooses. Then chart, table and file
// have the values that the interface replies with, cell by cell.
func TestWalkFromTypoToNumbers(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	tab.open(base + "/")
	tab.do(chromedp.SendKeys(chromedp.CSS("#q"), "unemploymnt"+kb.Enter))
	tab.waitFor(`location.pathname === "/search" && !!document.querySelector(".hit h2 a[href^='/datasets/1/']")`)
	tab.do(chromedp.Click(chromedp.CSS(".hit h2 a[href^='/datasets/1/']")))
	tab.waitFor(`location.pathname === "/datasets/1/une_rt_a" && !!document.querySelector(".read")`)
	tab.choose(`[name="dim4"][value="F"]`)
	tab.waitFor(`location.search.includes("dim4=F")`)
	for _, area := range []string{"EL", "ES"} {
		tab.choose(`[name="country"][value="` + area + `"]`)
		tab.waitFor(`location.search.includes("country=` + area + `") && !!document.querySelector('#t1 [data-area="` + area + `"]')`)
	}

	table := evaluate[map[string]string](tab, `Object.fromEntries([...document.querySelectorAll("#t1 tbody td[data-p]")].map(c => {
		const copy = c.cloneNode(true);
		copy.querySelectorAll("sup").forEach(s => s.remove());
		return [c.parentElement.cells[0].dataset.area + " " + c.dataset.p, copy.textContent.trim().replace(/\u202f/g, "").replace("\u2212", "-")];
	}).filter(([, text]) => text !== "…"))`)
	chart := evaluate[map[string]string](tab, `(() => {
		const periods = document.querySelector("[data-chart] g.plot[data-p]").dataset.p.split(" ");
		const areas = Object.fromEntries([...document.querySelectorAll("#t1 [data-area]")].map(e => [e.textContent.trim(), e.dataset.area]));
		areas["EU"] ??= areas["EU-27 (2020)"]; // a picture without another composition needs no year
		return Object.fromEntries([...document.querySelectorAll("[data-chart] .desk-only g.series[data-v]")].flatMap(g => g.dataset.v.split(" ").map((v, i) => [areas[g.dataset.name] + " " + periods[i], v])).filter(([, v]) => v && v !== "-"));
	})()`)
	file := evaluate[string](tab, `document.querySelector("#take a[href*='data.csv']").href`)
	want := interfaceValues(t, strings.Replace(file, "/data.csv?", "/data?codes=true&", 1))
	if len(want) < 50 {
		t.Fatalf("the interface has only %d values at %s", len(want), file)
	}
	for what, got := range map[string]map[string]float64{"table": numbers(t, table), "chart": numbers(t, chart), "file": fileValues(t, file)} {
		if !maps.Equal(got, want) {
			t.Errorf("the %s has %v, the interface %v", what, got, want)
		}
	}
	for _, line := range tab.complaints(base) {
		t.Error(line)
	}
}

// choose clicks a choice of the pickers, in a list that is opened for it. A choice that the page replaces before the click is looked
// for again.
func (b *tab) choose(selector string) {
	b.t.Helper()
	evaluate[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.closest("details").open = true; e.scrollIntoView({block: "center"}); return true; })()`, "#pick "+selector))
	click := chromedp.Click(chromedp.CSS("#pick " + selector))
	var err error
	for range 4 {
		if err = chromedp.Do(b.page, click); err == nil || !strings.Contains(err.Error(), "Could not find node") {
			break
		}
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

func numbers(t *testing.T, texts map[string]string) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	for name, text := range texts {
		var err error
		if all[name], err = strconv.ParseFloat(text, 64); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	return all
}

// interfaceValues returns the values of an answer of the interface by area and period.
func interfaceValues(t *testing.T, address string) map[string]float64 {
	t.Helper()
	var answer struct {
		Data []struct {
			Codes map[string]struct{ Code string } `json:"country_codes"`
			Rows  []struct {
				Period string
				Values map[string]*float64
			}
		}
	}
	if err := json.Unmarshal([]byte(ask(t, "GET", address).body), &answer); err != nil {
		t.Fatal(err)
	}
	all := map[string]float64{}
	for _, series := range answer.Data {
		for _, row := range series.Rows {
			for area, value := range row.Values {
				if value != nil {
					all[series.Codes[area].Code+" "+row.Period] = *value
				}
			}
		}
	}
	return all
}

// fileValues returns the values of a CSV file by area and period.
func fileValues(t *testing.T, address string) map[string]float64 {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(ask(t, "GET", address).body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	area, period, value := slices.Index(rows[0], "geo"), slices.Index(rows[0], "period"), slices.Index(rows[0], "value")
	texts := map[string]string{}
	for _, row := range rows[1:] {
		if row[value] != "" {
			texts[row[area]+" "+row[period]] = row[value]
		}
	}
	return numbers(t, texts)
}

// TestWalkToEmbeds puts two charts into a page of another origin, as the page of the dataset offers: one
// that follows the dataset and one of a version. After an update only the first has the new value, and
// each says which it is.
func TestWalkToEmbeds(t *testing.T) {
	s := newStore(t)
	importFruit(t, s, fruit(1, "Apples"))
	base := serve(t, s, nil)
	tab := newTab(t)
	tab.open(base + "/datasets/1/fruit?view=bar&use=embed")
	code := func() string { return evaluate[string](tab, `document.querySelector("#use code").textContent`) }
	live := code()
	tab.do(chromedp.Click(chromedp.CSS(`#use .note a`)))
	tab.waitFor(`location.search.includes("version=1.0") && document.querySelector("#use .note")?.textContent.includes("version 1.0")`)
	pinned := code()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<!doctype html><title>A newspaper</title><main>"+live+pinned+"</main>")
	}))
	defer other.Close()

	for _, want := range []struct {
		live, pinned string
	}{{"1", "1"}, {"2", "1"}} {
		tab.open(other.URL)
		frames := tab.frames()
		if len(frames) != 2 {
			t.Fatalf("the page has the frames %q", frames)
		}
		for i, value := range []string{want.live, want.pinned} {
			if !strings.Contains(frames[i], "values: "+value+" "+value) || strings.Contains(frames[i], "version 1.0") != (i == 1) {
				t.Errorf("frame %d has not only the value %s, or does not say whether it follows the dataset: %s", i, value, frames[i])
			}
		}
		importFruit(t, s, fruit(2, "Apples"))
	}
}

// frames returns the values and the texts of the charts in the frames of the page.
func (b *tab) frames() (all []string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		tree, err := cdp.Call(ctx, target, page.GetFrameTree, cdp.Empty{})
		if err != nil {
			return err
		}
		for _, child := range tree.FrameTree.ChildFrames {
			world, err := cdp.Call(ctx, target, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: child.Frame.ID})
			if err != nil {
				return err
			}
			const script = `"values: " + [...document.querySelectorAll("svg [data-v]")].map(e => e.dataset.v).join(" ") + "; " + document.querySelector("svg").textContent`
			got, err := cdp.Call(ctx, target, runtime.Evaluate, runtime.EvaluateParams{Expression: script, ContextID: world.ExecutionContextID, ReturnByValue: new(true)})
			if err != nil {
				return err
			}
			all = append(all, string(got.Result.Value))
		}
		return nil
	}))
	return all
}

// TestWalkThroughStudio chooses options: picture, body and address change with each, and the address alone
// gives the same again.
func TestWalkThroughStudio(t *testing.T) {
	base := serve(t, realStore(t), nil)
	first := newTab(t)
	first.open(base + "/datasets/1/une_rt_a/studio?country=EL&country=ES")
	const state = `JSON.stringify([document.querySelector(".framed img").getAttribute("src"), document.querySelector(".framed img").alt, ...[...document.querySelectorAll("[data-swap=words] pre")].map(p => p.textContent)])`
	seen := map[string]bool{evaluate[string](first, state): true}
	for _, step := range []struct{ do, in string }{
		{`(() => { const f = document.querySelector("#pick [name=customTitle]"); f.value = "Work"; f.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`, "customTitle=Work"},
		{`(() => { document.querySelector('.tabs a[href*="type=bar"]').click(); return true; })()`, "type=bar"},
		{`(() => { document.querySelector('.sizes a[href*="width=640"]').click(); return true; })()`, "width=640"},
	} {
		before := evaluate[string](first, `document.querySelector(".framed img").getAttribute("src")`)
		evaluate[bool](first, step.do)
		first.waitFor(fmt.Sprintf(`location.search.includes(%q) && document.querySelector(".framed img").getAttribute("src") !== %q`, step.in, before))
		now := evaluate[string](first, state)
		if seen[now] {
			t.Errorf("%s changes nothing: %s", step.in, now)
		}
		seen[now] = true
	}
	first.waitFor(`document.querySelector(".framed img").naturalWidth === 640`)
	want := evaluate[string](first, state)
	for _, part := range []string{`\"customTitle\": \"Work\"`, `\"chartType\": \"bar\"`, `\"width\": 640`} {
		if !strings.Contains(want, part) {
			t.Errorf("the body has no %s: %s", part, want)
		}
	}
	second := newTab(t)
	second.open(evaluate[string](first, "location.href"))
	if got := evaluate[string](second, state); got != want {
		t.Errorf("the same address gives %s, want %s", got, want)
	}
	for _, line := range first.complaints(base) {
		t.Error(line)
	}
}

// TestWalkWithoutScript goes from a typo to a chart, a table, a file and the studio without scripts.
func TestWalkWithoutScript(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	tab.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	tab.open(base + "/")
	tab.do(chromedp.SendKeys(chromedp.CSS("#q"), "unemploymnt"+kb.Enter))
	for _, step := range []struct{ click, until string }{
		{".facet [name=source][value=eurostat]", `document.querySelector(".facet [name=source][value=eurostat]").checked && !location.search.includes("source=")`},
		{"aside button.btn", `location.search.includes("q=unemploymnt") && location.search.includes("source=eurostat")`},
		{".hit h2 a[href^='/datasets/1/']", `location.pathname === "/datasets/1/une_rt_a" && !document.querySelector(".read")`},
		{`[data-keep="dim4"] summary`, `document.querySelector('[data-keep="dim4"]').open && !location.search.includes("dim4")`},
		{`#pick [name="dim4"][value="F"]`, `document.querySelector('#pick [name="dim4"][value="F"]').checked && !location.search.includes("dim4")`},
		{"#pick button", `location.search.includes("dim4=F") && document.querySelector("#t1 caption")?.textContent.includes("Females")`},
		{"#t1 thead a[href*='sort=-2']", `location.search.includes("sort=-2") && location.search.includes("dim4=F")`},
		{".tabs a[href*='view=bar']", `location.search.includes("view=bar") && !!document.querySelector("[data-chart] rect.series")`},
		{"#use .tabs a[href*='use=python']", `document.querySelector("#use code")?.textContent.includes("pandas")`},
		{"#pick .last a", `location.pathname === "/datasets/1/une_rt_a/studio"`},
	} {
		tab.waitFor(fmt.Sprintf(`!!document.querySelector(%q)`, step.click))
		tab.do(chromedp.Click(chromedp.CSS(step.click)))
		tab.waitFor(step.until)
	}
	tab.open(base + "/datasets/1/une_rt_a/studio?dim4=F&country=EL")
	evaluate[bool](tab, `(() => { document.querySelectorAll("#pick details").forEach(d => { d.open = true; }); return true; })()`)
	tab.do(chromedp.SendKeys(chromedp.CSS("#pick [name=customTitle]"), "Work"), chromedp.Click(chromedp.CSS("#pick .last button")))
	tab.waitFor(`location.search.includes("customTitle=Work") && document.querySelector(".framed img")?.naturalWidth > 0`)
	if file := evaluate[string](tab, `document.querySelector(".formats a").href`); ask(t, "GET", file).StatusCode != http.StatusOK {
		t.Errorf("%s cannot be downloaded", file)
	}
}
