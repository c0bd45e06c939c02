package caption

import (
	"strings"

	"almanac/internal/lazyregexp"
)

// The Bureau of Labor Statistics makes the keys of its consumer prices of their parts: the index
// of all urban consumers (CU) or of wage earners (CW), adjusted (S) or not (U), the frequency,
// the area and the item.

// blsSeries matches the key of a series of consumer prices.
var blsSeries = lazyregexp.New(`^C([UW])([SU])([RS])([0-9A-Z]{4})(S[A-Z0-9]+)$`)

// blsItems are the names of the items in the flat file cu.item.
var blsItems = map[string]string{
	"SA0": "all items", "SA0E": "energy", "SA0L1": "all items less food", "SA0L1E": "all items less food and energy", "SA0L2": "all items less shelter",
	"SA0LE": "all items less energy", "SAA": "apparel", "SAC": "commodities", "SACE": "energy commodities", "SACL1E": "commodities less food and energy commodities",
	"SAE": "education and communication", "SAE1": "education", "SAE2": "communication", "SAF": "food and beverages", "SAF1": "food", "SAF11": "food at home",
	"SEFV": "food away from home", "SAF116": "alcoholic beverages", "SAG": "other goods and services", "SAH": "housing", "SAH1": "shelter", "SAH2": "fuels and utilities",
	"SAH3": "household furnishings and operations", "SAM": "medical care", "SAM1": "medical care commodities", "SAM2": "medical care services", "SAN": "nondurables",
	"SAD": "durables", "SAR": "recreation", "SAS": "services", "SASLE": "services less energy services", "SAT": "transportation", "SAT1": "private transportation",
	"SEHA": "rent of primary residence", "SEHC": "owners' equivalent rent of residences", "SETA01": "new vehicles", "SETA02": "used cars and trucks",
	"SETB": "motor fuel", "SETB01": "gasoline (all types)", "SEHF01": "electricity", "SEHF02": "utility (piped) gas service", "SETG01": "airline fares",
}

// blsAreas are the names of the areas in the flat file cu.area.
var blsAreas = map[string]string{
	"0000": "U.S. city average", "0100": "Northeast", "0200": "Midwest", "0300": "South", "0400": "West",
}

// blsName returns the name of a series of consumer prices by its key; empty for other keys and
// for areas and items that are not listed.
func blsName(key string) string {
	m := blsSeries.FindStringSubmatch(key)
	if m == nil || blsItems[m[5]] == "" || blsAreas[m[4]] == "" {
		return ""
	}
	name := []string{"Consumer prices", blsItems[m[5]], blsAreas[m[4]]}
	if m[1] == "W" {
		name = append(name, "urban wage earners and clerical workers")
	}
	if m[2] == "S" {
		name = append(name, "seasonally adjusted")
	}
	return strings.Join(name, ", ")
}

// blsUnit returns the unit of a series of consumer prices. The base of most items is 1982–84;
// those that began later have others.
func blsUnit(key string) string {
	if m := blsSeries.FindStringSubmatch(key); m != nil && strings.HasPrefix(m[5], "SA0") {
		return "Index, 1982–84=100"
	}
	return "Index"
}
