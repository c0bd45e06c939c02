package worldbank

import (
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

// The fields of a record that are read, by their paths.
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

var fieldOf = map[string]int{
	"indicator.id": fieldIndicator, "indicator.value": fieldIndicatorName,
	"country.id": fieldCountry, "country.value": fieldCountryName, "countryiso3code": fieldISO3,
	"date": fieldDate, "value": fieldValue, "unit": fieldUnit, "obs_status": fieldStatus,
	"footnote": fieldNote, "decimal": fieldDecimal,
}

// record is one record of an answer; its buffers are used again.
type record struct {
	cells [fields][]byte
	kinds [fields]jsonscan.Kind // 0: the record has no such field
	at    stat.Position         // of its value, else of its {
}

// text is what a field says; nothing if it is null.
func (r *record) text(field int) string {
	if r.kinds[field] == jsonscan.Null {
		return ""
	}
	return strings.TrimSpace(string(r.cells[field]))
}

// answer is the JSON form while it is read.
type answer struct {
	*assemble.Table
	in     format.Input
	header header

	country, indicator *assemble.Axis // indicator is nil where the answer has one only
	texts              text.Interner
}

func readJSON(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) { yield(openJSON(ctx, in)) }
}

// openJSON looks through the answer for the indicators that it has, and
// prepares the reading of its records.
func openJSON(ctx context.Context, in format.Input) (*stat.Table, error) {
	a := &answer{Table: assemble.New(ctx, in.Name), in: in, texts: text.Interner{}}
	var code, name string
	records, several := 0, false
	err := a.records(a.Report, func(r *record) error {
		id := r.text(fieldIndicator)
		if records++; records == 1 {
			code, name = id, r.text(fieldIndicatorName)
		}
		several = several || id != code
		return nil
	})
	if err != nil {
		return nil, err
	}
	if records == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the World Bank's answer has no records: ask it for an indicator, countries and dates for which it has data")
	}
	dims := []stat.Dimension{countries()}
	if several {
		code, name = "", ""
		dims = append([]stat.Dimension{assemble.Indicators(nil)}, dims...)
	}
	a.Dataset.Source, a.Dataset.Name, a.Dataset.Updated = sourceOf(in), name, updatedAt(a.header.updated)
	a.SetCode(in.Code, code)
	a.Partial, a.Share = a.header.partial(records), a.header.share(records)
	a.IgnorePeriod(in.Period)
	axes, err := a.SetDimensions(dims, in.Geo)
	if err != nil {
		return nil, err
	}
	if a.country = axes[len(axes)-1]; several {
		a.indicator = axes[0]
	}
	return a.Reading(func() error { return a.records(&stat.Report{}, a.observe) }), nil
}

// records reads the file from its beginning; what is to be said of its text
// goes into the report. The record is used again for the next one.
func (a *answer) records(report *stat.Report, use func(*record) error) error {
	return readAnswer(a.in, report, func(j *jsonscan.Scanner, h header, list jsonscan.Token) error {
		a.header = h
		switch {
		case len(h.messages) > 0:
			return stat.BadFile(stat.Position{Line: 1}, "the file is an answer of the World Bank that says: %s", strings.Join(h.messages, "; "))
		case list.Kind == jsonscan.Null:
			return nil
		case list.Kind != jsonscan.Array:
			return stat.BadFile(list.At, "a list of records, [{\"indicator\": …}], is to follow the header of the answer")
		}
		var r record
		return j.Array(func(item jsonscan.Token) error {
			if item.Kind != jsonscan.Object {
				return stat.BadFile(item.At, "a record is to be an object: {\"indicator\": …}")
			}
			if err := r.read(j, item.At, report); err != nil {
				return err
			}
			return use(&r)
		})
	})
}

