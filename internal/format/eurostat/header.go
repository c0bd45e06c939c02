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

// header is the meaning of the first line, `unit,geo\time ⇥ 2014 ⇥ 2013`.
type header struct {
	parts  []string // dimensions of the row key, in order
	column string   // the dimension of the columns
	timeAt int      // which part is the time; -1 where the columns are
	heads  []string // headings of the columns
}

func parseHeader(line []byte) (*header, error) {
	first := stat.Position{Line: 1, Column: 1}
	line = bytes.TrimPrefix(line, text.ByteOrderMark)
	cells := strings.Split(string(line), "\t")
	key := strings.TrimSpace(cells[0])
	if !keyCell.MatchString(key) {
		return nil, stat.BadFile(first, `%q is not the header of a Eurostat table, which begins like "unit,geo\time"`, text.Clip(string(line)))
	}
	parts, column, _ := strings.Cut(key, `\`)
	h := &header{parts: strings.Split(parts, ","), column: column, timeAt: -1, heads: cells[1:]}
	if err := h.findTime(); err != nil {
		return nil, err
	}
	if len(h.heads) == 0 {
		return nil, stat.BadFile(first, "the header has no columns after %s", key)
	}
	return h, nil
}

// timeInRows reports whether the row keys have the time, and not the columns.
func (h *header) timeInRows() bool { return h.timeAt >= 0 }

// findTime finds the time dimension and refuses names that occur twice.
func (h *header) findTime() error {
	first := stat.Position{Line: 1, Column: 1}
	times := 0
	var seen []string
	for i, name := range append(slices.Clone(h.parts), h.column) {
		lower := strings.ToLower(name)
		if slices.Contains(seen, lower) {
			return stat.BadFile(first, "the header names the dimension %q twice", name)
		}
		seen = append(seen, lower)
		if lower != "time" && lower != "time_period" {
			continue
		}
		if times++; i < len(h.parts) {
			h.timeAt = i
		}
	}
	if times != 1 {
		return stat.BadFile(first, "the header must have one dimension called time or TIME_PERIOD, not %d: %s, %s", times, strings.Join(h.parts, ", "), h.column)
	}
	return nil
}

// setDimensions gives the dataset all dimensions but time, in the source's order.
// The old style has no frequency; it gets one as its first, so that both styles
// give the same dataset. The parts of the row keys and the columns get their axes.
func (r *reader) setDimensions(statedGeo string) error {
	h := r.header
	names := slices.Clone(h.parts)
	if h.timeInRows() {
		names = append(slices.Delete(names, h.timeAt, h.timeAt+1), h.column)
	}
	added := !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, freqName) })
	if added {
		names = slices.Insert(names, 0, freqName)
	}
	dims := make([]stat.Dimension, len(names))
	for i, name := range names {
		dims[i].ID = name
	}
	axes, err := r.SetDimensions(dims, statedGeo)
	if err != nil {
		if bad, ok := errors.AsType[*stat.FileError](err); ok {
			bad.At = stat.Position{Line: 1, Column: 1}
		}
		return err
	}
	axisOf := func(name string) *assemble.Axis { return axes[slices.Index(names, name)] }
	for i, name := range h.parts {
		if i == h.timeAt {
			r.parts = append(r.parts, nil)
		} else {
			r.parts = append(r.parts, axisOf(name))
		}
	}
	switch {
	case h.timeInRows():
		r.columnAxis = axisOf(h.column)
		if added {
			r.rowAxis = axisOf(freqName)
		}
	case added:
		r.columnAxis = axisOf(freqName)
	}
	r.obs.Key = r.Key
	return nil
}

func (r *reader) setColumns() error {
	before := map[string]int{}
	for i, head := range r.header.heads {
		at := stat.Position{Line: 1, Column: i + 2}
		switch head = strings.TrimSpace(head); {
		case head == "":
			return stat.BadFile(at, "the heading of this column is empty; it must name a value of %q", r.header.column)
		case !isText([]byte(head)):
			return badText(at, []byte(head))
		}
		var column place
		meaning := head
		if r.header.timeInRows() {
			column.code = r.columnAxis.Code([]byte(head))
		} else {
			var err error
			if column, err = r.readTime(head, at, r.columnAxis); err != nil {
				return err
			}
			meaning = column.period.SDMX() + column.undated
		}
		if first, ok := before[meaning]; ok {
			return stat.BadFile(at, "column %q is the same as column %d", head, first)
		}
		before[meaning] = at.Column
		r.columns = append(r.columns, column)
	}
	return nil
}

// readTime reads a period. frequency is the axis of the frequency that the period
// tells, nil if it does not.
func (r *reader) readTime(text string, at stat.Position, frequency *assemble.Axis) (place, error) {
	if undatedMark.MatchString(text) {
		r.Undated(text)
		r.Report.Add(stat.NoteUndated, 0, text)
		return place{undated: text}, nil
	}
	period, err := stat.ParsePeriod(text)
	if err != nil {
		return place{}, stat.BadFile(at, "%v", err)
	}
	p := place{period: period}
	if frequency != nil {
		p.code = frequency.Code([]byte(period.Frequency().Code()))
	}
	return p, nil
}

// isText reports whether b is valid UTF-8 without control characters.
func isText(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c == 0x7f {
			return false
		}
	}
	return utf8.Valid(b)
}

func badText(at stat.Position, b []byte) error {
	return stat.BadFile(at, "invalid text: %q is not UTF-8 without control characters", text.Clip(string(b)))
}
