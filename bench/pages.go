package main

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"github.com/chromedp/chromedp"

	"almanac/internal/stat"
)

// openedPages are the pages that Chromium opens.
var openedPages = []struct{ name, path string }{
	{"home", "/"},
	{"search", "/search?q=pages"},
	{"dataset", "/datasets/1/pages"},
	{"dataset as a table", "/datasets/1/pages?view=table"},
	{"chart studio", "/datasets/1/pages/studio"},
	{"areas", "/areas"},
	{"guide", "/guide/first"},
}

// firstPaint is what Chromium says of a page.
type firstPaint struct {
	Time  float64 // ms from the request to the first paint with content
	Shift float64 // how much has moved
	Bytes float64 // of the page and its files, as they were sent
}

// measurePages opens pages in Chromium, each with an empty cache. Without Chromium it says so.
func (h *harness) measurePages() string {
	if _, err := exec.LookPath("chromium"); err != nil {
		return "Not measured: Chromium is not installed.\n"
	}
	t := newTable("page", "first paint ms", "layout shift", "kB on the wire")
	store := h.fillStore("pages", []shape{{code: "pages", counts: []int{5, 2}, areas: areas[:20], freq: stat.Annual, year: 1990, nPeriods: 30}})
	allocator, stop := chromedp.NewExecAllocator(h.ctx, chromedp.Headless, chromedp.NoFirstRun, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.ExecPath("chromium"))
	defer stop()
	browser, cancel := chromedp.NewContext(allocator)
	defer cancel()
	check(chromedp.Do(browser))
	h.withServer(store, func(p *process) {
		for range h.rounds {
			for _, page := range openedPages {
				seen := openPage(browser, p.url+page.path)
				t.add(page.name, "first paint ms", seen.Time).atMost = 300
				t.add(page.name, "layout shift", seen.Shift)
				t.add(page.name, "kB on the wire", seen.Bytes/1000).atMost = 150
			}
		}
	}, "--limits", "anonymous=unlimited")
	return fmt.Sprintf("Chromium without a window, 1440 × 900, over loopback, each page %d times with an empty cache.\n\n%s", h.rounds, t)
}

// openPage opens a page in a tab whose cache is empty.
func openPage(browser context.Context, address string) firstPaint {
	tab, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	defer cancel()
	tab, cancel = context.WithTimeout(tab, time.Minute)
	defer cancel()
	check(chromedp.Do(tab, chromedp.EmulateViewport(1440, 900), chromedp.Navigate(address)))
	return must(chromedp.Run(tab, chromedp.Evaluate[firstPaint](`(async () => {
		const shifts = [];
		new PerformanceObserver(list => shifts.push(...list.getEntries().map(e => e.value))).observe({type: "layout-shift", buffered: true});
		const time = await new Promise(done => new PerformanceObserver(list => {
			const paint = list.getEntries().find(e => e.name === "first-contentful-paint");
			if (paint) done(paint.startTime);
		}).observe({type: "paint", buffered: true}));
		await document.fonts.ready;
		for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
		const sent = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
		return {Time: time, Shift: shifts.reduce((a, b) => a + b, 0), Bytes: sent.reduce((sum, e) => sum + e.transferSize, 0)};
	})()`, chromedp.EvalAwaitPromise)))
}
