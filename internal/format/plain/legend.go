package plain

import (
	"slices"
	"strings"
	"unicode"

	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

// legend holds what sheets without a table say about names: definitions of variables.
type legend map[string]string

const maxLegend = 5000 // rows of a sheet

// readLegend reads the first two texts of each row of sheets.
func readLegend(all []unreadSheet) legend {
	l := legend{}
	for _, from := range all {
		if from.isTable {
			continue
		}
		rows, err := from.Rows()
		if err != nil {
			continue // the sheet is noted as not read
		}
		for range maxLegend {
			cells, err := rows.Next()
			if err != nil {
				break
			}
			texts := slices.DeleteFunc(slices.Clone(cells), func(s string) bool { return s == "" })
			if len(texts) < 2 {
				continue
			}
			if name := assemble.Fold(texts[0]); l[name] == "" && strings.ContainsFunc(texts[1], unicode.IsLetter) {
				l[name] = texts[1]
			}
		}
		_ = rows.Close() // it was only read
	}
	return l
}

// label labels the codes of a dimension of which the legend has most, and the only measure.
func (l legend) label(d *stat.Dataset) {
	if name := l[assemble.Fold(d.Name)]; d.Name != "" && name != "" { // of the only measure
		d.Name = name
	}
	for i := range d.Dimensions {
		codes := d.Dimensions[i].Codes
		known := 0
		for _, c := range codes {
			if l[assemble.Fold(c.ID)] != "" && (c.Label == "" || c.Label == c.ID) {
				known++
			}
		}
		if known == 0 || known*2 < len(codes) {
			continue
		}
		for n, c := range codes {
			if label := l[assemble.Fold(c.ID)]; label != "" && (c.Label == "" || c.Label == c.ID) {
				codes[n].Label = label
			}
		}
	}
}
