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

// noteTextValue counts records that show a text and have no number.
const noteTextValue = "text-value"

// noTime is the mark of records without a time in a file with times.
const noTime = "(no time)"

// totals are the codes of totals, in older and newer spelling.
var totals = []string{
	"SEX_BTSX", "BTSX", "RESIDENCEAREATYPE_TOTL", "TOTL", "AGEGROUP_YEARSALL", "YEARSALL",
	"WEALTHQUINTILE_TOTL", "EDUCATIONLEVEL_TOTL", "EDUCATIONLEVEL_TOTAL",
}

// frequencies are those of series, by the type of their times.
var frequencies = map[string]stat.Frequency{
	"YEAR": stat.Annual, "QUARTER": stat.Quarter, "MONTH": stat.Month, "WEEK": stat.Week, "DAY": stat.Day,
}

type reader struct {
	*assemble.Table
	in      format.Input
	records records
	survey  survey
	stated  stat.Period // of a file without times
	texts   text.Interner

	// The axes; nil if the dataset does not have one.
	location, indicator, origin, estimate *assemble.Axis
	types                                 []*assemble.Axis // as in survey.types
}

func (t *reader) open() (*stat.Table, error) {
	s := &t.survey
	s.spans = map[stat.Period]string{}
	var err error
	if t.Partial, err = t.records(t.in, t.Report, s.add); err != nil {
		return nil, err
	}
	if s.records == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the file has no records")
	}
	if n := len(s.besidePlace); n > 0 {
		t.Report.Add(assemble.NoteAttributeNotKept, n, strings.Join(s.besidePlace, ", "))
	}
	if s.hasOrigins {
		if s.hasOrigins, err = originsDiffer(t.in, t.records); err != nil {
			return nil, err
		}
	}
	noTime := stat.BadFile(stat.Position{}, "no record has a time: state the period of the whole file")
	if t.stated, err = t.FilePeriod(s.hasTimes, t.in.Period, noTime); err != nil {
		return nil, err
	}
	t.Dataset.Source, t.Dataset.Updated = sourceOf(t.in), s.updated
	if s.hasIndicators {
		s.code, s.name = "", ""
	}
	t.Dataset.Name = s.name
	t.SetCode(t.in.Code, s.code)
	for p, span := range s.spans {
		if span != "" {
			t.LabelPeriod(p, span)
		}
	}
	if err := t.setDimensions(); err != nil {
		return nil, err
	}
	return t.Reading(func() error {
		_, err := t.records(t.in, &stat.Report{}, t.observe) // the survey reported on the text
		return err
	}), nil
}

func (t *reader) setDimensions() error {
	var dims []stat.Dimension
	var into []**assemble.Axis
	add := func(isWanted bool, dim stat.Dimension, axis **assemble.Axis) {
		if isWanted {
			dims, into = append(dims, dim), append(into, axis)
		}
	}
	s := &t.survey
	t.types = make([]*assemble.Axis, len(s.types))
	add(s.hasIndicators, assemble.Indicators(nil), &t.indicator)
	add(s.hasPlaces, stat.Dimension{ID: locationID, Label: "Location", Role: stat.RoleGeo}, &t.location)
	for i, b := range s.types {
		add(true, stat.Dimension{ID: b.id, Label: b.label, Role: stat.RoleOther}, &t.types[i])
	}
	add(s.hasOrigins, stat.Dimension{ID: originID, Label: "Data source", Role: stat.RoleOther}, &t.origin)
	add(s.hasBounds, assemble.Estimates(), &t.estimate)
	axes, err := t.SetDimensions(dims, t.in.Geo)
	for i, axis := range axes {
		*into[i] = axis
	}
	return err
}

// observe yields the value of a record, and its bounds if the file has any.
func (t *reader) observe(r *record) (err error) {
	o := stat.Observation{Key: t.Key, At: r.at, Unit: t.texts.Keep(r.cells[unit]), Frequency: frequencies[typeID(r.cells[timeType])]}
	t.setKey(r)
	span, mark := "", ""
	if o.Period, span, err = t.period(r); err != nil {
		return err
	}
	if o.Period.IsZero() {
		mark = cmp.Or(r.time(), noTime)
	}
	cells := []struct {
		number, sign int
		code         int32
	}{{number, sign, 0}, {low, lowSign, 1}, {high, highSign, 2}}
	if t.estimate == nil {
		cells = cells[:1]
	}
	for _, c := range cells {
		if t.estimate != nil {
			t.Key[t.estimate.At] = c.code
		}
		if o.Value, err = text.Value(r.cells[c.number], r.at, t.Report); err != nil {
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
		if err := t.YieldCell(&o, mark); err != nil {
			return err
		}
	}
	return nil
}

func (t *reader) setKey(r *record) {
	set := func(axis *assemble.Axis, code, label string) {
		if axis == nil {
			return
		}
		if code == "" {
			code, label = "_X", "Not stated"
		}
		t.Key[axis.At] = axis.Add(stat.Code{ID: code, Label: t.texts.Keep(label)})
	}
	set(t.indicator, r.cells[indicator], r.cells[indicatorName])
	set(t.location, r.cells[place], r.cells[placeName])
	breakdowns := r.breakdowns()
	for i, axis := range t.types {
		var b breakdown
		if n := slices.IndexFunc(breakdowns, func(b breakdown) bool { return b.id == t.survey.types[i].id }); n >= 0 {
			b = breakdowns[n]
		}
		set(axis, b.code, b.name)
		if axis.Dim.Total == "" && slices.Contains(totals, b.code) {
			axis.Dim.Total = t.texts.Keep(b.code)
		}
	}
	code, name := r.origin()
	set(t.origin, code, name)
}

// period returns the period of a record; it is zero if the time is not one. The span
// is the text of a span of years that differs from the label of the year.
func (t *reader) period(r *record) (p stat.Period, span string, err error) {
	if !t.survey.hasTimes {
		return t.stated, "", nil
	}
	p, span, err = r.period()
	if err != nil && !assemble.BeginsWithYear(r.time()) {
		return p, "", stat.BadFile(r.at, "%v", err)
	}
	if t.survey.spans[p] == span {
		span = ""
	}
	return p, span, nil
}

func (t *reader) note(r *record, signs, span string, isMissing bool) string {
	var parts []string
	if content := r.cells[shown]; isMissing && !text.IsMissing(content) {
		t.Report.Add(noteTextValue, 1, content)
		parts = append(parts, content)
	}
	if span != "" {
		span = "period " + span
	}
	for _, part := range []string{signs, span, r.cells[comments]} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if code, name := r.origin(); t.origin == nil && code != "" {
		parts = append(parts, "data source: "+cmp.Or(name, code))
	}
	return strings.Join(parts, "; ")
}
