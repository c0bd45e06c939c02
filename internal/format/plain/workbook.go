package plain

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

// sheets are the tables of a workbook. docs/decisions/2026-11-23-sheets.md says which
// are read:
//
//   - the stated sheet;
//   - else the visible sheets in which each row is about an area and a period, if there
//     are any: other sheets, unless they have more numbers, show the same data as people
//     read them;
//   - else all visible sheets with a table, unless one that cannot be read has more
//     numbers: then the workbook is refused, because its main table would be missing.
//
// Sheets of one structure with the same title are one dataset if they are called Data1 and
// Data2, 2019 and 2020 without periods in them, or France and Italy without areas. Others are one dataset each. What is not
// read is noted.
type sheets struct {
	ctx    context.Context
	in     format.Input
	stated statement
	tables []*sheet
	unread []unreadSheet

	refused []refusedSheet // those with numbers that cannot be read
	mainErr error          // why the one with most numbers is not read
	most    int            // how many it has
}

func (a *sheets) close() {
	for _, s := range a.tables {
		s.stop()
	}
}

// open opens the tables of the sheets that are to be read.
func (a *sheets) open(book *workbook.Book) error {
	for _, from := range book.Sheets {
		if a.stated.sheet == "" && from.Hidden || a.stated.sheet != "" && !strings.EqualFold(from.Name, a.stated.sheet) {
			a.unread = append(a.unread, unreadSheet{from, "it is hidden", false})
			continue
		}
		s, err := a.openSheet(from)
		first, _ := sampleSheet(from) // what cannot be read has no numbers
		n := countNumbers(first.rows)
		var at *stat.FileError
		switch {
		case err == nil:
			s.numbers, s.rows = n, rowsOf(first.rows)
			a.tables = append(a.tables, s)
		case !errors.As(err, &at):
			return err
		default:
			a.unread = append(a.unread, unreadSheet{from, strings.TrimPrefix(at.Message, "sheet "+from.Name+": "), false})
			if n > a.most || a.mainErr == nil {
				a.mainErr, a.most = err, n
			}
			if n > 0 {
				a.refused = append(a.refused, refusedSheet{err, at, rowsOf(first.rows)})
			}
		}
	}
	a.preferLong()
	a.nameAreas()
	a.shareNation()
	return a.check(book)
}

// check returns an error if the workbook has no table, or if its main one cannot be read.
func (a *sheets) check(book *workbook.Book) error {
	if len(a.tables) == 0 {
		return a.errNoTable(book)
	}
	first, errSister := a.tables[0], a.errSister()
	switch {
	case errSister != nil:
		return errSister
	case len(a.tables) == 1 && first.period != "":
		suggested := []stat.Suggestion{{Option: "period", Value: first.period}}
		if len(book.Sheets) > 1 && a.stated.sheet == "" {
			suggested = append(suggested, first.suggestion())
		}
		return stat.Suggest(stat.BadFile(stat.Position{}, "the table of the sheet %s has no periods: state whether it is about %s", first.from.Name, first.period), suggested...)
	case a.mainErr == nil || first.isLong || slices.ContainsFunc(a.tables, func(s *sheet) bool { return s.numbers >= a.most }):
		return nil
	case stat.ReadingsOf(a.mainErr) == nil:
		return stat.Suggest(a.mainErr, first.suggestion())
	}
	return a.mainErr
}

func (a *sheets) errNoTable(book *workbook.Book) error {
	var names []string
	for _, from := range book.Sheets {
		names = append(names, from.Name)
		if a.stated.sheet != "" || !from.Hidden {
			continue
		}
		if hidden, err := openSheet(a.ctx, a.in, from, a.stated); err == nil {
			hidden.stop()
			return stat.Suggest(stat.BadFile(stat.Position{}, "the visible sheets have no table, but the hidden sheet %s has one: state that it is to be read", from.Name), hidden.suggestion())
		}
	}
	if a.mainErr == nil {
		return mappingError("the workbook has no sheet %q; its sheets are %s", a.stated.sheet, strings.Join(names, ", "))
	}
	return a.mainErr
}

