// Package esri reads the national accounts of Japan's Cabinet Office (ESRI):
// CSV laid out for printing, in Shift_JIS, with headings that span several lines
// in Japanese and then in English.
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
// Each column is an indicator. Its code is composed of the English headings, which
// name it in steps ("Goods & Services: Exports"): a heading in the upper English line
// covers the columns to its right that have one in the lower line only. A lower
// heading whose right neighbour has an upper heading too qualifies all columns up to
// the next empty one ("GDP, Excluding FISIM"). Where the English is less precise than
// the Japanese ("Excluding Imputed Rent", of what?), the steps of the Japanese lines
// decide. The code keeps the office's spelling; the label restores the spaces that
// were lost with line breaks in cells.
//
// The headings end where the first row with a year begins. There may be one English line
// or two, and any number of Japanese ones, or none.
//
// Quarters are spans of months, and only the first quarter has the year. A fiscal year
// (1994/4-3.) is stored under the year in which it ends. Three asterisks are a missing
// value. The file has no geography. The digits at the end of a file's name are those of the release and
// not part of the dataset's code: gaku-mg1532 is gaku-mg.
package esri

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// titleLine is the number of the line with the title and the unit, from 0.
const titleLine = 1

// Formats returns the format of the office.
func Formats() []format.Format {
	f := table.Reader{Name: "japan-esri", Source: "japan-esri", Encoding: "shift_jis", Trim: release, HeadLines: maxHeadings, Mapping: mapping}.Format()
	f.Recognise = recognise
	return []format.Format{f}
}

// firstRow matches the beginning of a row with a year, and unit the end of the
// title line.
var (
	firstRow = regexp.MustCompile(`(?m)^"?[0-9]{4}/ *[0-9]{1,2}- *[0-9]{1,2}\."?,`)
	unit     = regexp.MustCompile(`(?m)^[^\n]*,"?\((?:[^()\n]|\([^()\n]*\))+\)"?\r?$`)
)

func recognise(_ string, head []byte) bool {
	return firstRow.Match(head) && unit.Match(head)
}

func mapping(_ format.Input, rows [][]string) (table.Mapping, error) {
	lines, err := findLines(rows)
	if err != nil {
		return table.Mapping{}, err
	}
	year := "" // of the quarters without one
	return table.Mapping{
		Numbers:  text.Style{Decimal: '.', Thousand: ','},
		Headings: lines.headings,
		Preamble: preamble,
		Row: func(r *table.Row) table.Action {
			if before, _, found := strings.Cut(r.Cells[0], "/"); found {
				year = strings.Clone(before)
			} else if r.Cells[0] != "" {
				r.Cells[0] = year + "/" + r.Cells[0]
			}
			r.Cells[0] = fiscalYear(r.Cells[0])
			return table.Use
		},
		Marks:  map[string]table.Mark{"***": {Flags: office.OwnFlag("japan-esri", "***")}},
		Period: table.Period{Columns: []string{"#1"}, Read: readQuarter},
		Other: func(heading string) (table.Value, bool) {
			return table.Value{Label: withSpaces(heading)}, true
		},
	}, nil
}

// release matches a file's name that ends with the number of a release.
var release = regexp.MustCompile(`(?i)^([a-z]+-[a-z]+)[0-9]{4}(\.csv)?$`)

func preamble(lines [][]string, t *stat.Table) error {
	title := lines[titleLine] // the unit is its last cell, in brackets
	t.Dataset.Name = strings.Join(strings.Fields(title[0]), " ")
	for _, cell := range title[1:] {
		if inner, ok := strings.CutPrefix(cell, "("); ok && strings.HasSuffix(inner, ")") {
			t.Dataset.Unit = strings.TrimSuffix(inner, ")")
		}
	}
	if t.Dataset.Name == "" || t.Dataset.Unit == "" {
		return stat.BadFile(stat.Position{Line: titleLine + 1}, "the line must contain the title and, at its end in brackets, the unit")
	}
	return nil
}

// quarters are the spans of months that are periods.
var quarters = map[string]int{"1-3": 1, "4-6": 2, "7-9": 3, "10-12": 4}

// fiscalYear writes a fiscal year, from April of a year to March of the next, as the span
// of years that it is: it is stored under the year in which it ends, with this label.
func fiscalYear(cell string) string {
	year, months, _ := strings.Cut(strings.TrimSuffix(strings.ReplaceAll(cell, " ", ""), "."), "/")
	first, err := strconv.Atoi(year)
	if months != "4-3" || err != nil || len(year) != 4 {
		return cell
	}
	return year + "-" + strconv.Itoa(first+1)
}

func readQuarter(text string) (stat.Period, error) {
	year, span, _ := strings.Cut(strings.TrimSuffix(strings.ReplaceAll(text, " ", ""), "."), "/")
	first, err := stat.ParsePeriod(year)
	if err != nil || first.Frequency() != stat.Annual {
		return stat.Period{}, fmt.Errorf("invalid quarter %q: must be like 1994/ 1- 3. for the first of 1994", text)
	}
	if span == "1-12" {
		return first, nil
	}
	if n := quarters[span]; n > 0 {
		return stat.NewPeriod(stat.Quarter, first.Year(), n), nil
	}
	return stat.Period{}, fmt.Errorf("%q is neither a calendar quarter nor a calendar or fiscal year", text)
}
