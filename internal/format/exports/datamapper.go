package exports

import (
	"context"
	"iter"
	"regexp"
	"slices"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// dataMapper reads answers of the API of the IMF's DataMapper: indicators with their areas
// and years.
//
//	{"values":{"NGDP_RPCH":{"SDN":{"1980":2.5,"1981":6.3}}},"api":{"version":"1","output-method":"json"}}
var dataMapper = format.Format{
	Name: "imf-datamapper",
	Recognise: func(_ string, head []byte) bool {
		return jsonscan.HasPath(head, func(path []string, _ []byte) bool {
			return len(path) == 4 && path[0] == "values" && dataMapperArea.MatchString(path[2]) && fourDigits.MatchString(path[3])
		})
	},
	Read: func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
		open := func() (table.Rows, error) {
			r := &pulledRows{at: []stat.Position{{Line: 1}}}
			r.next, r.stop = iter.Pull2(func(yield func([]string, error) bool) { r.readDataMapper(in, yield) })
			return r, nil
		}
		return table.ReadRows(ctx, in, open, table.Mapping{
			Dataset: stat.Dataset{Source: office.Find("imf")},
			Numbers: table.DecimalPoint,
			Axes:    []table.Axis{{Codes: "indicator", ID: "INDICATOR", Label: "Indicator", Role: stat.RoleOther}, {Codes: "area", ID: "REF_AREA", Label: "Reference area", Role: stat.RoleGeo}},
			Period:  table.Period{Columns: []string{"year"}},
			Values:  []table.Value{{Column: "value"}},
		})
	},
}

var (
	dataMapperArea = regexp.MustCompile(`^[A-Z][A-Z0-9_]{2,}$`)
	fourDigits     = regexp.MustCompile(`^[0-9]{4}$`)
)

// readDataMapper yields the headings, and a row for each value.
func (r *pulledRows) readDataMapper(in format.Input, yield func([]string, error) bool) {
	if !yield([]string{"indicator", "area", "year", "value"}, nil) {
		return
	}
	err := jsonscan.Read(in.Again, in.Encoding, &stat.Report{}, func(j *jsonscan.Scanner, first jsonscan.Token) error {
		var read func(path []string, value jsonscan.Token) error
		read = func(path []string, value jsonscan.Token) error {
			switch {
			case len(path) < 4 && value.Kind == jsonscan.Object && (len(path) == 0 || path[0] == "values"):
				return j.Object(func(name string, value jsonscan.Token) error { return read(append(slices.Clone(path), name), value) })
			case len(path) == 0 || path[0] == "values" && (len(path) < 4 || value.Kind == jsonscan.Object || value.Kind == jsonscan.Array):
				return stat.BadFile(value.At, "there must be an object of indicators, of their areas and of the years of these")
			case path[0] != "values":
				return j.SkipRest(value)
			}
			cell, err := j.TextOf(value)
			r.at = []stat.Position{value.At}
			if err == nil && !yield(append(path[1:], cell), nil) {
				err = errStopped
			}
			return err
		}
		return read(nil, first)
	})
	if err != nil && err != errStopped {
		yield(nil, err)
	}
}
