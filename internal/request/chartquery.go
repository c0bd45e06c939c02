package request

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/stat"
)

// inPath are the fields of a chart request that the address of a chart says
// without a parameter of their name: the dataset and the format are in its
// path, the selection is given by the parameters of the data endpoint.
var inPath = []string{"datasetId", "selectedDimensions", "dimensions_query", "period", "format"}

// typeParam is the short name of chartType in an address.
const typeParam = "type"

// BindChart reads the query string of a chart's address: the parameters of the
// data endpoint and the fields of a chart request, a line if no type is given.
// Objects are given as JSON. The rules are those of Bind and ReadChart.
//
// After an error the Chart, unless it is nil, holds what the other parameters say.
func BindChart(query string) (*Chart, error) {
	if len(query) > MaxChart {
		return nil, stat.Errorf(stat.Invalid, "the query of a chart's address has %d bytes; at most are %d KiB", len(query), MaxChart>>10)
	}
	c := &Chart{Options: chart.DefaultOptions()}
	c.Options.Type = chart.Line
	var rest []string // parameters of the data endpoint, and unknown ones
	var first error
	seen := map[string]bool{}
	for pair := range strings.SplitSeq(query, "&") {
		rawName, rawValue, _ := strings.Cut(pair, "=")
		f, err := fieldOf(rawName)
		switch {
		case err != nil:
		case f == nil:
			rest = append(rest, pair)
		case seen[f.Name]:
			err = stat.Errorf(stat.Invalid, "parameter %s is given more than once; it takes one value", f.Name)
		default:
			seen[f.Name] = true
			err = c.setText(f, rawValue)
		}
		first = cmp.Or(first, err)
	}
	first = cmp.Or(first, c.bindRest(strings.Join(rest, "&")))
	return c, cmp.Or(first, c.check())
}

// fieldOf finds the field that a parameter of a chart's address stands for,
// nil if there is none.
func fieldOf(rawName string) (*Field, error) {
	name, err := unescape(rawName)
	if err != nil {
		return nil, stat.Errorf(stat.Invalid, "the name of a parameter %s", err)
	}
	if name == typeParam {
		name = "chartType"
	}
	for i := range ChartFields {
		if ChartFields[i].Name == name && !slices.Contains(inPath, name) {
			return &ChartFields[i], nil
		}
	}
	return nil, nil
}

// setText sets a field from the text of a parameter.
func (c *Chart) setText(f *Field, raw string) error {
	text, err := unescape(raw)
	if err != nil {
		return stat.Errorf(stat.Invalid, "parameter %s %s", f.Name, err)
	}
	if text == "" {
		return stat.Errorf(stat.Invalid, "parameter %s has an empty value; give one or leave the parameter out", f.Name)
	}
	var v any = text
	switch f.Type {
	case "integer":
		if isInteger(text) {
			v = json.Number(text)
		}
	case "boolean":
		switch text {
		case "true", "1":
			v = true
		case "false", "0":
			v = false
		}
	case "texts", "transform":
		if v, err = readObject([]byte(text)); err != nil {
			return stat.Errorf(stat.Invalid, "parameter %s %s; right is JSON such as %s", f.Name, err, f.Example)
		}
	}
	if err := f.read(c, v); err != nil {
		return stat.Errorf(stat.Invalid, "parameter %s", err)
	}
	return nil
}

// bindRest reads what is no field of a chart request.
func (c *Chart) bindRest(query string) error {
	all := form{params: slices.Concat(formOf[Data]().params, ChartParams())}
	err := Bind(query, &c.Data)
	for pair := range strings.SplitSeq(query, "&") {
		rawName, _, _ := strings.Cut(pair, "=")
		// Bind knows only half of what is right here.
		if name, bad := unescape(rawName); pair != "" && bad == nil && all.find(name) < 0 {
			return all.unknown(name)
		}
	}
	return err
}

// ChartParams are the parameters of a chart's address beside those of [Data],
// for the reference.
func ChartParams() []Param {
	var params []Param
	for _, f := range ChartFields {
		if slices.Contains(inPath, f.Name) {
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
		if f.Type == "texts" || f.Type == "transform" {
			p.Type = "string"
			p.Doc += " As JSON."
		}
		params = append(params, p)
	}
	return params
}
