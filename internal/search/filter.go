package search

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/topics"
)

// filter accepts the datasets that a query asks for.
type filter struct {
	sources, topics, frequencies []string
	areas                        []place // a dataset that surely lacks all is left out
	places                       []place // that the text names
	here                         string
	year                         int16
	since                        time.Time
}

// newFilter checks the filters of a query. r has the places that its text names.
func newFilter(q *Query, r *reading) (*filter, error) {
	f := &filter{here: q.Here, year: yearOf(q.LastPeriodFrom), since: q.UpdatedSince}
	switch {
	case q.Here != "" && q.Here != "here" && q.Here != "offered":
		return nil, stat.Errorf(stat.Invalid, "unknown value %q of here; it may be here or offered", q.Here)
	case q.LastPeriodFrom != "" && f.year == 0:
		return nil, stat.Errorf(stat.Invalid, "no year in %q; a period is a year, or begins with one: 2024, 2024-03", q.LastPeriodFrom)
	}
	for _, source := range q.Source {
		f.sources = append(f.sources, strings.ToLower(source))
	}
	for _, topic := range q.Topic {
		if t, ok := topics.Find(topic); ok {
			topic = t.Code
		}
		f.topics = append(f.topics, topic)
	}
	for _, frequency := range q.Frequency {
		f.frequencies = append(f.frequencies, frequencyOf(frequency))
	}
	for _, area := range q.Area {
		ids := geo.AreasOf(area)
		for _, id := range slices.Concat(ids.Exact, ids.Same[:min(len(ids.Same), 1)], ids.Named[:min(len(ids.Named), 1)]) {
			f.areas = append(f.areas, newPlace(id, area))
		}
	}
	r.chooseFiltered(f.areas)
	for _, id := range r.areas {
		f.places = append(f.places, newPlace(id, r.areaNames[id]))
	}
	return f, nil
}

// FrequencyNames are the names of the frequencies by their codes in SDMX.
var FrequencyNames = map[string]string{
	"A": "annual", "S": "half-yearly", "Q": "quarterly", "M": "monthly", "W": "weekly", "D": "daily",
}

// frequencyOf returns the code of a frequency by its code or name.
func frequencyOf(text string) string {
	for code, name := range FrequencyNames {
		if strings.EqualFold(text, name) {
			return code
		}
	}
	return strings.ToUpper(text)
}

// isEmpty reports whether the filter accepts everything.
func (f *filter) isEmpty() bool {
	return f.sources == nil && f.topics == nil && f.frequencies == nil && f.areas == nil && f.here == "" && f.year == 0 && f.since.IsZero()
}

// filterSet is a set of the filters of a query. Those with a facet come first.
type filterSet uint8

const (
	bySource filterSet = 1 << iota
	byTopic
	byFrequency
	byArea
	byPeriod
	byHere
	byUpdate
	allFilters filterSet = 1<<iota - 1
)

// isSingle reports whether the set has one filter, which has a facet.
func (s filterSet) isSingle() bool { return s != 0 && s&(s-1) == 0 && s < byUpdate }

// refusing returns the filters that leave a dataset out. If there are more than one, not all may be
// in the set.
func (f *filter) refusing(r *record) (set filterSet) {
	if f.sources != nil && !slices.Contains(f.sources, strings.ToLower(r.source)) {
		set |= bySource
	}
	if f.frequencies != nil && !slices.Contains(f.frequencies, r.frequency) {
		set |= byFrequency
	}
	if f.here == "here" && r.id == 0 || f.here == "offered" && r.id != 0 {
		set |= byHere
	}
	if f.year != 0 && r.lastYear < f.year {
		set |= byPeriod
	}
	if !f.since.IsZero() && r.updatedAt().Before(f.since) {
		set |= byUpdate
	}
	if f.topics != nil && !slices.ContainsFunc(r.topics, func(topic string) bool {
		return slices.ContainsFunc(f.topics, func(asked string) bool { return topic == asked || strings.HasPrefix(topic, asked+".") })
	}) {
		set |= byTopic
	}
	if f.areas == nil || set != 0 && !set.isSingle() {
		return set
	}
	if !slices.ContainsFunc(f.areas, func(p place) bool {
		c := p.coverage(r)
		return c != Lacking && c != Unlikely
	}) {
		set |= byArea
	}
	return set
}

// placeFactor weighs a dataset by the places that the text names.
func (f *filter) placeFactor(r *record) float32 {
	factor := float32(1)
	for i := range f.places {
		factor *= f.places[i].factor(r)
	}
	return factor
}

// areaFactor weighs a dataset by the areas of the filter.
func (f *filter) areaFactor(r *record) float32 {
	if len(f.areas) == 0 {
		return 1
	}
	best := float32(0)
	for i := range f.areas {
		best = max(best, f.areas[i].factor(r))
	}
	return best
}
