package portal_test

import (
	"context"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"almanac/internal/api"
	"almanac/internal/portal"
	"almanac/internal/stattest/browser"
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
	{"guide on datasets", "/guide/datasets"},
	{"guide on filters", "/guide/filters"},
	{"guide on periods", "/guide/periods"},
	{"guide on latest values", "/guide/latest"},
	{"guide on flags", "/guide/flags"},
	{"guide on charts", "/guide/charts"},
	{"guide on files", "/guide/files"},
	{"guide on SDMX", "/guide/sdmx"},
	{"guide on agents", "/guide/agents"},
	{"guide on keys", "/guide/keys"},
	{"guide on following", "/guide/following"},
	{"guide on errors", "/guide/errors"},
	{"reference", "/reference"},
	{"operation", "/reference/readData"},
	{"operation with a body", "/reference/generateChart"},
	{"changes", "/changes"},
	{"state", "/status"},
	{"unknown dataset", "/datasets/99"},
	{"unknown address", "/nowhere"},
	{"wrong period", "/datasets/1/une_rt_a?period=soon"},
}

// TestPagesInBrowser opens each page in Chromium in light, in dark and as wide as the narrowest phone.
// axe-core finds nothing, the console has no error, no other host is asked, and nothing is
// wider than the narrowest window.
func TestPagesInBrowser(t *testing.T) {
	base, tabs := serve(t, realStore(t), nil), newInspectors(t)
	for _, p := range pages {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			tabs.inspect(t, base, p.address, "")
		})
	}
}

// TestOtherPagesInBrowser opens what [realStore] cannot show: two versions compared, a job, and the
// errors 429 and 500.
func TestOtherPagesInBrowser(t *testing.T) {
	tabs := newInspectors(t)
	for _, c := range []struct {
		name    string
		start   func(*testing.T) (base, address string)
		heading string
	}{
		{"versions compared", func(t *testing.T) (string, string) {
			return serve(t, twoVersions(t), nil), "/datasets/1/density/versions?a=1.0&b=1.1"
		}, "Versions"},
		{"old version", func(t *testing.T) (string, string) {
			return serve(t, twoVersions(t), nil), "/datasets/1/density?version=1.0"
		}, "density"},
		{"job", func(t *testing.T) (string, string) {
			base := serve(t, realStore(t), func(a *api.Options, _ *portal.Options) { offerRates(t, a, true) })
			return base, sendBring(t, base, "same-origin").Header.Get("Location")
		}, "eurostat:une_rt_m"},
		{"search for what is only offered", func(t *testing.T) (string, string) {
			return serve(t, realStore(t), func(a *api.Options, _ *portal.Options) { offerRates(t, a, true) }), ratesOffered
		}, "dataset"},
		{"too many pages", func(t *testing.T) (string, string) {
			base := serve(t, sampleStore(t), func(_ *api.Options, o *portal.Options) {
				o.Network = func(*http.Request) netip.Prefix { return netip.MustParsePrefix("192.0.2.1/32") }
			})
			for ask(t, "GET", base+"/set?to=/").StatusCode != http.StatusTooManyRequests {
			}
			return base, "/search?q=gdp"
		}, "Too many pages at once"},
		{"failure of the service", func(t *testing.T) (string, string) {
			s := newStore(t)
			importFruit(t, s, fruit(1, "Apples"))
			base := serve(t, s, nil)
			s.Close()
			return base, "/datasets/1/fruit"
		}, "error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			base, address := c.start(t)
			if got := heading(t, parse(t, ask(t, "GET", base+address).body)); !strings.Contains(got, c.heading) {
				t.Fatalf("%s is the page %q", address, got)
			}
			tabs.inspect(t, base, address, "")
		})
	}
}

// inspectors are tabs that inspect one page after the other, because a tab takes longer to start than a
// page. There are as many as pages are inspected at once.
type inspectors struct {
	axe  string
	free chan *tab
}

func newInspectors(t *testing.T) inspectors {
	t.Helper()
	i := inspectors{browser.Axe(t), make(chan *tab, 2)}
	for range cap(i.free) {
		i.free <- newTab(t)
	}
	return i
}

