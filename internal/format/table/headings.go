package table

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// headings are those of a table, in order.
type headings []string

// find is the position of the column that a mapping names; -1 where the name is
// empty or there is no such column, which is an error of the file (isMissing)
// unless the name says that the file may lack it. The error says that there are
// several.
func (h headings) find(name string) (at int, isMissing bool, err error) {
	if name == "" {
		return -1, false, nil
	}
	at, err = h.match(name)
	if short, isOptional := strings.CutSuffix(name, "?"); at < 0 && err == nil && isOptional {
		at, err = h.match(short)
		return at, false, err
	}
	return at, at < 0 && err == nil, err
}

// match is the one column with a heading or at "#2"; -1 if there is none.
func (h headings) match(name string) (int, error) {
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= len(h) {
			return n - 1, nil
		}
	}
	name = strings.TrimSpace(name)
	for _, isSame := range []func(string) bool{
		func(s string) bool { return s == name },
		func(s string) bool { return strings.EqualFold(s, name) },
	} {
		first := slices.IndexFunc(h, isSame)
		if first < 0 {
			continue
		}
		if second := slices.IndexFunc(h[first+1:], isSame); second >= 0 {
			return -1, fmt.Errorf("columns %d and %d are both called %q; name the one that is meant by its position, #%d",
				first+1, first+second+2, name, first+1)
		}
		return first, nil
	}
	return -1, nil
}

// name is how a column is called in messages: its heading, or "#2".
func (h headings) name(at int) string {
	if at < len(h) && h[at] != "" {
		return h[at]
	}
	return "#" + strconv.Itoa(at+1)
}

// HasHeadings reports whether one of the rows has all of the names among its
// cells, without regard to case.
func HasHeadings(rows [][]string, names ...string) bool {
	return slices.ContainsFunc(rows, func(row []string) bool {
		return !slices.ContainsFunc(names, func(name string) bool {
			at, _, err := headings(row).find(name)
			return at < 0 && err == nil
		})
	})
}

// missing lists the columns that the mapping names and the headings do not have.
func (m *Mapping) missing(h headings) (names []string, err error) {
	for _, name := range m.names() {
		_, isMissing, err := h.find(name)
		if err != nil {
			return nil, err
		}
		if isMissing {
			names = append(names, name)
		}
	}
	return names, nil
}

// names are all columns that the mapping uses.
func (m *Mapping) names() []string {
	names := []string{m.Period.Column, m.Unit, m.Code, m.Name}
	names = append(names, m.Period.Parts...)
	for _, a := range m.Axes {
		names = append(names, a.Codes, a.Labels)
	}
	for _, v := range m.Values {
		names = append(names, v.Column, v.Lower, v.Upper, v.Flag)
	}
	for _, f := range m.Flags {
		names = append(names, f.Column)
	}
	names = append(names, m.Notes...)
	return slices.DeleteFunc(names, func(n string) bool { return n == "" })
}

// required are the columns that a file may not lack.
func (m *Mapping) required() []string {
	return slices.DeleteFunc(m.names(), func(n string) bool { return strings.HasSuffix(n, "?") })
}

// start is where a table begins.
type start struct {
	headings headings
	at       stat.Position // of the headings
	above    [][]string    // the rows before
}

// maxPreamble is how many rows may stand above the headings.
const maxPreamble = 200

// findHeadings looks for the first row that has all columns of the mapping.
func findHeadings(src source, m *Mapping) (start, error) {
	rows, err := src.head()
	if err != nil {
		return start{}, err
	}
	defer rows.Close()
	var above [][]string
	nearest := nearestRow{}
	for len(above) < maxPreamble {
		row, err := rows.Next()
		if err != nil {
			nearest.failed(err)
			break // the end of the head, or text that is no CSV
		}
		row = slices.Clone(row)
		h, at := headings(row), rows.At(0)
		if m.Headings != nil {
			h = m.Headings(above, h)
		}
		if h != nil && (m.Header == 0 || m.Header == at.Line) {
			missing, err := m.missing(h)
			if err == nil && len(missing) == 0 {
				return start{h, at, above}, nil
			}
			nearest.weigh(h, missing, at, err)
		}
		above = append(above, row)
	}
	return start{}, nearest.problem(m)
}

// nearestRow is the row that comes nearest to the headings that were sought,
// for the error that says what is missing.
type nearestRow struct {
	headings  headings
	missing   []string
	at        stat.Position
	ambiguity error // a column is there twice
	unread    error // why the text could not be read on
	rows      int
}

func (n *nearestRow) weigh(h headings, missing []string, at stat.Position, ambiguity error) {
	n.rows++
	if isBlank(h) || n.ambiguity != nil {
		return
	}
	if n.headings == nil || ambiguity != nil || len(missing) < len(n.missing) {
		n.headings, n.missing, n.at, n.ambiguity = h, missing, at, ambiguity
	}
}

func (n *nearestRow) failed(err error) {
	if n.unread == nil && n.rows == 0 && err != io.EOF {
		n.unread = err
	}
}

// problem says why there are no headings.
func (n *nearestRow) problem(m *Mapping) error {
	hasNone := len(n.missing) == len(m.required())
	switch {
	case n.ambiguity != nil:
		return stat.BadFile(n.at, "%v", n.ambiguity)
	case n.unread != nil && (n.headings == nil || hasNone):
		return n.unread
	case n.headings == nil:
		return stat.BadFile(stat.Position{Line: max(m.Header, 1)}, "there is no line with headings; the columns %s are to be there", quoted(m.required()))
	case n.rows > 1 && hasNone && m.Header == 0:
		return stat.BadFile(stat.Position{Line: 1}, "no line has the headings of the table: the columns %s are to be there", quoted(m.required()))
	}
	return stat.BadFile(n.at, "the table has no column %s; its headings are %s", quoted(n.missing), quoted(n.headings))
}

// quoted lists names, the first twenty of them.
func quoted(names []string) string {
	var parts []string
	for i, n := range names {
		if i == 20 {
			parts = append(parts, fmt.Sprintf("and %d more", len(names)-i))
			break
		}
		if len(n) > 60 {
			n = strings.ToValidUTF8(n[:60], "") + "…"
		}
		parts = append(parts, fmt.Sprintf("%q", n))
	}
	return strings.Join(parts, ", ")
}
