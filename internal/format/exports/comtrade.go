package exports

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
// The reporter is the geography, by its letters if the file has them: Comtrade's numbers are
// not always those of M49 (842 is the United States). Values are in US dollars and weights in kilograms. A
// quantity has its own unit; if that is "N/A", there is no quantity, whatever the number,
// and services have no weight. Each row ends with a comma that the headings do not have.
//
// Until 2023 the headings were in words:
//
//	Classification,Year,Period,…,Trade Flow Code,Trade Flow,Reporter Code,Reporter,Reporter ISO,…,Trade Value (US$),Flag

func isComtrade(rows [][]string) bool {
	return table.HasHeadings(rows, comtradeArea(rows), "partnerCode", "cmdCode", "flowCode", "primaryValue")
}

// comtradeArea returns the heading of the reporters.
func comtradeArea(rows [][]string) string {
	if table.HasHeadings(rows, "reporterISO") {
		return "reporterISO"
	}
	return "reporterCode"
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
			{Codes: "freqCode?", Role: stat.RoleFrequency, Label: "Frequency"},
			{Codes: comtradeArea(rows), Labels: "reporterDesc?", Role: stat.RoleGeo, Label: "Reporter"},
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

func isFormerComtrade(rows [][]string) bool {
	return table.HasHeadings(rows, "Classification", "Period", "Trade Flow Code", "Reporter ISO", "Partner Code", "Commodity Code", "Trade Value (US$)")
}

// mapFormerComtrade reads the exports before 2023. Their flag is a sum: 2 for an estimated
// weight, 4 for an estimated quantity.
func mapFormerComtrade(_ format.Input, rows [][]string) (table.Mapping, error) {
	other := func(codes, labels string) table.Axis {
		return table.Axis{Codes: codes, Labels: labels, Role: stat.RoleOther, Split: orNone}
	}
	return table.Mapping{
		Numbers: table.DecimalPoint,
		Axes: []table.Axis{
			{Codes: "Reporter ISO", Labels: "Reporter", Role: stat.RoleGeo},
			other("Trade Flow Code", "Trade Flow?"), other("Partner Code", "Partner?"), other("2nd Partner Code?", "2nd Partner?"),
			other("Classification", ""), other("Commodity Code", "Commodity?"), other("Customs Proc. Code?", "Customs?"),
			other("Mode of Transport Code?", "Mode of Transport?"),
		},
		Period: table.Period{Columns: []string{"Period"}},
		Values: []table.Value{
			{Column: "Trade Value (US$)", Label: "Trade value", Unit: "US dollars"}, {Column: "CIF Trade Value (US$)?", Label: "CIF value", Unit: "US dollars"},
			{Column: "FOB Trade Value (US$)?", Label: "FOB value", Unit: "US dollars"}, {Column: "Netweight (kg)?", Label: "Net weight", Unit: "kg"},
			{Column: "Gross weight (kg)?", Label: "Gross weight", Unit: "kg"}, {Column: "Qty?", Label: "Quantity"}, {Column: "Alt Qty?", Label: "Alternative quantity"},
		},
		Ignore: []string{
			"Year", "Period Desc.", "Aggregate Level", "Is Leaf Code", "Reporter Code", "Partner ISO", "2nd Partner ISO",
			"Qty Unit Code", "Qty Unit", "Alt Qty Unit Code", "Alt Qty Unit", "Flag",
		},
		Row:     formerComtradeRow(rows[0]),
		Observe: observeFormerComtrade,
	}, nil
}

// formerComtradeRow removes the quantities of rows with the unit 1, "no quantity".
func formerComtradeRow(headings []string) func(r *table.Row) table.Action {
	return func(r *table.Row) table.Action {
		for i, h := range headings[:min(len(headings), len(r.Cells))] {
			if (h == "Qty" || h == "Alt Qty") && r.Cell(h+" Unit Code") == "1" {
				r.Cells[i] = ""
			}
		}
		return table.Use
	}
}

func observeFormerComtrade(r *table.Row, o *stat.Observation) error {
	flag := r.Cell("Flag")
	switch r.Heading {
	case "Qty", "Alt Qty":
		o.Unit = strings.Clone(r.Cell(r.Heading + " Unit"))
		if flag == "4" || flag == "6" {
			o.Flags = "E"
		}
	case "Netweight (kg)":
		if flag == "2" || flag == "6" {
			o.Flags = "E"
		}
	}
	return nil
}
