package main

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// chartKind is a kind of chart that all libraries draw.
type chartKind struct {
	name    string
	field   string // chartType of the API
	dataset int    // ID of its numbers
	what    string
	// The goal is met by either: the time of one picture divided by that of the
	// fastest other library in the same round, or milliseconds of CPU time.
	share, cpu float64
}

var chartKinds = []chartKind{
	{"line", "line", 1, "lines, 6 series of 60 quarters", 1. / 3, 15},
	{"bar", "horizontal-bar", 2, "horizontal bars, 30 countries", 1. / 3, 15},
	{"map", "map", 3, "world map, 180 countries", 1. / 4, 25},
}

// numbers are the data of one chart, as all libraries get them.
type numbers struct {
	Title    string      `json:"title"`
	Subtitle string      `json:"subtitle"`
	Source   string      `json:"source"`
	Periods  []string    `json:"periods,omitempty"` // of a line
	Names    []string    `json:"names"`             // of the lines, else of the countries
	IDs      []string    `json:"ids,omitempty"`     // of a map: M49 numbers, or names where there is none
	Values   [][]float64 `json:"values"`            // by line and period; else one row, by country

	unit    string
	code    string
	codes   []stat.Code // of Names
	periods []stat.Period
}

// chance is a fixed sequence of pseudorandom numbers from 0 to 1, by Knuth's and
// Lewis's quick generator.
type chance uint32

func (c *chance) next() float64 {
	*c = *c*1664525 + 1013904223
	return float64(*c) / (1 << 32)
}

// newNumbers makes up the data of the charts, in the order of chartKinds.
func newNumbers() []*numbers {
	c := chance(7)
	line := c.unemployment()
	world := c.product("gdp_world", worldCodes, 20, 160)
	bars := c.product("gdp_europe", barCodes, 60, 180)
	bars.IDs = nil
	return []*numbers{line, bars.descending(), world}
}

// descending sorts the numbers of a single row, the highest first.
func (n *numbers) descending() *numbers {
	order := make([]int, len(n.Names))
	for i := range order {
		order[i] = i
	}
	values := n.Values[0]
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[j], values[i]) })
	sorted := *n
	sorted.Names, sorted.codes, sorted.Values = nil, nil, [][]float64{nil}
	for _, i := range order {
		sorted.Names, sorted.codes = append(sorted.Names, n.Names[i]), append(sorted.codes, n.codes[i])
		sorted.Values[0] = append(sorted.Values[0], values[i])
	}
	return &sorted
}

const chartSource = "Statistical Office"

// unemployment returns six random walks of rates, none below two.
func (c *chance) unemployment() *numbers {
	const unit = "Per cent of the labour force, seasonally adjusted"
	n := newChart("unemployment", "Unemployment rate by country", unit, unit, lineCodes)
	for q := range 60 {
		p := stat.NewPeriod(stat.Quarter, 2010+q/4, q%4+1)
		n.Periods, n.periods = append(n.Periods, p.String()), append(n.periods, p)
	}
	for k := range n.codes {
		values := make([]float64, len(n.Periods))
		v := 6 + float64(float64(k)*1.7)
		for i := range values {
			v = max(2, v+float64((c.next()-.51)*.8))
			values[i], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'f', 2, 64), 64)
		}
		n.Values = append(n.Values, values)
	}
	return n
}

// product returns whole index numbers of countries, from least to least+span.
func (c *chance) product(code, codes string, least, span float64) *numbers {
	n := newChart(code, "GDP per capita", "Index, EU = 100, 2024", "Index, EU = 100", codes)
	n.periods = []stat.Period{stat.NewPeriod(stat.Annual, 2024, 1)}
	n.Values = [][]float64{nil}
	for _, code := range n.codes {
		area, _ := geo.Find(code.ID)
		if area.ID == "XK" {
			area.M49 = "" // the outlines have none
		}
		n.IDs = append(n.IDs, cmp.Or(area.M49, area.Name))
		n.Values[0] = append(n.Values[0], math.Floor(least+c.next()*span+.5))
	}
	return n
}

func newChart(code, title, subtitle, unit, areas string) *numbers {
	n := &numbers{Title: title, Subtitle: subtitle, Source: "Source: " + chartSource, unit: unit, code: code, codes: areaCodes(areas)}
	for _, c := range n.codes {
		n.Names = append(n.Names, c.Label)
	}
	return n
}

// dataset returns the numbers as a dataset for the server.
func (n *numbers) dataset() (*stat.Dataset, []stat.Observation) {
	d := &stat.Dataset{
		Source: stat.Source{ID: generatedSource.ID, Name: chartSource}, Code: n.code, Name: n.Title,
		Updated:     time.Date(2025, time.January, 31, 0, 0, 0, 0, time.UTC),
		Dimensions:  []stat.Dimension{{ID: "unit", Label: "Unit of measure", Role: stat.RoleUnit, Codes: []stat.Code{{ID: "unit", Label: n.unit}}}},
		Geography:   stat.Dimension{ID: "geo", Label: "Country", Role: stat.RoleGeo, Codes: n.codes},
		GeographyAt: 1,
	}
	var list []stat.Observation
	for i := range n.codes {
		for k, period := range n.periods {
			value := n.Values[0][i]
			if n.Periods != nil {
				value = n.Values[i][k]
			}
			list = append(list, stat.Observation{Key: []int32{0, int32(i)}, Period: period, Value: value})
		}
	}
	return d, list
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

const (
	lineCodes = "DE FR IT ES PL NL"
	barCodes  = "LU IE DK NL AT DE BE SE FI FR MT IT CZ SI ES LT EE PL PT HU RO HR SK LV GR BG NO CH IS TR"
)
