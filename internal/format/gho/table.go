package gho

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// What the report says of a file.
const (
	// noteTextValue counts records that show a text and have no number.
	noteTextValue = "text-value"
	// noTime is the mark of records that say no time though others do.
	noTime = "(no time)"
)

// notStated is the code of records that lack a breakdown which others have.
var notStated = stat.Code{ID: "_X", Label: "Not stated"}

// totals are the codes that stand for a whole, in the service's older and
// newer spelling.
var totals = []string{
	"SEX_BTSX", "BTSX", "RESIDENCEAREATYPE_TOTL", "TOTL", "AGEGROUP_YEARSALL", "YEARSALL",
	"WEALTHQUINTILE_TOTL", "EDUCATIONLEVEL_TOTL", "EDUCATIONLEVEL_TOTAL",
}

// stated are how often a series comes, by the type of its times.
var stated = map[string]stat.Frequency{
	"YEAR": stat.Annual, "QUARTER": stat.Quarter, "MONTH": stat.Month, "WEEK": stat.Week, "DAY": stat.Day,
}

// table is a dataset while its file is read.
type table struct {
	*assemble.Table
	in      format.Input
	records records
	survey  survey
	period  stat.Period // of a file without times
	texts   text.Interner

	// The axes; nil where the dataset has no such one.
	location, indicator, origin, estimate *assemble.Axis
	types                                 []*assemble.Axis // as in survey.types
}

// open looks through the records and prepares the reading of them.
func (t *table) open() (*stat.Table, error) {
	s := &t.survey
	s.spans = map[stat.Period]string{}
	var err error
	if t.Partial, err = t.records(t.in, t.Report, s.add); err != nil {
		return nil, err
	}
	if s.records == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the file has no records")
	}
	if s.origins {
		if s.origins, err = originsDiffer(t.in, t.records); err != nil {
			return nil, err
		}
	}
	if s.times {
		t.IgnorePeriod(t.in.Period)
	} else if t.period, err = t.FilePeriod(t.in.Period, stat.BadFile(stat.Position{}, "no record has a time: state the period of the whole file with --period")); err != nil {
		return nil, err
	}
	t.Dataset.Source, t.Dataset.Updated = sourceOf(t.in), s.updated
	if s.several {
		t.SetCode(t.in.Code)
	} else {
		t.Dataset.Name = s.name
		t.SetCode(t.in.Code, s.code)
	}
	for p, span := range s.spans {
		if span != "" {
			t.LabelPeriod(p, span)
		}
	}
	if err := t.setDimensions(); err != nil {
		return nil, err
	}
	return t.Reading(func() error {
		_, err := t.records(t.in, &stat.Report{}, t.observe) // the first look reported on the text
		return err
	}), nil
}

func (t *table) setDimensions() error {
	var dims []stat.Dimension
	var into []**assemble.Axis
	add := func(wanted bool, dim stat.Dimension, axis **assemble.Axis) {
		if wanted {
			dims, into = append(dims, dim), append(into, axis)
		}
	}
	s := &t.survey
	t.types = make([]*assemble.Axis, len(s.types))
	add(s.several, assemble.Indicators(nil), &t.indicator)
	add(s.places, stat.Dimension{ID: locationID, Label: "Location", Role: stat.RoleGeo}, &t.location)
	for i, b := range s.types {
		add(true, stat.Dimension{ID: b.id, Label: b.label, Role: stat.RoleOther}, &t.types[i])
	}
	add(s.origins, stat.Dimension{ID: originID, Label: "Data source", Role: stat.RoleOther}, &t.origin)
	add(s.bounds, assemble.Estimates(), &t.estimate)
	axes, err := t.SetDimensions(dims, t.in.Geo)
	for i, axis := range axes {
		*into[i] = axis
	}
	return err
}

