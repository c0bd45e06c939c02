package api_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"almanac/internal/api"
	"almanac/internal/stattest"
	"almanac/internal/stattest/browser"
)

// workers has two countries with equal values and a third one, by sex.
const workers = `#almanac-tidy,1
#source,office,Statistical office
#dataset,workers,Workers by sex
#unit,people
#dimension,sex,Sex
#code,F,Women
#code,M,Men
#geography,geo,Country
#code,DE,Germany
#code,DK,Denmark
#code,IE,Ireland
sex,geo,TIME_PERIOD,OBS_VALUE
F,DE,2020,40
M,DE,2020,62
F,DK,2020,25
M,DK,2020,25
F,IE,2020,25
M,IE,2020,25
`

// texts returns the texts of a class with their places in the window.
func (w *walk) texts(class string) []text {
	w.t.Helper()
	return evaluate[[]text](w, fmt.Sprintf(`[...document.querySelectorAll("svg text.%s")].map(t => {
		const b = t.getBoundingClientRect();
		return {Text: t.textContent, X: b.x + b.width / 2, Y: b.y + b.height / 2};
	})`, class))
}

type text struct {
	Text string
	X, Y float64
}

// at returns what is shown with the pointer at a place.
func (w *walk) at(x, y float64) shown {
	w.t.Helper()
	w.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	return w.read()
}

// open opens the page of a chart.
func (w *walk) open(address string) {
	w.t.Helper()
	w.do(chromedp.Navigate(address), chromedp.WaitVisible(chromedp.CSS("#chart[role=slider]")))
}

// A number at a bar shows the value of that bar, and a name those of all bars in its row or
// column, and so does the space between bars. Bars that are equal are no exception.
func TestPointerAtBars(t *testing.T) {
	stattest.SkipUnderRace(t)
	page, base := browse(t, "workers.csv", workers)
	const both = "&dim1=Women&dim1=Men"
	for _, query := range []string{
		"type=bar&dim1=Women&country=DK&country=IE", "type=horizontal-bar&dim1=Women", "type=bar" + both, "type=horizontal-bar" + both,
		"type=bar&stack=normal" + both, "type=horizontal-bar&stack=normal" + both, "type=horizontal-bar&stack=normal&locale=ar" + both, "type=dumbbell" + both,
	} {
		t.Run(query, func(t *testing.T) {
			w := &walk{t: t, page: page}
			w.open(base + "/api/datasets/1/chart.svg?embed=html&showValues=true&period=2020&" + query)
			series := 1 + strings.Count(query, "Men")
			values, names := w.texts("value"), w.texts("category")
			if len(names) < 2 || len(values) < len(names) {
				t.Fatalf("%d values and %d names", len(values), len(names))
			}
			for _, value := range values {
				got := w.at(value.X, value.Y)
				if isOne := len(got.Rows) == 1 && got.Rows[0][1] == value.Text; !isOne && !strings.Contains(query, "dumbbell") || got.Hidden {
					t.Errorf("the pointer at the value %+v shows %+v", value, got)
				}
			}
			for i, name := range names {
				places := []text{name}
				if strings.Contains(query, "=bar") {
					places = append(places, text{name.Text, name.X, evaluate[float64](w, `document.querySelector("svg").getBoundingClientRect().height / 3`)})
				}
				for _, at := range places {
					got := w.at(at.X, at.Y)
					isOther := func(row [3]string) bool { return !strings.Contains(got.Title+row[0], name.Text) }
					if got.Hidden || len(got.Rows) > series || slices.ContainsFunc(got.Rows, isOther) || at == names[i] && len(got.Rows) != series {
						t.Errorf("the pointer at %+v shows %+v", at, got)
					}
				}
			}
		})
	}
}

// many has 20 lines with the values 100 to 119 in all years, but one ends earlier.
func many() string {
	var b strings.Builder
	b.WriteString("#almanac-tidy,1\n#source,office,Statistical office\n#dataset,many,Many lines\n#unit,points\n#dimension,item,Item\n")
	for i := range 20 {
		fmt.Fprintf(&b, "#code,I%d,Item %c\n", i, 'A'+i)
	}
	b.WriteString("#geography,geo,Country\n#code,DE,Germany\nitem,geo,TIME_PERIOD,OBS_VALUE\n")
	for i := range 20 {
		for year := 2015; year < 2021; year++ {
			if i != 7 || year < 2019 {
				fmt.Fprintf(&b, "I%d,DE,%d,%d\n", i, year, 100+i)
			}
		}
	}
	return b.String()
}

