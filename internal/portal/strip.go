package portal

import (
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"almanac/internal/store"
)

// strip draws in which periods there are values: a tick for each year, or a bar where the periods
// are many or are no years.
type strip struct {
	from, to float64 // in years
	years    int     // ticks; 0: bars
}

// stripWidth is the width of a strip in pixels, maxTicks how many ticks it has room for.
const (
	stripWidth = 56
	maxTicks   = 56
)

// newStrip returns a strip of the time between two periods, nil if that cannot be read.
func newStrip(oldest, latest string) *strip {
	from, _, ok := yearsOf(oldest)
	_, to, isRead := yearsOf(latest)
	if !ok || !isRead || to <= from {
		return nil
	}
	s := &strip{from: from, to: to}
	if n := int(to - from); len(oldest) == 4 && len(latest) == 4 && n <= maxTicks {
		s.years = n
	}
	return s
}

// draw draws the spans of periods with values.
func (s *strip) draw(spans []store.PeriodSpan) template.HTML {
	if s == nil {
		return ""
	}
	width := 2 * stripWidth
	class := "cov all"
	if s.years > 0 {
		width, class = 2*s.years, "cov"
	}
	var b strings.Builder
	b.WriteString(`<svg class="` + class + `" viewBox="0 0 ` + strconv.Itoa(width) + ` 11" preserveAspectRatio="none" width="56" height="11" aria-hidden="true"><path class="no" d="M0 5.5H` + strconv.Itoa(width) + `"/><path class="has" d="`)
	for _, span := range spans {
		from, _, ok := yearsOf(span.First.String())
		_, to, isRead := yearsOf(span.Last.String())
		if ok && isRead {
			b.WriteString("M" + s.place(from, width) + " 5.5H" + s.place(to, width))
		}
	}
	b.WriteString(`"/></svg>`)
	return template.HTML(b.String())
}

// place returns the place of a time on a strip.
func (s *strip) place(year float64, width int) string {
	at := min(max((year-s.from)/(s.to-s.from), 0), 1) * float64(width)
	return strconv.FormatFloat(math.Round(at*10)/10, 'f', -1, 64)
}

// yearsOf returns the begin and end of a period, as the interface writes it, in years: 2024,
// H1/2024, Q1/2024, 01/2024, W05/2024 or 31/01/2024.
func yearsOf(period string) (from, to float64, ok bool) {
	parts := strings.Split(period, "/")
	year, err := strconv.Atoi(parts[len(parts)-1])
	if err != nil {
		return 0, 0, false
	}
	begin := float64(year)
	if len(parts) == 1 {
		return begin, begin + 1, true
	}
	if len(parts) == 3 {
		day, err := time.Parse("02/01/2006", period)
		at := begin + float64(day.YearDay()-1)/365.25
		return at, at + 1/365.25, err == nil
	}
	kind := strings.TrimRight(parts[0], "0123456789")
	n, err := strconv.Atoi(parts[0][len(kind):])
	perYear, ok := map[string]float64{"H": 2, "Q": 4, "": 12, "W": 52.18}[kind]
	at := begin + float64(n-1)/perYear
	return at, at + 1/perYear, ok && err == nil
}

// yearOf returns a time in years.
func yearOf(t time.Time) float64 {
	t = t.UTC()
	return float64(t.Year()) + float64(t.YearDay()-1)/366
}
