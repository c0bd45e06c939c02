package portal_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"almanac/internal/stattest"
)

// pages are the pages of the service over [realStore]: one line for each page and each state that
// looks different. All tests of what pages share go through them.
var pages = []struct{ name, address string }{
	{"home", "/"},
	{"search", "/search?q=unemployment"},
	{"search with filters", "/search?q=rate&area=GR&source=eurostat&sort=-latest_period"},
	{"compare", "/compare"},
	{"compare two sources", "/compare?s=1:&s=5:&country=PT"},
	{"compare two series", "/compare?s=1:dim4%3DM&s=1:dim4%3DF&country=PT"},
	{"areas", "/areas"},
	{"area", "/areas/PT"},
	{"sources", "/sources"},
	{"source", "/sources/eurostat"},
	{"search for nothing", "/search?q=zzzzzz"},
	{"dataset", "/datasets/1/une_rt_a"},
	{"dataset without a name", "/datasets/3/co2-emissions-per-capita"},
	{"dataset of days", "/datasets/2/eurofxref"},
	{"dataset with one area", "/datasets/4/statfin_ktps_pxt_111p"},
	{"dataset as bars", "/datasets/1/une_rt_a?view=bar"},
	{"dataset as a map", "/datasets/1/une_rt_a?view=map"},
	{"dataset as a ranking", "/datasets/1/une_rt_a?view=ranking&period=2010"},
	{"dataset with several values of a dimension", "/datasets/1/une_rt_a?dim4=F&dim4=M&country=ES&country=EL"},
	{"dataset with too much", "/datasets/2/eurofxref?dim1=USD&dim1=JPY"},
	{"chart studio", "/datasets/1/une_rt_a/studio"},
	{"chart studio with a mistake", "/datasets/1/une_rt_a/studio?type=map&width=7"},
	{"versions", "/datasets/1/une_rt_a/versions"},
	{"dataset as a table", "/datasets/1/une_rt_a?view=table"},
	{"dataset without values", "/datasets/1/une_rt_a?period_from=1900&period_to=1901"},
	{"guide", "/guide/first"},
	{"guide on charts", "/guide/charts"},
	{"guide on files", "/guide/files"},
	{"reference", "/reference"},
	{"operation", "/reference/readData"},
	{"operation with a body", "/reference/generateChart"},
	{"changes", "/changes"},
	{"state", "/status"},
	{"unknown dataset", "/datasets/99"},
	{"unknown address", "/nowhere"},
	{"wrong period", "/datasets/1/une_rt_a?period=soon"},
}

// TestPagesInBrowser opens each page in Chromium in light, in dark and as wide as a phone.
// axe-core finds nothing, the console has no error, no other host is asked, and nothing is
// wider than the narrowest window.
func TestPagesInBrowser(t *testing.T) {
	axe := axeScript(t)
	browser := newBrowser(t)
	base := serve(t, realStore(t), nil)
	for _, p := range pages {
		t.Run(p.name, func(t *testing.T) {
			tab := newTab(t, browser)
			tab.inspect(axe, base, p.address)
		})
	}
}

// inspect opens a page of the service in light, in dark and in narrow windows. It reports what
// axe-core finds, what the console complains of, requests to others, and pages that scroll sideways.
func (b *tab) inspect(axe, base, address string) {
	b.t.Helper()
	b.open(base + address)
	b.runAxe(axe, "light")
	b.prefer("prefers-color-scheme", "dark")
	b.runAxe(axe, "dark")
	b.do(chromedp.EmulateViewport(390, 844))
	b.runAxe(axe, "phone")
	b.do(chromedp.EmulateViewport(320, 640))
	if wider := evaluate[[]string](b, tooWide); len(wider) > 0 {
		b.t.Errorf("at 320 pixels the page scrolls sideways because of %s", strings.Join(wider, ", "))
	}
	for _, line := range b.complaints(base) {
		b.t.Error(line)
	}
}

