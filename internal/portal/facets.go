package portal

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
)

// facet is a filter of the results, with the number of datasets that each value leaves.
type facet struct {
	Name, Label string
	IsOne       bool // one value can be chosen
	Options     []facetOption
	More        []facetOption // behind a control
}

type facetOption struct {
	Value, Label string
	Count        int
	IsChosen     bool
}

// facetCounts are the facets of a response of the search.
type facetCounts map[string][]struct {
	Value, Label string
	Area, Status string // of the coverage
	Count        int
}

// shownOptions is the number of values of a facet that are always shown.
const shownOptions = 8

// facets returns the filters of the results. base counts the results without filters: its values that the filters leave
// without datasets stay, at zero.
func (p *page) facets(query url.Values, answer, unfiltered *searchAnswer) ([]facet, error) {
	var list []facet
	counts, base := answer.Facets, unfiltered.Facets
	for _, name := range []string{"source", "topic", "frequency"} {
		f := p.newFacet(name)
		for _, v := range counts[name] {
			f.add(p.facetLabel(name, v.Value, v.Label), v.Value, v.Count, query[name])
		}
		for _, v := range base[name] {
			f.add(p.facetLabel(name, v.Value, v.Label), v.Value, 0, query[name])
		}
		for _, value := range query[name] { // that nothing has
			f.add(p.facetLabel(name, value, ""), value, 0, query[name])
		}
		if len(f.Options) > shownOptions {
			slices.SortStableFunc(f.Options, func(a, b facetOption) int { return cmp.Compare(order(a.IsChosen), order(b.IsChosen)) })
			f.Options, f.More = f.Options[:shownOptions], f.Options[shownOptions:]
		}
		list = append(list, f)
	}
	periods, err := p.periodFacet(query, answer)
	list = append(list, periods, p.hereFacet(query, counts, base))
	return slices.DeleteFunc(list, func(f facet) bool { return len(f.Options) == 0 }), err
}

func order(isFirst bool) int {
	if isFirst {
		return 0
	}
	return 1
}

func (p *page) newFacet(name string) facet {
	return facet{Name: name, Label: p.lang.text("facet." + name)}
}

// add adds a value, unless it is there.
func (f *facet) add(label, value string, count int, chosen []string) {
	if !slices.ContainsFunc(f.Options, func(o facetOption) bool { return o.Value == value }) {
		f.Options = append(f.Options, facetOption{Value: value, Label: label, Count: count, IsChosen: contains(chosen, value)})
	}
}

// facetLabel is the text of a value.
func (p *page) facetLabel(name, value, label string) string {
	switch name {
	case "source":
		return p.lang.office(cmp.Or(label, value))
	case "topic":
		return cmp.Or(p.topicName(value), label, value)
	case "frequency":
		return p.lang.textOr("frequency."+value, cmp.Or(label, value))
	}
	return cmp.Or(label, value)
}

// topicName returns the name of a topic in the language of the page; empty if there is no topic with the code, or the topics cannot
// be read, which the page does without.
func (p *page) topicName(code string) string {
	if p.topics == nil {
		p.topics = map[string]string{}
		var all struct{ Data []topic }
		if err := p.read("/api/topics", url.Values{"lang": {p.lang.Code}}, &all); err != nil && !isUnavailable(err) {
			p.opts.Log.Error("the topics could not be read", "error", err)
		}
		for _, t := range all.Data {
			p.topics[t.Code] = t.Name
		}
	}
	return p.topics[code]
}

// Years back from now from which results can be chosen.
var yearsBack = []int{1, 3, 5, 10}

// periodFacet chooses the year in which the last period must be or later. Without a choice there are also the datasets whose
// last period is not known.
func (p *page) periodFacet(query url.Values, answer *searchAnswer) (facet, error) {
	f := p.newFacet("last_period_from")
	f.IsOne = true
	chosen, now := query.Get(f.Name), p.opts.Now().UTC().Year()
	counts, total := answer.Facets["last_period"], answer.Pagination.Total
	if len(counts) == 0 && chosen == "" {
		return f, nil
	}
	if chosen != "" {
		all, err := p.find(withChange(withChange(query, "page"), f.Name), 1)
		if err != nil {
			return f, err
		}
		total = all.Pagination.Total
	}
	f.Options = append(f.Options, facetOption{Label: p.lang.text("facet.any"), Count: total, IsChosen: chosen == ""})
	for _, back := range yearsBack {
		from, n := now-back, 0
		for _, v := range counts {
			if year, err := strconv.Atoi(v.Value); err == nil && year >= from {
				n += v.Count
			}
		}
		year := strconv.Itoa(from)
		f.Options = append(f.Options, facetOption{Value: year, Label: p.lang.text("facet.from", "year", year), Count: n, IsChosen: chosen == year})
	}
	if chosen != "" && !slices.ContainsFunc(f.Options, func(o facetOption) bool { return o.IsChosen }) {
		f.Options = append(f.Options, facetOption{Value: chosen, Label: p.lang.text("facet.from", "year", chosen), Count: answer.Pagination.Total, IsChosen: true})
	}
	return f, nil
}

// hereFacet chooses datasets of this service or those that offices offer besides, if there are both.
func (p *page) hereFacet(query url.Values, counts, base facetCounts) facet {
	f := p.newFacet("here")
	f.IsOne = true
	chosen := query.Get(f.Name)
	if chosen == "" && len(base["here"]) < 2 {
		return f
	}
	total := 0
	for _, v := range counts["here"] {
		total += v.Count
		f.add(p.lang.text("here."+v.Value), v.Value, v.Count, query[f.Name])
	}
	for _, value := range []string{"here", "offered"} {
		f.add(p.lang.text("here."+value), value, 0, query[f.Name])
	}
	all := facetOption{Label: p.lang.text("facet.any"), Count: total, IsChosen: chosen == ""}
	f.Options = append([]facetOption{all}, f.Options...)
	return f
}
