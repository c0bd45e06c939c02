package portal

import (
	"encoding/json"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/caption"
)

// panelSizes are the sizes of a chart that is one of several with scales of their own.
var panelSizes = []chartSize{{"desk-only", 720, 280}, {"phone", 360, 280}}

// panel is the series of one unit in the offices' words, which share a chart and its scale. A series whose unit is not stated
// has a panel of its own.
type panel struct {
	Columns   []*compared
	DrawnUnit string // in which the chart writes the values, if it is another one
	Span      string // from the first to the last period of any of them
	Chart     template.HTML
	Notes     []string
	Alt       string // the chart in words
}

// Units are the unit as the offices write it, each text once. They are empty if it is not stated.
func (c *panel) Units() (units []string) {
	for _, one := range c.Columns {
		isSame := func(other string) bool { return strings.EqualFold(other, one.Series.Unit) }
		if one.Series.Unit != "" && !slices.ContainsFunc(units, isSame) {
			units = append(units, one.Series.Unit)
		}
	}
	return units
}

// Unit is the unit in all words of the offices.
func (c *panel) Unit() string { return strings.Join(c.Units(), " · ") }

// has reports whether the values of a series are in the unit of the panel, or in multiples of it.
func (c *panel) has(one *compared) bool {
	_, ok := one.powerTo(c.Columns[0])
	return ok
}

// powerTo returns the power of ten by which the values of a series are multiplied to be in the unit of another one. ok is false if their
// units count other things in the words of the offices, or are not stated.
func (c *compared) powerTo(o *compared) (power int, ok bool) {
	if c.Meta.ID == o.Meta.ID && o.Series.Unit != "" {
		return 0, c.Series.Unit == o.Series.Unit
	}
	for _, units := range [][2]string{{o.Series.Unit, c.Series.Unit}, {o.unit, c.unit}} {
		if units[0] == "" || units[1] == "" {
			continue
		}
		if power, ok = caption.PowerBetween(units[0], units[1]); ok {
			return power, true
		}
	}
	return 0, false
}

// findPowers finds by which power of ten the values of each series are multiplied to be in the unit of the finest one.
func (c *panel) findPowers() {
	lowest := 0
	for _, one := range c.Columns {
		one.Power, _ = one.powerTo(c.Columns[0])
		lowest = min(lowest, one.Power)
	}
	for _, one := range c.Columns {
		one.Power -= lowest
	}
}

// HasMultiples reports whether the offices publish the values in several multiples of the unit.
func (c *panel) HasMultiples() bool {
	return slices.ContainsFunc(c.Columns, func(o *compared) bool { return o.Power != 0 })
}

// IsShared reports whether several series are in the chart.
func (c *panel) IsShared() bool { return len(c.Columns) > 1 }

// Datasets are the first series of each dataset.
func (c *panel) Datasets() []*compared {
	var firsts []*compared
	for _, one := range c.Columns {
		if !slices.ContainsFunc(firsts, func(o *compared) bool { return o.Meta.ID == one.Meta.ID }) {
			firsts = append(firsts, one)
		}
	}
	return firsts
}

// Names are those of the series, each on a line.
func (c *panel) Names() string {
	var names []string
	for _, one := range c.Columns {
		names = append(names, one.Name)
	}
	return strings.Join(names, "\n")
}

// drawCompared draws a chart for each unit.
func (p *page) drawCompared(c *comparePage) error {
	for _, one := range c.Columns {
		if one.Empty {
			continue
		}
		if err := p.readUnit(c, one); err != nil {
			return err
		}
		at := slices.IndexFunc(c.Panels, func(o *panel) bool { return o.has(one) })
		if at < 0 {
			at, c.Panels = len(c.Panels), append(c.Panels, &panel{})
		}
		c.Panels[at].Columns = append(c.Panels[at].Columns, one)
	}
	sizes := panelSizes
	if len(c.Panels) == 1 {
		sizes = chartSizes
	}
	var drawn []*panel
	for _, one := range c.Panels {
		some, err := p.drawPanel(c, one, sizes)
		if err != nil {
			return err
		}
		drawn = append(drawn, some...)
	}
	c.Panels = drawn
	for _, one := range c.Panels {
		one.Span = p.lang.spanOfAll(one.Columns)
	}
	ordered := make([]*compared, 0, len(c.Columns))
	for _, one := range c.Panels {
		ordered = append(ordered, one.Columns...)
	}
	for _, one := range c.Columns {
		if one.Empty {
			ordered = append(ordered, one)
		}
	}
	c.Columns = ordered
	return nil
}

