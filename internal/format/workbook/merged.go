package workbook

import (
	"cmp"
	"slices"
	"sync"

	"almanac/internal/format/text"
)

// FillDown returns a sheet in which a name or a year that is merged over several rows
// stands in each of them that has a number: these rows belong to it. Merged headings stay
// as they are.
func (s Sheet) FillDown() Sheet {
	open := s.Rows
	merged := sync.OnceValues(func() ([]Span, error) {
		rows, err := open()
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		spans, err := rows.Merged()
		spans = slices.Clone(spans) // those of the rows are for all
		slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.Top, b.Top) })
		return slices.DeleteFunc(spans, func(m Span) bool { return m.Left != m.Right || m.Top == m.Bottom || m.Left > MaxColumns }), err
	})
	s.Rows = func() (Rows, error) {
		rows, err := open()
		if err != nil {
			return nil, err
		}
		spans, err := merged()
		return &filledRows{Rows: rows, spans: spans}, err
	}
	return s
}

type filledRows struct {
	Rows
	spans []Span // by their first row, those that have not begun
	begun []begunSpan
	cells []string
}

type begunSpan struct {
	Span
	text string
}

func (r *filledRows) Next() ([]string, error) {
	row, err := r.Rows.Next()
	if err != nil {
		return nil, err
	}
	r.cells = append(r.cells[:0], row...)
	number := r.At(0).Line
	first := 0 // number in the row
	for first < len(row) && !r.IsNumber(first) {
		first++
	}
	r.begun = slices.DeleteFunc(r.begun, func(m begunSpan) bool { return m.Bottom < number })
	for _, m := range r.begun {
		if at := m.Left - 1; at < len(row) && row[at] == "" && first < len(row) {
			r.cells[at] = m.text
		}
	}
	for len(r.spans) > 0 && r.spans[0].Top <= number {
		m, at := r.spans[0], r.spans[0].Left-1
		isValue := r.IsNumber(at) && (at > first || at < len(row) && !text.IsYear(row[at]))
		if m.Top == number && at < len(row) && !isValue {
			r.begun = append(r.begun, begunSpan{m, row[at]})
		}
		r.spans = r.spans[1:]
	}
	return r.cells, nil
}
