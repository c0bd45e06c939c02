package crosstab

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
)

// A row above or below the periods may say how final the numbers of each are:
//
//	Country,2022,2023,2024
//	,actual,provisional,forecast
//	Germany,1.5,1.6,1.7

// areStatuses reports whether a heading row has the status of the periods: words or letters for it, not the same for
// all, and the columns differ without them.
func (b *boxhead) areStatuses(h *head) bool {
	return b.periodRow != noRow && h.row != b.periodRow && !isAreaWord(h.name) && allCells(h.cells, isStatus) && !isConstant(h.cells) && b.areDistinctWithout(h)
}

// isStatus reports whether a heading is the status of numbers.
func isStatus(cell string) bool {
	cell = strings.ToLower(strings.Trim(cell, "()[] "))
	_, isWord := office.Status(office.Local.ID, "", cell)
	return isWord || office.IsStatus(cell) || office.NoteFlags(cell) != "" || usualFlag.MatchString(cell)
}

// checkStatuses doubts a row below the periods that has no status for some behind others: a word may be about its
// period only, or about those on its right too.
func (b *boxhead) checkStatuses(h *head) {
	isFilled := false
	for j, v := range b.values {
		isEmpty := b.headingOver(h.row, v.column) == ""
		if isEmpty && isFilled && h.row > b.periodRow && b.headingOver(h.row, b.values[0].column) == "" {
			b.doubt("row " + strconv.Itoa(h.row+1) + " (" + joinCells(b.rows[h.row]) + ") may be about the periods right above only, or about those on the right too")
			return
		}
		isFilled = isFilled || !isEmpty && j > 0
	}
}

// addStatusOf adds the status of a column of values that its headings state.
func (r *reader) addStatusOf(j int, to *remark) {
	for _, h := range r.ofRole(roleStatus) {
		switch cell := strings.Trim(h.cells[j], "()[] "); {
		case len(cell) > maxLetters:
			to.flags = joinLetters(to.flags, strings.ToLower(cell))
		default:
			r.addBeside(cell, to)
		}
	}
}

// joinLetters joins flags between commas.
func joinLetters(a, b string) string { return strings.Trim(a+","+b, ",") }

// statusesBeside returns the columns beside values whose headings say that they hold statuses: Status, Stato 2023.
func (b *body) statusesBeside() map[int]bool {
	all := map[int]bool{}
	for _, v := range b.values {
		for _, column := range v.beside {
			all[column] = slices.ContainsFunc(b.rows[:b.top], func(row []string) bool {
				heading := assemble.Fold(strings.Trim(at(row, column), "0123456789 _-()"))
				return assemble.Means("status", heading) || assemble.Means("flag", heading)
			})
		}
	}
	return all
}
