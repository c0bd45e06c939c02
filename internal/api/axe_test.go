package api_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"almanac/internal/api"
	"almanac/internal/stattest"
	"almanac/internal/stattest/browser"
)

// TestAccessibility runs axe-core on pages of charts while they show values, and on SVGs in
// pages of somebody else. It finds nothing.
func TestAccessibility(t *testing.T) {
	stattest.SkipUnderRace(t)
	axe, page := browser.Axe(t), browser.Tab(t)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), CacheDir: t.TempDir()}))
	const areas = "&dim1=Life%20expectancy&country=Germany&country=Japan&country=Brazil&country=Egypt&country=India"
	for name, query := range map[string]string{
		"lines": "type=line" + areas, "bars": "type=horizontal-bar" + areas, "map": "type=map" + areas, "panels": "type=small-multiples" + areas,
	} {
		for _, theme := range []string{"light", "dark"} {
			address := base + "/api/datasets/1/chart.svg?theme=" + theme + "&" + query
			t.Run(name+"/"+theme, func(t *testing.T) {
				w := &walk{t: t, page: page}
				w.do(chromedp.Navigate(address+"&embed=html"), chromedp.WaitVisible(chromedp.CSS("#chart[role=slider]")))
				evaluate[bool](w, axe+"; true")
				w.runAxe("page")
				w.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.End))
				if w.read().Hidden {
					t.Error("the end key shows no values")
				}
				w.runAxe("page with values")
				w.showInArticle(ask(t, "GET", address).body)
				w.runAxe("SVG in an article")
			})
		}
	}
}

// showInArticle replaces the page by one of somebody else that contains an SVG.
func (w *walk) showInArticle(svg string) {
	w.t.Helper()
	article, err := json.Marshal(`<!DOCTYPE html><html lang="en"><title>Article</title><main><h1>Article</h1>` + svg + `</main></html>`)
	if err != nil {
		w.t.Fatal(err)
	}
	evaluate[bool](w, fmt.Sprintf(`(document.open(), document.write(%s), document.close(), true)`, article))
}

// runAxe runs axe-core, which the page has. Each element that breaks a rule, or may break one, is an
// error. The contrast of texts in an SVG, which axe-core cannot measure, is checked by the
// tests of the gallery.
func (w *walk) runAxe(what string) {
	w.t.Helper()
	broken, err := chromedp.Run(w.page, chromedp.Evaluate[[]string](`
		axe.run(document, {resultTypes: ["violations", "incomplete"]}).then(r => {
			const doubtful = r.incomplete.filter(v => v.id !== "color-contrast");
			const found = [...r.violations, ...doubtful].flatMap(v => v.nodes.map(n => v.id + ": " + v.help + ": " + n.html.slice(0, 200)));
			return r.passes.length ? found : ["no rule was checked"];
		})`, chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, rule := range broken {
		w.t.Errorf("%s: %s", what, rule)
	}
}
