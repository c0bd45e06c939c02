// Package office lists what is known of single offices: their names in files, the
// meaning of their codes of status and frequency, and their time zones.
package office

import (
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // for machines without zone files
	"unicode"
	"unicode/utf8"

	"almanac/internal/stat"
)

// office is a statistical office with its names in files.
type office struct {
	stat.Source
	names []string // other names, agency and sender IDs; lower case
}

// offices are the offices whose files are known. Package geo lists their code systems
// for areas by the same IDs.
var offices = []office{
	{stat.Source{ID: "eurostat", Name: "Eurostat", URL: "https://ec.europa.eu/eurostat"}, []string{"estat", "4d0"}},
	{stat.Source{ID: "ecb", Name: "European Central Bank", URL: "https://data.ecb.europa.eu"}, []string{"4f0", "banque centrale européenne", "europäische zentralbank", "banco central europeo", "banca centrale europea"}},
	{stat.Source{ID: "bis", Name: "Bank for International Settlements", URL: "https://data.bis.org"}, []string{"5b0"}},
	{stat.Source{ID: "imf", Name: "International Monetary Fund", URL: "https://data.imf.org"}, []string{"1c0"}},
	{stat.Source{ID: "oecd", Name: "OECD", URL: "https://data-explorer.oecd.org"}, []string{"organisation for economic co-operation and development"}},
	{stat.Source{ID: "worldbank", Name: "World Bank", URL: "https://data.worldbank.org"}, []string{"wb", "the world bank"}},
	{stat.Source{ID: "who", Name: "World Health Organization", URL: "https://www.who.int/data/gho"}, nil},
	{stat.Source{ID: "fao", Name: "FAO", URL: "https://www.fao.org/faostat"}, []string{"food and agriculture organization of the united nations"}},
	{stat.Source{ID: "ilo", Name: "International Labour Organization", URL: "https://ilostat.ilo.org"}, []string{"ilostat"}},
	{stat.Source{ID: "unicef", Name: "UNICEF", URL: "https://data.unicef.org"}, nil},
	{stat.Source{ID: "unpd", Name: "United Nations Population Division", URL: "https://population.un.org/wpp"}, nil},
	{stat.Source{ID: "unsd", Name: "United Nations Statistics Division", URL: "https://unstats.un.org"}, []string{"un", "united nations"}},
	{stat.Source{ID: "owid", Name: "Our World in Data", URL: "https://ourworldindata.org"}, nil},
	{stat.Source{ID: "destatis", Name: "Statistisches Bundesamt", URL: "https://www.destatis.de"}, []string{"de2", "destatis", "federal statistical office, wiesbaden"}},
	{stat.Source{ID: "zensus2022", Name: "Zensus 2022", URL: "https://ergebnisse.zensus2022.de"}, nil},
	{stat.Source{ID: "it-nrw", Name: "Statistisches Landesamt Nordrhein-Westfalen", URL: "https://www.it.nrw"}, nil},
	{stat.Source{ID: "regionalstatistik", Name: "Statistische Ämter des Bundes und der Länder", URL: "https://www.regionalstatistik.de"}, nil},
	{stat.Source{ID: "insee", Name: "INSEE", URL: "https://www.insee.fr"}, []string{"fr1", "institut national de la statistique et des études économiques"}},
	{stat.Source{ID: "istat", Name: "Istat", URL: "https://www.istat.it"}, []string{"it1"}},
	{stat.Source{ID: "statcan", Name: "Statistics Canada", URL: "https://www.statcan.gc.ca"}, []string{"statistique canada"}},
	{stat.Source{ID: "scb", Name: "Statistics Sweden", URL: "https://www.scb.se"}, []string{"statistiska centralbyrån"}},
	{stat.Source{ID: "ssb", Name: "Statistics Norway", URL: "https://www.ssb.no"}, []string{"statistisk sentralbyrå"}},
	{stat.Source{ID: "dst", Name: "Statistics Denmark", URL: "https://www.dst.dk"}, []string{"danmarks statistik"}},
	{stat.Source{ID: "statfin", Name: "Statistics Finland", URL: "https://stat.fi"}, []string{"tilastokeskus"}},
	{stat.Source{ID: "statgl", Name: "Statistics Greenland", URL: "https://stat.gl"}, []string{"grønlands statistik"}},
	{stat.Source{ID: "bfs", Name: "Swiss Federal Statistical Office", URL: "https://www.bfs.admin.ch"}, []string{"bundesamt für statistik", "fso", "ch1"}},
	{stat.Source{ID: "ine", Name: "Instituto Nacional de Estadística", URL: "https://www.ine.es"}, []string{"es1", "instituto nacional de estadistica", "instituto nacional de estad\ufffdstica"}},
	{stat.Source{ID: "cso", Name: "Central Statistics Office", URL: "https://www.cso.ie"}, []string{"central statistics office, ireland", "ie1"}},
	{stat.Source{ID: "abs", Name: "Australian Bureau of Statistics", URL: "https://www.abs.gov.au"}, []string{"au1"}},
	{stat.Source{ID: "japan-esri", Name: "Cabinet Office of Japan (ESRI)", URL: "https://www.esri.cao.go.jp"}, nil},
	{stat.Source{ID: "nordic", Name: "Nordic Statistics database", URL: "https://www.nordicstatistics.org"}, []string{"nordic statistics", "nordicstatistics"}},
	{stat.Source{ID: "norges-bank", Name: "Norges Bank", URL: "https://data.norges-bank.no"}, []string{"nb"}},
	{stat.Source{ID: "bundesbank", Name: "Deutsche Bundesbank", URL: "https://www.bundesbank.de"}, []string{"bbk"}},
	{stat.Source{ID: "nbb", Name: "National Bank of Belgium", URL: "https://stat.nbb.be"}, nil},
	{stat.Source{ID: "statec", Name: "STATEC", URL: "https://lustat.statec.lu"}, nil},
	{stat.Source{ID: "stat-lt", Name: "State Data Agency of Lithuania", URL: "https://osp.stat.gov.lt"}, []string{"lsd"}},
	{stat.Source{ID: "ukrstat", Name: "State Statistics Service of Ukraine", URL: "https://stat.gov.ua"}, []string{"sssu", "ukrstat.gov.ua"}},
	{stat.Source{ID: "spc", Name: "Pacific Data Hub", URL: "https://stats.pacificdata.org"}, nil},
	{stat.Source{ID: "escap", Name: "UN ESCAP", URL: "https://dataexplorer.unescap.org"}, nil},
	{stat.Source{ID: "wits", Name: "World Bank WITS", URL: "https://wits.worldbank.org"}, []string{"wbg_wits"}},
	{stat.Source{ID: "comtrade", Name: "UN Comtrade", URL: "https://comtradeplus.un.org"}, nil},
	{stat.Source{ID: "unctad", Name: "UN Trade and Development", URL: "https://unctadstat.unctad.org"}, []string{"unctadstat"}},
	{stat.Source{ID: "wto", Name: "World Trade Organization", URL: "https://stats.wto.org"}, nil},
	{stat.Source{ID: "ihme", Name: "Institute for Health Metrics and Evaluation", URL: "https://www.healthdata.org"}, nil},
	{stat.Source{ID: "unesco", Name: "UNESCO Institute for Statistics", URL: "https://uis.unesco.org"}, []string{"uis"}},
	{stat.Source{ID: "inegi", Name: "INEGI", URL: "https://www.inegi.org.mx"}, nil},
	{stat.Source{ID: "camstat", Name: "National Institute of Statistics of Cambodia", URL: "https://www.nis.gov.kh"}, nil},
	{stat.Source{ID: "simel", Name: "SIMEL (El Salvador)", URL: "https://simel.mtps.gob.sv"}, nil},
	{stat.Source{ID: "stat-ee", Name: "Statistics Estonia", URL: "https://www.stat.ee"}, []string{"statistikaamet"}},
	{stat.Source{ID: "statice", Name: "Statistics Iceland", URL: "https://statice.is"}, []string{"hagstofa íslands"}},
	{stat.Source{ID: "hagstova", Name: "Statistics Faroe Islands", URL: "https://hagstova.fo"}, nil},
	{stat.Source{ID: "asub", Name: "Statistics Åland", URL: "https://www.asub.ax"}, nil},
	{stat.Source{ID: "luke", Name: "Natural Resources Institute Finland", URL: "https://www.luke.fi"}, []string{"luonnonvarakeskus"}},
	{stat.Source{ID: "csp", Name: "Central Statistical Bureau of Latvia", URL: "https://stat.gov.lv"}, nil},
	{stat.Source{ID: "surs", Name: "Statistical Office of the Republic of Slovenia", URL: "https://www.stat.si"}, nil},
	{stat.Source{ID: "makstat", Name: "State Statistical Office of North Macedonia", URL: "https://www.stat.gov.mk"}, nil},
	{stat.Source{ID: "ask", Name: "Kosovo Agency of Statistics", URL: "https://ask.rks-gov.net"}, []string{"agjencia e statistikave të kosovës", "agjencia e statistikave të kosovës (ask)"}},
	{stat.Source{ID: "statistica-md", Name: "National Bureau of Statistics of Moldova", URL: "https://statistica.gov.md"}, nil},
	{stat.Source{ID: "armstat", Name: "Statistical Committee of Armenia", URL: "https://armstat.am"}, nil},
	{stat.Source{ID: "geostat", Name: "National Statistics Office of Georgia", URL: "https://www.geostat.ge"}, nil},
	{stat.Source{ID: "psa", Name: "Philippine Statistics Authority", URL: "https://psa.gov.ph"}, nil},
	{stat.Source{ID: "gss", Name: "Ghana Statistical Service", URL: "https://statsghana.gov.gh"}, nil},
	{stat.Source{ID: "unece", Name: "United Nations Economic Commission for Europe", URL: "https://w3.unece.org"}, nil},
	{stat.Source{ID: "frb", Name: "Federal Reserve Board", URL: "https://www.federalreserve.gov"}, []string{"board of governors of the federal reserve system"}},
	{stat.Source{ID: "boe", Name: "Bank of England", URL: "https://www.bankofengland.co.uk"}, nil},
	{stat.Source{ID: "oenb", Name: "Oesterreichische Nationalbank", URL: "https://www.oenb.at"}, nil},
	{stat.Source{ID: "stats-nz", Name: "Stats NZ", URL: "https://www.stats.govt.nz"}, []string{"statsnz", "statistics new zealand"}},
	{stat.Source{ID: "nisra", Name: "NISRA", URL: "https://www.nisra.gov.uk"}, nil},
	{stat.Source{ID: "fred", Name: "FRED", URL: "https://fred.stlouisfed.org"}, []string{"federal reserve bank of st. louis", "federal reserve economic data"}},
	{stat.Source{ID: "bea", Name: "Bureau of Economic Analysis", URL: "https://www.bea.gov"}, []string{"u.s. bureau of economic analysis"}},
	{stat.Source{ID: "bls", Name: "Bureau of Labor Statistics", URL: "https://www.bls.gov"}, []string{"u.s. bureau of labor statistics"}},
	{stat.Source{ID: "census", Name: "US Census Bureau", URL: "https://www.census.gov"}, []string{"u.s. census bureau", "united states census bureau", "census bureau"}},
	{stat.Source{ID: "eia", Name: "Energy Information Administration", URL: "https://www.eia.gov"}, []string{"u.s. energy information administration"}},
	{stat.Source{ID: "cdc", Name: "Centers for Disease Control and Prevention", URL: "https://www.cdc.gov"}, []string{"cdc wonder"}},
	{stat.Source{ID: "nchs", Name: "National Center for Health Statistics", URL: "https://www.cdc.gov/nchs"}, nil},
	{stat.Source{ID: "bank-of-canada", Name: "Bank of Canada", URL: "https://www.bankofcanada.ca"}, []string{"banque du canada"}},
	{stat.Source{ID: "bank-of-japan", Name: "Bank of Japan", URL: "https://www.stat-search.boj.or.jp"}, nil},
	{stat.Source{ID: "bcb", Name: "Banco Central do Brasil", URL: "https://www.bcb.gov.br"}, nil},
	{stat.Source{ID: "bdf", Name: "Banque de France", URL: "https://webstat.banque-france.fr"}, nil},
	{stat.Source{ID: "boi", Name: "Bank of Israel", URL: "https://www.boi.org.il"}, []string{"boi.statistics"}},
	{stat.Source{ID: "cbs", Name: "Statistics Netherlands (CBS)", URL: "https://opendata.cbs.nl"}, []string{"centraal bureau voor de statistiek", "statistics netherlands"}},
	{stat.Source{ID: "dane", Name: "DANE", URL: "https://www.dane.gov.co"}, []string{"departamento administrativo nacional de estadística"}},
	{stat.Source{ID: "e-stat", Name: "e-Stat", URL: "https://www.e-stat.go.jp"}, []string{"portal site of official statistics of japan"}},
	{stat.Source{ID: "gus", Name: "Statistics Poland", URL: "https://stat.gov.pl"}, []string{"główny urząd statystyczny"}},
	{stat.Source{ID: "ibge", Name: "IBGE", URL: "https://www.ibge.gov.br"}, []string{"instituto brasileiro de geografia e estatística"}},
	{stat.Source{ID: "indec", Name: "INDEC", URL: "https://www.indec.gob.ar"}, []string{"instituto nacional de estadística y censos"}},
	{stat.Source{ID: "ksh", Name: "Hungarian Central Statistical Office", URL: "https://www.ksh.hu"}, []string{"központi statisztikai hivatal"}},
	{stat.Source{ID: "nbs", Name: "National Bureau of Statistics of China", URL: "https://data.stats.gov.cn"}, []string{"国家统计局"}},
	{stat.Source{ID: "ons", Name: "Office for National Statistics", URL: "https://www.ons.gov.uk"}, nil},
	{stat.Source{ID: "rba", Name: "Reserve Bank of Australia", URL: "https://www.rba.gov.au"}, nil},
	{stat.Source{ID: "snb", Name: "Swiss National Bank", URL: "https://data.snb.ch"}, []string{"schweizerische nationalbank"}},
	{stat.Source{ID: "fbos", Name: "Fiji Bureau of Statistics", URL: "https://www.statsfiji.gov.fj"}, nil},
	{stat.Source{ID: "sbs", Name: "Samoa Bureau of Statistics", URL: "https://www.sbs.gov.ws"}, nil},
	{stat.Source{ID: "dzs", Name: "Croatian Bureau of Statistics", URL: "https://dzs.gov.hr"}, []string{"državni zavod za statistiku"}},
	{stat.Source{ID: "llv", Name: "Office of Statistics Liechtenstein", URL: "https://www.statistikportal.li"}, nil},
	{stat.Source{ID: "dos-jo", Name: "Department of Statistics of Jordan", URL: "https://dos.gov.jo"}, nil},
	{stat.Source{ID: "nso-vn", Name: "National Statistics Office of Viet Nam", URL: "https://www.nso.gov.vn"}, nil},
	{stat.Source{ID: "irena", Name: "International Renewable Energy Agency", URL: "https://www.irena.org"}, nil},
	{stat.Source{ID: "nhwstat", Name: "Nordic Health and Welfare Statistics", URL: "https://nhwstat.org"}, nil},
	{stat.Source{ID: "tai", Name: "National Institute for Health Development", URL: "https://www.tai.ee"}, nil},
	{stat.Source{ID: "konj", Name: "National Institute of Economic Research", URL: "https://www.konj.se"}, nil},
	{stat.Source{ID: "etk", Name: "Finnish Centre for Pensions", URL: "https://www.etk.fi"}, nil},
	{stat.Source{ID: "uaestat", Name: "Federal Competitiveness and Statistics Centre", URL: "https://uaestat.fcsc.gov.ae"}, []string{"fcsa"}},
	{stat.Source{ID: "tnso", Name: "National Statistical Office of Thailand", URL: "https://www.nso.go.th"}, nil},
	{stat.Source{ID: "csu", Name: "Czech Statistical Office", URL: "https://csu.gov.cz"}, []string{"český statistický úřad"}},
	{stat.Source{ID: "susr", Name: "Statistical Office of the Slovak Republic", URL: "https://slovak.statistics.sk"}, []string{"štatistický úrad sr"}},
	{stat.Source{ID: "dosm", Name: "Department of Statistics Malaysia", URL: "https://www.dosm.gov.my"}, nil},
	{stat.Source{ID: "undp", Name: "UNDP Human Development Reports", URL: "https://hdr.undp.org"}, []string{"united nations development programme"}},
	{stat.Source{ID: "maddison", Name: "Maddison Project", URL: "https://www.rug.nl/ggdc/historicaldevelopment/maddison"}, []string{"maddison project database"}},
	{stat.Source{ID: "pwt", Name: "Penn World Table", URL: "https://www.rug.nl/ggdc/productivity/pwt"}, nil},
	{stat.Source{ID: "freedom-house", Name: "Freedom House", URL: "https://freedomhouse.org"}, nil},
	{stat.Source{ID: "v-dem", Name: "V-Dem Institute", URL: "https://www.v-dem.net"}, []string{"varieties of democracy"}},
	{stat.Source{ID: "banxico", Name: "Banco de México", URL: "https://www.banxico.org.mx"}, nil},
	{stat.Source{ID: "bcch", Name: "Banco Central de Chile", URL: "https://www.bcentral.cl"}, nil},
	{stat.Source{ID: "bcrp", Name: "Banco Central de Reserva del Perú", URL: "https://www.bcrp.gob.pe"}, nil},
	{stat.Source{ID: "kosis", Name: "KOSIS", URL: "https://kosis.kr"}, []string{"statistics korea"}},
	{stat.Source{ID: "bok", Name: "Bank of Korea", URL: "https://ecos.bok.or.kr"}, nil},
	{stat.Source{ID: "bam", Name: "Bank Al-Maghrib", URL: "https://www.bkam.ma"}, nil},
	{stat.Source{ID: "bnr", Name: "National Bank of Romania", URL: "https://www.bnr.ro"}, nil},
	{stat.Source{ID: "tcmb", Name: "Central Bank of the Republic of Türkiye", URL: "https://www.tcmb.gov.tr"}, nil},
	{stat.Source{ID: "cbr", Name: "Bank of Russia", URL: "https://www.cbr.ru"}, nil},
	{stat.Source{ID: "danmarks-nationalbank", Name: "Danmarks Nationalbank", URL: "https://www.nationalbanken.dk"}, nil},
	{stat.Source{ID: "mnb", Name: "Magyar Nemzeti Bank", URL: "https://www.mnb.hu"}, nil},
	{stat.Source{ID: "cnb", Name: "Czech National Bank", URL: "https://www.cnb.cz"}, nil},
	{stat.Source{ID: "nbp", Name: "Narodowy Bank Polski", URL: "https://nbp.pl"}, nil},
	{stat.Source{ID: "nbu", Name: "National Bank of Ukraine", URL: "https://bank.gov.ua"}, nil},
	{stat.Source{ID: "hnb", Name: "Croatian National Bank", URL: "https://www.hnb.hr"}, nil},
	{stat.Source{ID: "ine-pt", Name: "Statistics Portugal", URL: "https://www.ine.pt"}, []string{"instituto nacional de estatística"}},
	{stat.Source{ID: "us-treasury", Name: "US Department of the Treasury", URL: "https://fiscaldata.treasury.gov"}, []string{"u.s. department of the treasury"}},
	{stat.Source{ID: "mas", Name: "Monetary Authority of Singapore", URL: "https://eservices.mas.gov.sg"}, nil},
	{stat.Source{ID: "singstat", Name: "Singapore Department of Statistics", URL: "https://www.singstat.gov.sg"}, []string{"department of statistics, singapore"}},
	{stat.Source{ID: "statistik-austria", Name: "Statistics Austria", URL: "https://www.statistik.at"}, []string{"statistik austria"}},
	{stat.Source{ID: "riksbank", Name: "Sveriges Riksbank", URL: "https://www.riksbank.se"}, nil},
	{stat.Source{ID: "gdl", Name: "Global Data Lab", URL: "https://globaldatalab.org"}, nil},
}