// inspect opens a page of the service for somebody who has a session, unless that is empty. It returns
// the elements of the page.
func (i inspectors) inspect(t *testing.T, base, address, session string) string {
	t.Helper()
	tab := <-i.free
	defer func() { i.free <- tab }()
	tab.t = t
	tab.forget()
	if session != "" {
		tab.keepSession(base, session)
	}
	tab.inspect(i.axe, base, address)
	return evaluate[string](tab, "document.documentElement.outerHTML")
}

// inspect opens a page of the service in light, and looks at it in dark and in the narrowest window, too.
// It reports what axe-core finds, what the console complains of, requests to others, and pages that scroll
// sideways.
func (b *tab) inspect(axe, base, address string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(1440, 900))
	b.prefer("prefers-color-scheme", "light")
	b.open(base + address)
	b.addAxe(axe)
	b.runAxe("light", allRules)
	b.prefer("prefers-color-scheme", "dark")
	b.runAxe("dark", colourRules)
	b.do(chromedp.EmulateViewport(320, 640))
	if wider := evaluate[[]string](b, tooWide); len(wider) > 0 {
		b.t.Errorf("at 320 pixels the page scrolls sideways because of %s", strings.Join(wider, ", "))
	}
	b.runAxe("narrow", allRules)
	for _, line := range b.complaints(base) {
		b.t.Error(line)
	}
}

// TestLayoutShift opens each page as wide as a desk and as a phone: nothing moves while it is loaded. The
// fonts of the pages are left out, as on a slow line, because how fast they come must not matter.
func TestLayoutShift(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
	tab.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{{URLPattern: "*://*:*/*.woff2", Block: true}}})
		return err
	}))
	for _, width := range []int64{1440, 390} {
		tab.do(chromedp.EmulateViewport(width, 844))
		for _, p := range pages {
			tab.open(base + p.address)
			for _, shift := range tab.shifts() {
				t.Errorf("%s, %d pixels wide: %s", p.name, width, shift)
			}
		}
	}
}

// longNames is a dataset whose code, source and labels are long and have no spaces.
const longNames = `#almanac-tidy,1
#source,office,Statistical_Office_of_the_United_Regions
#dataset,DSD_REFERENCE_GLOBAL@DF_REFERENCE_SERIES_GLOBAL,DSD_REFERENCE_GLOBAL@DF_REFERENCE_SERIES_GLOBAL(1.0)
#unit,points
#dimension,item,Item
#code,I1,INDICATOR_OF_REFERENCE_SERIES_GLOBAL_AND_REGIONAL
#code,I2,INDICATOR_OF_OTHER_SERIES_GLOBAL_AND_REGIONAL
#geography,geo,Country
#code,DE,Germany
item,geo,TIME_PERIOD,OBS_VALUE
I1,DE,2020,1
I1,DE,2021,2
I2,DE,2021,3
`

// TestNoSidewaysScroll opens pages with long names in windows of several widths: none is wider than its window.
func TestNoSidewaysScroll(t *testing.T) {
	s := newStore(t)
	load(t, s, "long.csv", strings.NewReader(longNames))
	base, tab := serve(t, s, nil), newTab(t)
	code := "/datasets/1/dsd_reference_global@df_reference_series_global"
	for _, width := range []int64{320, 390, 768, 844} {
		tab.do(chromedp.EmulateViewport(width, 844))
		for _, address := range []string{"/", "/search?q=reference", "/areas/DE", "/sources", "/sources/office", code, code + "?view=ranking", code + "/studio", code + "/versions", "/compare?s=1:&s=1:dim1%3DI2&country=DE"} {
			tab.open(base + address)
			if wide := evaluate[[]string](tab, tooWide); len(wide) > 0 {
				t.Errorf("%s, %d pixels: wider than the window: %s", address, width, strings.Join(wide, "; "))
			}
		}
	}
}

// TestPrint prints a dataset: its chart, table, files, versions and citation take two pages.
func TestPrint(t *testing.T) {
	base := serve(t, realStore(t), nil)
	tab := newTab(t)
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