// openSheet opens a sheet. If its table has no periods and its name is one, this is the
// period of the table, and no other one can be stated.
func (a *sheets) openSheet(from workbook.Sheet) (*sheet, error) {
	in := a.in
	p, err := text.ReadPeriod(strings.TrimSpace(from.Name))
	isCode := err == nil && (p.Year() < 1800 || p.Year() > 2100 || p.Frequency() == stat.Annual && p.String() != from.Name) // or a span
	if err != nil || isCode || p.String() == in.Period {
		return openSheet(a.ctx, in, from, a.stated)
	}
	in.Period = ""
	s, err := openSheet(a.ctx, in, from, a.stated)
	isOther := slices.ContainsFunc(stat.SuggestionsOf(err), func(o stat.Suggestion) bool {
		return o.Option == "period" && o.Value != p.String() && o.Value != stat.AnyPeriod
	})
	if err == nil || a.in.Period != "" || isOther {
		return s, err
	}
	in.Period = p.String()
	dated, datedErr := openSheet(a.ctx, in, from, a.stated)
	if datedErr != nil {
		return nil, err
	}
	dated.period = in.Period
	dated.table.Report.Add(notePeriod, 1, in.Period)
	dated.dropName()
	return dated, nil
}

// dropName drops the name of the sheet from its titles, so that all sheets have the same.
func (s *sheet) dropName() {
	for _, title := range []*string{&s.above, &s.table.Dataset.Name, &s.table.Dataset.Description} {
		*title = strings.TrimSpace(strings.ReplaceAll(*title, s.from.Name, ""))
	}
}

// notePeriod notes a period that is the name of a sheet.
const notePeriod = "period-of-sheet"

// preferLong drops the tables of other sheets with fewer numbers than those in which each
// row is about an area and a period.
func (a *sheets) preferLong() {
	most := 0
	for _, s := range a.tables {
		if s.isLong {
			most += s.numbers
		}
	}
	if most == 0 {
		return
	}
	a.tables = slices.DeleteFunc(a.tables, func(s *sheet) bool {
		if s.isLong || s.numbers > most {
			return false
		}
		s.stop()
		a.unread = append(a.unread, unreadSheet{s.from, "other sheets have a row for each area and period", true})
		return true
	})
}

// suggestion states the sheet.
func (s *sheet) suggestion() stat.Suggestion {
	return stat.Suggestion{Option: "mapping", Value: item{key: "sheet", columns: []string{s.from.Name}}.String()}
}

// countNumbers counts the numbers in rows.
func countNumbers(rows [][]string) (n int) {
	for _, row := range rows {
		for _, cell := range row {
			if text.IsNumber(cell) {
				n++
			}
		}
	}
	return n
}

// yield yields the datasets of the opened tables.
func (a *sheets) yield(yield func(*stat.Table, error) bool) {
	legend := readLegend(a.unread)
	groups := group(a.tables)
	if len(groups) > 1 && a.in.Code != "" {
		yield(nil, stat.Suggest(stat.BadFile(stat.Position{}, "the workbook has %d datasets, in the sheets %s, but one code is stated: state the sheet, too",
			len(groups), strings.Join(sheetNames(a.tables), ", ")), a.tables[0].suggestion()))
		return
	}
	for i, g := range groups {
		if len(groups) > 1 {
			g.nameDataset(groups)
		}
		for n, s := range g { // the importer joins those of one dataset
			s.table.Dataset.Code, s.table.Dataset.Name = g[0].table.Dataset.Code, g[0].table.Dataset.Name
			if i+n == 0 {
				a.noteUnread(s.table.Report)
			}
			s.addEnd(func() error {
				if !s.isExtract {
					legend.label(s.table.Dataset)
				}
				return cmp.Or(s.checkAreas(&a.in), s.checkCodes(g[0]))
			})
			if !yield(s.table, nil) {
				return
			}
			if _, err, ok := s.next(); ok && err != nil && !yield(nil, inSheet(s.from.Name, err)) {
				return
			}
		}
	}
}

