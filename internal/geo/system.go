package geo

import (
	"slices"
	"strings"
	"sync"
)

// System is a code system for areas: a set of codes and their meanings.
type System struct {
	iso     []form   // forms of ISO and M49 codes in the system
	own     []string // tables of codes that take precedence over iso
	padded  bool     // numbers are padded with zeros to three digits
	regions bool     // Eurostat's rules for codes of regions apply
	names   bool     // names may be used in place of codes
}

type form int

const (
	alpha2 form = iota
	alpha3
	m49
)

// The code systems. Own is a source's own codes, about which nothing is known.
var (
	Own       = &System{}
	Eurostat  = &System{iso: []form{alpha2}, own: []string{"eurostat"}, regions: true, names: true}       // alpha-2 with EL and UK, groups, NUTS and other regions
	WorldBank = &System{iso: []form{alpha3, alpha2}, own: []string{"worldbank"}, names: true}             // alpha-3, own codes of two and three characters
	IMF       = &System{iso: []form{alpha2, alpha3}, own: []string{"imf"}, padded: true, names: true}     // own numbers, alpha-2 and alpha-3
	M49       = &System{iso: []form{m49, alpha3}, own: []string{"m49", "un"}, padded: true, names: true}  // UN M49 numbers; also alpha-3, which the UN lists beside them
	FAO       = &System{iso: []form{m49, alpha3}, own: []string{"fao", "m49"}, padded: true, names: true} // M49, with FAO's meaning of China
	WHO       = &System{iso: []form{alpha3}, own: []string{"who"}, names: true}                           // alpha-3 and own regions
	OECD      = &System{iso: []form{alpha3}, own: []string{"oecd"}, names: true}                          // alpha-3 and own groups
	ILO       = &System{iso: []form{alpha3}, own: []string{"ilo"}, names: true}                           // alpha-3 and own regions; names in its CSV
	UNICEF    = &System{iso: []form{alpha3}, own: []string{"unicef"}, names: true}                        // alpha-3 and regions of many organisations
	ECB       = &System{iso: []form{alpha2}, own: []string{"ecb"}, names: true}                           // alpha-2 and own groups
	BIS       = &System{iso: []form{alpha2}, own: []string{"bis"}, names: true}                           // alpha-2 and own groups
	OWID      = &System{iso: []form{alpha3}, own: []string{"owid"}, names: true}                          // names, alpha-3
	CEPII     = &System{iso: []form{alpha3}, own: []string{"cepii"}, names: true}                         // alpha-3 and own groups
	Local     = &System{iso: []form{alpha2, alpha3, m49}, names: true}                                    // a plain table of any author: what its codes are shows in the whole table
	Alpha3    = &System{iso: []form{alpha3}, names: true}                                                 // alpha-3, or English names
	Numbers   = &System{iso: []form{m49, alpha3}, own: []string{"trade"}, padded: true, names: true}      // M49 numbers of countries with any zeros before them; own numbers of groups
	ISO       = &System{iso: []form{alpha2, alpha3, m49}, names: true}                                    // ISO 3166 alpha-2 and alpha-3, M49 in three digits, or English names
	National  = &System{}                                                                                 // a national office: its own codes, and its country's code and names
)

type office struct {
	*System
	// home is the area of files that name none, by its code. It is the only country
	// whose code and names a national office knows.
	home string
	// whole lists what a national office writes for its country besides names and
	// [wholeWords]: folded names, and codes that stand without a label.
	whole []string
	// list is the table of a national office's own codes of areas, if it has one.
	list string
}

func officeOf(source string) office {
	if o, ok := loadOffices()[source]; ok {
		return o
	}
	return office{System: Own}
}

// systems has the code systems by their names in the table of offices.
var systems = map[string]*System{
	"Eurostat": Eurostat, "WorldBank": WorldBank, "IMF": IMF, "M49": M49, "FAO": FAO, "WHO": WHO, "OECD": OECD, "ILO": ILO, "UNICEF": UNICEF, "ECB": ECB,
	"BIS": BIS, "OWID": OWID, "CEPII": CEPII, "Local": Local, "Alpha3": Alpha3, "Numbers": Numbers, "ISO": ISO, "National": National,
}

// loadOffices reads the table of offices, by the source ID of their datasets, at the first
// call.
var loadOffices = sync.OnceValue(func() map[string]office {
	offices := map[string]office{}
	for _, f := range lines("offices") {
		o := office{System: systems[f[1]]}
		if f[2] != "-" {
			o.home = f[2]
		}
		if f[3] != "-" {
			o.whole = strings.Split(f[3], " | ")
		}
		if slices.Contains(nationalFiles, f[0]) {
			o.list = f[0]
		}
		offices[f[0]] = o
	}
	return offices
})

// lookup returns the place of a code in the system's own tables or in its forms of ISO
// codes, else nil.
func (o office) lookup(code string) *place {
	t := loadTables()
	code = strings.ToUpper(code)
	if o.padded {
		code = padNumber(code)
	}
	for _, name := range o.own {
		if p := t.own[name].codes[code]; p != nil {
			return p
		}
	}
	if p := t.national[o.list].codes[code]; p != nil {
		return p
	}
	for _, f := range o.iso {
		if p := t.iso[f][code]; p != nil {
			return p
		}
	}
	for _, f := range o.iso {
		if p := t.former[f][code]; p != nil && !o.regions {
			return p
		}
	}
	if home := t.iso[alpha2][o.home]; o.System == National && (code == o.home || code == home.area.Alpha3) {
		return home
	}
	return nil
}

// padNumber pads a number to three digits, like M49 and the IMF, and removes further
// zeros before it, which UNCTAD writes. It also removes the
// apostrophe that FAO's bulk files write before numbers. Other codes are unchanged.
func padNumber(code string) string {
	if number := strings.TrimPrefix(code, "'"); isDigits(number) {
		if len(number) < 3 {
			return "000"[len(number):] + number
		}
		for len(number) > 3 && number[0] == '0' {
			number = number[1:]
		}
		return number
	}
	return code
}

// lookupName returns the place with a folded name in the system's own tables or among
// countries, else nil.
func (o office) lookupName(key string) *place {
	t := loadTables()
	for _, name := range o.own {
		if p := t.own[name].names[key]; p != nil {
			return p
		}
	}
	return t.names[key]
}

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
