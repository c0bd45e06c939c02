package portal

import (
	"cmp"
	"encoding/json"
	"html/template"
	"net/url"
	"strconv"
)

// panelSizes are the sizes of a chart that is one of several with scales of their own.
var panelSizes = []chartSize{{"desk-only", "720", "280"}, {"phone", "360", "260"}}

// drawCompared draws all series in one chart if their units are equal, else each in a chart of its own. A chart that the
// interface refuses is a note.
func (p *page) drawCompared(c *comparePage) error {
	var drawn []*compared
	for _, one := range c.Columns {
		if !one.Empty {
			drawn = append(drawn, one)
		}
	}
	for _, one := range drawn {
		if err := p.nameUnit(c, one); err != nil {
			return err
		}
	}
	c.IsDrawn = len(drawn) > 1
	for _, one := range drawn {
		c.IsDrawn = c.IsDrawn && one.Series.Unit != "" && one.Series.Unit == drawn[0].Series.Unit
	}
	if len(drawn) == 1 || c.IsDrawn {
		picture, described, err := p.drawTogether(c, drawn, chartSizes)
		if !isRefused(err) {
			c.Chart, c.Notes, c.Alt = picture, described.Notes, described.Alt
			return err
		}
		c.IsDrawn, c.Notes = false, []string{p.sentence(err.Error())}
	}
	for _, one := range drawn {
		picture, described, err := p.drawTogether(c, []*compared{one}, panelSizes)
		if isRefused(err) {
			described.Notes, err = []string{p.sentence(err.Error())}, nil
		}
		if err != nil {
			return err
		}
		one.Chart, one.Notes, one.Alt = picture, described.Notes, described.Alt
	}
	return nil
}

// nameUnit gives a series whose values state no unit the one that its chart names, such as that in its title: that of the values, which
// a chart may write in another multiple.
func (p *page) nameUnit(c *comparePage, one *compared) error {
	if one.Series.Unit != "" {
		return nil
	}
	var d description
	err := p.read("/api/datasets/"+strconv.Itoa(one.Meta.ID)+"/chart.json", p.comparedQuery(c, one), &d)
	if isRefused(err) {
		return nil
	}
	one.Series.Unit = cmp.Or(d.ValuesUnit, d.Unit)
	return err
}

// comparedQuery returns the parameters of the chart of a series.
func (p *page) comparedQuery(c *comparePage, one *compared) url.Values {
	query := one.chartQuery()
	query.Set("lang", p.lang.Code)
	for name, value := range map[string]string{"period_from": c.From, "period_to": c.To} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return query
}

// drawTogether draws series as lines of one chart, with the names of their columns.
func (p *page) drawTogether(c *comparePage, columns []*compared, sizes []chartSize) (picture template.HTML, d description, err error) {
	first := columns[0]
	query := p.comparedQuery(c, first)
	for _, one := range columns[1:] {
		query.Add("s", strconv.Itoa(one.Meta.ID)+":"+one.chartQuery().Encode())
	}
	address := "/api/datasets/" + strconv.Itoa(first.Meta.ID)
	if err = p.read(address+"/chart.json", query, &d); err != nil {
		return "", d, err
	}
	if len(d.Series) == len(columns) {
		names := map[string]string{}
		for i, one := range columns {
			names[d.Series[i].Name] = one.Name
		}
		labels, err := json.Marshal(names)
		if err != nil {
			return "", d, err
		}
		query.Set("customLegendLabels", string(labels))
		d = description{}
		if err := p.read(address+"/chart.json", query, &d); err != nil {
			return "", d, err
		}
	}
	picture, err = p.drawSizes(address, query, sizes)
	return picture, d, err
}

// chartQuery returns the parameters that choose the series for a chart.
func (c *compared) chartQuery() url.Values {
	query := labelsOf(c.Series.Key)
	query.Set("country", c.Series.Area)
	return query
}