// spanOfAll writes the time from the first to the last period of series.
func (l *language) spanOfAll(columns []*compared) string {
	first, last := columns[0].First, columns[0].Last
	for _, one := range columns[1:] {
		if comparePeriods(one.First, first) < 0 {
			first = one.First
		}
		if comparePeriods(one.Last, last) > 0 {
			last = one.Last
		}
	}
	return l.span(first, last)
}

// readUnit reads the unit of a series in the words of the office, and in those of its chart.
func (p *page) readUnit(c *comparePage, one *compared) (err error) {
	address, query := "/api/datasets/"+strconv.Itoa(one.Meta.ID), p.comparedQuery(c, one)
	stated := one.Series.Unit
	if one.Series.Unit, err = p.unitOf(address, stated, query); err != nil {
		return err
	}
	one.isUnitInTitle = stated == "" && one.Series.Unit != ""
	query.Set("lang", "en")
	spec, err := readValue[*chart.Spec](p, address+"/chart.json", query)
	if err == nil {
		one.unit, one.projectedFrom = spec.Unit, spec.ProjectedFrom
	} else if isRefused(err) {
		err = nil
	}
	return err
}

// drawPanel draws the chart of a panel. If the interface refuses a chart of several series, each has a panel of its own, and the
// page says why; a refused chart of one series is a note.
func (p *page) drawPanel(c *comparePage, all *panel, sizes []chartSize) ([]*panel, error) {
	picture, described, err := p.drawTogether(c, all.Columns, sizes)
	switch {
	case isRefused(err) && all.IsShared():
		c.Notes = append(c.Notes, p.sentence(err.Error()))
		var alone []*panel
		for _, one := range all.Columns {
			some, err := p.drawPanel(c, &panel{Columns: []*compared{one}}, panelSizes)
			if err != nil {
				return nil, err
			}
			alone = append(alone, some...)
		}
		return alone, nil
	case isRefused(err):
		all.Notes = []string{p.sentence(err.Error())}
		return []*panel{all}, nil
	}
	if err != nil {
		return nil, err
	}
	all.Chart, all.Notes, all.Alt = picture, described.Notes, described.Alt
	if all.findPowers(); all.HasMultiples() || slices.Contains(all.Units(), described.ValuesUnit) {
		all.DrawnUnit = described.Unit
	}
	return []*panel{all}, nil
}

// comparedQuery returns the parameters of the chart of a series.
func (p *page) comparedQuery(c *comparePage, one *compared) url.Values {
	query := one.chartQuery()
	query.Set("lang", p.lang.Code)
	query.Set("pageStyle", "true")
	for name, value := range map[string]string{"period_from": c.From, "period_to": c.To} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return query
}

// drawTogether draws series as lines of one chart, with the names of their columns.
func (p *page) drawTogether(c *comparePage, columns []*compared, sizes []chartSize) (picture template.HTML, d *chart.Description, err error) {
	first := columns[0]
	query := p.comparedQuery(c, first)
	for _, one := range columns[1:] {
		query.Add("s", strconv.Itoa(one.Meta.ID)+":"+one.chartQuery().Encode())
	}
	address := "/api/datasets/" + strconv.Itoa(first.Meta.ID)
	spec, err := readValue[*chart.Spec](p, address+"/chart.json", query)
	if err != nil {
		return "", nil, err
	}
	if d = spec.Describe(); len(d.Series) == len(columns) {
		names := map[string]string{}
		for i, one := range columns {
			names[d.Series[i].Name] = one.Name
		}
		labels, err := json.Marshal(names)
		if err != nil {
			return "", nil, err
		}
		query.Set("customLegendLabels", string(labels))
		if spec, err = readValue[*chart.Spec](p, address+"/chart.json", query); err != nil {
			return "", nil, err
		}
		d = spec.Describe()
	}
	picture, err = p.drawSizes(spec, address, query, sizes)
	return picture, d, err
}

// chartQuery returns the parameters that choose the series for a chart.
func (c *compared) chartQuery() url.Values {
	query := labelsOf(c.Series.Key)
	query.Set("country", c.Series.Area)
	return query
}
