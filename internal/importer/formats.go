package importer

import (
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
	"almanac/internal/format/plain"
	"almanac/internal/format/px"
	"almanac/internal/format/sdmx/sdmxcsv"
	"almanac/internal/format/sdmx/sdmxjson"
	"almanac/internal/format/sdmx/sdmxml"
	"almanac/internal/format/sdmx/structure"
	"almanac/internal/format/tidy"
	"almanac/internal/format/un"
	"almanac/internal/format/weo"
	"almanac/internal/format/worldbank"
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
		tidy.Formats(), plain.Formats(), // last: a plain table may look like anything
	} {
		all = append(all, some...)
	}
	return all
}
