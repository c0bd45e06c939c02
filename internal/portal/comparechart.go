package portal

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"almanac/internal/chart/colour"
)

// compareChart is the chart of series with one unit.
type compareChart struct {
	columns       []*compared
	width, height int    // in pixels
	right         int    // room for the names
	words         string // what it shows
}

// Room around the lines, in pixels.
const compareLeft, compareTop, compareBottom = 58, 12, 26

// compareSizes are the sizes of the chart, as those of other charts in pages.
var compareSizes = []struct {
	class                string
	width, height, right int
}{{"desk-only", 720, 380, 150}, {"phone", 360, 300, 92}}

// drawCompared draws series in each size.
func (p *page) drawCompared(c *comparePage, columns []*compared) (all template.HTML) {
	for _, size := range compareSizes {
		chart := compareChart{columns, size.width, size.height, size.right, c.inWords(p.lang, columns)}
		all += template.HTML(`<div class="`+size.class+`">`) + chart.draw(p.lang) + "</div>"
	}
	return all
}

// scale maps a value to a place.
type scale struct{ from, to, begin, end float64 }

func (s scale) at(v float64) float64 {
	return s.begin + (v-s.from)/(s.to-s.from)*(s.end-s.begin)
}

// draw draws the series as lines on common axes. Periods without a value break a line, and one that stands alone is a dot.
func (c *compareChart) draw(l *language) template.HTML {
	x := scale{math.Inf(1), math.Inf(-1), compareLeft, float64(c.width - c.right)}
	y := scale{math.Inf(1), math.Inf(-1), float64(c.height - compareBottom), compareTop}
	for _, one := range c.columns {
		for _, p := range one.Series.Points {
			x.from, x.to = min(x.from, p.at), max(x.to, p.at)
			y.from, y.to = min(y.from, p.amount), max(y.to, p.amount)
		}
	}
	if x.to <= x.from || math.IsInf(x.from, 0) {
		return "" // fewer than two periods
	}
	step := niceStep((y.to - y.from) / 5)
	y.from, y.to = math.Floor(y.from/step)*step, math.Ceil(y.to/step)*step
	if y.from == y.to {
		y.to = y.from + step
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="compare" viewBox="0 0 %d %d" role="img" aria-label="%s" font-size="12.5">`, c.width, c.height, template.HTMLEscapeString(c.words))
	for v := y.from; v <= y.to+step/2; v += step {
		class := "gridline"
		if math.Abs(v) < step/1e6 {
			class, v = "zero", 0
		}
		text := l.number(strconv.FormatFloat(v, 'f', decimalsOf(step), 64))
		fmt.Fprintf(&b, `<line class="%s" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/><text x="%d" y="%.1f" class="tick" text-anchor="end">%s</text>`,
			class, compareLeft, y.at(v), c.width-c.right, y.at(v), compareLeft-8, y.at(v)+4, text)
	}
	years := math.Max(1, niceStep((x.to-x.from)/float64(c.width/90)))
	for year := math.Ceil(x.from/years) * years; year <= x.to; year += years {
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" class="tick" text-anchor="middle">%d</text>`, x.at(year), c.height-6, int(year))
	}
	c.drawLines(&b, x, y)
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// drawLines draws each series with its name at the end.
func (c *compareChart) drawLines(b *strings.Builder, x, y scale) {
	used := []float64{}
	for i, one := range c.columns {
		line := colour.Paper.Series[i%len(colour.Paper.Series)]
		points := one.Series.Points
		gap := usualDistance(points) * 1.5
		path := ""
		for k, p := range points {
			isAfterGap := k == 0 || p.at-points[k-1].at > gap
			isBeforeGap := k == len(points)-1 || points[k+1].at-p.at > gap
			switch {
			case isAfterGap && isBeforeGap:
				fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>`, x.at(p.at), y.at(p.amount), line)
			case isAfterGap:
				path += fmt.Sprintf("M%.1f %.1f", x.at(p.at), y.at(p.amount))
			default:
				path += fmt.Sprintf("L%.1f %.1f", x.at(p.at), y.at(p.amount))
			}
		}
		fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="1.8"/>`, path, line)
		if len(points) == 0 {
			continue
		}
		last := points[len(points)-1]
		at := freePlace(y.at(last.amount), used)
		used = append(used, at)
		fmt.Fprintf(b, `<text x="%d" y="%.1f" fill="%s" font-weight="600">%s</text>`, c.width-c.right+8, at+4, colour.ReadableOn(line, colour.Paper.Ground), template.HTMLEscapeString(shorten(one.Name, c.right/7)))
	}
}

// freePlace returns the place nearest to one that is not among those that are used.
func freePlace(at float64, used []float64) float64 {
	const height = 15
	for _, shift := range []float64{0, height, -height, 2 * height, -2 * height, 3 * height, -3 * height} {
		isFree := true
		for _, u := range used {
			isFree = isFree && math.Abs(at+shift-u) >= height
		}
		if isFree {
			return at + shift
		}
	}
	return at
}

// usualDistance returns the smallest distance between two periods, in years.
func usualDistance(points []point) float64 {
	least := math.Inf(1)
	for i := 1; i < len(points); i++ {
		least = min(least, points[i].at-points[i-1].at)
	}
	return max(least, 1.0/12)
}

// niceStep returns 1, 2 or 5 times a power of ten that is not less than a number.
func niceStep(v float64) float64 {
	if v <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, n := range []float64{1, 2, 5, 10} {
		if n*power >= v {
			return n * power
		}
	}
	return 10 * power
}

// decimalsOf returns how many decimals a step needs.
func decimalsOf(step float64) int { return max(0, int(-math.Floor(math.Log10(step)))) }

func shorten(text string, n int) string {
	letters := []rune(text)
	if len(letters) <= n {
		return text
	}
	return string(letters[:n-1]) + "…"
}

// inWords says what the chart shows.
func (c *comparePage) inWords(l *language, columns []*compared) string {
	var names []string
	for _, one := range columns {
		names = append(names, one.Name+" "+one.First+"–"+one.Last)
	}
	return l.text("compare.words", "what", c.what(), "area", c.AreaName, "unit", columns[0].Series.Unit, "series", strings.Join(names, ", "))
}
