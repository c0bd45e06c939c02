package crosstab

import (
	"slices"

	"almanac/internal/format/table"
	"almanac/internal/format/text"
)

// Some tables write the texts of all columns of the stub but the last in rows of their own:
//
//	,,,2023,2024
//	Denmark
//	,Men
//	,,0-9 years,10,11
//	,,10-19 years,12,13
//	,Women
//	,,0-9 years,14,15
//
// The periods may be such texts too.

// findStairs adds the columns on the left of the stub whose texts stand alone in rows above
// those that they are about. The texts of the last of them change between the rows of data.
func (b *body) findStairs() {
	if len(b.stub) == 0 {
		return
	}
	above := map[int]bool{} // columns with texts above the first row of data
	var stairs []int
	isChanged := false
	from := max(b.periodRow+1, b.top-b.stub[0])
	last := len(b.rows) - 1
	for last > b.top && !b.isData(b.rows[last]) {
		last--
	}
	for i := from; i <= last; i++ {
		column, isAlone := onlyCell(b.rows[i])
		switch {
		case !isAlone || column >= b.stub[0]:
		case i < b.top:
			above[column] = true
			stairs = append(stairs, column)
		default:
			isChanged = isChanged || column == b.stub[0]-1
			if !above[column] {
				return
			}
		}
	}
	if isChanged && slices.IsSorted(stairs) && len(above) == len(stairs) {
		b.stairs = stairs
		b.stub = slices.Concat(stairs, b.stub)
	}
}

// onlyCell returns the column of the only cell of a row that is filled.
func onlyCell(row []string) (column int, isAlone bool) {
	column = slices.IndexFunc(row, func(cell string) bool { return cell != "" })
	return column, column >= 0 && table.IsBlank(row[column+1:])
}

// findStairsOfPeriods finds a body whose periods are texts above the rows.
func (s *sample) findStairsOfPeriods() *body {
	top := slices.IndexFunc(s.rows, func(row []string) bool { return slices.ContainsFunc(row, text.IsNumber) })
	if top < 1 || top > maxBoxhead {
		return nil
	}
	first := slices.IndexFunc(s.rows[top], text.IsNumber)
	b := &body{sample: s, periodRow: noRow, top: top, years: years{year: noYears}}
	for column := first; column < len(s.rows[top]); column++ {
		b.values = append(b.values, value{column: column})
	}
	if first < 2 || !b.findValues(first) || len(b.stairs) == 0 {
		return nil
	}
	for i, column := range b.stairs {
		texts := b.textsAlone(column)
		if allCells(texts, isPeriod) && isUnique(texts[:1]) {
			b.times = []int{column}
			b.stub = slices.Delete(b.stub, i, i+1)
			for j := range b.values {
				b.values[j].time = column
			}
			return b
		}
	}
	return nil
}

// textsAlone returns the texts of a column that stand alone in their rows.
func (b *body) textsAlone(column int) (texts []string) {
	for _, row := range b.rows[max(b.top-len(b.stairs), 0):] {
		if only, isAlone := onlyCell(row); isAlone && only == column {
			texts = append(texts, row[only])
		}
	}
	return texts
}
