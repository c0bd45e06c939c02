package geo

import "strings"

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

// SystemOf returns the code system that a source uses for areas. For an unlisted
// source, it is [Own].
func SystemOf(source string) *System { return officeOf(canonicalSource(source)).System }

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
	if o, ok := offices[source]; ok {
		return o
	}
	return office{System: Own}
}

// offices lists the offices by the source ID of their datasets.
var offices = map[string]office{
	"eurostat":  {System: Eurostat},
	"estat":     {System: Eurostat},
	"worldbank": {System: WorldBank},
	"wb":        {System: WorldBank},
	"imf":       {System: IMF},
	"imf-weo":   {System: IMF},
	"imf-dot":   {System: IMF},
	"un":        {System: M49},
	"unsd":      {System: M49},
	"unpd":      {System: M49}, // Population Division
	"fao":       {System: FAO},
	"who":       {System: WHO},
	"oecd":      {System: OECD},
	"ilo":       {System: ILO},
	"unicef":    {System: UNICEF},
	"ecb":       {System: ECB, home: "U2"},
	"bis":       {System: BIS},
	"owid":      {System: OWID},
	"cepii":     {System: CEPII},
	"nordic":    {System: Eurostat}, // the Nordic countries' common database
	"gapminder": {System: ISO},
	"local":     {System: Local}, // plain tables of any author
	"escap":     {System: ISO},   // United Nations, Asia and the Pacific
	"nisra":     {System: ISO},   // Northern Ireland, which has no ISO code
	"spc":       {System: ISO},   // Pacific Community
	"irena":     {System: ISO},   // International Renewable Energy Agency
	"nhwstat":   {System: ISO},   // Nordic Health and Welfare Statistics
	"unece":     {System: ISO},   // United Nations, Europe
	"wits":      {System: ISO},   // World Integrated Trade Solution

	"comtrade":      {System: Numbers}, // United Nations Comtrade
	"fred":          {System: ISO},     // Federal Reserve Bank of St. Louis: series of many countries
	"freedom-house": {System: Alpha3},
	"gdl":           {System: Local},  // Global Data Lab: subdivisions of many countries
	"ihme":          {System: Alpha3}, // Institute for Health Metrics and Evaluation
	"maddison":      {System: Alpha3}, // Maddison Project
	"pwt":           {System: Alpha3}, // Penn World Table
	"un-sdg":        {System: M49},
	"unctad":        {System: Numbers},
	"undp":          {System: Alpha3},
	"unesco":        {System: Alpha3},
	"v-dem":         {System: Alpha3},
	"wto":           {System: Numbers},

	"abs":            {System: National, home: "AU"},                                                         // Australian Bureau of Statistics
	"armstat":        {System: National, home: "AM"},                                                         // Statistical Committee of Armenia
	"ask":            {System: National, home: "XK"},                                                         // Kosovo Agency of Statistics
	"asub":           {System: National, home: "AX"},                                                         // Statistics Åland
	"bank-of-canada": {System: National, home: "CA"},                                                         // Bank of Canada
	"bank-of-japan":  {System: National, home: "JP"},                                                         // Bank of Japan
	"bcb":            {System: National, home: "BR"},                                                         // Banco Central do Brasil
	"bdf":            {System: National, home: "FR"},                                                         // Banque de France
	"boi":            {System: National, home: "IL"},                                                         // Bank of Israel
	"cdc":            {System: National, home: "US"},                                                         // Centers for Disease Control and Prevention
	"dane":           {System: National, home: "CO"},                                                         // Departamento Administrativo Nacional de Estadística
	"e-stat":         {System: National, home: "JP", whole: []string{"00000"}},                               // Statistics of Japan
	"eia":            {System: National, home: "US"},                                                         // Energy Information Administration
	"gus":            {System: National, home: "PL", whole: []string{"0000000"}},                             // Główny Urząd Statystyczny
	"ibge":           {System: National, home: "BR"},                                                         // Instituto Brasileiro de Geografia e Estatística
	"indec":          {System: National, home: "AR"},                                                         // Instituto Nacional de Estadística y Censos
	"ksh":            {System: National, home: "HU"},                                                         // Központi Statisztikai Hivatal
	"nbs":            {System: National, home: "CN"},                                                         // National Bureau of Statistics of China
	"nchs":           {System: National, home: "US"},                                                         // National Center for Health Statistics
	"rba":            {System: National, home: "AU"},                                                         // Reserve Bank of Australia
	"snb":            {System: National, home: "CH"},                                                         // Swiss National Bank
	"fbos":           {System: National, home: "FJ"},                                                         // Fiji Bureau of Statistics
	"sbs":            {System: National, home: "WS"},                                                         // Samoa Bureau of Statistics
	"dzs":            {System: National, home: "HR"},                                                         // Croatian Bureau of Statistics
	"llv":            {System: National, home: "LI"},                                                         // Office of Statistics Liechtenstein
	"dos-jo":         {System: National, home: "JO"},                                                         // Department of Statistics of Jordan
	"tai":            {System: National, home: "EE"},                                                         // National Institute for Health Development
	"konj":           {System: National, home: "SE"},                                                         // National Institute of Economic Research
	"etk":            {System: National, home: "FI"},                                                         // Finnish Centre for Pensions
	"uaestat":        {System: National, home: "AE"},                                                         // Federal Competitiveness and Statistics Centre
	"nso-vn":         {System: National, home: "VN"},                                                         // National Statistics Office of Viet Nam
	"tnso":           {System: National, home: "TH"},                                                         // National Statistical Office of Thailand
	"csu":            {System: National, home: "CZ"},                                                         // Czech Statistical Office
	"susr":           {System: National, home: "SK"},                                                         // Statistical Office of the Slovak Republic
	"dosm":           {System: National, home: "MY"},                                                         // Department of Statistics Malaysia
	"bea":            {System: National, home: "US", whole: []string{"00000"}},                               // Bureau of Economic Analysis
	"bfs":            {System: National, home: "CH", whole: []string{"schweiz suisse svizzera switzerland"}}, // Bundesamt für Statistik
	"bls":            {System: National, home: "US"},                                                         // Bureau of Labor Statistics
	"bundesbank":     {System: National, home: "DE"},                                                         // Deutsche Bundesbank
	"camstat":        {System: National, home: "KH"},                                                         // National Institute of Statistics
	"cbs":            {System: National, home: "NL", whole: []string{"nl01"}},                                // Centraal Bureau voor de Statistiek
	"census":         {System: National, home: "US"},                                                         // United States Census Bureau
	"cso":            {System: National, home: "IE", whole: []string{"state"}},                               // Central Statistics Office
	"csp":            {System: National, home: "LV"},                                                         // Centrālā statistikas pārvalde
	"destatis":       {System: National, home: "DE"},                                                         // Statistisches Bundesamt
	"dst":            {System: National, home: "DK", whole: []string{"000"}},                                 // Danmarks Statistik
	"geostat":        {System: National, home: "GE"},                                                         // National Statistics Office
	"gss":            {System: National, home: "GH"},                                                         // Ghana Statistical Service
	"hagstova":       {System: National, home: "FO"},                                                         // Hagstova Føroya
	"ine":            {System: National, home: "ES"},                                                         // Instituto Nacional de Estadística
	"inegi":          {System: National, home: "MX", whole: []string{"00"}},                                  // Instituto Nacional de Estadística y Geografía
	"insee":          {System: National, home: "FR", list: "insee"},                                          // Institut national de la statistique
	"istat":          {System: National, home: "IT"},                                                         // Istituto nazionale di statistica
	"japan-esri":     {System: National, home: "JP"},                                                         // Cabinet Office of Japan
	"luke":           {System: National, home: "FI"},                                                         // Luonnonvarakeskus
	"makstat":        {System: National, home: "MK"},                                                         // State Statistical Office
	"boe":            {System: National, home: "GB"},                                                         // Bank of England
	"frb":            {System: National, home: "US"},                                                         // Federal Reserve Board
	"oenb":           {System: National, home: "AT"},                                                         // Oesterreichische Nationalbank
	"stats-nz":       {System: National, home: "NZ"},                                                         // Stats NZ
	"nbb":            {System: National, home: "BE"},                                                         // National Bank of Belgium
	"norges-bank":    {System: National, home: "NO"},                                                         // Norges Bank
	"ons":            {System: National, home: "GB"},                                                         // Office for National Statistics
	"psa":            {System: National, home: "PH"},                                                         // Philippine Statistics Authority
	"scb":            {System: National, home: "SE", whole: []string{"00"}},                                  // Statistiska centralbyrån
	"simel":          {System: National, home: "SV"},                                                         // Ministry of Labour
	"ssb":            {System: National, home: "NO"},                                                         // Statistisk sentralbyrå
	"stat-ee":        {System: National, home: "EE"},                                                         // Statistikaamet
	"stat-lt":        {System: National, home: "LT"},                                                         // Valstybės duomenų agentūra
	"statcan":        {System: National, home: "CA"},                                                         // Statistics Canada
	"statec":         {System: National, home: "LU"},                                                         // Institut national de la statistique
	"statfin":        {System: National, home: "FI", whole: []string{"sss"}},                                 // Tilastokeskus
	"statgl":         {System: National, home: "GL", whole: []string{"kalaallit nunaat"}},                    // Statistics Greenland
	"statice":        {System: National, home: "IS"},                                                         // Hagstofa Íslands
	"statistica-md":  {System: National, home: "MD"},                                                         // Biroul Național de Statistică
	"surs":           {System: National, home: "SI"},                                                         // Statistični urad
	"ukrstat":        {System: National, home: "UA"},                                                         // State Statistics Service

	"zensus2022":            {System: National, home: "DE"}, // the German census of 2022
	"it-nrw":                {System: National, home: "DE"}, // Statistisches Landesamt Nordrhein-Westfalen
	"banxico":               {System: National, home: "MX"}, // Banco de México
	"bcch":                  {System: National, home: "CL"}, // Banco Central de Chile
	"bcrp":                  {System: National, home: "PE"}, // Banco Central de Reserva del Perú
	"kosis":                 {System: National, home: "KR"}, // Statistics Korea
	"bok":                   {System: National, home: "KR"}, // Bank of Korea
	"bam":                   {System: National, home: "MA"}, // Bank Al-Maghrib
	"bnr":                   {System: National, home: "RO"}, // National Bank of Romania
	"tcmb":                  {System: National, home: "TR"}, // Central Bank of the Republic of Türkiye
	"cbr":                   {System: National, home: "RU"}, // Bank of Russia
	"danmarks-nationalbank": {System: National, home: "DK"}, // Danmarks Nationalbank
	"mnb":                   {System: National, home: "HU"}, // Magyar Nemzeti Bank
	"cnb":                   {System: National, home: "CZ"}, // Czech National Bank
	"nbp":                   {System: National, home: "PL"}, // Narodowy Bank Polski
	"nbu":                   {System: National, home: "UA"}, // National Bank of Ukraine
	"hnb":                   {System: National, home: "HR"}, // Croatian National Bank
	"ine-pt":                {System: National, home: "PT"}, // Instituto Nacional de Estatística

	"us-treasury":       {System: National, home: "US"}, // Department of the Treasury
	"mas":               {System: National, home: "SG"}, // Monetary Authority of Singapore
	"singstat":          {System: National, home: "SG"}, // Department of Statistics
	"riksbank":          {System: National, home: "SE"}, // Sveriges Riksbank
	"statistik-austria": {System: National, home: "AT"}, // Bundesanstalt Statistik Österreich

	"regionalstatistik": {System: National, home: "DE"}, // the German federal and regional offices
}

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
