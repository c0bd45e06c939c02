package portal

import (
	"cmp"
	"encoding/json"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/caption"
	"almanac/internal/stat"
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

	spec  *chart.Spec // of the chart; nil: the interface refuses it
	query url.Values  // of the chart
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
		if power, ok = caption.PowerBetween(caption.UnitOfMeasure(units[0], o.concept()), caption.UnitOfMeasure(units[1], c.concept())); ok {
			return power, true
		}
	}
	return 0, false
}

// concept is the ID of the measure of several datasets that the series is of; empty: none.
func (c *compared) concept() string {
	if c.measure == nil {
		return ""
	}
	return c.measure.ID
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

// HasApart reports whether the values have a difference: there are several series, and no two of them are known to be of different measures, or of
// different compositions of a group.
func (c *panel) HasApart() bool {
	for i, one := range c.Columns {
		for _, o := range c.Columns[:i] {
			isKnown := one.Meta.ID == o.Meta.ID || one.measure != nil && o.measure != nil
			if isKnown && one.Measure != o.Measure || one.Composition != o.Composition {
				return false
			}
		}
	}
	return c.IsShared()
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

// Heading is what the chart of one unit shows if there are several: its offices, and its measures if the page has several.
func (c *comparePage) Heading(of *panel) string {
	offices := strings.Join(officesOf(of.Columns), " · ")
	if !c.IsOfSeveral() {
		return offices
	}
	return strings.Join(measuresOf(of.Columns), " · ") + ", " + offices
}

// drawCompared draws a chart for each unit.
func (p *page) drawCompared(c *comparePage) error {
	for _, one := range c.Columns {
		if one.Empty {
			continue
		}
		at := slices.IndexFunc(c.Panels, func(o *panel) bool { return o.has(one) })
		if at < 0 {
			at, c.Panels = len(c.Panels), append(c.Panels, &panel{})
		}
		c.Panels[at].Columns = append(c.Panels[at].Columns, one)
	}
	var described []*panel
	for _, one := range c.Panels {
		some, err := p.describePanel(c, one, len(c.Panels) > 1)
		if err != nil {
			return err
		}
		described = append(described, some...)
	}
	c.Panels = described
	if err := p.drawPanels(c); err != nil {
		return err
	}
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

// readUnit reads the unit of a series in the words of the office, and in those of its chart, and the title of that.
func (p *page) readUnit(c *comparePage, one *compared) (err error) {
	if one.Empty {
		return nil
	}
	address, query := one.api(), p.comparedQuery(c, one)
	stated := one.Series.Unit
	if one.Series.Unit, err = p.unitOf(address, stated, query); err != nil {
		return err
	}
	one.isUnitInTitle = stated == "" && one.Series.Unit != ""
	spec, err := readValue[*chart.Spec](p, address+"/chart.json", query)
	if err == nil {
		one.title, one.projectedFrom = spec.Title, spec.ProjectedFrom
		query.Set("lang", "en")
		spec, err = readValue[*chart.Spec](p, address+"/chart.json", query)
	}
	if err == nil {
		one.unit = spec.Unit
	} else if isRefused(err) {
		err = nil
	}
	return err
}

// describePanel reads what the chart of a panel shows. If the interface refuses a chart of several series, each has a panel of its own, and
// the page says why; a refused chart of one series is a note.
func (p *page) describePanel(c *comparePage, all *panel, isOneOfSeveral bool) ([]*panel, error) {
	err := p.describeTogether(c, all, isOneOfSeveral)
	switch {
	case isRefused(err) && all.IsShared():
		c.Notes = append(c.Notes, p.sentence(err.Error()))
		var alone []*panel
		for _, one := range all.Columns {
			some, err := p.describePanel(c, &panel{Columns: []*compared{one}}, true)
			if err != nil {
				return nil, err
			}
			alone = append(alone, some...)
		}
		return alone, nil
	case isRefused(err):
		all.Notes, all.spec = []string{p.sentence(err.Error())}, nil
		return []*panel{all}, nil
	case err != nil:
		return nil, err
	}
	described := all.spec.Describe()
	all.Notes, all.Alt = described.Notes, described.Alt
	if all.findPowers(); all.HasMultiples() || slices.Contains(all.Units(), described.ValuesUnit) {
		all.DrawnUnit = cmp.Or(described.Unit, all.Columns[0].Series.Unit)
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

// describeTogether reads the chart of the series of a panel, each a line with its name among them. The title of a chart of one series has its
// name if the page has other charts.
func (p *page) describeTogether(c *comparePage, all *panel, isOneOfSeveral bool) (err error) {
	first := all.Columns[0]
	all.query = p.comparedQuery(c, first)
	for i, one := range all.Columns {
		if one.Label = one.nameAmong(all.Columns); i > 0 {
			all.query.Add("s", strconv.Itoa(one.Meta.ID)+":"+one.chartQuery().Encode())
		}
	}
	if isOneOfSeveral && !all.IsShared() {
		all.query.Set("customTitle", cmp.Or(first.title, first.Measure)+", "+first.Label)
	}
	address := first.api() + "/chart.json"
	if all.spec, err = readValue[*chart.Spec](p, address, all.query); err != nil {
		return err
	}
	if d := all.spec.Describe(); len(d.Series) == len(all.Columns) {
		names := map[string]string{}
		for i, one := range all.Columns {
			names[d.Series[i].Name] = one.Label
		}
		labels, err := json.Marshal(names)
		if err != nil {
			return err
		}
		all.query.Set("customLegendLabels", string(labels))
		all.spec, err = readValue[*chart.Spec](p, address, all.query)
		return err
	}
	return nil
}

// api is the address of the dataset in the interface.
func (c *compared) api() string { return "/api/datasets/" + strconv.Itoa(c.Meta.ID) }

// drawPanels draws the charts, along one time axis where they can share one.
func (p *page) drawPanels(c *comparePage) (err error) {
	sizes := panelSizes
	if len(c.Panels) == 1 {
		sizes = chartSizes
	}
	c.shareTime()
	for _, one := range c.Panels {
		if one.spec == nil {
			continue
		}
		if one.Chart, err = p.drawSizes(one.spec, one.Columns[0].api(), one.query, sizes); err != nil {
			return err
		}
	}
	return nil
}

// minTimeShare is the share of a time axis below which a chart would be too narrow on it.
const minTimeShare = .1

// shareTime gives all charts along time the same time axis, if their periods have one frequency and none would be too narrow.
func (c *comparePage) shareTime() {
	var along []*panel
	for _, one := range c.Panels {
		if one.spec != nil && one.spec.Type == chart.Line {
			along = append(along, one)
		}
	}
	if len(along) < 2 {
		return
	}
	c.HasTimes = true
	ends := func(o *panel) (first, last stat.Period) {
		return o.spec.Periods[0], o.spec.Periods[len(o.spec.Periods)-1]
	}
	days := func(from, to stat.Period) float64 { return float64(to.EndDay() - from.StartDay()) }
	first, last := ends(along[0])
	frequency := first.Frequency()
	for _, one := range along {
		from, to := ends(one)
		if from.Frequency() != frequency || to.Frequency() != frequency {
			return
		}
		if from.Compare(first) < 0 {
			first = from
		}
		if to.Compare(last) > 0 {
			last = to
		}
	}
	for _, one := range along {
		if from, to := ends(one); days(from, to) < minTimeShare*days(first, last) {
			return
		}
	}
	for _, one := range along {
		one.spec = one.spec.Along(first, last)
	}
	c.IsTimeShared = true
}

// chartQuery returns the parameters that choose the series for a chart.
func (c *compared) chartQuery() url.Values {
	query := labelsOf(c.Series.Key)
	query.Set("country", c.Series.Area)
	return query
}
