package request

import (
	"almanac/internal/encode"
	"almanac/internal/stat"
)

// File are the parameters of data in a form without options.
type File struct {
	Data
}

// CSV are the parameters of data as CSV.
type CSV struct {
	Data
	Labels    string `param:"labels" example:"both" doc:"Whether dimensions and areas have columns for their codes, for their labels, or both: code, label or both."`
	Wide      string `param:"wide" example:"area" doc:"area: one column for each area, and a row for each series and period. period: one column for each period, and a row for each series and area. Flags and notes have columns beside those whose values have any. Without it: one row for each value."`
	Separator string `param:"sep" example:"semicolon" doc:"What stands between cells: comma, semicolon, tab, or the character itself, which may also be a vertical bar. Without it: comma."`
	Decimal   string `param:"decimal" example:"point" doc:"The decimal sign: point or comma, or the character itself. Without it: point."`
	BOM       bool   `param:"bom" example:"true" doc:"true begins the file with a byte order mark, by which older spreadsheets recognise UTF-8."`
}

// NDJSON are the parameters of data as lines of JSON.
type NDJSON struct {
	Data
	Labels string `param:"labels" example:"both" doc:"Whether dimensions and areas have members for their codes, for their labels, or both: code, label or both."`
}

// Options returns the options of the form. The error is [stat.Invalid] and names the parameter.
func (p *NDJSON) Options() (o encode.Options, err error) {
	o.Labels, err = oneOf("labels", encode.Labels(p.Labels), encode.LabelsBoth, encode.LabelsCode, encode.LabelsOnly)
	return o, err
}

// Options returns the options of the form. The error is [stat.Invalid] and names the parameter.
func (p *CSV) Options() (o encode.Options, err error) {
	o.BOM = p.BOM
	if o.Labels, err = oneOf("labels", encode.Labels(p.Labels), encode.LabelsBoth, encode.LabelsCode, encode.LabelsOnly); err != nil {
		return o, err
	}
	if o.Wide, err = oneOf("wide", encode.Wide(p.Wide), encode.WideArea, encode.WidePeriod); err != nil {
		return o, err
	}
	switch p.Separator {
	case "", "comma", ",":
		o.Separator = ','
	case "semicolon", ";":
		o.Separator = ';'
	case "tab", "\t":
		o.Separator = '\t'
	case "|":
		o.Separator = '|'
	default:
		return o, stat.Errorf(stat.Invalid, "parameter sep must be comma, semicolon, tab or the character |, not %.40q", p.Separator)
	}
	switch p.Decimal {
	case "", "point", ".":
		o.Decimal = '.'
	case "comma", ",":
		o.Decimal = ','
	default:
		return o, stat.Errorf(stat.Invalid, "parameter decimal must be point or comma, not %.40q", p.Decimal)
	}
	if o.Separator == o.Decimal {
		return o, stat.Errorf(stat.Invalid, "decimal=comma needs another separator than the comma: add sep=semicolon or sep=tab")
	}
	return o, nil
}

// oneOf returns a value that must be one of several or empty.
func oneOf[T ~string](param string, value T, known ...T) (T, error) {
	if value == "" {
		return value, nil
	}
	list := ""
	for i, k := range known {
		if value == k {
			return value, nil
		}
		switch {
		case i > 0 && i == len(known)-1:
			list += " or "
		case i > 0:
			list += ", "
		}
		list += string(k)
	}
	return value, stat.Errorf(stat.Invalid, "parameter %s must be %s, not %.40q", param, list, string(value))
}
