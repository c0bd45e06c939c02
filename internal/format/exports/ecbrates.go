package exports

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// isRates recognises the euro reference rates of the European Central Bank
// as it offers them for download: a column for each currency, in the file of all
// days from the newest on, in the other the last day only.
//
//	Date,USD,JPY,BGN,CYP,
//	2025-06-27,1.1704,169.24,1.9558,N/A,
//
// The file of one day writes "27 June 2025, 1.1704, 169.24, …". A value is how
// much of the currency one euro buys, so the currency is its unit. N/A marks days
// on which a currency had no rate: before it was quoted, and after the country
// adopted the euro. Every line ends with a comma.
//
// The dataset has the dimension CURRENCY, like the bank's dataset EXR, and no
// geography: the rates are those of the euro area.
//
// It accepts a heading Date and only currency codes beside it, including
// the dollar and the yen, which every file has had.
func isRates(rows [][]string) bool {
	if len(rows[0]) < 3 || rows[0][0] != "Date" {
		return false
	}
	currencies := slices.DeleteFunc(rows[0][1:], func(cell string) bool { return cell == "" })
	return !slices.ContainsFunc(currencies, func(c string) bool { return !currency.MatchString(c) }) &&
		slices.Contains(currencies, "USD") && slices.Contains(currencies, "JPY")
}

// currency matches the shape of a code of ISO 4217.
var currency = regexp.MustCompile(`^[A-Z]{3}$`)

func mapRates(format.Input, [][]string) (table.Mapping, error) {
	return table.Mapping{
		Dataset: stat.Dataset{Code: "eurofxref", Name: "Euro foreign exchange reference rates"},
		Numbers: table.DecimalPoint,
		Period:  table.Period{Columns: []string{"Date"}, Read: readDay},
		Other: func(heading string) (table.Value, bool) {
			return table.Value{Unit: heading}, currency.MatchString(heading)
		},
		Measures: stat.Dimension{ID: "CURRENCY", Label: "Currency"},
	}, nil
}

func readDay(text string) (stat.Period, error) {
	for _, layout := range []string{time.DateOnly, "2 January 2006"} {
		if day, err := time.Parse(layout, text); err == nil {
			if p := stat.NewDay(day.Year(), int(day.Month()), day.Day()); !p.IsZero() {
				return p, nil
			}
		}
	}
	return stat.Period{}, fmt.Errorf("invalid day %q: must be like 2025-06-27 or 27 June 2025", text)
}