// Local is the source of files that do not tell their publisher.
var Local = stat.Source{ID: stat.LocalSource, Name: "Local file"}

// Find returns the office with an ID, an agency or sender ID in SDMX, or a name in files,
// in any case. The ID of an office that is not listed is made of its name, and empty if
// the name is.
func Find(name string) stat.Source {
	folded := strings.ToLower(strings.TrimSpace(name))
	if folded == Local.ID {
		return Local
	}
	parent := folded
	if !strings.Contains(folded, " ") {
		parent, _, _ = strings.Cut(folded, ".") // "OECD.SDD" is an agency of the OECD
	}
	for _, id := range []string{folded, parent} {
		for _, o := range offices {
			if id == o.ID || id == strings.ToLower(o.Name) || slices.Contains(o.names, id) {
				return o.Source
			}
		}
	}
	words := strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return stat.Source{ID: strings.Join(words, "-"), Name: strings.TrimSpace(name)}
}

// FindIn returns the listed office whose name is a part of a longer text in whole words,
// as in PX files ("Source: Statistics Sweden, Population register"). Short IDs do not
// count.
func FindIn(text string) (s stat.Source, ok bool) {
	folded := strings.ToLower(text)
	for _, o := range offices {
		for _, n := range append([]string{strings.ToLower(o.Name)}, o.names...) {
			if len(n) > 4 && containsWords(folded, n) {
				return o.Source, true
			}
		}
	}
	return stat.Source{}, false
}

