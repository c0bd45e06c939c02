package portal

import (
	"cmp"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// comparedMeasure is a measure of the page, with the series of it that can be chosen.
type comparedMeasure struct {
	Name    string
	Options []option
}

// addOptions offers the series of the measures of the page, and chosen series of others, each with the number of its values. The chosen
// ones come first, those without values last.
func (p *page) addOptions(c *comparePage) error {
	asked := c.asked()
	for _, name := range measuresOf(asked) {
		offered := comparedMeasure{Name: name}
		own := slices.DeleteFunc(slices.Clone(asked), func(o *compared) bool { return o.Measure != name })
		for _, one := range own {
			o := p.offer(one.Meta.Source, one.Meta.SourceName, one.Meta.Code, one.Meta.Name, one.Series)
			o.Code, o.Label, o.IsChosen = one.Text, one.nameAmong(own), true
			offered.Options = append(offered.Options, o)
		}
		others, err := p.offerOthers(c, own)
		if err != nil {
			return err
		}
		offered.Options = append(offered.Options, others...)
		offered.tellApart()
		c.Offered = append(c.Offered, offered)
	}
	c.drawStrips()
	return nil
}

// offerOthers offers the series of the measure of chosen ones that are not chosen.
func (p *page) offerOthers(c *comparePage, chosen []*compared) (others []option, err error) {
	of := chosen[0].measure
	for i := 0; of != nil && i < len(of.Series); i++ {
		s := &of.Series[i]
		if slices.ContainsFunc(chosen, func(o *compared) bool { return o.isOf(s) }) {
			continue
		}
		read, err := p.readOffered(c, s)
		if err != nil {
			return nil, err
		}
		o := p.offer(s.Source, s.SourceName, s.Code, s.Name, read)
		o.Code = s.selection()
		others = append(others, o)
	}
	isEmpty := func(o option) int { return order(o.Count > 0) }
	slices.SortStableFunc(others, func(a, b option) int { return isEmpty(a) - isEmpty(b) })
	return others, nil
}

// tellApart names series of one office by their datasets too.
func (m *comparedMeasure) tellApart() {
	count := map[string]int{}
	for i := range m.Options {
		count[m.Options[i].Label]++
	}
	for i := range m.Options {
		if o := &m.Options[i]; count[o.Label] > 1 {
			o.Label = o.Full
		}
	}
}

// drawStrips draws in which periods each series has values, all on one axis.
func (c *comparePage) drawStrips() {
	var first, last stat.Period
	for _, o := range c.options() {
		for _, span := range o.spans {
			if first.IsZero() || span.First.StartDay() < first.StartDay() {
				first = span.First
			}
			if last.IsZero() || span.Last.EndDay() > last.EndDay() {
				last = span.Last
			}
		}
	}
	if first.IsZero() {
		return
	}
	c.Oldest, c.Latest = first.String(), last.String()
	strip := newStrip(c.Oldest, c.Latest)
	for _, o := range c.options() {
		o.Beside = strip.draw(o.spans) + " "
	}
}

// options are the series that can be chosen, of all measures.
func (c *comparePage) options() (all []*option) {
	for i := range c.Offered {
		for k := range c.Offered[i].Options {
			all = append(all, &c.Offered[i].Options[k])
		}
	}
	return all
}

// IsAlone reports whether no other series has values.
func (c *comparePage) IsAlone() bool {
	return !slices.ContainsFunc(c.options(), func(o *option) bool { return o.Count > 0 && !o.IsChosen })
}

// offer returns a series as a choice, with its number of values and their periods. Its name is that of the office.
func (p *page) offer(source, sourceName, code, title string, s *series) option {
	o := option{Label: p.lang.office(cmp.Or(sourceName, source)), Count: len(s.Points), spans: s.spans()}
	o.Full = o.Label + ", " + titleOf(source, code, title) + " (" + code + ")"
	return o
}

// spans returns the periods with values, joined where they follow one another. Of days it joins those of a week.
func (s *series) spans() (spans []store.PeriodSpan) {
	const between = 7
	for i := range s.Points {
		period, err := stat.ParsePeriod(s.Points[i].Period)
		if err != nil {
			continue
		}
		if n := len(spans); n > 0 && period.StartDay() <= spans[n-1].Last.EndDay()+between {
			spans[n-1].Last = period
		} else {
			spans = append(spans, store.PeriodSpan{First: period, Last: period})
		}
	}
	return spans
}
