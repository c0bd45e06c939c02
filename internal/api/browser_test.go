package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"almanac/internal/api"
	"almanac/internal/stattest/browser"
	"almanac/internal/stattest/s3"
)

func TestMain(m *testing.M) { os.Exit(s3.Run(browserTests{m})) }

// browserTests are the tests of the package, beside a browser.
type browserTests struct{ *testing.M }

func (m browserTests) Run() int { return browser.Run(m.M) }

// TestPageInBrowser opens pages of charts in Chromium and goes through their values with
// the keyboard, the pointer and by touch. They are those of the data endpoint.
func TestPageInBrowser(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), CacheDir: t.TempDir()}))
	const measure = "dim1=Life%20expectancy"
	for _, c := range []struct {
		name, chart, query string
		stops, titles      int
	}{
		{"lines", "line", "&country=Germany&country=Japan&country=Rwanda", 11, 11},
		{"panels", "small-multiples", "&country=Germany&country=Japan&country=Rwanda", 33, 11},
		{"sparkline", "spark", "&country=Japan", 11, 11},
		{"bars", "horizontal-bar", "&period=2005&country=Germany&country=Japan&country=Rwanda", 3, 3},
		{"map", "map", "&period=2005&country=Germany&country=Japan&country=Brazil&country=Egypt&country=India&country=Kenya", 6, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &walk{t: t, page: browser.Tab(t), values: valuesByAddress(t, base+"/api/datasets/1/data?"+measure+c.query)}
			w.do(chromedp.Navigate(base+"/api/datasets/1/chart.svg?embed=html&type="+c.chart+"&"+measure+c.query), chromedp.WaitVisible(chromedp.CSS("#chart[role=slider]")))
			w.byKeyboard(c.stops, c.titles)
			w.byPointer()
			w.byTouch()
		})
	}
}

// rates has days without weekends, decimals, negative numbers, gaps and flags.
func rates() string {
	var b strings.Builder
	b.WriteString("#almanac-tidy,1\n#source,bank,Central bank\n#dataset,rates,Rates\n#unit,points\n#geography,geo,Country\n#code,DE,Germany\n#code,FR,France\n#code,JP,Japan\ngeo,TIME_PERIOD,OBS_VALUE,OBS_STATUS\n")
	day := time.Date(2024, 1, 5, 0, 0, 0, 0, time.UTC)
	for i := range 15 {
		if day = day.AddDate(0, 0, 1); day.Weekday() == time.Saturday {
			day = day.AddDate(0, 0, 2)
		}
		for j, area := range []string{"DE", "FR", "JP"} {
			if (i+j)%7 != 3 {
				fmt.Fprintf(&b, "%s,%s,%g,%s\n", area, day.Format(time.DateOnly), float64((i*37+j*11)%23-9)/[]float64{1, 8, 1000}[j], []string{"", "", "P"}[i%3])
			}
		}
	}
	return b.String()
}

// Values and days that are written as differences are those of the data.
func TestPackedPageInBrowser(t *testing.T) {
	page, base := browse(t, "rates.csv", rates())
	w := &walk{t: t, page: page, values: valuesByAddress(t, base+"/api/datasets/1/data?")}
	w.do(chromedp.Navigate(base+"/api/datasets/1/chart.svg?embed=html&type=line"), chromedp.WaitVisible(chromedp.CSS("#chart[role=slider]")))
	if n := evaluate[int](w, `document.querySelectorAll("g[data-vd]").length + document.querySelectorAll("g.plot[data-days]").length`); n != 4 {
		t.Errorf("%d elements are packed, want 4", n)
	}
	w.byKeyboard(15, 15)
	w.byPointer()
	w.byTouch()
}

// estimates has bounds and flags.
const estimates = `#almanac-tidy,1
#source,who,Health office
#dataset,estimates,Life expectancy
#unit,years
#dimension,ESTIMATE,Estimate
#code,VALUE,Value
#code,LOWER,Lower
#code,UPPER,Upper
#geography,geo,Country
#code,DE,Germany
#code,FR,France
ESTIMATE,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS
VALUE,DE,2019,80,
LOWER,DE,2019,79,
UPPER,DE,2019,81.5,
VALUE,DE,2020,81,P
LOWER,DE,2020,-2,
UPPER,DE,2020,82,
VALUE,DE,2021,81,
VALUE,FR,2019,82,
VALUE,FR,2020,83,E B
VALUE,FR,2021,84,
`

