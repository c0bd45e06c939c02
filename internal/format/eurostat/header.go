package eurostat

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Names of dimensions that the reader must know, lower case.
const freqName = "freq"

var (
	timeNames = []string{"time", "time_period"}

	// keyCell is the first cell of a table: "unit,geo\time".
	keyCell = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*(,[A-Za-z][A-Za-z0-9_]*)*\\[A-Za-z][A-Za-z0-9_]*$`)
	// undatedMark is a time that is no period: the unknown week of a year, and
	// the long-term annual average.
	undatedMark = regexp.MustCompile(`^([0-9]{4}-?W99|LTAA)$`)
)

// header is the meaning of the first line, `unit,geo\time ⇥ 2014 ⇥ 2013`:
// what the parts of the row keys stand for, and what the columns.
type header struct {
	parts  []string // dimensions of the row key, in order
	column string   // the dimension that runs along the columns
	timeAt int      // which part is the time; -1 where the columns are
	heads  []string // the columns' texts
}

func parseHeader(line []byte) (*header, error) {
	first := stat.Position{Line: 1, Column: 1}
	line = bytes.TrimPrefix(line, text.ByteOrderMark)
	cells := strings.Split(string(line), "\t")
	key := strings.TrimSpace(cells[0])
	if !keyCell.MatchString(key) {
		return nil, stat.BadFile(first, `%s is no header of a Eurostat table, which begins like "unit,geo\time"`, quote(line))
	}
	parts, column, _ := strings.Cut(key, `\`)
	h := &header{parts: strings.Split(parts, ","), column: column, timeAt: -1}
	if err := h.findTime(); err != nil {
		return nil, err
	}
	for i, head := range cells[1:] {
		head = strings.TrimSpace(head)
		at := stat.Position{Line: 1, Column: i + 2}
		switch {
		case head == "":
			return nil, stat.BadFile(at, "the head of this column is empty; it must name a value of %q", column)
		case !isText([]byte(head)):
			return nil, stat.BadFile(at, "the head of this column is no text: %s", quote([]byte(head)))
		}
		h.heads = append(h.heads, head)
	}
	if len(h.heads) == 0 {
		return nil, stat.BadFile(first, "the header has no columns after %s", key)
	}
	return h, nil
}

// timeInRows reports whether the row keys hold the time, and not the columns.
func (h *header) timeInRows() bool { return h.timeAt >= 0 }

// findTime finds the one time dimension and refuses names given twice.
func (h *header) findTime() error {
	first := stat.Position{Line: 1, Column: 1}
	times := 0
	all := append(slices.Clone(h.parts), h.column)
	for i, name := range all {
		lower := strings.ToLower(name)
		if slices.Contains(timeNames, lower) {
			times++
			if i < len(h.parts) {
				h.timeAt = i
			}
		}
		if slices.ContainsFunc(all[:i], func(other string) bool { return strings.EqualFold(other, name) }) {
			return stat.BadFile(first, "the header names the dimension %q twice", name)
		}
	}
	if times != 1 {
		return stat.BadFile(first, "the header has %d time dimensions among %q; one must be called time or TIME_PERIOD",
			times, strings.Join(all, ", "))
	}
	return nil
}

// dimensions are the names of all dimensions but time, in the source's order.
// The old style has no frequency; it gets one as its first, as the new style
// has, so that both give the same dataset. added says so.
func (h *header) dimensions() (names []string, added bool) {
	for i, name := range h.parts {
		if i != h.timeAt {
			names = append(names, name)
		}
	}
	if h.timeInRows() {
		names = append(names, h.column)
	}
	for _, name := range names {
		if strings.EqualFold(name, freqName) {
			return names, false
		}
	}
	return slices.Insert(names, 0, freqName), true
}

// setDimensions gives the dataset its dimensions by the header, and the parts of
// the row keys and the columns their meaning in the observations' keys.
func (r *reader) setDimensions(statedGeo string) error {
	names, added := r.header.dimensions()
	dims := make([]stat.Dimension, len(names))
	for i, name := range names {
		dims[i].ID = name
	}
	axes, err := r.SetDimensions(dims, statedGeo)
	if err != nil {
		var bad *stat.FileError
		if errors.As(err, &bad) {
			bad.At = stat.Position{Line: 1, Column: 1}
		}
		return err
	}
	axisOf := func(name string) *assemble.Axis { return axes[slices.Index(names, name)] }
	for i, name := range r.header.parts {
		if i == r.header.timeAt {
			r.parts = append(r.parts, nil)
		} else {
			r.parts = append(r.parts, axisOf(name))
		}
	}
	switch {
	case r.header.timeInRows():
		r.columnAxis = axisOf(r.header.column)
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
		var column place
		same := head
		if r.header.timeInRows() {
			column.code = r.columnAxis.Code([]byte(head))
		} else {
			var err error
			if column, err = r.readTime(head, at, r.columnAxis); err != nil {
				return err
			}
			same = column.period.SDMX() + column.undated
		}
		if first, ok := before[same]; ok {
			return stat.BadFile(at, "column %q says the same as column %d", head, first)
		}
		before[same] = at.Column
		r.columns = append(r.columns, column)
	}
	return nil
}

// readTime reads a period. frequency is the axis of a frequency that follows
// from it, nil if none does.
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

// quote shows a piece of a file in a message, cut where it is long.
func quote(b []byte) string {
	const most = 60
	if len(b) <= most {
		return strconv.Quote(string(b))
	}
	return strconv.Quote(string(b[:most])) + " …"
}
