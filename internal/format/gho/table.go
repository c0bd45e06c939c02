package gho

import (
	"cmp"
	"math"
	"slices"

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
	file
	read    records
	survey  survey
	dataset *stat.Dataset
	period  stat.Period // of a file without times
	texts   text.Interner
	key     []int32

	// The axes; nil where the dataset has no such one.
	location, indicator, origin, estimate *assemble.Axis
	types                                 []*assemble.Axis // as in survey.types
}

// open looks through the records and prepares the reading of them.
func (t *table) open() (*stat.Table, error) {
	t.survey.spans = map[stat.Period]string{}
	partial, err := t.read(&t.file, func(r *record) (bool, error) { return true, t.survey.add(r) })
	if err != nil {
		return nil, err
	}
	s := &t.survey
	if s.records == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the file has no records")
	}
	again := file{t.ctx, t.in, &stat.Report{}}
	if s.origins {
		if s.origins, err = differ(&again, t.read); err != nil {
			return nil, err
		}
	}
	if err := t.settlePeriod(); err != nil {
		return nil, err
	}
	d := &stat.Dataset{Source: sourceOf(t.in), Code: t.in.Code, Updated: s.updated}
	t.dataset = d
	if !s.several {
		d.Code, d.Name = cmp.Or(d.Code, s.code), s.name
	}
	if d.Code == "" {
		d.Code = assemble.CodeFromName(t.in.Name, t.report)
	}
	for p, span := range s.spans {
		if span != "" {
			if d.PeriodLabels == nil {
				d.PeriodLabels = map[stat.Period]string{}
			}
			d.PeriodLabels[p] = span
		}
	}
	if err := t.arrange(); err != nil {
		return nil, err
	}
	return &stat.Table{Dataset: d, Observations: t.observations, Report: t.report, Partial: partial}, nil
}

// settlePeriod weighs the times of the file against what the caller states.
func (t *table) settlePeriod() error {
	switch {
	case t.survey.times:
		if t.in.Period != "" {
			t.report.Add(stat.NotePeriodNotUsed, 1, t.in.Period)
		}
	case t.in.Period == "":
		return stat.BadFile(stat.Position{}, "no record has a time: state the period of the whole file with --period")
	default:
		p, err := stat.ParsePeriod(t.in.Period)
		if err != nil {
			return stat.BadFile(stat.Position{}, "the period of the whole file: %v", err)
		}
		t.period = p
	}
	return nil
}

// arrange gives the dataset its dimensions.
func (t *table) arrange() error {
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
	geo, err := assemble.Geography(dims, t.in.Geo)
	if err != nil {
		return err
	}
	for i, axis := range assemble.Arrange(t.dataset, dims, geo) {
		*into[i] = axis
	}
	t.key = assemble.Key(t.dataset)
	return nil
}

// observations yields the observations of the file.
func (t *table) observations(yield func(stat.Observation, error) bool) {
	again := file{t.ctx, t.in, &stat.Report{}} // the first look reported on the text
	_, err := t.read(&again, func(r *record) (bool, error) { return t.emit(r, yield) })
	if err != nil {
		yield(stat.Observation{}, err)
	}
}

// emit yields the observations of a record: its value, and its bounds where
// the file has any.
func (t *table) emit(r *record, yield func(stat.Observation, error) bool) (more bool, err error) {
	o := stat.Observation{Key: t.key, At: r.at, Unit: t.texts.Keep(r.cells[unit]), Frequency: stated[typeID(r.cells[timeType])]}
	t.place(r)
	span := ""
	if o.Period, span, err = t.periodOf(r); err != nil {
		return false, err
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
			t.key[t.estimate.At] = c.code
		}
		has := false
		if o.Value, has, err = t.number(r, c.number); err != nil {
			return false, err
		}
		note := signNote(r.cells[c.sign])
		if c.number == number {
			note = t.note(r, note, span, has)
		}
		o.Note = t.texts.Keep(note)
		if t.count(r, &o, has) && !yield(o, nil) {
			return false, nil
		}
	}
	return true, nil
}

// count counts a cell; keep says that it is to be yielded.
func (t *table) count(r *record, o *stat.Observation, has bool) (keep bool) {
	t.report.Read++
	switch {
	case !has:
		t.report.Missing++
		return o.Note != "" && !o.Period.IsZero()
	case o.Period.IsZero():
		mark := cmp.Or(r.cells[timeCode], r.cells[timeText], noTime)
		t.report.Add(stat.NoteUndated, 1, mark)
		if !slices.Contains(t.dataset.Undated, mark) && len(t.dataset.Undated) < 1000 {
			t.dataset.Undated = append(t.dataset.Undated, t.texts.Keep(mark))
		}
		return false
	}
	return true
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
		t.key[axis.At] = axis.Add(stat.Code{ID: code, Label: t.texts.Keep(label)})
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

// number reads one of the numbers of a record.
func (t *table) number(r *record, f field) (value float64, has bool, err error) {
	content := r.cells[f]
	if text.IsMissing(content) {
		return math.NaN(), false, nil
	}
	value, size, exact := text.Number([]byte(content))
	if size != len(content) {
		return 0, false, stat.BadFile(r.at, "%.40q is no number that can be stored; numbers have a decimal point and nothing between thousands", content)
	}
	if !exact {
		t.report.Add(stat.NoteRounded, 1, content)
	}
	return value, true, nil
}

// note is what a record says beside its number.
func (t *table) note(r *record, signs, span string, has bool) string {
	var parts []string
	add := func(text string) {
		if text != "" {
			parts = append(parts, text)
		}
	}
	if content := r.cells[shown]; !has && content != "" && !text.IsMissing(content) {
		t.report.Add(noteTextValue, 1, content)
		add(content)
	}
	add(signs)
	if span != "" {
		add("period " + span)
	}
	add(r.cells[comments])
	if code, name := r.origin(); t.origin == nil && code != "" {
		add("data source: " + cmp.Or(name, code))
	}
	return join(parts)
}

// join joins the parts of a note.
func join(parts []string) string {
	text := ""
	for i, p := range parts {
		if i > 0 {
			text += "; "
		}
		text += p
	}
	return text
}

// signNote tells of a sign before a number.
func signNote(sign string) string {
	if sign == "" {
		return ""
	}
	return "shown with " + sign
}
