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
	sources, topics, frequencies, years, here counter
	isTopic                                   map[string]bool // of a dataset itself, not only above its topics
	lists                                     map[*string]int // how many datasets share a list of areas
	shared                                    [][]string
}

// facets counts the values of datasets, most frequent first. A facet also counts the datasets that
// only its own filter leaves out.
func (n *snapshot) facets(all []ranked, others []beside) Facets {
	t := tally{counter{}, counter{}, counter{}, counter{}, counter{}, map[string]bool{}, map[*string]int{}, nil}
	for _, at := range all {
		t.add(n.record(at.doc), allFilters)
	}
	for _, o := range others {
		t.add(n.record(o.doc), o.by)
	}
	areas := counter{}
	for _, list := range t.shared {
		for _, area := range list {
			areas[area] += t.lists[&list[0]]
		}
	}
	for code := range t.topics {
		if !t.isTopic[code] {
			delete(t.topics, code)
		}
	}
	return Facets{
		Area: areas.counts(), Source: t.sources.counts(), Topic: t.topics.counts(),
		Frequency: t.frequencies.counts(), LastPeriod: t.years.counts(), Here: t.here.counts(),
	}
}

// add counts the values of a dataset in some facets.
func (t *tally) add(r *record, in filterSet) {
	if in&bySource != 0 {
		t.sources[strings.ToLower(r.source)]++
	}
	if in&byTopic != 0 {
		for _, topic := range withUpper(r.topics) {
			t.topics[topic]++
		}
		for _, topic := range r.topics {
			t.isTopic[topic] = true
		}
	}
	if in&byFrequency != 0 && r.frequency != "" {
		t.frequencies[r.frequency]++
	}
	if in&byPeriod != 0 && r.lastYear != 0 {
		t.years[strconv.Itoa(int(r.lastYear))]++
	}
	if in&byArea != 0 && len(r.have) > 0 {
		if t.lists[&r.have[0]]++; t.lists[&r.have[0]] == 1 {
			t.shared = append(t.shared, r.have)
		}
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

type counter map[string]int

func (c counter) counts() []Count {
	list := make([]Count, 0, len(c))
	for value, count := range c {
		list = append(list, Count{value, count})
	}
	slices.SortFunc(list, func(a, b Count) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value)) })
	return list
}
