package api

import (
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
	if x.wantsValue() {
		return &reply{value: c.spec}, nil
	}
	body := append(appendNotices(appendDescription([]byte("{"), c.spec.Describe()), c.notices), '}')
	return &reply{tag: tagOf(body), modified: c.modified, body: newBody(body)}, nil
}

// appendDescription appends the members of the description of a chart.
func appendDescription(buf []byte, d *chart.Description) []byte {
	buf = json.AppendText(buf, "type", string(d.Type))
	buf = json.AppendText(buf, "title", d.Title)
	buf = json.AppendText(buf, "subtitle", d.Subtitle)
	buf = json.AppendText(buf, "time", d.Time)
	buf = json.AppendText(buf, "unit", d.Unit)
	buf = json.AppendText(buf, "values_unit", d.ValuesUnit)
	buf = json.AppendText(buf, "source", d.Source)
	buf = json.AppendText(buf, "alt", d.Alt)
	buf = json.AppendTexts(json.AppendName(buf, "notes"), d.Notes)
	buf = append(json.AppendName(buf, "series"), '[')
	for _, one := range d.Series {
		buf = append(strconv.AppendBool(json.AppendName(appendPlace(buf, one), "in_colour"), one.InColour), '}')
	}
	buf = append(json.AppendName(append(buf, ']'), "categories"), '[')
	for _, one := range d.Categories {
		buf = append(appendPlace(buf, one), '}')
	}
	return append(buf, ']')
}

// appendPlace begins an object with the name of a series or category, and the code of its area.
func appendPlace(buf []byte, one chart.Described) []byte {
	buf = json.AppendText(append(json.AppendComma(buf), '{'), "name", one.Name)
	if one.Area == "" {
		return buf
	}
	return json.AppendText(buf, "area", one.Area)
}