// The page shows the bounds and the flags of values, in the language of the request, by
// keyboard and by touch.
func TestPageWithBounds(t *testing.T) {
	page, base := browse(t, "estimates.csv", estimates)
	for locale, want := range map[string]string{
		"en": "Germany 79–81.5 · France Break in the series, Estimated · Germany −2 – 82, Provisional",
		"de": "Deutschland 79–81,5 · Frankreich Bruch in der Zeitreihe, Geschätzt · Deutschland −2 – 82, Vorläufig",
	} {
		t.Run(locale, func(t *testing.T) {
			w := &walk{t: t, page: page}
			w.do(chromedp.Navigate(base+"/api/datasets/1/chart.svg?embed=html&type=line&locale="+locale), chromedp.WaitVisible(chromedp.CSS("#chart[role=slider]")))
			w.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Home))
			var got []string
			for range 3 {
				s := w.read()
				for _, row := range s.Rows {
					if row[2] != "" {
						got = append(got, row[0]+" "+row[2])
					}
					if !strings.Contains(s.Spoken, row[1]) || !strings.Contains(s.Spoken, row[2]) {
						t.Errorf("screen readers get %q, without %v", s.Spoken, row)
					}
				}
				w.do(chromedp.KeyEvent(kb.ArrowRight))
			}
			if list := strings.Join(got, " · "); list != want {
				t.Errorf("got %s\nwant %s", list, want)
			}
			w.do(chromedp.KeyEvent(kb.Home))
			atFirst := w.read()
			w.do(chromedp.KeyEvent(kb.Escape), chromedp.TapXY(w.firstPeriod()))
			if s := w.read(); s.Hidden || s.Title != "2019" || !slices.Equal(s.Rows, atFirst.Rows) {
				t.Errorf("touch shows %+v, want %+v", s, atFirst)
			}
		})
	}
}

// firstPeriod returns the point of the page in the middle of the plot's first period.
func (w *walk) firstPeriod() (x, y float64) {
	w.t.Helper()
	point := evaluate[[]float64](w, `(() => {
		const plot = document.querySelector("g.plot"), m = document.querySelector("svg").getScreenCTM();
		const [, top, , height] = plot.dataset.box.split(" ").map(Number), x = Number(plot.dataset.x.split(" ")[0]);
		return [m.a * x + m.e, m.d * (top + height / 2) + m.f];
	})()`)
	return point[0], point[1]
}

// browse serves a file with one dataset. It returns a page of the browser, and the address
// of the service.
func browse(t *testing.T, name, file string) (page context.Context, base string) {
	t.Helper()
	s := newStore(t)
	load(t, s, name, strings.NewReader(file))
	return browser.Tab(t), serve(t, newAPI(t, api.Options{Store: s, CacheDir: t.TempDir()}))
}

// valuesByAddress returns the values that the data endpoint has, by period and area.
func valuesByAddress(t *testing.T, address string) map[string]map[string]json.Number {
	t.Helper()
	var answer struct {
		Data []struct {
			Rows []struct {
				Period string
				Values map[string]json.Number
			}
		}
	}
	body := ask(t, "GET", address).body
	if err := json.Unmarshal([]byte(body), &answer); err != nil || len(answer.Data) != 1 {
		t.Fatalf("%v: %.200s", err, body)
	}
	values := map[string]map[string]json.Number{}
	for _, row := range answer.Data[0].Rows {
		values[row.Period] = row.Values
	}
	return values
}

// walk goes through the page of one chart.
type walk struct {
	t      *testing.T
	page   context.Context
	values map[string]map[string]json.Number
}

func (w *walk) do(steps ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	if err := chromedp.Do(w.page, steps...); err != nil {
		w.t.Fatal(err)
	}
}

// shown is what the page shows of one position.
type shown struct {
	Hidden bool
	Title  string
	Rows   [][3]string // name, value, and its bounds and flags
	More   string      // how many rows are not shown
	Spoken string      // the text for screen readers
}

