package portal

import (
	"fmt"
	"html/template"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// series is the values of one series for one area, in the order of time.
type series struct {
	Area string // as the dataset names it
	// AreaCode is its code, if the caller asked for codes.
	AreaCode string
	Unit     string
	Key      map[string]string // the labels of its dimensions, as in series_key
	Points   []point
}

// point is a value of a series.
type point struct {
	Period string
	Label  string // the office's text of the period if it says more, such as 2015-2020; else empty
	Flags  []string
	Value  number // with as many decimals as the series has

	at         float64 // in years
	amount     float64
	isForecast bool
}

// readSeries reads the values of a dataset for one area, and which of them are forecasts. If the choice leaves several
// series, it is the first.
func (p *page) readSeries(dataset int, choice url.Values) (*series, error) {
	s, err := p.readPoints(dataset, choice)
	if err != nil {
		return nil, err
	}
	query := url.Values{"latest_mode": {"area"}, "flags": {"true"}, "lang": {p.lang.Code}}
	maps.Copy(query, choice)
	var latest struct{ Data []block }
	if err := p.read("/api/datasets/"+strconv.Itoa(dataset)+"/data", query, &latest); err != nil {
		return nil, err
	}
	s.findForecasts(latest.Data, p.opts.Now())
	return s, nil
}

// readPoints reads the values of a dataset for one area, without telling forecasts from others.
func (p *page) readPoints(dataset int, choice url.Values) (*series, error) {
	query := url.Values{"flags": {"true"}, "decimals": {"true"}, "lang": {p.lang.Code}}
	maps.Copy(query, choice)
	var data struct{ Data []block }
	if err := p.read("/api/datasets/"+strconv.Itoa(dataset)+"/data", query, &data); err != nil {
		return nil, err
	}
	s := &series{}
	for _, b := range data.Data {
		if len(b.Countries) == 0 {
			continue
		}
		s.Area, s.Key = b.Countries[0], b.Key
		s.AreaCode = b.Codes[s.Area].Code
		for _, row := range b.Rows {
			value, ok := row.Values[s.Area]
			at, _, isPeriod := yearsOf(row.Period)
			if !ok || !isPeriod {
				continue
			}
			s.Unit = row.Unit
			amount, _ := value.Float64()
			s.Points = append(s.Points, point{Period: row.Period, Label: row.Label, Flags: row.Flags[s.Area], Value: number(withDecimals(value.String(), b.Decimals)), at: at, amount: amount})
		}
		break
	}
	return s, nil
}

// findForecasts marks the values that are forecasts: those after the last observed one, which is in
// the blocks. The interface returns a forecast instead if the selection has no observed value.
func (s *series) findForecasts(latest []block, now time.Time) {
	observed := math.Inf(-1)
	for _, b := range latest {
		if !maps.Equal(b.Key, s.Key) {
			continue
		}
		for _, row := range b.Rows {
			at, _, isPeriod := yearsOf(row.Period)
			if isPeriod && at < yearOf(now) && !slices.Contains(row.Flags[s.Area], "F") {
				observed = max(observed, at)
			}
		}
	}
	for i := range s.Points {
		s.Points[i].isForecast = s.Points[i].at > observed || slices.Contains(s.Points[i].Flags, "F")
	}
}

// readUsual reads the default series of a dataset for an area.
func (p *page) readUsual(dataset int, area string) (*series, error) {
	var m metadata
	if err := p.read("/api/datasets/"+strconv.Itoa(dataset)+"/meta", nil, &m); err != nil {
		return nil, err
	}
	choice := labelsOf(m.DefaultSeries)
	choice.Set("country", area)
	return p.readSeries(dataset, choice)
}

// labelsOf returns the parameters that choose a series by the labels in series_key.
func labelsOf(key map[string]string) url.Values {
	query := url.Values{}
	for name, label := range key {
		if dim, ok := strings.CutSuffix(name, "_value"); ok {
			query.Set(dim, label)
		}
	}
	return query
}

// latest returns the last value that is no forecast; nil if there is none.
func (s *series) latest() *point {
	for i := len(s.Points) - 1; i >= 0; i-- {
		if !s.Points[i].isForecast {
			return &s.Points[i]
		}
	}
	return nil
}

// Size of a sparkline in pixels, and the number of points that it can show.
const (
	sparkWidth, sparkHeight = 196, 46
	sparkPoints             = 2 * sparkWidth
	fewPoints               = 12  // that have a dot each
	shortestGap             = 1.5 // years
)

// longestStep is the number of years above which neighbouring points are not joined: more than the usual step, which a quarter of all steps do not exceed.
func longestStep(points []point) float64 {
	var steps []float64
	for i := range points[1:] {
		steps = append(steps, points[i+1].at-points[i].at)
	}
	slices.Sort(steps)
	return max(shortestGap, 1.6*steps[len(steps)/4])
}

// spark draws the series as a small line: forecasts are dashed, years without values are gaps, and a dot is on the latest value,
// and on all if they are few. It is empty for fewer than two values.
func (s *series) spark() template.HTML {
	points := thin(s.Points, sparkPoints)
	if len(points) < 2 {
		return ""
	}
	first, last := points[0].at, points[len(points)-1].at
	low, high := points[0].amount, points[0].amount
	for _, p := range points {
		low, high = min(low, p.amount), max(high, p.amount)
	}
	if low == high {
		low, high = low-1, high+1
	}
	x := func(p point) float64 { return 3 + (p.at-first)/(last-first)*(sparkWidth-10) }
	y := func(v float64) float64 { return 4 + (high-v)/(high-low)*(sparkHeight-8) }
	var observed, forecast, dots, latest string
	longest := longestStep(points)
	isGap := func(i int) bool { return i == 0 || i == len(points) || points[i].at-points[i-1].at > longest }
	for i, p := range points {
		command := "L"
		if isGap(i) {
			command = "M"
		}
		if len(points) <= fewPoints || isGap(i) && isGap(i+1) {
			dots += fmt.Sprintf("M%.1f %.1fh0", x(p), y(p.amount))
		}
		at := fmt.Sprintf("%.1f %.1f", x(p), y(p.amount))
		switch {
		case !p.isForecast:
			observed += command + at
			latest = fmt.Sprintf(`<circle cx="%.1f" cy="%.1f" r="2.6"/>`, x(p), y(p.amount))
		case forecast == "" && !isGap(i):
			forecast = fmt.Sprintf("M%.1f %.1f", x(points[i-1]), y(points[i-1].amount))
			fallthrough
		default:
			forecast += command + at
		}
	}
	svg := fmt.Sprintf(`<svg class="spark" viewBox="0 0 %d %d" width="%d" height="%d" aria-hidden="true">`, sparkWidth, sparkHeight, sparkWidth, sparkHeight)
	if low < 0 && high > 0 {
		svg += fmt.Sprintf(`<path class="z" d="M3 %.1fH%d"/>`, y(0), sparkWidth-7)
	}
	svg += `<path d="` + observed + `"/>`
	if forecast != "" {
		svg += `<path class="fc" d="` + forecast + `"/>`
	}
	if dots != "" {
		svg += `<path class="pt" d="` + dots + `"/>`
	}
	return template.HTML(svg + latest + "</svg>")
}

// thin returns at most n points, spread evenly, with the last.
func thin(points []point, n int) []point {
	if len(points) <= n {
		return points
	}
	var some []point
	for i := range n {
		some = append(some, points[i*(len(points)-1)/(n-1)])
	}
	return some
}

// firstYear is where these strips begin.
const firstYear = 1960

// coverage is the years of a series: one tick a year, long where there is a value.
type coverage struct {
	Area     string
	From, To int
	Years    int // with a value
	SVG      template.HTML
}

// coverage returns the years of a series on the axis that all strips of coverage share.
func (p *page) coverage(s *series, area string) *coverage {
	one := &coverage{Area: area, From: firstYear, To: p.opts.Now().UTC().Year()}
	has := map[int]bool{}
	for i := range s.Points {
		has[int(s.Points[i].at)] = true
	}
	var with, without strings.Builder
	for year := one.From; year <= one.To; year++ {
		x := 1 + 3*(year-one.From)
		if has[year] {
			one.Years++
			fmt.Fprintf(&with, "M%d 1v9", x)
		} else {
			fmt.Fprintf(&without, "M%d 4v2", x)
		}
	}
	one.SVG = template.HTML(fmt.Sprintf(`<svg class="cov years" width="%d" height="11" aria-hidden="true"><path class="no" d="%s"/><path class="has" d="%s"/></svg>`,
		3*(one.To-one.From+1), without.String(), with.String()))
	return one
}
