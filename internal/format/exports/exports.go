// Package exports reads the tables of offices of which the headings do not tell what the
// columns mean: the office is known by them, and a mapping says the rest. Each file has the
// mappings of one office.
package exports

import (
	"almanac/internal/format"
	"almanac/internal/format/table"
)

// readers are the tables, in the order in which they are tried.
var readers = []table.Reader{
	{Name: "ilostat", Source: "ilo", Recognise: isILOSTAT, Mapping: mapILOSTAT, Trim: downloadILOSTAT},
	{Name: "un-syb", Source: "unsd", HeadLines: 3, Recognise: isYearbook, Mapping: mapYearbook},
	{Name: "un-wpp", Source: "unpd", Trim: revision, Recognise: isProspects, Mapping: mapProspects},
	{Name: "undata", Source: "unsd", Recognise: isUNdata, Mapping: mapUNdata},
	{Name: "un-sdg", Source: "unsd", Recognise: isGoals, Mapping: mapGoals},
	{Name: "comtrade", Source: "comtrade", Recognise: isComtrade, Mapping: mapComtrade},
	{Name: "comtrade-former", Source: "comtrade", Recognise: isFormerComtrade, Mapping: mapFormerComtrade},
	{Name: "ecb-rates", Source: "ecb", Recognise: isRates, Mapping: mapRates},
	{Name: "ecb-quickview", Source: "ecb", HeadLines: 5, Recognise: isQuickView, Mapping: mapQuickView},
	{Name: "owid", Source: "owid", HeadLines: 2, Recognise: isOWID, Mapping: mapOWID},
	{Name: "unctadstat", Source: "unctad", Recognise: isUNCTAD, Mapping: mapUNCTAD, Trim: downloadUNCTAD},
	{Name: "wto", Source: "wto", Recognise: isWTO, Mapping: mapWTO},
	{Name: "ihme", Source: "ihme", Recognise: isIHME, Mapping: mapIHME},
	{Name: "unesco-uis", Source: "unesco", Recognise: isUIS, Mapping: mapUIS},
	{Name: "nbs", Source: "nbs", Encoding: "gb18030", HeadLines: 5, Recognise: isNBS, Mapping: mapNBS},
	{Name: "genesis-flat", Separator: ';', HeadLines: 100, Recognise: isGENESIS, Mapping: mapGENESIS},
	{Name: "census-series", Source: "census", HeadLines: 1000, Recognise: isNumbered, Mapping: mapNumbered},
	{Name: "ogd-austria", Source: "statistik-austria", Separator: ';', HeadLines: 50, Recognise: isOGD, Mapping: mapOGD},
	{Name: "pxstat-csv", Source: "cso", Recognise: isPxStat, Mapping: mapPxStat},
}

// Formats returns the formats of the tables.
func Formats() []format.Format {
	formats := []format.Format{portal, pxWeb, dataMapper, censusTable}
	for _, r := range readers {
		formats = append(formats, r.Format())
	}
	return formats
}

// orNone gives an empty cell the code of SDMX: not every cause has a risk, and not every
// indicator a classification.
func orNone(cell string) (code, label string) {
	if cell == "" {
		return "_Z", ""
	}
	return cell, ""
}

// orNotApplicable does so with the label of SDMX.
func orNotApplicable(cell string) (code, label string) {
	if cell == "" {
		return "_Z", "Not applicable"
	}
	return cell, ""
}