func sheetNames(all []*sheet) (names []string) {
	for _, s := range all {
		names = append(names, s.from.Name)
	}
	return names
}

// sheetGroup is the sheets of one dataset.
type sheetGroup []*sheet

// group finds the sheets that continue others.
func group(all []*sheet) (groups []sheetGroup) {
	for _, s := range all {
		at := slices.IndexFunc(groups, func(g sheetGroup) bool { return continues(g[0], s) })
		if at < 0 {
			groups = append(groups, sheetGroup{s})
		} else {
			groups[at] = append(groups[at], s)
		}
	}
	return groups
}

// numbered matches the names of sheets that hold parts of one table: Data1, Data 2,
// Data (3). Those of Table 1 and Table 2 are different tables.
var numbered = regexp.MustCompile(`(?i)^(data|daten|données|datos|dados|dati|gegevens|adatok|page|seite|part|teil|cont)[ _.-]*\(?([0-9]{1,3})\)?$`)

// continues reports whether a sheet continues the dataset of another.
func continues(first, s *sheet) bool {
	stem, other := numbered.FindStringSubmatch(first.from.Name), numbered.FindStringSubmatch(s.from.Name)
	isPart := first.isPart && s.isPart || stem != nil && other != nil && strings.EqualFold(stem[1], other[1])
	isYear := first.period != "" && s.period != ""
	return (isPart || isYear || first.isArea && s.isArea) && isSameTable(first, s)
}

// isSameTable reports whether two sheets have the same titles, dimensions and unit.
func isSameTable(first, s *sheet) bool {
	a, b := first.table.Dataset, s.table.Dataset
	if first.above != s.above || a.Name != b.Name || a.Description != b.Description || a.Unit != b.Unit {
		return false
	}
	return slices.EqualFunc(a.Axes(), b.Axes(), func(x, y *stat.Dimension) bool { return x.ID == y.ID && x.Role == y.Role })
}

// nameDataset makes the code and the name of a dataset differ from those of the other
// sheets.
func (g sheetGroup) nameDataset(groups []sheetGroup) {
	d := g[0].table.Dataset
	name := g[0].from.Name
	if g[0].isArea {
		name = "by area"
	}
	if stem := numbered.FindStringSubmatch(name); len(g) > 1 && stem != nil {
		name = stem[1]
	}
	isShared := slices.ContainsFunc(groups, func(o sheetGroup) bool { return o[0] != g[0] && o[0].table.Dataset.Name == d.Name })
	switch {
	case d.Name == "":
		d.Name = name
	case isShared:
		d.Name += ": " + name
	}
	d.Code += "-" + codeOf(name)
}

// codeOf makes a part of a code of the name of a sheet.
func codeOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "-")
}

// addEnd calls a function after the observations of a sheet, and adds the sheet's name to
// their errors.
func (s *sheet) addEnd(end func() error) {
	own := s.table.Observations
	s.table.Observations = func(yield func(stat.Observation, error) bool) {
		for o, err := range own {
			if err != nil {
				err = inSheet(s.from.Name, err)
			}
			if !yield(o, err) || err != nil {
				return
			}
		}
		if err := end(); err != nil {
			yield(stat.Observation{}, err)
		}
	}
}

// checkCodes returns an error if a code has another label or unit than in the first sheet.
func (s *sheet) checkCodes(first *sheet) error {
	axes := s.table.Dataset.Axes()
	for i, axis := range first.table.Dataset.Axes() {
		joined := stat.Dimension{ID: axis.ID, Codes: slices.Clone(axis.Codes)}
		if _, err := joined.Join(axes[i]); err != nil {
			err = stat.Suggest(stat.BadFile(stat.Position{}, "the sheet continues others, but %v: state the sheet", err), s.suggestion())
			return inSheet(s.from.Name, err)
		}
	}
	return nil
}
