package un

import (
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// UN Comtrade exports trade by reporter, partner and commodity:
//
//	typeCode,freqCode,…,period,reporterCode,reporterISO,reporterDesc,flowCode,flowDesc,partnerCode,…,qtyUnitAbbr,qty,…,netWgt,…,primaryValue,…
//	"C","A",…,"2022","842","USA","USA","M","Import","0",…,"kg","12",…,"12",…,"461255524753",…
//
// The reporter is the geography, by its letters: Comtrade's numbers are not always those
// of M49 (842 is the United States). Values are in US dollars and weights in kilograms. A
// quantity has its own unit; if that is "N/A", there is no quantity, whatever the number,
// and services have no weight. Each row ends with a comma that the headings do not have.

func isComtrade(rows [][]string) bool {
	return table.HasHeadings(rows, "freqCode", "reporterISO", "partnerCode", "cmdCode", "flowCode", "primaryValue")
}

// comtradeFlags say that another column is an estimate.
var comtradeFlags = map[string]string{
	"qty": "isQtyEstimated", "altQty": "isAltQtyEstimated", "netWgt": "isNetWgtEstimated", "grossWgt": "isGrossWgtEstimated",
}

func mapComtrade(_ format.Input, rows [][]string) (table.Mapping, error) {
	other := func(codes, labels, label string) table.Axis {
		return table.Axis{Codes: codes + "?", Labels: labels, Label: label, Role: stat.RoleOther, Split: orNone}
	}
	return table.Mapping{
		Numbers: table.DecimalPoint,
		Axes: []table.Axis{
			other("typeCode", "", "Type of trade"),
			{Codes: "freqCode", Role: stat.RoleFrequency, Label: "Frequency"},
			{Codes: "reporterISO", Labels: "reporterDesc?", Role: stat.RoleGeo, Label: "Reporter"},
			other("flowCode", "flowDesc?", "Trade flow"), other("partnerCode", "partnerDesc?", "Partner"),
			other("partner2Code", "partner2Desc?", "Second partner"), other("classificationCode", "", "Classification"),
			other("cmdCode", "cmdDesc?", "Commodity"), other("customsCode", "customsDesc?", "Customs procedure"),
			other("mosCode", "", "Mode of supply"), other("motCode", "motDesc?", "Mode of transport"),
		},
		Period: table.Period{Columns: []string{"period"}},
		Values: []table.Value{
			{Column: "primaryValue", Label: "Trade value", Unit: "US dollars"}, {Column: "cifvalue?", Label: "CIF value", Unit: "US dollars"},
			{Column: "fobvalue?", Label: "FOB value", Unit: "US dollars"}, {Column: "netWgt?", Label: "Net weight", Unit: "kg"},
			{Column: "grossWgt?", Label: "Gross weight", Unit: "kg"}, {Column: "qty?", Label: "Quantity"}, {Column: "altQty?", Label: "Alternative quantity"},
		},
		Ignore: []string{
			"refPeriodId", "refYear", "refMonth", "reporterCode", "partnerISO", "partner2ISO", "classificationSearchCode", "isOriginalClassification",
			"aggrLevel", "isLeaf", "qtyUnitCode", "qtyUnitAbbr", "isQtyEstimated", "altQtyUnitCode", "altQtyUnitAbbr", "isAltQtyEstimated",
			"isNetWgtEstimated", "isGrossWgtEstimated", "legacyEstimationFlag", "isReported", "isAggregate",
		},
		Row:     comtradeRow(rows[0]),
		Observe: observeComtrade,
	}, nil
}

// comtradeRow removes the empty cell at the end of rows, and the numbers that stand for
// quantities and weights that do not exist.
func comtradeRow(headings []string) func(r *table.Row) table.Action {
	return func(r *table.Row) table.Action {
		if n := len(headings); len(r.Cells) == n+1 && r.Cells[n] == "" {
			r.Cells = r.Cells[:n]
		}
		isService := r.Cell("typeCode") == "S"
		for i, h := range headings[:min(len(headings), len(r.Cells))] {
			switch h {
			case "qty", "altQty":
				if r.Cell(h+"UnitCode") == "-1" {
					r.Cells[i] = ""
				}
			case "netWgt", "grossWgt":
				if isService {
					r.Cells[i] = ""
				}
			}
		}
		return table.Use
	}
}

func observeComtrade(r *table.Row, o *stat.Observation) error {
	if r.Heading == "qty" || r.Heading == "altQty" {
		o.Unit = strings.Clone(r.Cell(r.Heading + "UnitAbbr"))
	}
	if column := comtradeFlags[r.Heading]; column != "" && r.Cell(column) == "true" {
		o.Flags = stat.NewFlags("E")
	}
	return nil
}

// orNone gives an empty cell the code of SDMX.
func orNone(cell string) (code, label string) {
	if cell == "" {
		return "_Z", ""
	}
	return cell, ""
}
