package portal

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// findMeasures finds the measures of several datasets that the series are of, and says in words what each series measures.
func (p *page) findMeasures(c *comparePage) {
	c.Concepts = nil
	for _, one := range c.asked() {
		one.Measure = cmp.Or(one.title, one.Meta.Title())
		for i := range c.Measures {
			k := &c.Measures[i]
			at := slices.IndexFunc(k.Series, func(s conceptSeries) bool { return one.isOf(&s) })
			if at < 0 {
				continue
			}
			one.measure, one.Measure, one.Text = k, k.Label, k.Series[at].selection()
			one.Remark, one.IsRemarkForeign = p.remark(k.Series[at].Remark)
			if !slices.Contains(c.Concepts, k.ID) {
				c.Concepts = append(c.Concepts, k.ID)
			}
			break
		}
	}
}

// asked are all chosen series, those without values at the end.
func (c *comparePage) asked() []*compared { return slices.Concat(c.Columns, c.Left) }

// measuresOf returns what series measure, each measure once.
func measuresOf(all []*compared) (measures []string) {
	for _, one := range all {
		if !slices.Contains(measures, one.Measure) {
			measures = append(measures, one.Measure)
		}
	}
	return measures
}

// officesOf returns the offices of series, each once.
func officesOf(all []*compared) (offices []string) {
	for _, one := range all {
		if !slices.Contains(offices, one.Office) {
			offices = append(offices, one.Office)
		}
	}
	return offices
}

// IsOfSeveral reports whether the page shows several measures.
func (c *comparePage) IsOfSeveral() bool { return len(measuresOf(c.Columns)) > 1 }

// MeasuresInWords are the measures of the page.
func (c *comparePage) MeasuresInWords() string { return strings.Join(measuresOf(c.Columns), "; ") }

// HasConcept reports whether a measure is chosen.
func (c *comparePage) HasConcept(id string) bool { return slices.Contains(c.Concepts, id) }

// what is what the page compares.
func (c *comparePage) what(l *language) string { return l.measures(measuresOf(c.Columns)) }

// maxTitleWords is the number of words of several measures that a heading has room for.
const maxTitleWords = 6

// measures names measures in a heading: it says how many there are if their names are long.
func (l *language) measures(names []string) string {
	text := strings.Join(names, " · ")
	if len(names) == 1 || len(strings.Fields(text))-len(names)+1 <= maxTitleWords {
		return text
	}
	return l.text("compare.measures", "n", len(names))
}

// nameColumns names each series by what tells it apart: its measure, its values of dimensions, and its office.
func (c *comparePage) nameColumns() {
	for _, one := range c.Columns {
		one.Name = one.nameAmong(c.Columns)
	}
}

// nameAmong names a series by what tells it apart from others.
func (c *compared) nameAmong(all []*compared) string {
	var parts []string
	if len(measuresOf(all)) > 1 {
		parts = append(parts, c.Measure)
	}
	parts = append(parts, c.differences(all)...)
	if slices.ContainsFunc(all, func(o *compared) bool { return o.Composition != c.Composition }) {
		parts = append(parts, c.Composition)
	}
	if len(officesOf(all)) > 1 {
		parts = append(parts, c.Office)
	}
	isLike := func(o *compared) bool {
		return o.Meta.ID != c.Meta.ID && o.Office == c.Office && o.Measure == c.Measure
	}
	if slices.ContainsFunc(all, isLike) {
		parts = append(parts, c.Meta.Title())
	}
	if len(parts) == 0 {
		return c.Office
	}
	return strings.Join(parts, ", ")
}

// differences are the labels of the series where others of its dataset and measure have another one.
func (c *compared) differences(all []*compared) (labels []string) {
	for i := 1; i <= 8; i++ {
		dim := "dim" + strconv.Itoa(i) + "_value"
		label := c.Series.Key[dim]
		isOther := func(o *compared) bool {
			return o.Meta.ID == c.Meta.ID && o.Measure == c.Measure && o.Series.Key != nil && o.Series.Key[dim] != label
		}
		if label != "" && slices.ContainsFunc(all, isOther) {
			labels = append(labels, label)
		}
	}
	return labels
}
