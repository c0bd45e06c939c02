package eurostat

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

const freqName = "freq"

var (
	// keyCell is the first cell of a table: "unit,geo\time".
	keyCell = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*(,[A-Za-z][A-Za-z0-9_]*)*\\[A-Za-z][A-Za-z0-9_]*$`)
	// undatedMark is a time that is not a period: the unknown week of a year, and
	// the long-term annual average.
	undatedMark = regexp.MustCompile(`^([0-9]{4}-?W99|LTAA)$`)
)

// header is the first line of a table, `unit,geo\time ⇥ 2014 ⇥ 2013`.
type header struct {
	names    []string // of the dimensions: the parts of the row key, then that of the columns
	timeAt   int      // which of them is the time
	headings []string // headings of the columns
}

func parseHeader(line []byte) (*header, error) {
	first := stat.Position{Line: 1, Column: 1}
	line = bytes.TrimPrefix(line, text.ByteOrderMark)
	cells := strings.Split(string(line), "\t")
	key := strings.TrimSpace(cells[0])
	if !keyCell.MatchString(key) {
		return nil, stat.BadFile(first, `%q is not the header of a Eurostat table, which begins like "unit,geo\time"`, text.Clip(string(line)))
	}
	h := &header{names: strings.FieldsFunc(key, func(c rune) bool { return c == ',' || c == '\\' }), headings: cells[1:]}
	times := 0
	for i, name := range h.names {
		if slices.ContainsFunc(h.names[:i], func(before string) bool { return strings.EqualFold(before, name) }) {
			return nil, stat.BadFile(first, "the header names the dimension %q twice", name)
		}
		if strings.EqualFold(name, "time") || strings.EqualFold(name, "time_period") {
			times, h.timeAt = times+1, i
		}
	}
	if times != 1 {
		return nil, stat.BadFile(first, "the header must have one dimension called time or TIME_PERIOD, not %d: %s", times, strings.Join(h.names, ", "))
	}
	if len(h.headings) == 0 {
		return nil, stat.BadFile(first, "the header has no columns after %s", key)
	}
	return h, nil
}

// hasTimeInRows reports whether the row keys have the time, and not the columns.
func (h *header) hasTimeInRows() bool { return h.timeAt < len(h.names)-1 }

// setDimensions gives the dataset all dimensions but time, in the source's order.
// The old style has no frequency; it gets one as its first, which the time sets, so
// that both styles give the same dataset.
func (r *reader) setDimensions(statedGeo string) error {
	var dims []stat.Dimension
	hasFrequency := false
	for i, name := range r.header.names {
		if i != r.header.timeAt {
			dims = append(dims, stat.Dimension{ID: name})
			hasFrequency = hasFrequency || strings.EqualFold(name, freqName)
		}
	}
	if !hasFrequency {
		dims = slices.Insert(dims, 0, stat.Dimension{ID: freqName})
	}
	axes, err := r.SetDimensions(dims, statedGeo)
	if err != nil {
		if bad, ok := errors.AsType[*stat.FileError](err); ok {
			bad.At = stat.Position{Line: 1, Column: 1}
		}
		return err
	}
	var ofTime *assemble.Axis
	if !hasFrequency {
		ofTime, axes = axes[0], axes[1:]
	}
	r.axes = slices.Insert(axes, r.header.timeAt, ofTime)
	r.obs.Key = r.Key
	return nil
}

func (r *reader) setColumns() error {
	before := map[meaning]int{}
	last := len(r.axes) - 1
	for i, heading := range r.header.headings {
		at := stat.Position{Line: 1, Column: i + 2}
		if heading = strings.TrimSpace(heading); heading == "" {
			return stat.BadFile(at, "the heading of this column is empty; it must name a value of %q", r.header.names[last])
		}
		if err := checkText(at, []byte(heading)); err != nil {
			return err
		}
		var column meaning
		if r.header.hasTimeInRows() {
			column.code = r.axes[last].Code([]byte(heading))
		} else {
			var err error
			if column, err = r.readTime(heading, at); err != nil {
				return err
			}
		}
		if first, ok := before[column]; ok {
			return stat.BadFile(at, "column %q is the same as column %d", heading, first)
		}
		before[column] = at.Column
		r.columns = append(r.columns, column)
	}
	return nil
}

func (r *reader) readTime(text string, at stat.Position) (meaning, error) {
	if undatedMark.MatchString(text) {
		r.Undated(text)
		r.Report.Add(stat.NoteUndated, 0, text)
		return meaning{undated: text}, nil
	}
	period, err := stat.ParsePeriod(text)
	if err != nil {
		return meaning{}, stat.BadFile(at, "%v", err)
	}
	m := meaning{period: period}
	if frequency := r.axes[r.header.timeAt]; frequency != nil {
		m.code = frequency.Code([]byte(period.Frequency().Code()))
	}
	return m, nil
}

// checkText refuses text that is not UTF-8 without control characters.
func checkText(at stat.Position, b []byte) error {
	valid := utf8.Valid(b)
	for _, c := range b {
		valid = valid && c >= ' ' && c != 0x7f
	}
	if !valid {
		return stat.BadFile(at, "invalid text: %q is not UTF-8 without control characters", text.Clip(string(b)))
	}
	return nil
}