// TestPrint prints a dataset: its chart, table, files, versions and citation take two pages.
func TestPrint(t *testing.T) {
	browser := newBrowser(t)
	base := serve(t, realStore(t), nil)
	tab := newTab(t, browser)
	tab.open(base + "/datasets/1/une_rt_a")
	printed, err := chromedp.Run(tab.page, func(ctx context.Context, target *chromedp.Target) (page.PrintToPDFResult, error) {
		return cdp.Call(ctx, target, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69, PreferCSSPageSize: new(true)})
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAllString(string(printed.Data), -1)); n != 2 {
		t.Errorf("a dataset is printed on %d pages, want 2", n)
	}
}

// tooWide returns the elements that reach beyond the window and that no box around them scrolls, if
// the page scrolls sideways.
const tooWide = `(() => {
	const width = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth <= width) return [];
	const scrolls = e => e && e !== document.body && (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement));
	return [...document.body.querySelectorAll("*")].filter(e => e.getBoundingClientRect().right > width + 1 && !scrolls(e.parentElement))
		.map(e => e.tagName + "." + e.getAttribute("class") + " " + e.textContent.slice(0, 40)).slice(0, 5);
})()`

// tab is a page of the browser. It has three minutes.
type tab struct {
	t    testing.TB
	page context.Context

	mu     sync.Mutex
	errors []string
	asked  []string // addresses of requests
}

func newTab(t testing.TB, browser context.Context) *tab {
	t.Helper()
	page, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	page, cancel = context.WithTimeout(page, 3*time.Minute)
	t.Cleanup(cancel)
	one := &tab{t: t, page: page}
	if err := chromedp.Listen(page, one.note); err != nil {
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

// complaints returns the errors of the console, and the requests to others than the service. That
// the page itself has the status of an error is none.
func (b *tab) complaints(base string) (lines []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.errors {
		if !strings.Contains(e, "the server responded with a status of 4") {
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

// runAxe runs axe-core on the page with the rules of WCAG 2.2 A and AA and its own. Each element
// that breaks a rule, or may break one, is an error; but for the contrast of texts in charts, which
// axe-core cannot measure and the tests of the gallery check.
func (b *tab) runAxe(axe, what string) {
	b.t.Helper()
	broken, err := chromedp.Run(b.page, chromedp.Evaluate[[]string](axe+`;
		axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then(r => {
			const doubtful = r.incomplete.filter(v => v.id !== "color-contrast");
			const found = [...r.violations, ...doubtful].flatMap(v => v.nodes.map(n => v.id + ": " + v.help + ": " + n.html.slice(0, 200)));
			return r.passes.length ? found : ["no rule was checked"];
		})`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	for _, rule := range broken {
		b.t.Errorf("%s: %s", what, rule)
	}
}

// axeScript returns the source of axe-core, which npm has installed for all.
func axeScript(t testing.TB) string {
	t.Helper()
	root, err := exec.Command("npm", "root", "--global").Output()
	if err != nil {
		stattest.SkipOrFail(t, fmt.Sprintf("npm, which knows where axe-core is, does not run: %v", err))
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "axe-core", "axe.min.js"))
	if err != nil {
		stattest.SkipOrFail(t, "axe-core is not installed (npm install --global axe-core)")
	}
	return string(source)
}

// newBrowser starts Chromium, which is closed when the test ends.
func newBrowser(t testing.TB) context.Context {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		stattest.SkipOrFail(t, "chromium is not installed")
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), chromedp.Headless, chromedp.NoFirstRun, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.ExecPath("chromium"))
	t.Cleanup(cancel)
	browser, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	if err := chromedp.Do(browser); err != nil {
		t.Fatalf("starting chromium: %v", err)
	}
	return browser
}

// expect returns an error unless a condition of the page holds.
func (b *tab) expect(condition string) error {
	holds, err := chromedp.Run(b.page, chromedp.Evaluate[bool]("!!("+condition+")"))
	if err == nil && !holds {
		err = fmt.Errorf("it does not hold that %s", condition)
	}
	return err
}
