package geo

import (
	"slices"
	"strings"
)

// System is a code system for areas: a set of codes and their meanings.
type System string

// The code systems. Own is a source's own codes, about which nothing is known.
const (
	Own       System = ""
	Eurostat  System = "eurostat"  // alpha-2 with EL and UK, groups, NUTS and other regions
	WorldBank System = "worldbank" // alpha-3, own codes of two and three characters
	IMF       System = "imf"       // own numbers, alpha-2 and alpha-3
	M49       System = "m49"       // UN M49 numbers; also alpha-3, which the UN lists beside them
	FAO       System = "fao"       // M49, with FAO's meaning of China
	WHO       System = "who"       // alpha-3 and own regions
	OECD      System = "oecd"      // alpha-3 and own groups
	ILO       System = "ilo"       // alpha-3 and own regions; names in its CSV
	UNICEF    System = "unicef"    // alpha-3 and regions of many organisations
	ECB       System = "ecb"       // alpha-2 and own groups
	BIS       System = "bis"       // alpha-2 and own groups
	OWID      System = "owid"      // names, alpha-3
	CEPII     System = "cepii"     // alpha-3 and own groups
	ISO       System = "iso"       // ISO 3166 alpha-2 and alpha-3, M49 in three digits, or English names
	National  System = "national"  // a national office: its own codes, and its country's code and names
)

// SystemOf returns the code system that a source uses for areas. For an unlisted
// source, it is [Own].
func SystemOf(source string) System {
	return sources[canonicalSource(source)].system
}

// sources lists the offices by the source ID that datasets carry.
var sources = map[string]struct {
	system System
	home   string // the area of files that name none, by its code in the system
}{
	"eurostat":  {system: Eurostat},
	"estat":     {system: Eurostat},
	"worldbank": {system: WorldBank},
	"wb":        {system: WorldBank},
	"imf":       {system: IMF},
	"imf-weo":   {system: IMF},
	"imf-dot":   {system: IMF},
	"un":        {system: M49},
	"unsd":      {system: M49},
	"unpd":      {system: M49}, // Population Division
	"fao":       {system: FAO},
	"who":       {system: WHO},
	"oecd":      {system: OECD},
	"ilo":       {system: ILO},
	"unicef":    {system: UNICEF},
	"ecb":       {system: ECB, home: "U2"},
	"bis":       {system: BIS},
	"owid":      {system: OWID},
	"cepii":     {system: CEPII},
	"nordic":    {system: Eurostat}, // the Nordic countries' common database
	"gapminder": {system: ISO},
	"local":     {system: ISO}, // plain tables of any author
	"escap":     {system: ISO}, // United Nations, Asia and the Pacific
	"nisra":     {system: ISO}, // Northern Ireland, which has no ISO code
	"spc":       {system: ISO}, // Pacific Community
	"unece":     {system: ISO}, // United Nations, Europe
	"wits":      {system: ISO}, // World Integrated Trade Solution

	"abs":           {system: National, home: "AU"}, // Australian Bureau of Statistics
	"armstat":       {system: National, home: "AM"}, // Statistical Committee of Armenia
	"ask":           {system: National, home: "XK"}, // Kosovo Agency of Statistics
	"asub":          {system: National, home: "AX"}, // Statistics Åland
	"bea":           {system: National, home: "US"}, // Bureau of Economic Analysis
	"bfs":           {system: National, home: "CH"}, // Bundesamt für Statistik
	"bls":           {system: National, home: "US"}, // Bureau of Labor Statistics
	"bundesbank":    {system: National, home: "DE"}, // Deutsche Bundesbank
	"camstat":       {system: National, home: "KH"}, // National Institute of Statistics
	"cbs":           {system: National, home: "NL"}, // Centraal Bureau voor de Statistiek
	"census":        {system: National, home: "US"}, // United States Census Bureau
	"cso":           {system: National, home: "IE"}, // Central Statistics Office
	"csp":           {system: National, home: "LV"}, // Centrālā statistikas pārvalde
	"destatis":      {system: National, home: "DE"}, // Statistisches Bundesamt
	"dst":           {system: National, home: "DK"}, // Danmarks Statistik
	"geostat":       {system: National, home: "GE"}, // National Statistics Office
	"gss":           {system: National, home: "GH"}, // Ghana Statistical Service
	"hagstova":      {system: National, home: "FO"}, // Hagstova Føroya
	"ine":           {system: National, home: "ES"}, // Instituto Nacional de Estadística
	"inegi":         {system: National, home: "MX"}, // Instituto Nacional de Estadística y Geografía
	"insee":         {system: National, home: "FR"}, // Institut national de la statistique
	"istat":         {system: National, home: "IT"}, // Istituto nazionale di statistica
	"japan-esri":    {system: National, home: "JP"}, // Cabinet Office of Japan
	"luke":          {system: National, home: "FI"}, // Luonnonvarakeskus
	"makstat":       {system: National, home: "MK"}, // State Statistical Office
	"nbb":           {system: National, home: "BE"}, // National Bank of Belgium
	"norges-bank":   {system: National, home: "NO"}, // Norges Bank
	"ons":           {system: National, home: "GB"}, // Office for National Statistics
	"psa":           {system: National, home: "PH"}, // Philippine Statistics Authority
	"scb":           {system: National, home: "SE"}, // Statistiska centralbyrån
	"simel":         {system: National, home: "SV"}, // Ministry of Labour
	"ssb":           {system: National, home: "NO"}, // Statistisk sentralbyrå
	"stat-ee":       {system: National, home: "EE"}, // Statistikaamet
	"stat-lt":       {system: National, home: "LT"}, // Valstybės duomenų agentūra
	"statcan":       {system: National, home: "CA"}, // Statistics Canada
	"statec":        {system: National, home: "LU"}, // Institut national de la statistique
	"statfin":       {system: National, home: "FI"}, // Tilastokeskus
	"statgl":        {system: National, home: "GL"}, // Statistics Greenland
	"statice":       {system: National, home: "IS"}, // Hagstofa Íslands
	"statistica-md": {system: National, home: "MD"}, // Biroul Național de Statistică
	"surs":          {system: National, home: "SI"}, // Statistični urad
	"ukrstat":       {system: National, home: "UA"}, // State Statistics Service
}

