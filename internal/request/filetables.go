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
}

// Options returns the options of the form. The error is [stat.Invalid] and names the parameter.
func (p *XLSX) Options() (o encode.Options, err error) {
	o.Labels, err = oneOf("labels", encode.Labels(p.Labels), encode.LabelsBoth, encode.LabelsCode, encode.LabelsOnly)
	return o, err
}