// IsInternational reports whether an office publishes data of many countries.
func IsInternational(s stat.Source) bool {
	return slices.Contains(strings.Fields("eurostat ecb bis imf oecd worldbank who fao ilo unicef unpd unsd owid unece"), s.ID)
}

// nameEnd matches what ends a name in a text: "INE. Labour force survey", "BFS - STATPOP".
var nameEnd = regexp.MustCompile(`[,;:|()\[\]©\n]|\.\s| [-–] `)

// FindFirst returns the listed office whose name a text is or begins with, up to a sign that
// ends a name. isWhole reports whether only other names of the office and its address
// follow. Another text, such as that of a survey, may stand in a table that a regional office made.
func FindFirst(text string) (s stat.Source, isWhole bool) {
	if s = Find(text); IsListed(s) {
		return s, true
	}
	parts := slices.DeleteFunc(nameEnd.Split(text, -1), func(part string) bool { return strings.TrimSpace(part) == "" })
	if len(parts) == 0 {
		return stat.Source{}, false
	}
	if s = Find(parts[0]); !IsListed(s) {
		return stat.Source{}, false
	}
	isOther := func(part string) bool {
		part = strings.TrimSpace(part)
		return Find(part) != s && !(strings.Contains(part, ".") && !strings.Contains(part, " "))
	}
	if slices.ContainsFunc(parts[1:], func(part string) bool { return isOther(part) && IsListed(Find(part)) }) {
		return stat.Source{}, false // of several offices
	}
	return s, !slices.ContainsFunc(parts[1:], isOther)
}

