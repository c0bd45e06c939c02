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

// find is the position of the column that a mapping names, -1 where the file
// may lack it or the name is empty. missing says that the file has no such
// column; the error, that it has several.
func (h headings) find(name string) (at int, missing bool, err error) {
	if name == "" {
		return -1, false, nil
	}
	if at, err = h.match(name); at >= 0 || err != nil {
		return at, false, err
	}
	if short, optional := strings.CutSuffix(name, "?"); optional {
		at, err = h.match(short)
		return at, false, err
	}
	return -1, true, nil
}

// match is the one column with a heading or at "#2"; -1 if there is none.
func (h headings) match(name string) (int, error) {
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= len(h) {
			return n - 1, nil
		}
	}
	name = strings.TrimSpace(name)
	for _, same := range []func(string) bool{
		func(s string) bool { return s == name },
		func(s string) bool { return strings.EqualFold(s, name) },
	} {
		var found []int
		for i, heading := range h {
			if same(heading) {
				found = append(found, i)
			}
		}
		if len(found) > 1 {
			return -1, fmt.Errorf("columns %d and %d are both called %q; name the one that is meant by its position, #%d",
				found[0]+1, found[1]+1, name, found[0]+1)
		}
		if len(found) == 1 {
			return found[0], nil
		}
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

// lacks lists the columns that the mapping names and the headings do not have.
func (m *Mapping) lacks(h headings) (missing []string, err error) {
	for _, name := range m.names() {
		_, lacking, err := h.find(name)
		if err != nil {
			return nil, err
		}
		if lacking {
			missing = append(missing, name)
		}
	}
	return missing, nil
}

// names are all columns that the mapping uses.
func (m *Mapping) names() []string {
	names := []string{m.Period.Column, m.Unit, m.Code, m.Name}
	names = append(names, m.Period.Parts...)
	for _, a := range m.Axes {
		names = append(names, a.Codes, a.Labels, a.Units)
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

// found is where the headings of a table stand, and by which mapping they are read.
type found struct {
	mapping   *Mapping
	separator rune
	headings  headings
	row       int           // number of the row, from 0
	at        stat.Position // of the row
	above     [][]string    // the rows before
}

// maxPreamble is how many rows may stand above the headings.
const maxPreamble = 200

// findHeadings looks for the first row that has all columns of a mapping, with
// each separator and mapping.
func findHeadings(src source, mappings []Mapping) (found, error) {
	nearest := nearest{}
	for _, separator := range src.separators {
		rows, err := src.head(separator)
		if err != nil {
			return found{}, err
		}
		var above [][]string
		for len(above) < maxPreamble {
			row, err := rows.Next()
			if err != nil {
				nearest.failed(err)
				break // the end of the head, or text that this separator does not suit
			}
			h, at := headings(clones(row)), rows.At(0)
			for i := range mappings {
				m := &mappings[i]
				if m.Separator != 0 && m.Separator != separator || m.Header != 0 && m.Header != at.Line {
					continue
				}
				h := h
				if m.Headings != nil {
					if h = m.Headings(above, h); h == nil {
						continue
					}
				}
				if missing, err := m.lacks(h); err == nil && len(missing) == 0 {
					return found{m, separator, h, len(above), at, above}, rows.Close()
				} else if i == 0 {
					nearest.take(h, missing, at, err)
				}
			}
			above = append(above, h)
		}
		if err := rows.Close(); err != nil {
			return found{}, err
		}
	}
	return found{}, nearest.err(&mappings[0])
}

// nearest is the row that comes nearest to the headings that were sought, for
// the error that says what is missing.
type nearest struct {
	headings headings
	missing  []string
	at       stat.Position
	problem  error
	read     error // why the first text could not be read on
	rows     int
}

func (n *nearest) take(h headings, missing []string, at stat.Position, problem error) {
	n.rows++
	if isBlank(h) || n.problem != nil {
		return
	}
	if n.headings == nil || problem != nil || len(missing) < len(n.missing) {
		n.headings, n.missing, n.at, n.problem = h, missing, at, problem
	}
}

func (n *nearest) failed(err error) {
	if n.read == nil && n.rows == 0 && err != io.EOF {
		n.read = err
	}
}

func (n *nearest) err(m *Mapping) error {
	switch {
	case n.problem != nil:
		return stat.BadFile(n.at, "%v", n.problem)
	case n.read != nil && (n.headings == nil || len(n.missing) == len(m.required())):
		return n.read
	case n.headings == nil:
		return stat.BadFile(stat.Position{Line: max(m.Header, 1)}, "there is no line with headings; the columns %s are to be there", quoted(m.required()))
	case n.rows > 1 && len(n.missing) == len(m.required()) && m.Header == 0:
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

// fail keeps the first error of planning.
func (p *planner) fail(text string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(text, args...)
	}
}

// clones copies a row, so that what is kept of it does not hold the file.
func clones(row []string) []string {
	copied := make([]string, len(row))
	for i, cell := range row {
		copied[i] = strings.Clone(cell)
	}
	return copied
}
