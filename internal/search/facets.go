package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// facets counts the values of datasets, most frequent first.
func (n *snapshot) facets(all []ranked) Facets {
	sources, codes, frequencies, years, here := counter{}, counter{}, counter{}, counter{}, counter{}
	lists := map[*string]int{} // how many datasets share a list of areas
	var shared [][]string
	areas := counter{}
	for _, at := range all {
		r := n.record(at.doc)
		sources[strings.ToLower(r.source)]++
		for _, topic := range r.topics {
			codes[topic]++
		}
		if r.frequency != "" {
			frequencies[r.frequency]++
		}
		if r.lastYear != 0 {
			years[strconv.Itoa(int(r.lastYear))]++
		}
		if len(r.have) > 0 {
			if lists[&r.have[0]]++; lists[&r.have[0]] == 1 {
				shared = append(shared, r.have)
			}
		}
		if r.id != 0 {
			here["here"]++
		} else {
			here["offered"]++
		}
	}
	for _, list := range shared {
		for _, area := range list {
			areas[area] += lists[&list[0]]
		}
	}
	return Facets{Area: areas.counts(), Source: sources.counts(), Topic: codes.counts(), Frequency: frequencies.counts(), LastPeriod: years.counts(), Here: here.counts()}
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
