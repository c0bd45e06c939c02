package request

import "almanac/internal/encode"

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