// containsWords reports whether words are a part of a text, with no letter or digit
// beside them: "estat" is no part of "destatis".
func containsWords(text, words string) bool {
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for at := 0; ; {
		next := strings.Index(text[at:], words)
		if next < 0 {
			return false
		}
		from := at + next
		at = from + len(words)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[at:])
		if !isWord(before) && !isWord(after) {
			return true
		}
	}
}

// zones are the zones of offices' times without a zone.
var zones = map[string]string{
	"scb": "Europe/Stockholm", "ssb": "Europe/Oslo", "dst": "Europe/Copenhagen", "statfin": "Europe/Helsinki",
	"statgl": "America/Nuuk", "bfs": "Europe/Zurich", "ine": "Europe/Madrid", "cso": "Europe/Dublin",
	"eurostat": "Europe/Luxembourg", "nordic": "Europe/Copenhagen", "boe": "Europe/London",
	"snb": "Europe/Zurich", "stats-nz": "Pacific/Auckland",
}

// Zone returns the zone of an office's times, UTC if it is not known.
func Zone(source string) *time.Location {
	zone, err := time.LoadLocation(zones[source]) // "" is UTC
	if err != nil {
		return time.UTC
	}
	return zone
}

// withPoint are the offices that write a decimal point in the tables of all their languages.
const withPoint = "fred bls bea census eia cdc nchs ons abs rba stats-nz boe bank-of-japan e-stat " +
	"worldbank unsd undp gdl snb us-treasury mas singstat boi banxico bcch bcrp bok kosis inegi bnr tcmb nbp nbu ine-pt"

