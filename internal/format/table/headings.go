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
// empty or there is no such column. isMissing says that the file may not lack
// it; the error, that there are several.
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

// maxPreamble is how many rows may stand above the headings.
const maxPreamble = 200

// findHeadings looks for the first row that has all columns of the mapping.
func findHeadings(src source, m *Mapping) (*planner, error) {
	rows, err := src.head()
	if err != nil {
		return nil, err
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
			p := newPlanner(m, plan{headings: h, at: at, above: above})
			if p.err == nil && len(p.missing) == 0 {
				return p, nil
			}
			nearest.weigh(p)
		}
		above = append(above, row)
	}
	return nil, nearest.problem(m)
}

// nearestRow is the row that comes nearest to the headings that were sought,
// for the error that says what is missing.
type nearestRow struct {
	*planner
	unread error // why the text could not be read on
	rows   int
}

func (n *nearestRow) weigh(p *planner) {
	n.rows++
	if isBlank(p.plan.headings) || n.planner != nil && n.err != nil {
		return
	}
	if n.planner == nil || p.err != nil || len(p.missing) < len(n.missing) {
		n.planner = p
	}
}

func (n *nearestRow) failed(err error) {
	if n.rows == 0 && err != io.EOF {
		n.unread = err
	}
}

// problem says why there are no headings.
func (n *nearestRow) problem(m *Mapping) error {
	required := newPlanner(m, plan{}).required
	switch {
	case n.planner == nil && n.unread != nil:
		return n.unread
	case n.planner == nil:
		return stat.BadFile(stat.Position{Line: max(m.Header, 1)}, "there is no line with headings; the columns %s are to be there", quoted(required))
	case n.err != nil:
		return stat.BadFile(n.plan.at, "%v", n.err)
	case n.rows > 1 && len(n.missing) == len(required) && m.Header == 0:
		return stat.BadFile(stat.Position{Line: 1}, "no line has the headings of the table: the columns %s are to be there", quoted(required))
	}
	return stat.BadFile(n.plan.at, "the table has no column %s; its headings are %s", quoted(n.missing), quoted(n.plan.headings))
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
