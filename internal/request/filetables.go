package request

import (
	"slices"
	"strings"

	"almanac/internal/encode"
	"almanac/internal/stat"
)

// fileForms are the forms of data with options of their own.
var fileForms = []struct {
	name, address string
	params        []Param
}{
	{"CSV", "data.csv", Params[CSV]()},
	{"XLSX", "data.xlsx", Params[XLSX]()},
	{"Parquet", "data.parquet", Params[Parquet]()},
	{"NDJSON", "data.ndjson", Params[NDJSON]()},
}

// optionOfFile returns the error that a parameter is an option of other forms of data, and names
// them; nil if it is none, or chooses data.
func optionOfFile(name string) error {
	hasName := func(p Param) bool { return p.Name == name }
	if slices.ContainsFunc(Params[Data](), hasName) {
		return nil
	}
	var names, addresses []string
	for _, f := range fileForms {
		if slices.ContainsFunc(f.params, hasName) {
			names, addresses = append(names, f.name), append(addresses, f.address)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return stat.Errorf(stat.Invalid, "%s is an option of %s: use %s", name, strings.Join(names, ", "), strings.Join(addresses, " or "))
}

// Parquet are the parameters of data as Parquet.
type Parquet struct {
	Data
	Labels string `param:"labels" example:"both" doc:"Whether dimensions and areas have columns for their codes, for their labels, or both: code, label or both."`
}

// Options returns the options of the form. The error is [stat.Invalid] and names the parameter.
func (p *Parquet) Options() (o encode.Options, err error) {
	o.Labels, err = oneOf("labels", encode.Labels(p.Labels), encode.LabelsBoth, encode.LabelsCode, encode.LabelsOnly)
	return o, err
}

// XLSX are the parameters of data as an Excel workbook.
type XLSX struct {
	Data
	Labels string `param:"labels" example:"both" doc:"Whether dimensions and areas have columns for their codes, for their labels, or both: code, label or both."`
	Wide   string `param:"wide" example:"area" doc:"area: one column for each area, and a row for each series and period. period: one column for each period, and a row for each series and area. Flags and notes have columns beside those whose values have any. Without it: one row for each value."`
}

// Options returns the options of the form. The error is [stat.Invalid] and names the parameter.
func (p *XLSX) Options() (o encode.Options, err error) {
	if o.Labels, err = oneOf("labels", encode.Labels(p.Labels), encode.LabelsBoth, encode.LabelsCode, encode.LabelsOnly); err != nil {
		return o, err
	}
	o.Wide, err = oneOf("wide", encode.Wide(p.Wide), encode.WideArea, encode.WidePeriod)
	return o, err
}
