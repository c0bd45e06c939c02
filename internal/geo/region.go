package geo

import "strings"

// The regions in Eurostat's geography are not listed: there are thousands, in a new
// edition about every three years. All begin with the code of their country, in
// Eurostat's spelling:
//
//	AT, AT1, AT13, AT130   NUTS and statistical regions, levels 1 to 3
//	DEA, DEA1, FRK2        level 1 in letters, in countries with many regions
//	ATX, ATXX, ATZ, ATZZ   not regionalised; outside of all regions
//	AT001C1, BE10000004    cities and metropolitan regions
//	DE1_E, FI19_20, UKC-L  parts and unions of regions
//	NL_RMD, AT_CAP         other parts of a country
//
// Such a code is a region of its country unless the table of Eurostat's codes says
// otherwise (EEA is not part of Estonia, CC5_06 not part of the Cocos Islands). Its
// label is the code; Eurostat's dictionaries have the names.

// levelOneLetters are the letters of level 1 regions, by country.
var levelOneLetters = map[string]string{
	"DE": "ABCDEFG",
	"FR": "ABCDEFGHIJKLMY",
	"IT": "CDEFGHI",
	"JP": "ABCDEFGHIJ",
	"TR": "ABC",
	"UK": "ABCDEFGHIJKLMN",
}

// withExtraRegio lists the countries that have regions in NUTS or agreed with Eurostat,
// and so codes in X for "not regionalised" and in Z for "outside of all regions".
const withExtraRegio = "AL AT BE BG CH CY CZ DE DK EE EL ES FI FR GR HR HU IE IS IT LI LT LU LV ME MK MT NL NO PL PT RO RS SE SI SK TR UK"

// maxRegionCode is longer than any of Eurostat's codes of regions.
const maxRegionCode = 24

// isEurostatRegion reports whether an upper-case code has the form of a code of a region.
// The code must not be in a table.
func isEurostatRegion(code string) bool {
	if len(code) < 3 || len(code) > maxRegionCode {
		return false
	}
	country, rest := code[:2], code[2:]
	// Codes in CC are Eurostat's groups of candidate countries.
	if country == "CC" || (loadTables().iso[alpha2][country] == nil && country != "EL" && country != "UK") {
		return false
	}
	if strings.Trim(rest, "X") == "" || strings.Trim(rest, "Z") == "" {
		return len(rest) <= 3 && strings.Contains(withExtraRegio, country)
	}
	switch first := rest[0]; {
	case first >= '0' && first <= '9', first == '_' && len(rest) > 1:
	case strings.IndexByte(levelOneLetters[country], first) >= 0:
		if len(rest) > 1 && rest[1] >= 'A' && rest[1] <= 'Z' {
			return false // below level 1 a digit follows: DEA1, but not DEAB
		}
	case country == "EL" && strings.Trim(rest, "S") == "" && len(rest) <= 3:
		return true // self-governed: Mount Athos
	default:
		return false
	}
	return strings.IndexFunc(rest, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r == '_' || r == '-')
	}) < 0
}
