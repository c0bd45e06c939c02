package portal

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strings"
)

// suggestions are answers to what is being typed.
type suggestions struct {
	Datasets []suggestion
	Numbers  []suggestion
	Areas    []suggestion
	All      string // the address of all results
}

type suggestion struct {
	Number  int // among all
	Address string
	Text    template.HTML // with the typed words marked
	Value   string        // on the right
	Under   string
}

// Limits of suggestions.
const (
	minTyped         = 2 // letters
	suggestedSets    = 6
	suggestedNumbers = 3 // or more, if a question is for several areas
)

// suggest answers what is being typed, as a part of a page: datasets, then numbers. It is empty if there is nothing yet.
func (p *page) suggest() error {
	p.reader = p.opts.Aside
	c := &suggestions{}
	p.template, p.Content = "suggest", c
	typed := strings.TrimSpace(p.r.URL.Query().Get("q"))
	if letters, _ := foldLetters(typed); len(letters)-strings.Count(string(letters), " ") < minTyped {
		return nil
	}
	c.All = "/search?" + url.Values{"q": {typed}}.Encode()
	answer, err := p.find(url.Values{"q": {typed}}, suggestedSets) // the first of the results, in their order
	if err != nil {
		p.opts.Log.Debug("no suggestions", "error", err) // an unfinished question may be none
		return nil
	}
	for i := range answer.Data {
		p.suggestHit(c, &answer.Data[i], strings.Fields(typed))
	}
	for _, a := range p.placesOf(typed, answer) {
		c.Areas = append(c.Areas, suggestion{Address: areaAddress(a.Code), Text: mark(a.Name, strings.Fields(typed)), Value: a.Code})
	}
	number := 0
	for _, list := range [][]suggestion{c.Datasets, c.Numbers, c.Areas} {
		for i := range list {
			number++
			list[i].Number = number
		}
	}
	return nil
}

// suggestHit adds a dataset, whose page is that to which its hit among the results leads, and its latest value.
func (p *page) suggestHit(c *suggestions, h *hit, typed []string) {
	var words []string
	for _, f := range h.Found {
		switch {
		case f.Field == "title" && f.Kind == "prefix":
			words = append(words, f.Asked)
		case f.Field == "title":
			words = append(words, f.Text)
		}
	}
	office := p.lang.office(cmp.Or(h.SourceName, h.Source))
	one := suggestion{Text: mark(h.Name, words), Value: p.lang.span(h.Oldest, h.Latest), Under: office + ", " + h.Code}
	if h.Areas > 0 {
		one.Under += ", " + p.lang.text("areas", "n", h.Areas)
	}
	if one.Address = h.page(); one.Address == "" {
		one.Address = "/search?" + url.Values{"q": {h.Source + ":" + h.Code}}.Encode()
		one.Under += ". " + p.lang.text("search.offered")
	}
	c.Datasets = append(c.Datasets, one)
	if h.Value != nil && len(c.Numbers) < suggestedNumbers {
		p.suggestNumbers(c, h, append(words, typed...))
	}
}

// suggestNumbers adds the values of a dataset for all areas that the question names.
func (p *page) suggestNumbers(c *suggestions, h *hit, words []string) {
	name := h.Name
	if h.Value.Concept != "" {
		name = p.lang.textOr("measure."+h.Value.Concept, h.Concept.Label)
	}
	measure := strings.Join(append([]string{name}, h.chosen()...), ", ")
	for _, v := range append([]latestValue{*h.Value}, h.Others...) {
		under := []string{v.Unit, "", p.lang.office(cmp.Or(h.SourceName, h.Source))}
		if v.Forecast {
			under[1] = p.lang.text("flag.F")
		}
		under = slices.DeleteFunc(under, func(part string) bool { return part == "" })
		c.Numbers = append(c.Numbers, suggestion{
			Address: h.pageOf(v.Area.Code),
			Text:    mark(p.lang.text("suggest.number", "measure", measure, "area", v.Area.Name, "period", p.lang.officePeriod(v.Period, v.Label)), words),
			Value:   p.lang.number(v.Value.String()), Under: strings.Join(under, " · "),
		})
	}
}

// Count is the number of suggestions.
func (c *suggestions) Count() int { return len(c.Datasets) + len(c.Numbers) + len(c.Areas) }
