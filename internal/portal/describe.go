package portal

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/caption"
	"almanac/internal/chart/words"
	"almanac/internal/stat"
)

// description says what a chart shows.
type description chart.Description

// caption is title and subtitle for a table of values in a unit: without the time, which a table need not share with the chart.
func (d *description) caption(unit string) string {
	parts := []string{strings.TrimSuffix(d.Title, ", "+d.Time)}
	isSaid := unit == "" || unit == d.Unit && d.ValuesUnit == "" && !slices.ContainsFunc(d.parts(), d.isUnit) // the title says it
	for _, part := range d.parts() {
		switch {
		case strings.EqualFold(part, d.Time):
		case d.isUnit(part):
			if unit == d.Unit {
				unit = part // with a capital letter
			}
			if !isSaid {
				parts, isSaid = append(parts, unit), true
			}
		default:
			parts = append(parts, part)
		}
	}
	if !isSaid {
		parts = append(parts, unit)
	}
	return strings.Join(parts, " · ")
}

// parts are those of the subtitle.
func (d *description) parts() []string {
	return slices.DeleteFunc(strings.Split(d.Subtitle, " · "), func(part string) bool { return part == "" })
}

// isUnit reports whether a part of the subtitle is the unit of the chart.
func (d *description) isUnit(part string) bool { return strings.EqualFold(part, d.Unit) }

// isScaled reports whether the chart writes the values in full, and not as multiples as the dataset has them.
func (c *datasetPage) isScaled() bool { return c.spec != nil && c.spec.Power != 0 }

// Subtitle is that of the chart. If the chart names no unit, the subtitle ends with the one that the office states, or says that
// it states none.
func (c *datasetPage) Subtitle() string {
	if c.Described.Unit != "" || c.isScaled() || c.Table == nil || c.Table.Unit == "" {
		return c.Described.Subtitle
	}
	return strings.Join(append(c.Described.parts(), c.Table.Unit), " · ")
}

// OtherUnit is the unit of the values in the table if the chart writes them in full; empty: it does not.
func (c *datasetPage) OtherUnit() string {
	if !c.isScaled() {
		return ""
	}
	return c.Described.ValuesUnit
}

// unit is that of the values in the table, if it is one: the one that the chart names, else the one that the office states. It says
// so if there is none.
func (c *datasetPage) unit(l *language, stated string) string {
	unit := cmp.Or(c.Described.ValuesUnit, c.Described.Unit, stated, l.text("unit.unstated"))
	if unit == countCode {
		return l.text("unit.number")
	}
	return unit
}

// describe reads what the chart of the selection shows, and takes its areas if the reader has chosen
// none. There is no description of a chart that cannot be drawn.
func (p *page) describe(c *datasetPage) error {
	s := c.Selection
	query := s.chartQuery()
	query.Set("lang", p.lang.Code)
	if !s.IsOfOnePeriod() && s.choosesAreas() {
		if err := p.chooseAreas(s, query); err != nil {
			return err
		}
	}
	spec, err := p.readSpec(c)
	if isRefused(err) { // the counts of the selection are refused too if the caller is wrong
		return p.describeValues(c, p.whyNotDrawn(err.Error()))
	}
	if err != nil {
		return err
	}
	if c.spec = spec; s.isRanked {
		s.places = areasOf(spec.Describe())
	}
	p.setDescription(c, spec)
	return p.findProjections(c)
}

// chooseAreas takes the areas that a chart shows in colour. Bars of one period stay those of all areas, of which a ranking
// shows some.
func (p *page) chooseAreas(s *selection, query url.Values) error {
	type usual struct {
		places   []string
		isRanked bool
	}
	key := "areas " + s.edition() + addressWith(s.api, query)
	shown, err := remember(p.memory, key, forEver, func() (usual, error) {
		spec, err := readValue[*chart.Spec](p, s.api+"/chart.json", query)
		if err != nil {
			return usual{}, err
		}
		return usual{areasOf(spec.Describe()), len(spec.Periods) == 0}, nil
	})
	if isRefused(err) {
		return nil
	}
	if s.isRanked = shown.isRanked && s.View != "table"; !s.isRanked {
		s.places = shown.places
	}
	return err
}

