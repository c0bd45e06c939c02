package portal_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"almanac/internal/stattest/browser"
)

// tab is a page of the browser with cookies of its own.
type tab struct {
	t    testing.TB
	page context.Context
	axe  string // the script of axe-core

	mu     sync.Mutex
	errors []string
	asked  []string // addresses of requests
}

func newTab(t testing.TB) *tab {
	t.Helper()
	one := &tab{t: t, page: browser.Tab(t)}
	if err := chromedp.Listen(one.page, one.note); err != nil {
		t.Fatal(err)
	}
	one.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, cdplog.Enable, cdp.Empty{})
		return err
	}), chromedp.EmulateViewport(1440, 900))
	return one
}

// note keeps what the browser complains of, and what it asks for.
func (b *tab) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.EntryLevelError {
			b.errors = append(b.errors, e.Entry.Text+" "+e.Entry.URL)
		}
	case *runtime.EventExceptionThrown:
		b.errors = append(b.errors, e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			b.errors = append(b.errors, fmt.Sprint("console: ", e.Type))
		}
	case *network.EventRequestWillBeSent:
		b.asked = append(b.asked, e.Request.URL)
	}
}

// forget makes the tab like a new one.
func (b *tab) forget() {
	b.t.Helper()
	b.clearCookies()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.errors, b.asked = nil, nil
}

// complaints returns the errors of the console, and the requests to others than the service. That
// the page itself has the status of an error is none.
func (b *tab) complaints(base string) (lines []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.errors {
		if !strings.Contains(e, "the server responded with a status of ") {
			lines = append(lines, "console: "+e)
		}
	}
	for _, address := range b.asked {
		if !strings.HasPrefix(address, base+"/") && !strings.HasPrefix(address, "data:") {
			lines = append(lines, "the page asks for "+address)
		}
	}
	return lines
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.page, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// open opens an address and waits for its content.
func (b *tab) open(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS("main")))
}

// prefer emulates a preference of the reader, such as prefers-color-scheme: dark, and that for
// pages without motion: colours that change slowly have no contrast on the way.
func (b *tab) prefer(feature, value string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: feature, Value: value}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	}))
}

func evaluate[T any](b *tab, script string) T {
	b.t.Helper()
	result, err := chromedp.Run(b.page, chromedp.Evaluate[T](script))
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

// addAxe sets the script of axe-core, which [tab.runAxe] adds to the page.
func (b *tab) addAxe(axe string) { b.axe = axe }

// Rules of axe-core: those of WCAG 2.2 A and AA and its own, and those of them that depend on colours.
const (
	allRules    = `"wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"`
	colourRules = `"color-contrast", "link-in-text-block"`
)

// runAxe runs rules of axe-core, and adds it first to a page that does not have it, such as one that loads itself again. Each element that breaks a rule, or may
// break one, is an error; but for the contrast of texts in charts, which axe-core cannot measure and the
// tests of the gallery check.
func (b *tab) runAxe(what, rules string) {
	b.t.Helper()
	broken, err := chromedp.Run(b.page, chromedp.Evaluate[[]string](`if (!window.axe) {`+b.axe+`}
		axe.run(document, {resultTypes: ["violations", "incomplete"], runOnly: [`+rules+`]}).then(r => {
			const doubtful = r.incomplete.filter(v => v.id !== "color-contrast");
			const found = [...r.violations, ...doubtful].flatMap(v => v.nodes.map(n => v.id + ": " + v.help + ": " + n.html.slice(0, 200)));
			return r.passes.length + r.inapplicable.length ? found : ["no rule was checked"];
		})`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	for _, rule := range broken {
		b.t.Errorf("%s: %s", what, rule)
	}
}

// shifts returns what moved while the page was loaded: how much, and the elements.
func (b *tab) shifts() []string {
	b.t.Helper()
	moved, err := chromedp.Run(b.page, chromedp.Evaluate[[]string](`(async () => {
		const moved = [];
		new PerformanceObserver(list => list.getEntries().forEach(e => moved.push(e.value.toFixed(4) + " " + e.sources.map(s => s.node?.outerHTML?.slice(0, 80) ?? s.node?.textContent).join(", ")))).observe({type: "layout-shift", buffered: true});
		await document.fonts.ready;
		for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
		await new Promise(next => setTimeout(next));
		return moved.filter(text => parseFloat(text) > 0); // less is no movement that can be seen
	})()`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	return moved
}

// expect returns an error unless a condition of the page holds.
func (b *tab) expect(condition string) error {
	holds, err := chromedp.Run(b.page, chromedp.Evaluate[bool]("!!("+condition+")"))
	if err == nil && !holds {
		err = fmt.Errorf("it does not hold that %s", condition)
	}
	return err
}

// waitFor waits until a condition of the page holds.
func (b *tab) waitFor(condition string) {
	b.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for !evaluate[bool](b, "!!("+condition+")") {
		if time.Now().After(deadline) {
			b.t.Fatalf("%s does not become true; the page: %.600s", condition, evaluate[string](b, "document.body.innerText"))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// press presses a key in the element that has the focus.
const press = `(key => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true})))`
