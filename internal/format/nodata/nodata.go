// Package nodata recognises files without statistics by their beginnings, so that the
// refusal names the kind of file:
//
//	{"type":"FeatureCollection","features":[…        a map
//	<!DOCTYPE html><html>…                            a web page
//	%PDF-                                             a PDF document
//	<mes:Error><mes:ErrorMessage code="100">…         an answer that explains why there are no data
//	Global Code,Global Name,…,ISO-alpha3 Code         a list of countries
//	Area Code,M49 Code,Area                           a list in a zip archive of FAOSTAT
//
// The refusal of an error quotes the office.
package nodata

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats returns the kinds of files without statistics. They must be tried after the
// formats of statistics.
func Formats() []format.Format {
	return []format.Format{
		{Name: "error-xml", Recognise: isXMLError, Read: refuse(xmlWords)},
		{Name: "error-json", Recognise: isJSONError, Read: refuse(jsonWords)},
		{Name: "map", Recognise: isMap, Holds: "a map"},
		{Name: "web-page", Recognise: beginsWith("html", "head", "body"), Holds: "a web page (an error page saved under the name of a data file is the usual reason)"},
		{Name: "worldbank-xml", Recognise: isWorldBankXML, Holds: "a list of the World Bank in XML"},
		{Name: "excel-xml", Recognise: beginsWith("Workbook"), Holds: "an XML spreadsheet of Excel 2003 (open it in a spreadsheet program and save it as .xlsx)"},
		{Name: "countries", Recognise: isCountries, Holds: "a list of countries"},
		{Name: "faostat-list", Recognise: isFAOSTATList, Holds: "a list of FAOSTAT's codes, which the file of the data repeats"},
		{Name: "json-empty", Recognise: isEmptyJSON, Holds: "JSON with nothing in it"},
		{Name: "pdf", Recognise: begins("%PDF-"), Holds: "a PDF document"},
		{Name: "sqlite", Recognise: begins("SQLite format 3\x00"), Holds: "an SQLite database"},
		{Name: "statistics-program", Recognise: begins("$FL2@(#)", "$FL3@(#)", "<stata_dta>", "RDX2\n", "RDX3\n", "ARROW1"),
			Holds: "of a program for statistics (SPSS, Stata, R, Arrow; save it as .csv, .xlsx or .parquet)"},
		{Name: "lfs-pointer", Recognise: begins("version https://git-lfs.github.com/spec/"), Holds: "only the address of a large file in a Git repository (download the file itself)"},
		{Name: "web-archive", Recognise: begins("MIME-Version:"), Holds: "a web page saved with its pictures (save the data as .csv or .xlsx)"},
		{Name: "rtf", Recognise: begins(`{\rtf`), Holds: "a text document"},
		{Name: "image", Recognise: begins("\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF87a", "GIF89a", "BM6", "II*\x00", "MM\x00*"), Holds: "an image"},
		{Name: "image-svg", Recognise: beginsWith("svg"), Holds: "an image"},
		{Name: "packed", Recognise: begins("7z\xbc\xaf\x27\x1c", "Rar!\x1a\x07", "\xfd7zXZ\x00", "BZh9", "\x28\xb5\x2f\xfd"),
			Holds: "packed in a way that is not read (unpack it, or pack it as .zip or .gz)"},
	}
}

func begins(with ...string) func(string, []byte) bool {
	return func(_ string, head []byte) bool {
		return slices.ContainsFunc(with, func(w string) bool { return bytes.HasPrefix(head, []byte(w)) })
	}
}

// beginsWith recognises XML and HTML by the first element.
func beginsWith(elements ...string) func(string, []byte) bool {
	return func(_ string, head []byte) bool {
		name, _ := text.FirstElement(head)
		return slices.ContainsFunc(elements, func(e string) bool { return strings.EqualFold(e, name) })
	}
}

// isWorldBankXML recognises answers of the World Bank by the namespace of the first element,
// which is Root or data if they have data.
func isWorldBankXML(_ string, head []byte) bool {
	name, rest := text.FirstElement(head)
	tag, _, isWhole := bytes.Cut(rest, []byte(">"))
	return isWhole && name != "Root" && name != "data" && bytes.Contains(tag, []byte(`="http://www.worldbank.org"`))
}

// isCountries recognises lists of countries with codes of ISO 3166 in several forms.
func isCountries(_ string, head []byte) bool {
	rows := table.FirstRows(head, ',', 1)
	return table.HasHeadings(rows, "M49 Code", "ISO-alpha2 Code", "ISO-alpha3 Code") || // of the United Nations
		table.HasHeadings(rows, "ISO3166-1-Alpha-2", "ISO3166-1-Alpha-3") ||
		table.HasHeadings(rows, "alpha-2", "alpha-3", "country-code")
}

// faostatName matches the names of the lists beside the data in FAOSTAT's archives:
// "Population_E_AreaCodes.csv".
var faostatName = regexp.MustCompile(`_E_[A-Za-z]+\.csv$`)

// isFAOSTATList recognises lists by their name and their headings: codes and what they
// mean, but neither years nor values.
func isFAOSTATList(name string, head []byte) bool {
	rows := table.FirstRows(head, ',', 1)
	if !faostatName.MatchString(name) || len(rows) == 0 || len(rows[0]) < 2 {
		return false
	}
	for _, heading := range rows[0] {
		isText := slices.Contains([]string{"Flag", "Flags", "Description"}, heading)
		isCode := strings.HasSuffix(heading, " Code") && heading != "Year Code" || strings.Contains(heading, " Code (")
		if !isText && !isCode && !slices.Contains(rows[0], heading+" Code") {
			return false
		}
	}
	return true
}

const maxErrorBytes = 256 << 10 // of an answer that is an error

// refuse returns a reader that fails with up to 300 characters of the office's words.
func refuse(words func(text io.Reader) (string, error)) func(context.Context, format.Input) iter.Seq2[*stat.Table, error] {
	return func(_ context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
		return func(yield func(*stat.Table, error) bool) {
			file, err := text.Open(in.Again, in.Encoding, &stat.Report{})
			if err != nil {
				yield(nil, err)
				return
			}
			defer file.Close()
			reason, err := words(io.LimitReader(file, maxErrorBytes))
			if err != nil {
				yield(nil, err)
				return
			}
			reason = strings.Join(strings.Fields(reason), " ")
			if runes := []rune(reason); len(runes) > 300 {
				reason = string(runes[:300]) + "…"
			}
			yield(nil, stat.BadFile(stat.Position{Line: 1}, "the file has no data, but an answer of the office that says: %s", cmp.Or(reason, "an error, without a reason")))
		}
	}
}
