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

// noteUnknownField counts fields of records that are not known, and not kept.
const noteUnknownField = "unknown-field"

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
	ctx     context.Context
	in      format.Input
	report  *stat.Report
	dataset *stat.Dataset
	header  header
	several bool // indicators

	country, indicator *assemble.Axis
	texts              text.Interner
	key                []int32
}

// readJSON yields the one dataset of an answer.
func readJSON(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) { yield(openJSON(ctx, in)) }
}

// openJSON looks through the answer for the indicators that it has, and
// prepares the reading of its records.
func openJSON(ctx context.Context, in format.Input) (*stat.Table, error) {
	a := &answer{ctx: ctx, in: in, report: &stat.Report{}, texts: text.Interner{}}
	var code, name string
	records := 0
	for r, err := range a.records(a.report) {
		if err != nil {
			return nil, err
		}
		records++
		id := r.text(fieldIndicator)
		if records == 1 {
			code, name = id, r.text(fieldIndicatorName)
		}
		a.several = a.several || id != code
	}
	if records == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the World Bank's answer has no records: ask it for an indicator, countries and dates for which it has data")
	}
	if a.several {
		code, name = "", ""
	}
	d := &stat.Dataset{Source: sourceOf(in), Code: in.Code, Name: name, Updated: updatedAt(a.header.updated)}
	if d.Code == "" {
		d.Code = code
	}
	if d.Code == "" {
		d.Code = assemble.CodeFromName(in.Name, a.report)
	}
	if in.Period != "" {
		a.report.Add(stat.NotePeriodNotUsed, 1, in.Period)
	}
	a.dataset = d
	if err := a.arrange(); err != nil {
		return nil, err
	}
	return &stat.Table{Dataset: d, Observations: a.observations, Report: a.report, Partial: a.header.partial(records), Share: a.header.share(records)}, nil
}

// arrange gives the dataset its dimensions.
func (a *answer) arrange() error {
	var dims []stat.Dimension
	if a.several {
		dims = append(dims, assemble.Indicators(nil))
	}
	dims = append(dims, countries())
	geo, err := assemble.Geography(dims, a.in.Geo)
	if err != nil {
		return err
	}
	axes := assemble.Arrange(a.dataset, dims, geo)
	a.country = axes[len(axes)-1]
	if a.several {
		a.indicator = axes[0]
	}
	a.key = assemble.Key(a.dataset)
	return nil
}