// wholeCountry lists the names that national offices use for their country besides the
// English ones: in their languages, and their words for the whole country.
var wholeCountry = map[string][]string{
	"bfs":        {"Schweiz", "Suisse", "Svizzera", "Schweiz / Suisse / Svizzera / Switzerland"},
	"cbs":        {"Nederland"},
	"cso":        {"Éire", "State"},
	"destatis":   {"Deutschland"},
	"dst":        {"Danmark", "Hele landet", "All Denmark"},
	"ine":        {"España", "Total Nacional", "Nacional"},
	"istat":      {"Italia"},
	"japan-esri": {"日本", "全国"},
	"scb":        {"Sverige", "Riket", "Hela riket"},
	"ssb":        {"Norge", "Noreg", "Hele landet", "The whole country"},
	"statfin":    {"Suomi", "Koko maa", "Hela landet", "Whole country"},
	"statgl":     {"Kalaallit Nunaat", "Grønland"},
}

// system describes a code system.
type system struct {
	// iso lists the forms of ISO and M49 codes in the system.
	iso []form
	// own lists the tables of codes that take precedence over iso.
	own []string
	// padded says that numbers are padded with zeros to three digits.
	padded bool
	// regions says that Eurostat's rules for codes of regions apply.
	regions bool
	// names says that names may be used in place of codes.
	names bool
	// home is the only country whose code and names are known (national offices);
	// whole are the office's own names for it.
	home  string
	whole []string
}

// form is a form of country codes.
type form int

const (
	alpha2 form = iota
	alpha3
	m49
)

var systems = map[System]system{
	Own:       {},
	Eurostat:  {iso: []form{alpha2}, own: []string{"eurostat"}, regions: true, names: true},
	WorldBank: {iso: []form{alpha3, alpha2}, own: []string{"worldbank"}, names: true},
	IMF:       {iso: []form{alpha2, alpha3}, own: []string{"imf"}, padded: true, names: true},
	M49:       {iso: []form{m49, alpha3}, own: []string{"m49", "un"}, padded: true, names: true},
	FAO:       {iso: []form{m49, alpha3}, own: []string{"fao", "m49"}, padded: true, names: true},
	WHO:       {iso: []form{alpha3}, own: []string{"who"}, names: true},
	OECD:      {iso: []form{alpha3}, own: []string{"oecd"}, names: true},
	ILO:       {iso: []form{alpha3}, own: []string{"ilo"}, names: true},
	UNICEF:    {iso: []form{alpha3}, own: []string{"unicef"}, names: true},
	ECB:       {iso: []form{alpha2}, own: []string{"ecb"}, names: true},
	BIS:       {iso: []form{alpha2}, own: []string{"bis"}, names: true},
	OWID:      {iso: []form{alpha3}, own: []string{"owid"}, names: true},
	CEPII:     {iso: []form{alpha3}, own: []string{"cepii"}, names: true},
	ISO:       {iso: []form{alpha2, alpha3, m49}, names: true},
	National:  {},
}

// systemOf returns the system of a canonical source.
func systemOf(source string) system {
	s := sources[source]
	sys := systems[s.system]
	if s.system == National {
		sys.home, sys.whole = s.home, wholeCountry[source]
	}
	return sys
}

// lookup returns the place of a code in the system's own tables or in its forms of ISO
// codes, else nil.
func (s system) lookup(code string) *place {
	t := loadTables()
	code = strings.ToUpper(code)
	if s.padded {
		code = padNumber(code)
	}
	for _, name := range s.own {
		if p := t.own[name].codes[code]; p != nil {
			return p
		}
	}
	for _, f := range s.iso {
		if p := t.iso[f][code]; p != nil {
			return p
		}
	}
	if s.home != "" && code == s.home {
		return t.iso[alpha2][code]
	}
	return nil
}

// padNumber pads a number to three digits, like M49 and the IMF. It removes the
// apostrophe that FAO's bulk files write before numbers. Other codes are unchanged.
func padNumber(code string) string {
	if number := strings.TrimPrefix(code, "'"); isDigits(number) {
		if len(number) < 3 {
			return "000"[len(number):] + number
		}
		return number
	}
	return code
}

// lookupName returns the place with a name in the system's own tables or among
// countries, else nil.
func (s system) lookupName(name string) *place {
	key := foldName(name)
	if s.home != "" {
		return s.homeByName(key)
	}
	names := loadNames()
	for _, table := range s.own {
		if p := names.own[table][key]; p != nil {
			return p
		}
	}
	return names.countries[key]
}

// homeByName returns the country of a national office if a folded name is one of its
// names, else nil: the office's Georgia may be a state.
func (s system) homeByName(key string) *place {
	home := loadTables().iso[alpha2][s.home]
	isKey := func(name string) bool { return foldName(name) == key }
	if slices.ContainsFunc(home.names, isKey) || slices.ContainsFunc(s.whole, isKey) {
		return home
	}
	return nil
}
