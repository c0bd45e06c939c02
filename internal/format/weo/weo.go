// Package weo reads the database of the World Economic Outlook of the
// International Monetary Fund: tab-separated text in files that are called
// .xls, one of countries (WEOOct2009all.xls) and one of groups of countries
// (WEOOct2009alla.xls).
//
//	WEO Country Code  ISO  WEO Subject Code  Country      Subject Descriptor  Subject Notes  Units         Scale     Country/Series-specific Notes  2007      2008  …  Estimates Start After
//	512               AFG  NGDPD             Afghanistan  Gross domestic …    Values are …   U.S. dollars  Billions  See notes for: …               1,097.57  n/a      2008
//
//	International Monetary Fund, World Economic Outlook Database, October 2009
//
// What the Fund means by it:
//
//   - The country code is its own number, in which 156 is Canada. The ISO code
//     beside it says the same again and is not kept.
//   - Values are in the units times the scale, by the database's own definition,
//     so that the unit's label names both: "U.S. dollars (Billions)". The values
//     stay as they are.
//   - "--" is a number too small to be shown, that is, zero; it keeps the mark
//     as a flag. "n/a" and an empty cell are missing.
//   - Values of years after "Estimates Start After" are estimates of the Fund's
//     staff and get the flag E. Where no year stands there, nothing says which
//     are; 0 is such a case, and is noted.
//   - The notes on the subject and on the series are notes on their values.
//
// The dataset is called WEO (WEO-groups) in every edition, so that the next
// edition is the next vintage; the edition stands in its name. Files before
// 2020 are in windows-1252, later ones in UTF-16.
package weo

import (
	"context"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// NoteEstimatesUnknown is the kind of note that counts the series with values
// of which the file does not say where estimates begin.
const NoteEstimatesUnknown = "estimates-unknown"

// NoteNoEdition is the kind of note for a file without the last line that names
// the edition: it may have been cut off.
const NoteNoEdition = "no-edition"

// The headings of countries, of groups, and those that both have.
const (
	headCountry   = "WEO Country Code"
	headGroup     = "WEO Country Group Code"
	headSubject   = "WEO Subject Code"
	headUnits     = "Units"
	headScale     = "Scale"
	headEstimates = "Estimates Start After?"
)

// The parts of an edition's last line.
const title = "World Economic Outlook Database"

// Formats returns the format of the World Economic Outlook.
func Formats() []format.Format {
	return []format.Format{{Name: "imf-weo", Recognise: recognise, Read: read}}
}

func recognise(_ string, head []byte) bool {
	rows := table.FirstRows(head, '\t', 1)
	return table.HasHeadings(rows, headSubject, "Subject Descriptor", headUnits, headScale) &&
		(table.HasHeadings(rows, headCountry) || table.HasHeadings(rows, headGroup))
}

func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	e := &edition{}
	return table.ReadBy(ctx, in, func(head []byte) (table.Mapping, error) {
		if table.HasHeadings(table.FirstRows(head, '\t', 1), headGroup) {
			return e.mapping("WEO-groups", headGroup, "Country Group Name"), nil
		}
		return e.mapping("WEO", headCountry, "Country"), nil
	})
}

// mapping is that of the file of countries or of groups.
func (e *edition) mapping(code, areas, names string) table.Mapping {
	return table.Mapping{
		Dataset:    stat.Dataset{Source: office.Find("imf"), Code: code, Name: title},
		Separator:  '\t',
		BareQuotes: true,
		Numbers:    text.Style{Decimal: '.', Thousand: ','},
		Header:     1,
		Axes: []table.Axis{
			{Codes: areas, Labels: names, Label: strings.TrimSuffix(names, " Name"), Role: stat.RoleGeo},
			{Codes: headSubject, Labels: "Subject Descriptor", Label: "Subject"},
		},
		Period:  table.Period{Wide: true, Read: readYear},
		Notes:   []string{"Subject Notes?", "Country/Series-specific Notes?", "Series-specific Notes?"},
		Ignore:  []string{"ISO", headUnits, headScale, headEstimates},
		Marks:   map[string]table.Mark{"--": {Zero: true, Flags: "IMF:--"}},
		Row:     row,
		Observe: e.observe,
		End:     noteEdition,
	}
}

// edition is what is known of a file while it is read.
type edition struct {
	line      int    // of the row below
	unit      string // of its values
	estimates int    // the last year without estimates; 0: not known
	noted     bool   // that it is not known
}

// noteEdition notes that the line below the last row is missing.
func noteEdition(t *stat.Table) {
	if t.Dataset.Attribution == "" {
		t.Report.Add(NoteNoEdition, 1, "the last line does not name the edition; the file may be cut off")
	}
}

// row ends the table at the line that names the edition: "International Monetary
// Fund, World Economic Outlook Database, October 2009".
func row(r *table.Row) table.Verdict {
	_, month, isEdition := strings.Cut(r.Cells[0], title)
	if !isEdition {
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

// observe completes a value by the columns that hold for its series.
func (e *edition) observe(r *table.Row, o *stat.Observation) error {
	if math.IsNaN(o.Value) {
		o.Note = "" // it is on the values
		return nil
	}
	if e.line != r.At().Line {
		e.series(r)
	}
	code := &r.Table.Dataset.Dimensions[0].Codes[o.Key[0]]
	if code.Unit == "" {
		code.Unit = e.unit
	}
	if e.unit != code.Unit {
		o.Unit = e.unit
	}
	switch {
	case e.estimates == 0 && !e.noted:
		e.noted = true
		r.Note(NoteEstimatesUnknown, assemble.Where(r.Table.Dataset, o))
	case e.estimates != 0 && o.Period.Year() > e.estimates:
		o.Flags = stat.NewFlags(string(o.Flags), "E")
	}
	return nil
}

// series reads what a row says of all its values.
func (e *edition) series(r *table.Row) {
	e.line, e.noted = r.At().Line, false
	e.unit = unit(r.Cell(headUnits), r.Cell(headScale))
	e.estimates = 0
	if p, err := readYear(r.Cell(headEstimates)); err == nil {
		e.estimates = p.Year()
	}
}

// unit names units and scale: "U.S. dollars (Billions)".
func unit(units, scale string) string {
	switch {
	case scale == "" || strings.EqualFold(scale, "units"):
		return strings.Clone(units)
	case units == "":
		return strings.Clone(scale)
	}
	return units + " (" + scale + ")"
}

// readYear reads a year; other headings of the table have no other shape.
func readYear(text string) (stat.Period, error) {
	year, err := strconv.Atoi(text)
	if err != nil || len(text) != 4 {
		return stat.Period{}, fmt.Errorf("%q is no year", text)
	}
	return stat.NewPeriod(stat.Annual, year, 1), nil
}
