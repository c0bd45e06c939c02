package main

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"almanac/internal/format/tidy"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// chartKind is a kind of chart that all libraries draw. Its JSON holds what other
// libraries get.
type chartKind struct {
	Title    string        `json:"title"`
	Subtitle string        `json:"subtitle"`
	Source   string        `json:"source"`
	Periods  []stat.Period `json:"periods"`
	Series   []chartSeries `json:"series"`

	name    string // chartType of the API
	dataset int    // ID of its numbers
	what    string
	// Either meets the goal: the time of one picture divided by that of the fastest
	// other library in the same round, or milliseconds of CPU time.
	share, cpu float64
	code, unit string // of the dataset
}

// chartSeries holds the numbers of an area, one for each period.
type chartSeries struct {
	ID     string    `json:"id"` // M49 number, or the name if the outlines have none
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
	area   stat.Code
}

const chartSource = "Statistical Office"

// newChartKinds makes up the numbers: six random walks of rates, none below two,
// and whole index numbers of countries in a world map and in bars, the highest
// first.
func newChartKinds() []*chartKind {
	random := lcg(7)
	line := &chartKind{name: "line", dataset: 1, what: "lines, 6 series of 60 quarters", share: 1. / 3, cpu: 15,
		code: "unemployment", Title: "Unemployment rate by country", Subtitle: "Per cent of the labour force, seasonally adjusted"}
	line.unit = line.Subtitle
	for q := range 60 {
		line.Periods = append(line.Periods, stat.NewPeriod(stat.Quarter, 2010+q/4, q%4+1))
	}
	line.addSeries("DE FR IT ES PL NL", func(k int) (values []float64) {
		v := 6 + float64(float64(k)*1.7)
		for range line.Periods {
			v = max(2, v+float64((random.next()-.51)*.8)) // float64: the same on all processors
			values = append(values, math.Round(v*100)/100)
		}
		return values
	})
	world := &chartKind{name: "map", dataset: 3, what: "world map, 180 countries", share: 1. / 4, cpu: 25, code: "gdp_world"}
	bars := &chartKind{name: "horizontal-bar", dataset: 2, what: "horizontal bars, 30 countries", share: 1. / 3, cpu: 15, code: "gdp_europe"}
	index := func(least, span float64) func(int) []float64 {
		return func(int) []float64 { return []float64{math.Floor(least + random.next()*span + .5)} }
	}
	for _, k := range []*chartKind{world, bars} {
		k.Title, k.Subtitle, k.unit = "GDP per capita", "Index, EU = 100, 2024", "Index, EU = 100"
		k.Periods = []stat.Period{stat.NewPeriod(stat.Annual, 2024, 1)}
	}
	world.addSeries(worldCodes, index(20, 160))
	bars.addSeries("LU IE DK NL AT DE BE SE FI FR MT IT CZ SI ES LT EE PL PT HU RO HR SK LV GR BG NO CH IS TR", index(60, 180))
	slices.SortStableFunc(bars.Series, func(a, b chartSeries) int { return cmp.Compare(b.Values[0], a.Values[0]) })
	return []*chartKind{line, bars, world}
}

// lcg is Knuth's and Lewis's generator of pseudorandom numbers from 0 to 1. Its
// numbers are the same in every version of Go.
type lcg uint32

func (c *lcg) next() float64 {
	*c = *c*1664525 + 1013904223
	return float64(*c) / (1 << 32)
}

// addSeries adds a series for each area.
func (k *chartKind) addSeries(ids string, values func(i int) []float64) {
	k.Source = "Source: " + chartSource
	for i, id := range strings.Fields(ids) {
		area, _ := geo.Find(id)
		s := chartSeries{cmp.Or(area.M49, area.Name), area.Name, values(i), stat.Code{ID: area.ID, Label: area.Name}}
		if area.ID == "XK" {
			s.ID = area.Name
		}
		k.Series = append(k.Series, s)
	}
}

// write writes the numbers as a dataset for the server.
func (k *chartKind) write(w io.Writer) error {
	d := &stat.Dataset{
		Source: stat.Source{ID: "local", Name: chartSource}, Code: k.code, Name: k.Title,
		Updated:     time.Date(2025, time.January, 31, 0, 0, 0, 0, time.UTC),
		Dimensions:  []stat.Dimension{{ID: "unit", Label: "Unit of measure", Role: stat.RoleUnit, Codes: []stat.Code{{ID: "unit", Label: k.unit}}}},
		Geography:   stat.Dimension{ID: "geo", Label: "Country", Role: stat.RoleGeo},
		GeographyAt: 1,
	}
	var list []stat.Observation
	for i, s := range k.Series {
		d.Geography.Codes = append(d.Geography.Codes, s.area)
		for n, value := range s.Values {
			list = append(list, stat.Observation{Key: []int32{0, int32(i)}, Period: k.Periods[n], Value: value})
		}
	}
	return tidy.Write(w, d, list)
}

// worldCodes lists the M49 numbers of the 180 countries whose outlines in
// world-atlas have the most points, in that order. Kosovo has no number there, and
// Somaliland has an outline there but is not an area here.
const worldCodes = "" +
	"124 643 840 360 156 304 152 578 076 036 356 608 398 392 032 484 826 300 104 250 554 598 496 170 804 704 180 380 604 364 " +
	"752 764 860 862 586 792 276 724 246 458 466 508 352 710 729 682 068 795 004 418 894 012 834 050 417 504 191 218 566 762 " +
	"324 120 024 090 178 478 140 728 112 372 616 192 231 384 208 148 328 242 266 642 450 044 040 600 620 688 031 410 528 854 " +
	"408 434 562 818 686 454 591 516 512 203 732 368 072 404 887 116 296 288 348 340 524 258 233 548 232 740 788 784 756 800 " +
	"558 100 716 760 624 268 056 238 440 858 498 204 070 051 703 706 430 428 188 705 540 768 694 260 320 332 214 008 376 064 " +
	"400 499 132 144 646 108 807 426 Somaliland 270 222 626 XK 630 158 414 226 084 239 234 422 096 262 196 248 670 275 583 388 584"