func (w *walk) read() shown {
	w.t.Helper()
	return evaluate[shown](w, `(() => {
		const tip = document.getElementById("tip");
		return {
			Hidden: tip.hidden, Title: tip.querySelector("caption")?.textContent,
			Rows: [...tip.querySelectorAll("tr")].map(r => [r.cells[0].textContent, r.cells[1].firstChild.textContent, r.cells[1].querySelector("small")?.textContent ?? ""]),
			More: tip.querySelector(".more")?.textContent ?? "",
			Spoken: document.getElementById("chart").getAttribute("aria-valuetext"),
		};
	})()`)
}

func evaluate[T any](w *walk, script string) T {
	w.t.Helper()
	result, err := chromedp.Run(w.page, chromedp.Evaluate[T](script))
	if err != nil {
		w.t.Fatal(err)
	}
	return result
}

// check compares what is shown with the data, and returns how many values it compared. The
// rows of lines have the names of areas and a period as title, others "area, period" as title.
func (w *walk) check(s shown) int {
	w.t.Helper()
	if s.Hidden || len(s.Rows) == 0 {
		w.t.Errorf("nothing is shown: %+v", s)
	}
	for _, row := range s.Rows {
		period, area := s.Title, row[0]
		if area == "" {
			area, period, _ = strings.Cut(s.Title, ", ")
		}
		want, isThere := w.values[period][area]
		if !isThere || strings.NewReplacer(",", "", "\u2212", "-").Replace(row[1]) != want.String() {
			w.t.Errorf("%s in %s is %q; the data endpoint has %q", area, period, row[1], want)
		}
		if !strings.Contains(s.Spoken, row[1]) || !strings.Contains(s.Spoken, area) {
			w.t.Errorf("screen readers get %q, without %v", s.Spoken, row)
		}
	}
	return len(s.Rows)
}

// byKeyboard goes from the first position to the last with the arrow keys. All values of
// the data are there, under as many titles.
func (w *walk) byKeyboard(stops, titles int) {
	w.t.Helper()
	w.do(chromedp.KeyEvent(kb.Tab))
	if focused := evaluate[string](w, `document.activeElement.id`); focused != "chart" {
		w.t.Errorf("the tab key leads to %q; want the chart", focused)
	}
	w.do(chromedp.KeyEvent(kb.Home))
	seen := map[string]bool{}
	count := 0
	for range stops {
		s := w.read()
		count += w.check(s)
		seen[s.Title] = true
		w.do(chromedp.KeyEvent(kb.ArrowRight))
	}
	want := 0
	for _, row := range w.values {
		want += len(row)
	}
	if len(seen) != titles || count != want {
		w.t.Errorf("the keyboard reached %d titles and %d values; want %d and %d", len(seen), count, titles, want)
	}
	if w.do(chromedp.KeyEvent(kb.Escape)); !w.read().Hidden {
		w.t.Error("the escape key does not hide the values")
	}
}

// mark returns a point in a mark that nothing covers.
func (w *walk) mark() (x, y float64) {
	w.t.Helper()
	point := evaluate[[]float64](w, `(() => {
		for (const mark of document.querySelectorAll("svg g[data-v] circle, svg g[data-v] path, svg g[data-vd] circle, svg g[data-vd] path, svg [data-v]")) {
			const b = mark.getBoundingClientRect(), x = b.x + b.width / 2, y = b.y + b.height / 2;
			const at = document.elementFromPoint(x, y);
			if (at === mark || mark.closest("g[data-v],g[data-vd]") && at?.closest("#chart")) return [x, y];
		}
		return [];
	})()`)
	if len(point) != 2 {
		w.t.Fatal("no mark can be pointed at")
	}
	return point[0], point[1]
}

func (w *walk) byPointer() {
	w.t.Helper()
	x, y := w.mark()
	w.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	w.check(w.read())
	if w.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, -10, -10)); !w.read().Hidden {
		w.t.Error("the values stay when the pointer leaves the chart")
	}
}

func (w *walk) byTouch() {
	w.t.Helper()
	x, y := w.mark()
	w.do(chromedp.TapXY(x, y))
	w.check(w.read())
}