// All lines with names are listed. In a low window, those that do not fit are counted, and the
// line under the pointer is there.
func TestPointerAtLines(t *testing.T) {
	stattest.SkipUnderRace(t)
	page, base := browse(t, "many.csv", many())
	var query strings.Builder
	for i := range 20 {
		fmt.Fprintf(&query, "&dim1=Item%%20%c", 'A'+i)
	}
	for locale, more := range map[string]string{"en": "and %d more", "fr": "et %d autres", "ar": "و%d أخرى"} {
		t.Run(locale, func(t *testing.T) {
			w := &walk{t: t, page: page}
			w.do(chromedp.EmulateViewport(1200, 700))
			w.open(base + "/api/datasets/1/chart.svg?embed=html&type=line&width=1200&height=675&locale=" + locale + query.String())
			names := w.texts("series-name")
			if len(names) != 20 {
				t.Fatalf("%d lines have names, want 20", len(names))
			}
			if outside := evaluate[int](w, `[...document.querySelectorAll("svg text")].filter(t => t.getBoundingClientRect().right > document.querySelector("svg").getBoundingClientRect().right + 1).length`); outside > 0 {
				t.Errorf("%d texts run out of the picture", outside)
			}
			w.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Home))
			if got := w.read(); len(got.Rows) != 20 || got.More != "" {
				t.Errorf("%d rows and %q, want 20 and none", len(got.Rows), got.More)
			}
			w.do(chromedp.EmulateViewport(400, 240))
			for _, name := range w.texts("series-name") {
				got, lines := w.at(name.X, name.Y), 19
				if got.Title == "2018" { // where item H ends
					lines = 20
				}
				isShown := slices.ContainsFunc(got.Rows, func(row [3]string) bool { return row[0] == name.Text })
				if !isShown || got.More != fmt.Sprintf(more, lines-len(got.Rows)) || strings.Count(got.Spoken, "Item") != lines {
					t.Errorf("the pointer at %s shows %+v", name.Text, got)
				}
				if height := evaluate[float64](w, `document.getElementById("tip").getBoundingClientRect().bottom - document.querySelector("svg").getBoundingClientRect().bottom`); height > 1 {
					t.Errorf("the values are cut by %g pixels", height)
				}
			}
		})
	}
}

// A number on a map, also one beside a small country, shows the value of its country.
func TestPointerAtNumbersOfMap(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), CacheDir: t.TempDir()}))
	const query = "dim1=Life%20expectancy&period=2005&country=Germany&country=Japan&country=Brazil&country=Egypt&country=India&country=Kenya"
	w := &walk{t: t, page: browser.Tab(t), values: valuesByAddress(t, base+"/api/datasets/1/data?"+query)}
	w.open(base + "/api/datasets/1/chart.svg?embed=html&type=map&showValues=true&" + query)
	numbers := w.texts("value")
	if len(numbers) != 6 {
		t.Fatalf("%d numbers, want 6", len(numbers))
	}
	seen := map[string]bool{}
	for _, number := range numbers {
		got := w.at(number.X, number.Y)
		seen[got.Title] = true
		w.check(got)
		written, err := strconv.ParseFloat(number.Text, 64)
		if exact, err2 := strconv.ParseFloat(got.Rows[0][1], 64); err != nil || err2 != nil || math.Abs(exact-written) > .5 {
			t.Errorf("the pointer at %s shows %+v", number.Text, got)
		}
	}
	if len(seen) != 6 {
		t.Errorf("the numbers show %v", seen)
	}
}

// Numbers are written as the language of the page does, with all digits of the data.
func TestNumbersOfPage(t *testing.T) {
	page, base := browse(t, "output.csv", `#almanac-tidy,1
#source,office,Statistical office
#dataset,output,Output
#unit,%
#geography,geo,Country
#code,DE,Germany
#code,FR,France
geo,TIME_PERIOD,OBS_VALUE
DE,2020,-2919899.9
FR,2020,1500
`)
	for locale, want := range map[string]string{
		"en": "1,500% −2,919,899.9%", "de": "1.500\u00a0% −2.919.899,9\u00a0%", "es": "1500\u00a0% −2.919.899,9\u00a0%", "fr": "1\u202f500\u202f% −2\u202f919\u202f899,9\u202f%",
	} {
		w := &walk{t: t, page: page}
		w.open(base + "/api/datasets/1/chart.svg?embed=html&type=bar&locale=" + locale)
		w.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Home))
		first := w.read().Rows[0][1]
		w.do(chromedp.KeyEvent(kb.End))
		if got := first + " " + w.read().Rows[0][1]; got != want {
			t.Errorf("%s: got %q, want %q", locale, got, want)
		}
	}
}

// The line under the pointer is listed without a value, if it has none at the period.
func TestPointerAtLineWithoutValue(t *testing.T) {
	stattest.SkipUnderRace(t)
	var b strings.Builder
	b.WriteString("#almanac-tidy,1\n#source,office,Statistical office\n#dataset,surveys,Surveys\n#unit,points\n#geography,geo,Country\n#code,DE,Germany\n#code,FR,France\ngeo,TIME_PERIOD,OBS_VALUE\n")
	for year := 1990; year <= 2020; year++ {
		fmt.Fprintf(&b, "DE,%d,%d\n", year, 100+year%3)
		if year%5 == 0 {
			fmt.Fprintf(&b, "FR,%d,200\n", year)
		}
	}
	page, base := browse(t, "surveys.csv", b.String())
	w := &walk{t: t, page: page}
	w.open(base + "/api/datasets/1/chart.svg?embed=html&type=line&country=DE&country=FR")
	// The line of France is level. A point of it is two fifths of the way from one value to the next.
	point := evaluate[[]float64](w, `(() => {
		const line = document.querySelector('g.series[data-name="France"] path').getBoundingClientRect();
		return [line.x + line.width * 2.4 / 6, line.y + line.height / 2];
	})()`)
	got := w.at(point[0], point[1])
	if got.Title != "2002" || len(got.Rows) != 2 || got.Rows[1] != [3]string{"France", "no data", ""} || !strings.Contains(got.Spoken, "France no data") {
		t.Errorf("got %+v, want a row of France without data in 2002", got)
	}
	if got := w.at(5, 5); len(got.Rows) != 2 || got.Rows[0][1] != "200" {
		t.Errorf("at the left edge, the values of 1990 are %+v", got)
	}
}
