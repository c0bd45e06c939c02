package request

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/stat"
)

// inPath are the fields of a chart request that are not parameters of a chart's
// address, and the part of the path that gives them.
var inPath = map[string]string{
	"datasetId": "the number in the path",
	"format":    "the extension of the path: chart.png, chart.jpeg or chart.svg",
}

// typeParam is the short name of chartType in an address.
const typeParam = "type"

// BindChart reads the query string of a chart's address: the parameters of the data
// endpoint and the fields of a chart request. The default type is line. Objects are
// given as JSON. As in the body, selectedDimensions overrides dimensions_query, and
// period overrides both; they all override the other parameters of the data endpoint.
// The rules are those of Bind and ReadChart.
//
// After an error, the Chart has the values of the other parameters, or is nil.
func BindChart(query string) (*Chart, error) {
	if len(query) > MaxChart {
		return nil, stat.Errorf(stat.Invalid, "the query string must have at most %d KiB, not %d bytes", MaxChart>>10, len(query))
	}
	c := &Chart{Options: chart.DefaultOptions()}
	c.Options.Type = chart.Line
	var rest []string // parameters of the data endpoint, and unknown ones
	var first error
	givenBy := map[string]string{} // the field → the parameter that gave it
	for pair := range strings.SplitSeq(query, "&") {
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := unescapeName(rawName)
		field := name
		if name == typeParam {
			field = "chartType"
		}
		f := findField(field)
		switch {
		case err != nil:
		case inPath[name] != "":
			err = stat.Errorf(stat.Invalid, "parameter %s is not accepted here; it is %s", name, inPath[name])
		case f == nil:
			rest = append(rest, pair)
		case givenBy[field] == name:
			err = stat.Errorf(stat.Invalid, "parameter %s is given more than once; it takes one value", name)
		case givenBy[field] != "":
			err = stat.Errorf(stat.Invalid, "parameters %s and %s mean the same; give only one of them", givenBy[field], name)
		default:
			givenBy[field] = name
			err = c.setText(name, f, rawValue)
		}
		first = cmp.Or(first, err)
	}
	first = cmp.Or(first, c.bindRest(strings.Join(rest, "&")))
	return c, cmp.Or(first, c.check())
}

func (c *Chart) setText(name string, f *Field, raw string) error {
	text, err := unescapeValue(name, raw)
	if err != nil {
		return err
	}
	var v any = text
	switch f.Type {
	case "integer":
		if isInteger(text) {
			v = json.Number(text)
		}
	case "boolean":
		if v, err = parseBool(name, text); err != nil {
			return err
		}
	case "strings", "transform", "selection":
		if v, err = readObject([]byte(text)); err != nil {
			return stat.Errorf(stat.Invalid, "parameter %s %s; it must be JSON such as %s", name, err, f.Example)
		}
	}
	return f.read(c, "parameter "+name, v)
}

// bindRest reads the parameters that are not fields of a chart request.
func (c *Chart) bindRest(query string) error {
	all := form{params: slices.Concat(formOf[Data]().params, ChartParams())}
	err := Bind(query, &c.Data)
	for pair := range strings.SplitSeq(query, "&") {
		rawName, _, _ := strings.Cut(pair, "=")
		// Bind knows only half of the parameters.
		if name, invalid := unescape(rawName); pair != "" && invalid == nil && all.find(name) < 0 {
			return all.unknown(name)
		}
	}
	return err
}

// ChartParams returns the parameters of a chart's address that are not in [Data], for
// the API reference.
func ChartParams() []Param {
	var params []Param
	for _, f := range ChartFields {
		if inPath[f.Name] != "" || formOf[Data]().find(f.Name) >= 0 {
			continue
		}
		p := Param{Name: f.Name, Doc: f.Doc, Example: strings.Trim(f.Example, `"`), Type: f.Type, Default: f.Default}
		switch f.Name {
		case "chartType":
			p.Name, p.Default = typeParam, string(chart.Line)
			p.Doc = strings.TrimSuffix(p.Doc, " Required.")
		case "width", "height":
			p.Minimum = chart.MinSide
		}
		if f.Type == "strings" || f.Type == "transform" || f.Type == "selection" {
			p.Type = "string"
			p.Doc += " As JSON."
		}
		params = append(params, p)
	}
	return params
}
