package request

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"almanac/internal/chart"
	"almanac/internal/stat"
)

// inPath are the fields of a chart request that the path of an address gives.
var inPath = map[string]string{
	"datasetId": "the number in the path",
	"format":    "the extension of the path: chart.png, chart.jpeg or chart.svg",
}

// inSelection are the fields of a chart request that have another name among the parameters of
// [Data].
var inSelection = map[string]string{"asOf": "as_of"}

// typeParam is the short name of chartType in an address.
const typeParam = "type"

// BindChart reads the query string of a chart's address by the rules of [Bind] and
// [ReadChart]: the parameters of the data endpoint, and the fields of a chart request,
// which override them; objects are JSON. The default type is line. After an error, the
// Chart has the values of the other parameters.
func BindChart(query string) (*Chart, error) {
	c := &Chart{Options: chart.DefaultOptions()}
	if len(query) > MaxChart {
		return c, stat.Errorf(stat.Invalid, "the query string must have at most %d KiB, not %d bytes", MaxChart>>10, len(query))
	}
	c.Options.Type = chart.Line
	data := unsafe.Pointer(&c.Data)
	typedBy := ""
	err := chartForm().bind(query, func(p *Param, value string) error {
		if p.chart == nil {
			return p.set(data, value)
		}
		if p.chart.Name == "chartType" {
			if typedBy != "" {
				return stat.Errorf(stat.Invalid, "parameters %s and %s mean the same; give only one of them", typedBy, p.Name)
			}
			typedBy = p.Name
		}
		return c.setText(p, value)
	})
	return c, cmp.Or(err, c.check())
}

// chartForm describes a chart's address: the parameters of [Data], with period as a
// field of a chart request, those of [ChartParams], and hidden ones.
var chartForm = sync.OnceValue(func() *form {
	f := formWith(slices.Concat(SelectionParams(), ChartParams()))
	for _, name := range []string{"period", "latest_mode", "transform"} {
		f.params[f.find(name)].chart = findField(name)
	}
	for _, name := range []string{"chartType", "datasetId", "format"} {
		f.append(Param{Name: name, chart: findField(name)})
	}
	return f
})

// notInCharts are the parameters of [Data] that a chart's address does not have: a picture does
// not show them, and it has all periods of a series or one.
var notInCharts = []string{"codes", "first_n", "last_n", "iso_periods", "decimals", "dry_run", "updated_since"}

// SelectionParams returns the parameters of [Data] that a chart's address has.
func SelectionParams() []Param {
	return slices.DeleteFunc(slices.Clone(formOf[Data]().params), func(p Param) bool { return slices.Contains(notInCharts, p.Name) })
}

// FieldOf returns the field of a chart request that a parameter of a chart's address sets, or
// nil.
func FieldOf(p Param) *Field { return p.chart }

// isHidden reports whether the API reference leaves out a parameter.
func (p *Param) isHidden() bool {
	return p.chart != nil && (inPath[p.Name] != "" || p.Name == "chartType")
}

func (c *Chart) setText(p *Param, text string) (err error) {
	if where := inPath[p.Name]; where != "" {
		return stat.Errorf(stat.Invalid, "parameter %s is not accepted here; it is %s", p.Name, where)
	}
	var v any = text
	switch p.chart.Type {
	case "integer":
		if isInteger(text) {
			v = json.Number(text)
		}
	case "list":
		v = []any{text}
	case "boolean":
		if v, err = parseBool(p.Name, text); err != nil {
			return err
		}
	case "strings", "transform", "selection":
		if v, err = readObject([]byte(text)); err != nil {
			return stat.Errorf(stat.Invalid, "parameter %s %s; it must be JSON such as %s", p.Name, err, p.chart.Example)
		}
	}
	return p.chart.read(c, "parameter "+p.Name, v)
}

// ChartParams returns the parameters of a chart's address that are not in [Data], for
// the API reference.
func ChartParams() []Param {
	var params []Param
	for i := range ChartFields {
		f := &ChartFields[i]
		if inPath[f.Name] != "" || inSelection[f.Name] != "" || formOf[Data]().find(f.Name) >= 0 {
			continue
		}
		p := Param{Name: f.Name, Doc: f.Doc, Example: strings.Trim(f.Example, `"`), Type: f.Type, Default: f.Default, chart: f}
		switch f.Type {
		case "strings", "transform", "selection":
			p.Type = "string"
			p.Doc += " As JSON."
		case "list":
			p.Type, p.Repeat = "string", true
			p.Example = strings.Trim(p.Example, `["]`)
		case "integer":
			p.Minimum = chart.MinSparkSide
		}
		if f.Name == "chartType" {
			p.Name, p.Default = typeParam, string(chart.Line)
			p.Doc = strings.TrimSuffix(p.Doc, " Required.")
		}
		params = append(params, p)
	}
	return params
}
