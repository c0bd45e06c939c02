package worldbank

import (
	"cmp"
	"context"
	"iter"
	"math"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// The fields of a record that are read.
const (
	fieldIndicator = iota
	fieldIndicatorName
	fieldCountry
	fieldCountryName
	fieldISO3
	fieldDate
	fieldValue
	fieldUnit
	fieldStatus
	fieldNote
	fieldDecimal
	fields
)

var fieldOf = jsonscan.Columns{
	"indicator.id": fieldIndicator, "indicator.value": fieldIndicatorName,
	"country.id": fieldCountry, "country.value": fieldCountryName, "countryiso3code": fieldISO3,
	"date": fieldDate, "value": fieldValue, "unit": fieldUnit, "obs_status": fieldStatus,
	"footnote": fieldNote, "decimal": fieldDecimal,
}

// record is a record of an answer; null is empty.
type record struct {
	cells [fields]string
	at    [fields]stat.Position
}

type reader struct {
	*assemble.Table
	in     format.Input
	header header

	country, indicator *assemble.Axis // indicator is nil if the answer has only one
	texts              text.Interner
}

func readJSON(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) { yield(openJSON(ctx, in)) }
}

// openJSON reads the answer once to find its indicators.
func openJSON(ctx context.Context, in format.Input) (*stat.Table, error) {
	a := &reader{Table: assemble.New(ctx, in.Name), in: in, texts: text.Interner{}}
	var code, name string
	records, hasSeveral := 0, false
	err := a.records(a.Report, func(r *record) error {
		if records++; records == 1 {
			code, name = r.cells[fieldIndicator], r.cells[fieldIndicatorName]
		}
		hasSeveral = hasSeveral || r.cells[fieldIndicator] != code
		return nil
	})
	if err != nil {
		return nil, err
	}
	if records == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the World Bank's answer has no records; request an indicator, countries and dates for which there are data")
	}
	dims := []stat.Dimension{countries()}
	if hasSeveral {
		code, name = "", ""
		dims = append([]stat.Dimension{assemble.Indicators(nil)}, dims...)
	}
	a.Dataset.Source, a.Dataset.Name, a.Dataset.Updated = office.Find(cmp.Or(in.Source, "worldbank")), name, updatedAt(a.header.updated)
	a.SetCode(in.Code, code)
	a.Partial, a.Share = a.header.partial(records), a.header.share(records)
	a.IgnorePeriod(in.Period)
	axes, err := a.SetDimensions(dims, in.Geo)
	if err != nil {
		return nil, err
	}
	if a.country = axes[len(axes)-1]; hasSeveral {
		a.indicator = axes[0]
	}
	return a.Reading(func() error { return a.records(&stat.Report{}, a.observe) }), nil
}

// records reads the file from its beginning and passes each record to use, which must
// not keep it.
func (a *reader) records(report *stat.Report, use func(*record) error) error {
	return readAnswer(a.in, report, func(j *jsonscan.Scanner, h header, list jsonscan.Token) error {
		a.header = h
		switch {
		case len(h.messages) > 0:
			return stat.BadFile(stat.Position{Line: 1}, "the file is an answer of the World Bank that says: %s", strings.Join(h.messages, "; "))
		case list.Kind == jsonscan.Null:
			return nil
		case list.Kind != jsonscan.Array:
			return stat.BadFile(list.At, "the header of the answer must be followed by a list of records, [{\"indicator\": …}]")
		}
		var r record
		return j.Array(func(item jsonscan.Token) error {
			if item.Kind != jsonscan.Object {
				return stat.BadFile(item.At, "a record must be an object: {\"indicator\": …}")
			}
			if err := r.read(j, item.At, report); err != nil {
				return err
			}
			return use(&r)
		})
	})
}

// read reads the rest of a record that begins at a position.
func (r *record) read(j *jsonscan.Scanner, at stat.Position, report *stat.Report) error {
	if err := fieldOf.Read(j, r.cells[:], r.at[:], report); err != nil {
		return err
	}
	lacks := ""
	switch {
	case r.cells[fieldIndicator] == "":
		lacks = "indicator.id"
	case r.cells[fieldDate] == "":
		lacks = "date"
	case r.at[fieldValue].Line == 0:
		lacks = "value"
	case r.cells[fieldISO3] == "" && r.cells[fieldCountry] == "":
		lacks = "countryiso3code or country.id"
	default:
		return nil
	}
	return stat.BadFile(at, "the record has no %s, which every observation needs", lacks)
}

func (a *reader) observe(r *record) (err error) {
	o := stat.Observation{Key: a.Key, At: r.at[fieldValue], Unit: a.texts.Keep(r.cells[fieldUnit]), Note: a.texts.Keep(r.cells[fieldNote])}
	if a.indicator != nil {
		a.Key[a.indicator.At] = a.indicator.Add(stat.Code{ID: r.cells[fieldIndicator], Label: r.cells[fieldIndicatorName]})
	}
	id := r.cells[fieldCountry]
	area := cmp.Or(r.cells[fieldISO3], groups[id], id)
	a.Key[a.country.At] = a.country.Add(stat.Code{ID: area, Label: r.cells[fieldCountryName]})
	if o.Value, err = text.Value(r.cells[fieldValue], o.At, a.Report); err != nil {
		return err
	}
	if status := r.cells[fieldStatus]; status != "" {
		flags, isKnown := office.Status("worldbank", "", status)
		if !isKnown {
			a.Report.Add(stat.NoteUnknownFlag, 1, status)
		}
		o.Flags = stat.Flags(a.texts.Keep(string(flags)))
	}
	date := r.cells[fieldDate]
	if o.Period, err = stat.ParsePeriod(date); err != nil {
		if !assemble.BeginsWithYear(date) {
			return stat.BadFile(o.At, "%v", err)
		}
		if !math.IsNaN(o.Value) {
			a.Undated(date)
		}
	} else if !math.IsNaN(o.Value) && o.Flags.Missing() {
		a.Report.Add(stat.NoteNumberUnderMissing, 1, assemble.Where(a.Dataset, &o))
		o.Value = math.NaN()
	}
	return a.YieldCell(&o, date)
}