// records reads the file from its beginning; what is to be said of its text
// goes into the report. The record is used again for the next one.
func (a *answer) records(report *stat.Report) iter.Seq2[*record, error] {
	return func(yield func(*record, error) bool) {
		if err := a.readRecords(report, func(r *record) bool { return yield(r, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

func (a *answer) readRecords(report *stat.Report, use func(*record) bool) error {
	text, err := text.Open(a.in.Again, a.in.Encoding, report)
	if err != nil {
		return err
	}
	defer text.Close()
	j := jsonscan.New(text)
	if a.header, err = readHeader(j); err != nil {
		return err
	}
	if len(a.header.messages) > 0 {
		return stat.BadFile(stat.Position{Line: 1}, "the file is an answer of the World Bank that says: %s", strings.Join(a.header.messages, "; "))
	}
	token, err := j.Next()
	if err != nil {
		return err
	}
	if token.Kind != jsonscan.Null {
		if token.Kind != jsonscan.Array {
			return stat.BadFile(token.At, "a list of records, [{\"indicator\": …}], is to follow the header of the answer")
		}
		if more, err := a.readList(j, report, use); err != nil || !more {
			return err
		}
	}
	for _, want := range []jsonscan.Kind{jsonscan.ArrayEnd, jsonscan.End} {
		if token, err = j.Next(); err != nil || token.Kind != want {
			return first(err, stat.BadFile(token.At, "the answer is to end after its records"))
		}
	}
	return nil
}

// readList reads the records to the end of their list; more is false if no
// more are wanted.
func (a *answer) readList(j *jsonscan.Scanner, report *stat.Report, use func(*record) bool) (more bool, err error) {
	var r record
	for n := 0; ; n++ {
		if n%1024 == 0 && a.ctx.Err() != nil {
			return false, a.ctx.Err()
		}
		token, err := j.Next()
		if err != nil || token.Kind == jsonscan.ArrayEnd {
			return true, err
		}
		if token.Kind != jsonscan.Object {
			return false, stat.BadFile(token.At, "a record is to be an object: {\"indicator\": …}")
		}
		if err := r.read(j, token.At, report); err != nil {
			return false, err
		}
		if !use(&r) {
			return false, nil
		}
	}
}

// read reads the rest of a record that begins at a place.
func (r *record) read(j *jsonscan.Scanner, at stat.Position, report *stat.Report) error {
	r.kinds, r.at = [fields]jsonscan.Kind{}, at
	err := j.Record(func(path []byte, value jsonscan.Token) error {
		field, known := fieldOf[string(path)]
		if !known {
			report.Add(noteUnknownField, 1, string(path))
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

// observations yields the observations of the answer.
func (a *answer) observations(yield func(stat.Observation, error) bool) {
	for r, err := range a.records(&stat.Report{}) { // the first look reported on the text
		if err != nil {
			yield(stat.Observation{}, err)
			return
		}
		o, keep, err := a.observation(r)
		if err != nil {
			yield(o, err)
			return
		}
		if keep && !yield(o, nil) {
			return
		}
	}
}

// observation makes of a record the observation it is; keep is false where
// nothing of it is to be stored.
func (a *answer) observation(r *record) (o stat.Observation, keep bool, err error) {
	a.report.Read++
	o = stat.Observation{Key: a.key, At: r.at, Unit: a.texts.Keep(r.text(fieldUnit)), Note: a.texts.Keep(r.text(fieldNote))}
	if a.several {
		a.key[a.indicator.At] = a.indicator.Add(stat.Code{ID: r.text(fieldIndicator), Label: r.text(fieldIndicatorName)})
	}
	country := stat.Code{ID: area(r.text(fieldISO3), r.text(fieldCountry)), Label: r.text(fieldCountryName)}
	a.key[a.country.At] = a.country.Add(country)
	var hasNumber bool
	if o.Value, hasNumber, err = a.number(r); err != nil {
		return o, false, err
	}
	if o.Flags, err = a.flags(r); err != nil {
		return o, false, err
	}
	date := r.text(fieldDate)
	if o.Period, err = stat.ParsePeriod(date); err != nil {
		if !looksLikePeriod(date) {
			return o, false, stat.BadFile(r.at, "%v", err)
		}
		a.undated(date, hasNumber)
		return o, false, nil
	}
	if hasNumber && o.Flags.Missing() {
		a.report.Add(stat.NoteNumberUnderMissing, 1, assemble.Where(a.dataset, &o))
		hasNumber, o.Value = false, math.NaN()
	}
	if !hasNumber {
		a.report.Missing++
	}
	return o, hasNumber || o.Flags != "" || o.Note != "", nil
}

// undated counts a record whose date begins like a year and is no period.
func (a *answer) undated(date string, hasNumber bool) {
	if !hasNumber {
		a.report.Missing++
		return
	}
	a.report.Add(stat.NoteUndated, 1, date)
	for _, known := range a.dataset.Undated {
		if known == date {
			return
		}
	}
	a.dataset.Undated = append(a.dataset.Undated, date)
}

// looksLikePeriod reports whether a text begins with the digits of a year.
func looksLikePeriod(text string) bool {
	return len(text) > 4 && len(text) < 20 && strings.Trim(text[:4], "0123456789") == ""
}

// number reads the value of a record, which older answers write as a text.
func (a *answer) number(r *record) (value float64, has bool, err error) {
	switch r.kinds[fieldValue] {
	case jsonscan.Number, jsonscan.String:
	case jsonscan.Null:
		return math.NaN(), false, nil
	default:
		return 0, false, stat.BadFile(r.at, "the value is %s; it is to be a number or null", r.cells[fieldValue])
	}
	content := r.text(fieldValue)
	if text.IsMissing(content) {
		return math.NaN(), false, nil
	}
	value, size, exact := text.Number([]byte(content))
	if size != len(content) {
		return 0, false, stat.BadFile(r.at, "the value %.40q is no number that can be stored; numbers have a decimal point and nothing between thousands", content)
	}
	if !exact {
		a.report.Add(stat.NoteRounded, 1, content)
	}
	return value, true, nil
}

// flags are the remarks on a record.
func (a *answer) flags(r *record) (stat.Flags, error) {
	text := r.text(fieldStatus)
	if text == "" {
		return "", nil
	}
	flags, known := office.Status("worldbank", "", text)
	if !known {
		a.report.Add(stat.NoteUnknownFlag, 1, text)
	}
	return stat.Flags(a.texts.Keep(string(flags))), nil
}
