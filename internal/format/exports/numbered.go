package exports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// isNumbered recognises the economic time series of the US Census Bureau: lists of codes, and
// data with the numbers of their rows.
//
//	CATEGORIES
//	cat_idx,cat_code,cat_desc,cat_indent
//	1,44X72,"Retail Trade and Food Services, Total",0
//	TIME PERIODS
//	per_idx,per_name
//	1,Jan-2022
//	DATA
//	per_idx,cat_idx,dt_idx,et_idx,geo_idx,is_adj,val
//	1,1,1,0,1,0,603249
func isNumbered(rows [][]string) bool {
	return table.HasHeadings(rows, "per_idx", "per_name") && table.HasHeadings(rows, "per_idx", "geo_idx", "val")
}

// numberedLists are the lists of such a file: the cells of their rows by number, and the lines
// that stand below other titles.
type numberedLists struct {
	rows    map[string]map[string][]string // by the heading of the numbers
	numbers map[string][]string            // in the order of the list
	lines   map[string][]string            // by the title
	data    []string                       // the headings of the data
}

func readNumbered(rows [][]string) numberedLists {
	l := numberedLists{rows: map[string]map[string][]string{}, numbers: map[string][]string{}, lines: map[string][]string{}}
	title, list := "", ""
	for _, row := range rows {
		switch {
		case slices.Contains(row, "val") && strings.HasSuffix(row[0], "_idx"):
			l.data = row
			return l
		case strings.HasSuffix(row[0], "_idx"):
			list = row[0]
			l.rows[list] = map[string][]string{}
		case len(row) == 1 && row[0] == strings.ToUpper(row[0]):
			title, list = row[0], ""
		case list != "" && len(row) > 1:
			l.rows[list][row[0]] = row[1:]
			l.numbers[list] = append(l.numbers[list], row[0])
		default:
			l.lines[title] = append(l.lines[title], row...)
		}
	}
	return l
}

// codes returns the codes of a list, in its order. Areas have their names: NO is the Northeast.
func (l *numberedLists) codes(list string) (codes []stat.Code) {
	for _, number := range l.numbers[list] {
		if c := l.code(list, number); !slices.ContainsFunc(codes, func(other stat.Code) bool { return other.ID == c.ID }) {
			codes = append(codes, c)
		}
	}
	return codes
}

func (l *numberedLists) code(list, number string) stat.Code {
	row := append(slices.Clone(l.rows[list][number]), "", "", "")
	c := stat.Code{ID: cmp.Or(row[0], number), Label: row[1]}
	if list == "geo_idx" && c.ID != "US" {
		c.ID = cmp.Or(c.Label, c.ID)
	}
	if list == "dt_idx" || list == "et_idx" {
		c.Unit = row[2]
	}
	return c
}

// axis returns the dimension of a column of numbers. Types of errors are among those of data.
func (l *numberedLists) axis(list, label string) table.Axis {
	axis := table.Axis{Codes: list, ID: strings.TrimSuffix(list, "_idx"), Label: label, Role: stat.RoleOther, List: l.codes(list)}
	if list == "geo_idx" {
		axis.Role = stat.RoleGeo
	}
	if list == "dt_idx" {
		axis.List = append(axis.List, l.codes("et_idx")...)
	}
	axis.Split = func(number string) (code, label string) {
		from := list
		if after, isError := strings.CutPrefix(number, "et "); isError {
			from, number = "et_idx", after
		}
		c := l.code(from, number)
		return c.ID, c.Label
	}
	return axis
}

func mapNumbered(_ format.Input, rows [][]string) (table.Mapping, error) {
	l := readNumbered(rows)
	m := table.Mapping{
		Numbers: table.DecimalPoint,
		Axes:    []table.Axis{l.axis("cat_idx", "Category"), l.axis("dt_idx", "Data type"), l.axis("geo_idx", "Geographic level"), {Codes: "is_adj?", ID: "is_adj", Label: "Seasonal adjustment", Role: stat.RoleOther, Split: splitAdjusted}},
		Period: table.Period{Columns: []string{"per_idx"}, Read: func(number string) (stat.Period, error) {
			return table.ReadPeriod(strings.Join(l.rows["per_idx"][number], " "))
		}},
		Values:  []table.Value{{Column: "val"}},
		Ignore:  []string{"et_idx"},
		Marks:   map[string]table.Mark{},
		Row:     l.mergeErrorType,
		Observe: l.check,
	}
	for _, mark := range []string{"(D)", "(NA)", "(S)", "(X)", "(Z)"} {
		m.Marks[mark] = table.Mark{Flags: office.OwnFlag("census", mark)}
	}
	for _, note := range l.lines["NOTES"] {
		if name, isName := strings.CutPrefix(note, "Time Series/Trend Charts: "); isName {
			m.Dataset.Name = name
		}
	}
	m.Dataset.Description = strings.Join(l.lines["NOTES"], "\n")
	if words := strings.Fields(strings.Join(l.lines["DATA UPDATED ON"], " ")); len(words) > 1 { // Thursday, 24-Aug-22 09:06:41 EDT
		m.Dataset.Updated, _ = time.Parse("02-Jan-06", words[1])
	}
	return m, nil
}

// mergeErrorType writes the type of an error in the place of the type of data that a row lacks.
func (l *numberedLists) mergeErrorType(r *table.Row) table.Action {
	at := slices.Index(l.data, "dt_idx")
	if at >= 0 && at < len(r.Cells) && r.Cells[at] == "0" {
		r.Cells[at] = "et " + r.Cell("et_idx")
	}
	return table.Use
}

// check refuses a row with a number that is in no list, and one with the types of both data and
// an error.
func (l *numberedLists) check(r *table.Row, _ *stat.Observation) error {
	for _, list := range []string{"per_idx", "cat_idx", "geo_idx", "dt_idx"} {
		number := r.Cell(list)
		if after, isError := strings.CutPrefix(number, "et "); isError {
			list, number = "et_idx", after
		} else if list == "dt_idx" && r.Cell("et_idx") != "0" && r.Cell("et_idx") != "" {
			return fmt.Errorf("the row has both a type of data and a type of error")
		}
		if l.rows[list][number] == nil {
			return fmt.Errorf("the number %q is not in the list %s", number, list)
		}
	}
	return nil
}

func splitAdjusted(cell string) (code, label string) {
	switch cell {
	case "0":
		return cell, "Not seasonally adjusted"
	case "1":
		return cell, "Seasonally adjusted"
	}
	return cell, ""
}