// Decimal returns the decimal sign of an office's tables; empty if it is not known.
func Decimal(source string) string {
	if slices.Contains(strings.Fields(withPoint), source) {
		return "."
	}
	return ""
}

// sdmxFrequencies are the codes of SDMX CL_FREQ, which most agencies use.
var sdmxFrequencies = map[string]stat.Frequency{
	"A": stat.Annual, "S": stat.HalfYear, "H": stat.HalfYear, "Q": stat.Quarter,
	"M": stat.Month, "W": stat.Week, "D": stat.Day, "B": stat.Day,
}

// ownFrequencies are codes with another meaning in an agency's own list; 0 cannot
// be stored.
var ownFrequencies = map[string]map[string]stat.Frequency{
	"insee": {"T": stat.Quarter, "B": 0}, // trimestriel; bimestriel
	"frb": {
		"8": stat.Day, "9": stat.Day, "16": stat.Week, "17": stat.Week, "18": stat.Week, "19": stat.Week, "20": stat.Week, "21": stat.Week, "22": stat.Week,
		"129": stat.Month, "160": stat.Quarter, "161": stat.Quarter, "162": stat.Quarter, // by the month in which they end
		"192": stat.Annual, "193": stat.Annual, "194": stat.Annual, "195": stat.Annual, "196": stat.Annual, "197": stat.Annual,
		"198": stat.Annual, "199": stat.Annual, "200": stat.Annual, "201": stat.Annual, "202": stat.Annual, "203": stat.Annual,
		"204": stat.HalfYear, "205": stat.HalfYear, "206": stat.HalfYear, "207": stat.HalfYear, "208": stat.HalfYear, "209": stat.HalfYear,
	},
	"statcan": {"1": stat.Day, "2": stat.Week, "6": stat.Month, "9": stat.Quarter, "11": stat.HalfYear, "12": stat.Annual},
}

// Frequency returns what a code of an office's list of frequencies means. ok is
// false for frequencies that cannot be stored, such as every two months.
func Frequency(source, code string) (f stat.Frequency, ok bool) {
	code = strings.ToUpper(code)
	f, ok = ownFrequencies[source][code]
	if !ok {
		f = sdmxFrequencies[code]
	}
	return f, f != 0
}
