package hits

import (
	"net/url"
	"strconv"

	"almanac/internal/search"
	"almanac/internal/stat"
)

// placesSelected returns the parameters that select the areas of a page in a dataset: those that it has, or if it has none, those of which it
// has the parts.
func placesSelected(coverage []Coverage) url.Values {
	selected := url.Values{}
	for _, c := range coverage {
		switch c.Status {
		case search.Known:
			selected.Add("country", c.Area)
		case search.Parts:
			selected.Add("within", c.Area)
		}
	}
	if selected.Has("country") { // with both, the areas of both are selected
		selected.Del("within")
	}
	return selected
}

// selectionOf returns the parameters that select what the question names and a dataset has: areas, values of dimensions other than the usual
// ones, and periods. If the series is no answer, only values that the question names are selected.
func (q *question) selectionOf(s *series, usual []int32, h *Hit, isAnswer bool) string {
	selected := placesSelected(h.Coverage)
	for axis, code := range s.key {
		if code != usual[axis] && (isAnswer || s.named[axis]) {
			selected.Set("dim"+strconv.Itoa(axis+1), s.dataset.Dimensions[axis].Codes[code].ID)
		}
	}
	asked, ok := q.spanFor(s)
	if !ok {
		p, _ := q.periodFor(s)
		asked = span{from: p, to: p}
	}
	first, errFirst := stat.ParsePeriod(h.OldestPeriod)
	last, errLast := stat.ParsePeriod(h.LatestPeriod)
	hasPeriod := errFirst == nil && errLast == nil && (asked.from.IsZero() || asked.from.StartDay() <= last.EndDay()) && (asked.to.IsZero() || asked.to.EndDay() >= first.StartDay())
	for name, p := range map[string]stat.Period{"period_from": asked.from, "period_to": asked.to} {
		if hasPeriod && !p.IsZero() {
			selected.Set(name, p.String())
		}
	}
	return selected.Encode()
}
