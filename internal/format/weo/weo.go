// Package weo reads the database of the World Economic Outlook of the
// International Monetary Fund: tab-separated text in files named .xls, one of
// countries (WEOOct2009all.xls) and one of groups of countries
// (WEOOct2009alla.xls).
//
//	WEO Country Code  ISO  WEO Subject Code  Country      Subject Descriptor  Subject Notes  Units         Scale     Country/Series-specific Notes  2007      2008  …  Estimates Start After
//	512               AFG  NGDPD             Afghanistan  Gross domestic …    Values are …   U.S. dollars  Billions  See notes for: …               1,097.57  n/a      2008
//
//	International Monetary Fund, World Economic Outlook Database, October 2009
//
// By the Fund's definitions:
//
//   - The country code is the Fund's own number: 156 is Canada. The ISO code
//     beside it means the same and is not kept.
//   - Values are in the units times the scale, so the unit's label names both:
//     "U.S. dollars (Billions)". The values are not changed.
//   - "--" is a number too small to be shown: zero, with the mark as a flag.
//     "n/a" and an empty cell are missing.
//   - Values of years after "Estimates Start After" are estimates of the Fund's
//     staff and get the flag E. Without a year, or with 0, no value gets it, which
//     is noted.
//   - Some editions leave out the empty cells at the end of a row. They are missing, if
//     the line with the edition shows that the file is complete.
//   - Lines below the table that have text in their first cell only are not read.
//   - The notes on the subject and on the series are notes on their values.
//
// The dataset is WEO (or WEO-groups) in every edition, so the next edition is its next
// version; its name contains the edition. Files from before 2020 are in windows-1252,
// later ones in UTF-16.
package weo

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// NoteEstimatesUnknown counts series with values whose first estimate is not known.
const NoteEstimatesUnknown = "estimates-unknown"

// NoteNoEdition says that the last line, which names the edition, is missing: the
// file may have been cut off.
const NoteNoEdition = "no-edition"

// The headings of countries, of groups, and of both.
const (
	headCountry   = "WEO Country Code"
	headGroup     = "WEO Country Group Code"
	headSubject   = "WEO Subject Code"
	headUnits     = "Units"
	headScale     = "Scale"
	headEstimates = "Estimates Start After"
)

// title begins the name of the edition in the last line.
const title = "World Economic Outlook Database"

// Formats returns the format of the World Economic Outlook.
func Formats() []format.Format {
	return []format.Format{table.Reader{
		Name: "imf-weo", Source: "imf", Separator: '\t', Mapping: mapping,
		Recognise: func(rows [][]string) bool {
			return table.HasHeadings(rows, headSubject, "Subject Descriptor", headUnits, headScale) &&
				(table.HasHeadings(rows, headCountry) || table.HasHeadings(rows, headGroup))
		},
	}.Format()}
}

func mapping(in format.Input, rows [][]string) (table.Mapping, error) {
	code, areas, names := "WEO", headCountry, "Country"
	if table.HasHeadings(rows, headGroup) {
		code, areas, names = "WEO-groups", headGroup, "Country Group Name"
	}
	isComplete, err := hasEdition(in)
	s := &series{}
	return table.Mapping{
		Dataset:    stat.Dataset{Code: code, Name: title},
		BareQuotes: true,
		Numbers:    text.Style{Decimal: '.', Thousand: ','},
		Axes: []table.Axis{
			{Codes: areas, Labels: names, Label: strings.TrimSuffix(names, " Name"), Role: stat.RoleGeo},
			{Codes: headSubject, Labels: "Subject Descriptor", Label: "Subject"},
		},
		Period: table.Period{Wide: true, Read: readYear},
		Notes:  []string{"Subject Notes?", "Country/Series-specific Notes?", "Series-specific Notes?"},
		Ignore: []string{"ISO", headUnits, headScale, headEstimates},
		Marks:  map[string]table.Mark{"--": {Zero: true, Flags: "IMF:--"}},
		Row: func(r *table.Row) table.Action {
			for isComplete && len(r.Cells) < len(rows[0]) {
				r.Cells = append(r.Cells, "")
			}
			return readEdition(r)
		},
		Observe: s.observe,
		End: func(t *stat.Table) {
			if t.Dataset.Attribution == "" {
				t.Report.Add(NoteNoEdition, 1, "the last line does not name the edition; the file may be cut off")
			}
		},
	}, err
}

// hasEdition reports whether some line names the edition, as the last one of a complete
// file does.
func hasEdition(in format.Input) (bool, error) {
	file, err := text.Open(in.Again, in.Encoding, &stat.Report{})
	if err != nil {
		return false, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		if strings.Contains(lines.Text(), title) {
			return true, nil
		}
	}
	return false, nil // the table says what is wrong with the file
}

// readEdition ends the table at the line that names the edition: "International
// Monetary Fund, World Economic Outlook Database, October 2009".
func readEdition(r *table.Row) table.Action {
	_, month, isEdition := strings.Cut(r.Cells[0], title)
	if !isEdition {
		if isText(r.Cells) {
			return table.Skip
		}
		return table.Use
	}
	r.Table.Dataset.Attribution = strings.Clone(r.Cells[0])
	month = strings.Trim(month, ", ")
	if made, err := time.Parse("January 2006", month); err == nil {
		r.Table.Dataset.Name = title + ", " + month
		r.Table.Prepared = made
	}
	return table.Stop
}

// isText reports whether a row has only a text, which is not the code of a country.
func isText(cells []string) bool {
	return cells[0] != "" && strings.Trim(cells[0], "0123456789") != "" && strings.Join(cells[1:], "") == ""
}

// series is what the values of a row have in common.
type series struct {
	line      int // of the row
	unit      string
	estimates int  // the last year without estimates; 0: not known
	isNoted   bool // that it is not known
}

func (s *series) observe(r *table.Row, o *stat.Observation) error {
	if math.IsNaN(o.Value) {
		o.Note = "" // notes are on values
		return nil
	}
	if line := r.At().Line; s.line != line {
		*s = series{line: line, unit: unit(r.Cell(headUnits), r.Cell(headScale))}
		if p, err := readYear(r.Cell(headEstimates)); err == nil {
			s.estimates = p.Year()
		}
	}
	code := &r.Table.Dataset.Dimensions[0].Codes[o.Key[0]]
	if code.Unit == "" {
		code.Unit = s.unit
	}
	if s.unit != code.Unit {
		o.Unit = s.unit
	}
	switch {
	case s.estimates == 0 && !s.isNoted:
		s.isNoted = true
		r.Note(NoteEstimatesUnknown, assemble.Where(r.Table.Dataset, o))
	case s.estimates != 0 && o.Period.Year() > s.estimates:
		o.Flags = stat.NewFlags(string(o.Flags), "E")
	}
	return nil
}

// unit returns "U.S. dollars (Billions)".
func unit(units, scale string) string {
	switch {
	case scale == "" || strings.EqualFold(scale, "units"):
		return strings.Clone(units)
	case units == "":
		return strings.Clone(scale)
	}
	return units + " (" + scale + ")"
}

// readYear parses a year of four digits, which no other heading is.
func readYear(text string) (stat.Period, error) {
	year, err := strconv.Atoi(text)
	if err != nil || len(text) != 4 {
		return stat.Period{}, fmt.Errorf("%q is not a year", text)
	}
	return stat.NewPeriod(stat.Annual, year, 1), nil
}
