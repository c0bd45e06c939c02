package importer

import (
	"fmt"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/bis"
	"almanac/internal/format/dbnomics"
	"almanac/internal/format/ecbrates"
	"almanac/internal/format/esri"
	"almanac/internal/format/eurostat"
	"almanac/internal/format/eurostatcsv"
	"almanac/internal/format/faostat"
	"almanac/internal/format/gho"
	"almanac/internal/format/ilostat"
	"almanac/internal/format/jsonstat"
	"almanac/internal/format/nodata"
	"almanac/internal/format/owid"
	"almanac/internal/format/px"
	"almanac/internal/format/sdmx/sdmxcsv"
	"almanac/internal/format/sdmx/sdmxjson"
	"almanac/internal/format/sdmx/sdmxml"
	"almanac/internal/format/sdmx/structure"
	"almanac/internal/format/tidy"
	"almanac/internal/format/un"
	"almanac/internal/format/weo"
	"almanac/internal/format/worldbank"
	"almanac/internal/stat"
)

// allFormats lists all formats that are read, asked in this order whether they
// recognise a file: those that know their files for certain come first. A new
// format is one line here.
func allFormats() []format.Format {
	var all []format.Format
	for _, some := range [][]format.Format{
		eurostat.Formats(), eurostatcsv.Formats(),
		sdmxml.Formats(), sdmxcsv.Formats(), sdmxjson.Formats(), structure.Formats(),
		jsonstat.Formats(), px.Formats(),
		worldbank.Formats(), gho.Formats(), weo.Formats(), faostat.Formats(), ilostat.Formats(), un.Formats(),
		bis.Formats(), ecbrates.Formats(), owid.Formats(), esri.Formats(), dbnomics.Formats(),
		nodata.Formats(),
		tidy.Formats(), // last: a plain table may look like anything
	} {
		all = append(all, some...)
	}
	return all
}

// recognise finds the format of a file; nil if there is none.
func (im *Importer) recognise(c content) *format.Format {
	for i, f := range im.formats {
		if f.Recognise(c.name, c.head) {
			return &im.formats[i]
		}
	}
	return nil
}

// unknownFormat refuses a file that no format recognises.
func unknownFormat(c content) error {
	return stat.BadFile(start, "the file is of none of the formats that are read, which docs/formats.md lists: it begins with %q", firstLine(c.head))
}

// noData refuses a file or archive of which no part holds data.
func noData(in []content) error {
	var holds []string
	for _, c := range in {
		switch {
		case c.format != nil && c.member == "":
			return stat.BadFile(stat.Position{}, "the file is %s and holds no data to import", c.format.Holds)
		case c.format != nil:
			holds = append(holds, c.member+" is "+c.format.Holds)
		default:
			holds = append(holds, c.member+" is of no format that is read")
		}
	}
	if len(holds) > 3 {
		holds = append(holds[:3], "…")
	}
	return stat.BadFile(stat.Position{}, "the archive holds no data to import: %s", strings.Join(holds, ", "))
}

// firstLine is what a person needs to see of a file to know what it is.
func firstLine(head []byte) string {
	line, _, _ := strings.Cut(string(head[:min(len(head), 60)]), "\n")
	return strings.TrimSpace(line)
}

// wrap says what was being done when err happened; nil stays nil.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
