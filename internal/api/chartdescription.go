package api

import (
	"cmp"
	"slices"
	"strconv"

	"almanac/internal/chart"
	"almanac/internal/encode/json"
)

// describeChart says what a chart of a dataset shows, without drawing it.
func (x *exchange) describeChart() (*reply, error) {
	c, err := x.addressedChart()
	if err != nil {
		return nil, err
	}
	body := append(appendNotices(appendDescription([]byte("{"), c.spec), c.notices), '}')
	return &reply{tag: tagOf(body), modified: c.modified, body: newBody(body)}, nil
}

// appendDescription appends the members of the description of a chart.
func appendDescription(buf []byte, s *chart.Spec) []byte {
	buf = json.AppendText(buf, "type", string(s.Type))
	buf = json.AppendText(buf, "title", s.Title)
	buf = json.AppendText(buf, "subtitle", s.Subtitle)
	buf = json.AppendText(buf, "time", s.Span())
	buf = json.AppendText(buf, "unit", s.UnitText())
	if s.Power != 0 {
		buf = json.AppendText(buf, "values_unit", s.Unit)
	}
	buf = json.AppendText(buf, "source", s.Source)
	buf = json.AppendText(buf, "alt", s.Alt())
	buf = json.AppendTexts(json.AppendName(buf, "notes"), s.Footnotes())
	all := !slices.ContainsFunc(s.Series, func(one chart.Series) bool { return one.Focus })
	buf = append(json.AppendName(buf, "series"), '[')
	for i := range s.Series {
		one := &s.Series[i]
		buf = appendPlace(buf, cmp.Or(one.Label, one.Key), one.Area)
		buf = append(strconv.AppendBool(json.AppendName(buf, "in_colour"), all || one.Focus), '}')
	}
	buf = append(json.AppendName(append(buf, ']'), "categories"), '[')
	for i := range s.Categories {
		buf = append(appendPlace(buf, s.Categories[i].Label, s.Categories[i].Area), '}')
	}
	return append(buf, ']')
}

// appendPlace begins an object with the name of a series or category, and the code of its area.
func appendPlace(buf []byte, name, area string) []byte {
	buf = json.AppendText(append(json.AppendComma(buf), '{'), "name", name)
	if area == "" {
		return buf
	}
	return json.AppendText(buf, "area", area)
}
