package table

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

type headings []string

// find returns the position of the column with a name of a mapping, or -1. Several
// such columns are an error.
func (h headings) find(name string) (int, error) {
	at, err := h.match(name)
	if short, isOptional := strings.CutSuffix(name, "?"); at < 0 && err == nil && isOptional {
		at, err = h.match(short)
	}
	return at, err
}

// match returns the only column with a heading, or the one at "#2", or -1.
func (h headings) match(name string) (int, error) {
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= len(h) {
			return n - 1, nil
		}
	}
	if name = strings.TrimSpace(name); name == "" {
		return -1, nil
	}
	for _, isSame := range []func(string) bool{
		func(s string) bool { return s == name },
		func(s string) bool { return strings.EqualFold(s, name) },
	} {
		first := slices.IndexFunc(h, isSame)
		if first < 0 {
			continue
		}
		if second := slices.IndexFunc(h[first+1:], isSame); second >= 0 {
			return -1, fmt.Errorf("columns %d and %d have the same heading %q; name one of them by its position, such as #%d",
				first+1, first+second+2, name, first+1)
		}
		return first, nil
	}
	return -1, nil
}

// checkHeadings refuses a row of a wide table that has years in place of values, all as long after
// those of the headings: it is the heading row of another table.
func (r *reader) checkHeadings(row []string) error {
	shift := 0
	for i := range r.plan.cells {
		c := &r.plan.cells[i]
		if !r.plan.Period.Wide || len(r.plan.cells) < 2 || c.period.Frequency() != stat.Annual || !text.IsYear(row[c.column]) {
			return nil
		}
		year, _ := strconv.Atoi(row[c.column])
		if i > 0 && year-c.period.Year() != shift {
			return nil
		}
		shift = year - c.period.Year()
	}
	if !r.plan.Period.Wide {
		return nil
	}
	return stat.BadFile(r.rows.At(0), "another table seems to begin here, with the headings %s: a file can have only one; put the tables into files of their own",
		text.Clip(strings.Join(row, ", ")))
}

// name returns the heading of a column for messages, or "#2" if it is empty.
func (h headings) name(at int) string {
	if at < len(h) && h[at] != "" {
		return h[at]
	}
	return "#" + strconv.Itoa(at+1)
}

// HasHeadings reports whether one of the rows has all names among its cells,
// ignoring case.
func HasHeadings(rows [][]string, names ...string) bool {
	return slices.ContainsFunc(rows, func(row []string) bool {
		return !slices.ContainsFunc(names, func(name string) bool {
			at, err := headings(row).find(name)
			return at < 0 && err == nil
		})
	})
}

const maxPreamble = 1000 // rows above the headings

// findHeadings reads up to the first row that has all columns of the mapping.
func findHeadings(rows Rows, m *Mapping) (*plan, error) {
	var above [][]string
	var nearest *plan // of the row that lacks fewest columns, for the error
	for size := 0; len(above) < maxPreamble && size < maxHead; {
		row, err := rows.Next()
		if err != nil {
			if nearest == nil && err != io.EOF {
				return nil, err
			}
			break // the end, or text that is not CSV
		}
		row = slices.Clone(row)
		h, at := headings(assemble.OneLines(row)), rows.At(0)
		if m.Headings != nil {
			h = m.Headings(above, h)
		}
		if h != nil && (m.Header == 0 || m.Header == at.Line) {
			p := newPlan(m, h, at, above)
			if p.err == nil && len(p.missing) == 0 {
				return p, nil
			}
			if !IsBlank(h) && (nearest == nil || nearest.err == nil && (p.err != nil || len(p.missing) < len(nearest.missing))) {
				nearest = p
			}
		}
		above = append(above, row)
		size += len(strings.Join(row, ","))
	}
	return nil, headingsError(m, nearest, len(above))
}

func headingsError(m *Mapping, nearest *plan, rows int) error {
	required := newPlan(m, nil, stat.Position{}, nil).required
	switch {
	case nearest == nil:
		return stat.BadFile(stat.Position{Line: max(m.Header, 1)}, "the file has no line of headings; it must have the columns %s", quoted(required))
	case nearest.err != nil:
		return stat.BadFile(nearest.at, "%v", nearest.err)
	case rows > 1 && len(nearest.missing) == len(required) && m.Header == 0:
		return stat.BadFile(stat.Position{Line: 1}, "no line has the headings of the table, which are %s", quoted(required))
	}
	return stat.BadFile(nearest.at, "the table has no column %s; its headings are %s", quoted(nearest.missing), quoted(nearest.headings))
}

// quoted lists up to twenty names.
func quoted(names []string) string {
	var parts []string
	for i, n := range names {
		if i == 20 {
			parts = append(parts, fmt.Sprintf("and %d more", len(names)-i))
			break
		}
		parts = append(parts, strconv.Quote(text.Clip(n)))
	}
	return strings.Join(parts, ", ")
}