// readSpec reads the chart of the selection. Rows of bars are as high as they must be to show all areas, unless they are too many.
func (p *page) readSpec(c *datasetPage) (*chart.Spec, error) {
	s := c.Selection
	read := func(query url.Values) (*chart.Spec, error) {
		query.Set("lang", p.lang.Code)
		return readValue[*chart.Spec](p, s.api+"/chart.json", query)
	}
	if s.View != "ranking" { // which may be of bars, too
		if spec, err := read(s.chartQuery()); err != nil || spec.Type != chart.HorizontalBar {
			return spec, err
		}
	}
	query := s.chartQuery()
	chartSize{width: chartSizes[0].width, height: highestRanking}.setIn(query)
	highest, err := read(query)
	if err != nil {
		return nil, err
	}
	if c.sizes = sizesOfRanking(highest); c.sizes != nil {
		return highest, nil
	}
	return read(s.chartQuery())
}

// findProjections finds the first period of projections for a table that has other periods than its chart of one.
func (p *page) findProjections(c *datasetPage) error {
	s, drawn := c.Selection, c.DrawnPeriod()
	if drawn == "" || c.projectedFrom == "" && comparePeriods(s.Meta.Latest, drawn) <= 0 {
		return nil
	}
	areas := areasOf(c.spec.Describe())
	if areas == nil {
		return nil
	}
	query := s.chartQuery()
	query.Del("period")
	query.Set("type", chartTypes["line"])
	query.Set("country", areas[0])
	spec, err := readValue[*chart.Spec](p, s.api+"/chart.json", query)
	if isRefused(err) { // the values make no line
		return nil
	}
	if err == nil {
		c.projectedFrom = spec.ProjectedFrom
	}
	return err
}

// setDescription says what a chart of the selection shows.
func (p *page) setDescription(c *datasetPage, spec *chart.Spec) {
	c.Described, c.projectedFrom = description(*spec.Describe()), spec.ProjectedFrom
	unstated := words.In(p.lang.Code).Text(caption.UnstatedCurrency)
	if slices.ContainsFunc(c.Described.parts(), func(part string) bool { return strings.EqualFold(part, unstated) }) {
		c.Described.Unit = unstated
	}
}

// describeValues says what the selection is if the chart of the view cannot be drawn: as a line chart would say it.
func (p *page) describeValues(c *datasetPage, why string) error {
	query := c.Selection.chartQuery()
	query.Set("lang", p.lang.Code)
	query.Set("type", chartTypes["line"])
	spec, err := readValue[*chart.Spec](p, c.Selection.api+"/chart.json", query)
	if err == nil {
		p.setDescription(c, spec)
	} else if !isRefused(err) {
		return err
	}
	c.Described.Type, c.Described.Alt, c.Described.Source, c.Described.Notes = "", "", "", []string{why}
	return nil
}

// whyNotDrawn says why a chart cannot be drawn, without the names of options that the interface has.
func (p *page) whyNotDrawn(message string) string {
	for part, key := range map[string]string{"has no geography": "figure.noareas", "has an outline on a map": "figure.nooutline"} {
		if strings.Contains(message, part) {
			return p.lang.text(key)
		}
	}
	if _, rest, ok := strings.Cut(message, ": "); ok && p.lang.Code == "en" && strings.HasPrefix(message, "chartType ") {
		message = rest
	}
	return p.sentence(message)
}

// areasOf returns the codes of the areas that a chart shows in colour.
func areasOf(d *chart.Description) []string {
	var areas []string
	for _, one := range slices.Concat(d.Series, d.Categories) {
		if one.Area != "" && (one.InColour || len(d.Categories) > 0) && !slices.Contains(areas, one.Area) {
			areas = append(areas, one.Area)
		}
	}
	return areas
}

// HasPeriod reports whether the reader chooses one period.
func (c *datasetPage) HasPeriod() bool { return c.Selection.IsOfOnePeriod() }

// DrawnPeriod is the period of a chart of one period; empty: the chart has several, or there is none.
func (c *datasetPage) DrawnPeriod() string {
	if c.spec == nil || len(c.spec.Periods) > 0 {
		return ""
	}
	if _, err := stat.ParsePeriod(c.spec.Period); err != nil { // a span
		return ""
	}
	return c.spec.Period
}

// lastObserved is the last period of the chart with a value that is no forecast; empty if there is none.
func (c *datasetPage) lastObserved() string {
	if c.spec == nil {
		return ""
	}
	for at := len(c.spec.Periods) - 1; at >= 0; at-- {
		for i := range c.spec.Series {
			one := &c.spec.Series[i]
			if at < len(one.Values) && !math.IsNaN(one.Values[at]) && !c.spec.IsForecast(one, at) {
				return c.spec.Periods[at].String()
			}
		}
	}
	return c.DrawnPeriod()
}
