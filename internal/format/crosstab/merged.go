package crosstab

import (
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

// mergedOf returns the cells that are merged across columns in each row of a sheet, by the
// number of the row in the sample.
func mergedOf(rows table.Rows, lines []int) (map[int][]workbook.Span, error) {
	sheet, ok := rows.(workbook.Rows)
	if !ok {
		return nil, nil
	}
	spans, err := sheet.Merged()
	if err != nil {
		return nil, err
	}
	merged := map[int][]workbook.Span{}
	for _, m := range spans {
		for i, line := range lines {
			if m.Left < m.Right && m.Top <= line && line <= m.Bottom {
				merged[i] = append(merged[i], m)
			}
		}
	}
	return merged, nil
}

// spanOver returns the merged cells that a cell of a row belongs to, from 1; a zero Span if
// it is not merged.
func (s *sample) spanOver(row, column int) workbook.Span {
	for _, m := range s.merged[row] {
		if m.Left <= column+1 && column < m.Right {
			return m
		}
	}
	return workbook.Span{}
}

// findDayOfHeading puts the day that a heading of two rows begins with in the place of its
// second cell, on the left of the years that stand below a heading of their own:
//
//	Area,"April 1, 2020 Estimates Base",Population Estimate,
//	Area,"April 1, 2020 Estimates Base",2020,2021
func findDayOfHeading(row, above []string) {
	for i := 1; i+1 < len(row); i++ {
		words := strings.Fields(row[i])
		if len(words) < 4 || row[i] != at(above, i) || !isYear(row[i+1]) || !isTextual(at(above, i+1)) {
			continue
		}
		day := strings.Join(words[:3], " ")
		if p, ok := readPeriod(day); ok && p.Frequency() == stat.Day {
			row[i] = day
		}
	}
}

// headingOver returns the heading of a column in a row: its cell, or the merged cells that
// it belongs to.
func (s *sample) headingOver(row, column int) string {
	if m := s.spanOver(row, column); m.Left > 0 {
		column = m.Left - 1
	}
	return clean(at(s.rows[row], column))
}
