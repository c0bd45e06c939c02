// Package esri reads the national accounts of Japan's Cabinet Office (ESRI): a
// CSV made to be printed, in Shift_JIS, with headings over several lines in
// Japanese and then in English.
//
//	名目原系列,,,,(単位:10億円)
//	Nominal Gross Domestic Product (original series),,,,(Billion Yen)
//	,国内総生産,民間最終消費支出,,財貨・サービス,
//	,,,家計最終消費支出,純輸出,輸出
//	,,,,,
//	,GDP,PrivateConsumption,Consumption ofHouseholds,Goods & Services,
//	,,,,Net Exports,Exports
//	1994/ 1- 3.,"119,879.2 ","66,316.0 ","65,711.1 ","2,801.6 ","11,122.8 "
//	4- 6.,"120,882.8 ","66,235.3 ","64,950.3 ","2,337.1 ","10,834.4 "
//
// Each column is an indicator. Its code is made of the English headings, which
// say it in steps ("Goods & Services: Exports"): a heading of the upper English
// line stands for the columns right of it that have one in the lower line only.
// A lower heading whose right neighbour has an upper heading of its own
// qualifies all up to the next empty column ("GDP, Excluding FISIM"). Where the
// English says less than the Japanese ("Excluding Imputed Rent", of what?), the
// steps of the Japanese lines are followed. The code is the office's wording;
// the label has the spaces again that were lost where cells had line breaks.
//
// Quarters are spans of months, and the year stands at its first quarter only.
// The file has no geography. The digits at the end of a file's name are those of
// the release and do not belong to the dataset's code: gaku-mg1532 is gaku-mg.
package esri

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"regexp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Where the lines above the table stand, from 0.
const (
	titleLine    = 1
	japaneseFrom = 2
	upperLine    = 5
	lowerLine    = 6 // the last
)

// Formats returns the one format of the office that is known.
func Formats() []format.Format {
	return []format.Format{{Name: "japan-esri", Recognise: recognise, Read: read}}
}

// firstRow is the beginning of a row with a year, and unit what ends the
// title line.
var (
	firstRow = regexp.MustCompile(`(?m)^"?[0-9]{4}/ *[0-9]{1,2}- *[0-9]{1,2}\."?,`)
	unit     = regexp.MustCompile(`(?m)^[^\n]*,"?\((Billion Yen|Chained[^)\n]*|%[^)\n]*|[^)\n]*Yen[^)\n]*)\)"?\r?$`)
)

func recognise(_ string, head []byte) bool {
	return firstRow.Match(head) && unit.Match(head)
}

// read reads a file by its mapping; the year that is carried down belongs to
// one reading.
func read(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	in.Name = release.ReplaceAllString(in.Name, "$1")
	in.Encoding = cmp.Or(in.Encoding, "shift_jis")
	year := ""
	return table.Read(ctx, in, table.Mapping{
		Dataset:   stat.Dataset{Source: office.Find("japan-esri")},
		Separator: ',',
		Numbers:   text.Style{Decimal: '.', Thousand: ','},
		Headings:  headings,
		Preamble:  preamble,
		Row:       func(r *table.Row) table.Verdict { year = carryYear(r, year); return table.Use },
		Period:    table.Period{Column: "#1", Read: readQuarter},
		Other: func(heading string) (table.Value, bool) {
			return table.Value{Label: withSpaces(heading)}, true
		},
	})
}

// release is the number of a release at the end of a file's name.
var release = regexp.MustCompile(`(?i)^([a-z]+-[a-z]+)[0-9]{4}(\.csv)?$`)

// preamble takes title and unit from the second line.
func preamble(lines [][]string, t *stat.Table) error {
	title := lines[titleLine]
	t.Dataset.Name = strings.Join(strings.Fields(title[0]), " ")
	for _, cell := range title[1:] {
		if inner, ok := strings.CutPrefix(cell, "("); ok && strings.HasSuffix(inner, ")") {
			t.Dataset.Unit = strings.TrimSuffix(inner, ")")
		}
	}
	if t.Dataset.Name == "" || t.Dataset.Unit == "" {
		return stat.BadFile(stat.Position{Line: titleLine + 1}, "the line is to hold the title and, in brackets at its end, the unit")
	}
	return nil
}

// carryYear puts the year before a quarter that stands without it.
func carryYear(r *table.Row, year string) string {
	if before, _, found := strings.Cut(r.Cells[0], "/"); found {
		return strings.Clone(before)
	}
	if r.Cells[0] != "" {
		r.Cells[0] = year + "/" + r.Cells[0]
	}
	return year
}

// months are the spans of months that are periods.
var months = map[string]int{"1-3": 1, "4-6": 2, "7-9": 3, "10-12": 4}

// readQuarter reads "1994/ 1- 3.".
func readQuarter(text string) (stat.Period, error) {
	year, span, _ := strings.Cut(strings.TrimSuffix(strings.ReplaceAll(text, " ", ""), "."), "/")
	first, err := stat.ParsePeriod(year)
	if err != nil || first.Frequency() != stat.Annual {
		return stat.Period{}, fmt.Errorf("%q is no quarter of a year, which is written like 1994/ 1- 3. for the first one of 1994", text)
	}
	if span == "1-12" {
		return first, nil
	}
	if n := months[span]; n > 0 {
		return stat.NewPeriod(stat.Quarter, first.Year(), n), nil
	}
	return stat.Period{}, fmt.Errorf("%q is no calendar quarter or year; years from April to March cannot be stored as years", text)
}
