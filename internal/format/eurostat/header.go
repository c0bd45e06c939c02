package eurostat

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Names of dimensions that the reader must know, lower case.
const freqName = "freq"

var (
	timeNames = []string{"time", "time_period"}
	// geoNames are Eurostat's names for the reporting geography; the first
	// that a file has is its geography. Partner and citizenship are not among
	// them: they are ordinary dimensions.
	geoNames = []string{"geo", "cities", "metroreg", "rep_mar", "reporter", "ref_area", "country"}

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

// parseHeader reads the first line of a file.
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

// geography chooses among the dimensions' names the one that is the
// geography: stated, if the caller states one. It is -1 if there is none.
func geography(names []string, stated string) (int, error) {
	candidates := geoNames
	if stated != "" {
		candidates = []string{strings.ToLower(stated)}
	}
	for _, want := range candidates {
		at := slices.IndexFunc(names, func(name string) bool { return strings.ToLower(name) == want })
		if at >= 0 {
			return at, nil
		}
	}
	if stated != "" {
		return -1, stat.BadFile(stat.Position{Line: 1, Column: 1}, "there is no dimension %q to be the geography; the file has %s",
			stated, strings.Join(names, ", "))
	}
	return -1, nil
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