// read reads the rest of a record that begins at a place.
func (r *record) read(j *jsonscan.Scanner, at stat.Position, report *stat.Report) error {
	r.kinds, r.at = [fields]jsonscan.Kind{}, at
	err := j.Record(func(path []byte, value jsonscan.Token) error {
		field, known := fieldOf[string(path)]
		if !known {
			report.Add(assemble.NoteUnknownField, 1, string(path))
			return nil
		}
		if r.kinds[field] != 0 {
			return stat.BadFile(value.At, "the record has two fields %q", path)
		}
		r.cells[field] = append(r.cells[field][:0], value.Text...)
		r.kinds[field] = value.Kind
		if field == fieldValue {
			r.at = value.At
		}
		return nil
	})
	if err != nil {
		return err
	}
	lacks := ""
	switch {
	case r.text(fieldIndicator) == "":
		lacks = "indicator.id"
	case r.text(fieldDate) == "":
		lacks = "date"
	case r.kinds[fieldValue] == 0:
		lacks = "value"
	case r.text(fieldISO3) == "" && r.text(fieldCountry) == "":
		lacks = "countryiso3code or country.id"
	default:
		return nil
	}
	return stat.BadFile(at, "the record lacks %s, without which it is no observation", lacks)
}

// observe yields the observation of a record.
func (a *answer) observe(r *record) error {
	o := stat.Observation{Key: a.Key, At: r.at, Unit: a.texts.Keep(r.text(fieldUnit)), Note: a.texts.Keep(r.text(fieldNote))}
	if a.indicator != nil {
		a.Key[a.indicator.At] = a.indicator.Add(stat.Code{ID: r.text(fieldIndicator), Label: r.text(fieldIndicatorName)})
	}
	country := stat.Code{ID: area(r.text(fieldISO3), r.text(fieldCountry)), Label: r.text(fieldCountryName)}
	a.Key[a.country.At] = a.country.Add(country)
	var err error
	if o.Value, err = a.number(r); err != nil {
		return err
	}
	o.Flags = a.flags(r)
	date := r.text(fieldDate)
	if o.Period, err = stat.ParsePeriod(date); err != nil {
		if !looksLikePeriod(date) {
			return stat.BadFile(r.at, "%v", err)
		}
		if !math.IsNaN(o.Value) {
			a.Undated(date)
		}
	} else if !math.IsNaN(o.Value) && o.Flags.Missing() {
		a.Report.Add(stat.NoteNumberUnderMissing, 1, assemble.Where(a.Dataset, &o))
		o.Value = math.NaN()
	}
	return a.Cell(&o, date)
}

// looksLikePeriod reports whether a text begins with the digits of a year.
func looksLikePeriod(text string) bool {
	return len(text) > 4 && len(text) < 20 && strings.Trim(text[:4], "0123456789") == ""
}

// number reads the value of a record, which older answers write as a text.
func (a *answer) number(r *record) (float64, error) {
	switch r.kinds[fieldValue] {
	case jsonscan.Number, jsonscan.String:
	case jsonscan.Null:
		return math.NaN(), nil
	default:
		return 0, stat.BadFile(r.at, "the value is %s; it is to be a number or null", r.cells[fieldValue])
	}
	content := r.text(fieldValue)
	if text.IsMissing(content) {
		return math.NaN(), nil
	}
	value, size, exact := text.Number([]byte(content))
	if size != len(content) {
		return 0, stat.BadFile(r.at, "the value %.40q is no number that can be stored; numbers have a decimal point and nothing between thousands", content)
	}
	if !exact {
		a.Report.Add(stat.NoteRounded, 1, content)
	}
	return value, nil
}

// flags are the remarks on a record.
func (a *answer) flags(r *record) stat.Flags {
	text := r.text(fieldStatus)
	if text == "" {
		return ""
	}
	flags, known := office.Status("worldbank", "", text)
	if !known {
		a.Report.Add(stat.NoteUnknownFlag, 1, text)
	}
	return stat.Flags(a.texts.Keep(string(flags)))
}