// observe yields the observations of a record: its value, and its bounds where
// the file has any.
func (t *table) observe(r *record) (err error) {
	o := stat.Observation{Key: t.Key, At: r.at, Unit: t.texts.Keep(r.cells[unit]), Frequency: stated[typeID(r.cells[timeType])]}
	t.place(r)
	span, mark := "", ""
	if o.Period, span, err = t.periodOf(r); err != nil {
		return err
	}
	if o.Period.IsZero() {
		mark = cmp.Or(r.cells[timeCode], r.cells[timeText], noTime)
	}
	cells := []struct {
		number, sign field
		code         int32
	}{{number, sign, 0}, {low, lowSign, 1}, {high, highSign, 2}}
	if t.estimate == nil {
		cells = cells[:1]
	}
	for _, c := range cells {
		if t.estimate != nil {
			t.Key[t.estimate.At] = c.code
		}
		if o.Value, err = t.number(r, c.number); err != nil {
			return err
		}
		note := ""
		if sign := r.cells[c.sign]; sign != "" {
			note = "shown with " + sign
		}
		if c.number == number {
			note = t.note(r, note, span, math.IsNaN(o.Value))
		}
		o.Note = t.texts.Keep(note)
		if mark != "" && !math.IsNaN(o.Value) {
			t.Undated(mark)
		}
		if err := t.Cell(&o, mark); err != nil {
			return err
		}
	}
	return nil
}

// place sets the key of a record's observations.
func (t *table) place(r *record) {
	set := func(axis *assemble.Axis, code, label string) {
		if axis == nil {
			return
		}
		if code == "" {
			code, label = notStated.ID, notStated.Label
		}
		t.Key[axis.At] = axis.Add(stat.Code{ID: code, Label: t.texts.Keep(label)})
	}
	set(t.indicator, r.cells[indicator], r.cells[indicatorName])
	set(t.location, r.cells[place], r.cells[placeName])
	for i, axis := range t.types {
		var b breakdown
		for n := range breakdowns {
			if got := r.breakdown(n); got.code != "" && got.id == t.survey.types[i].id {
				b = got
			}
		}
		set(axis, b.code, b.name)
		if axis.Dim.Total == "" && slices.Contains(totals, b.code) {
			axis.Dim.Total = t.texts.Keep(b.code)
		}
	}
	code, name := r.origin()
	set(t.origin, code, name)
}

// periodOf is when a record's number holds; zero where that is no period. The
// span is the text of a span of years that the year's label does not tell.
func (t *table) periodOf(r *record) (p stat.Period, span string, err error) {
	if !t.survey.times {
		return t.period, "", nil
	}
	p, span, err = periodOf(r)
	if err != nil && !looksLikePeriod(cmp.Or(r.cells[timeCode], r.cells[timeText])) {
		return p, "", stat.BadFile(r.at, "%v", err)
	}
	if t.survey.spans[p] == span {
		span = ""
	}
	return p, span, nil
}

// looksLikePeriod reports whether a text begins with the digits of a year.
func looksLikePeriod(text string) bool {
	for i := range 4 {
		if i >= len(text) || text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return len(text) < 40
}

// number reads one of the numbers of a record; NaN where there is none.
func (t *table) number(r *record, f field) (float64, error) {
	content := r.cells[f]
	if text.IsMissing(content) {
		return math.NaN(), nil
	}
	value, size, exact := text.Number([]byte(content))
	if size != len(content) {
		return 0, stat.BadFile(r.at, "%.40q is no number that can be stored; numbers have a decimal point and nothing between thousands", content)
	}
	if !exact {
		t.Report.Add(stat.NoteRounded, 1, content)
	}
	return value, nil
}

// note is what a record says beside its number.
func (t *table) note(r *record, signs, span string, missing bool) string {
	var parts []string
	if content := r.cells[shown]; missing && !text.IsMissing(content) {
		t.Report.Add(noteTextValue, 1, content)
		parts = append(parts, content)
	}
	if signs != "" {
		parts = append(parts, signs)
	}
	if span != "" {
		parts = append(parts, "period "+span)
	}
	if r.cells[comments] != "" {
		parts = append(parts, r.cells[comments])
	}
	if code, name := r.origin(); t.origin == nil && code != "" {
		parts = append(parts, "data source: "+cmp.Or(name, code))
	}
	return strings.Join(parts, "; ")
}
