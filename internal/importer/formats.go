package importer

import (
	"slices"

	"almanac/internal/format"
	"almanac/internal/format/bankxml"
	"almanac/internal/format/bis"
	"almanac/internal/format/dbnomics"
	"almanac/internal/format/dotstat"
	"almanac/internal/format/esri"
	"almanac/internal/format/eurostat"
	"almanac/internal/format/eurostatcsv"
	"almanac/internal/format/exports"
	"almanac/internal/format/faostat"
	"almanac/internal/format/gho"
	"almanac/internal/format/jsonstat"
	"almanac/internal/format/nodata"
	"almanac/internal/format/plain"
	"almanac/internal/format/px"
	"almanac/internal/format/sdmx/sdmxcsv"
	"almanac/internal/format/sdmx/sdmxjson"
	"almanac/internal/format/sdmx/sdmxml"
	"almanac/internal/format/sdmx/structure"
	"almanac/internal/format/statcan"
	"almanac/internal/format/tidy"
	"almanac/internal/format/weo"
	"almanac/internal/format/worldbank"
)

// allFormats lists the supported formats in the order in which they are tried.
// Formats that recognise their files with certainty come first. To add a format,
// add a line here.
func allFormats() []format.Format {
	return slices.Concat(
		eurostat.Formats(), eurostatcsv.Formats(),
		sdmxml.Formats(), sdmxcsv.Formats(), sdmxjson.Formats(), structure.Formats(),
		jsonstat.Formats(), px.Formats(),
		worldbank.Formats(), gho.Formats(), weo.Formats(), faostat.Formats(), exports.Formats(),
		bis.Formats(), esri.Formats(), dbnomics.Formats(), statcan.Formats(), bankxml.Formats(),
		dotstat.Formats(),
		nodata.Formats(),
		tidy.Formats(), plain.Formats(), // last: any file may look like a plain table
	)
}
