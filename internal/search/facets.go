package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// beside is a dataset that answers a question and that a single filter leaves out.
type beside struct {
	doc uint32
	by  filterSet
}

// tally counts the values of datasets for the facets.
type tally struct {
	sources, frequencies, here counter
	years                      map[int16]int
	topics, areas              listCounter
}

// facets counts the values of datasets, most frequent first. A facet also counts the datasets that
// only its own filter leaves out.
func (n *snapshot) facets(all []ranked, others []beside) Facets {
	t := tally{counter{}, counter{}, counter{}, map[int16]int{}, listCounter{}, listCounter{}}
	for _, at := range all {
		t.add(n.record(at.doc), allFilters)
	}
	for _, o := range others {
		t.add(n.record(o.doc), o.by)
	}
	sources, years := counter{}, counter{}
	for source, count := range t.sources {
		sources[strings.ToLower(source)] += count
	}
	for year, count := range t.years {
		years[strconv.Itoa(int(year))] = count
	}
	return Facets{
		Area: t.areas.values(nil).counts(), Source: sources.counts(), Topic: t.topicsWithUpper().counts(),
		Frequency: t.frequencies.counts(), LastPeriod: years.counts(), Here: t.here.counts(),
	}
}

// topicsWithUpper counts the topics that datasets have. A topic includes those below it.
func (t *tally) topicsWithUpper() counter {
	all, own := t.topics.values(withUpper), t.topics.values(nil)
	for code := range all {
		if own[code] == 0 {
			delete(all, code)
		}
	}
	return all
}

// add counts the values of a dataset in some facets.
func (t *tally) add(r *record, in filterSet) {
	if in&bySource != 0 {
		t.sources[r.source]++
	}
	if in&byTopic != 0 {
		t.topics.add(r.topics)
	}
	if in&byFrequency != 0 && r.frequency != "" {
		t.frequencies[r.frequency]++
	}
	if in&byPeriod != 0 && r.lastYear != 0 {
		t.years[r.lastYear]++
	}
	if in&byArea != 0 {
		t.areas.add(r.have)
	}
	switch {
	case in&byHere == 0:
	case r.id != 0:
		t.here["here"]++
	default:
		t.here["offered"]++
	}
}

// coverage counts for each asked area the datasets by whether they have it, in the order of the areas.
func (n *snapshot) coverage(f *filter, all []ranked) (list []AreaCount) {
	for _, places := range [][]place{f.places, f.areas} {
		for i := range places {
			if slices.ContainsFunc(list, func(c AreaCount) bool { return c.Area == places[i].id }) {
				continue // the question and a filter name the same area
			}
			counts := counter{}
			for _, at := range all {
				counts[string(places[i].coverage(n.record(at.doc)))]++
			}
			for _, c := range counts.counts() {
				list = append(list, AreaCount{places[i].id, Coverage(c.Value), c.Count})
			}
		}
	}
	return list
}

// listCounter counts the datasets that share a list of values, by the first of the list. To count these is much faster than to
// count the values of each dataset.
type listCounter map[*string]*sharedList

type sharedList struct {
	values   []string
	datasets int
}

func (c listCounter) add(list []string) {
	if len(list) == 0 {
		return
	}
	first := &list[0]
	if c[first] == nil {
		c[first] = &sharedList{values: list}
	}
	c[first].datasets++
}

// values counts the datasets of each value of the lists, or of what of makes of a list if it is not nil.
func (c listCounter) values(of func([]string) []string) counter {
	counts := counter{}
	for _, list := range c {
		values := list.values
		if of != nil {
			values = of(values)
		}
		for _, value := range values {
			counts[value] += list.datasets
		}
	}
	return counts
}

type counter map[string]int

func (c counter) counts() []Count {
	list := make([]Count, 0, len(c))
	for value, count := range c {
		list = append(list, Count{value, count})
	}
	slices.SortFunc(list, func(a, b Count) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value)) })
	return list
}
