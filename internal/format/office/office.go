// Package office lists what is known of single offices: their names in files, the
// meaning of their codes of status and frequency, and their time zones.
package office

import (
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
	{stat.Source{ID: "ecb", Name: "European Central Bank", URL: "https://data.ecb.europa.eu"}, []string{"4f0"}},
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
	{stat.Source{ID: "destatis", Name: "Statistisches Bundesamt", URL: "https://www.destatis.de"}, []string{"de2", "destatis"}},
	{stat.Source{ID: "insee", Name: "INSEE", URL: "https://www.insee.fr"}, []string{"fr1", "institut national de la statistique et des études économiques"}},
	{stat.Source{ID: "istat", Name: "Istat", URL: "https://www.istat.it"}, []string{"it1"}},
	{stat.Source{ID: "statcan", Name: "Statistics Canada", URL: "https://www.statcan.gc.ca"}, []string{"statistique canada"}},
	{stat.Source{ID: "scb", Name: "Statistics Sweden", URL: "https://www.scb.se"}, []string{"statistiska centralbyrån"}},
	{stat.Source{ID: "ssb", Name: "Statistics Norway", URL: "https://www.ssb.no"}, []string{"statistisk sentralbyrå"}},
	{stat.Source{ID: "dst", Name: "Statistics Denmark", URL: "https://www.dst.dk"}, []string{"danmarks statistik"}},
	{stat.Source{ID: "statfin", Name: "Statistics Finland", URL: "https://stat.fi"}, []string{"tilastokeskus"}},
	{stat.Source{ID: "statgl", Name: "Statistics Greenland", URL: "https://stat.gl"}, []string{"grønlands statistik"}},
	{stat.Source{ID: "bfs", Name: "Swiss Federal Statistical Office", URL: "https://www.bfs.admin.ch"}, []string{"bundesamt für statistik", "fso", "ch1"}},
	{stat.Source{ID: "ine", Name: "Instituto Nacional de Estadística", URL: "https://www.ine.es"}, []string{"es1"}},
	{stat.Source{ID: "cso", Name: "Central Statistics Office", URL: "https://www.cso.ie"}, []string{"central statistics office, ireland", "ie1"}},
	{stat.Source{ID: "abs", Name: "Australian Bureau of Statistics", URL: "https://www.abs.gov.au"}, []string{"au1"}},
	{stat.Source{ID: "japan-esri", Name: "Cabinet Office of Japan (ESRI)", URL: "https://www.esri.cao.go.jp"}, nil},
	{stat.Source{ID: "nordic", Name: "Nordic Statistics database", URL: "https://www.nordicstatistics.org"}, []string{"nordic statistics", "nordicstatistics"}},
	{stat.Source{ID: "norges-bank", Name: "Norges Bank", URL: "https://data.norges-bank.no"}, []string{"nb"}},
	{stat.Source{ID: "bundesbank", Name: "Deutsche Bundesbank", URL: "https://www.bundesbank.de"}, []string{"bbk"}},
	{stat.Source{ID: "nbb", Name: "National Bank of Belgium", URL: "https://stat.nbb.be"}, nil},
	{stat.Source{ID: "statec", Name: "STATEC", URL: "https://lustat.statec.lu"}, nil},
	{stat.Source{ID: "stat-lt", Name: "State Data Agency of Lithuania", URL: "https://osp.stat.gov.lt"}, []string{"lsd"}},
	{stat.Source{ID: "ukrstat", Name: "State Statistics Service of Ukraine", URL: "https://stat.gov.ua"}, []string{"sssu"}},
	{stat.Source{ID: "spc", Name: "Pacific Data Hub", URL: "https://stats.pacificdata.org"}, nil},
	{stat.Source{ID: "escap", Name: "UN ESCAP", URL: "https://dataexplorer.unescap.org"}, nil},
	{stat.Source{ID: "wits", Name: "World Bank WITS", URL: "https://wits.worldbank.org"}, nil},
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
	{stat.Source{ID: "ask", Name: "Kosovo Agency of Statistics", URL: "https://ask.rks-gov.net"}, nil},
	{stat.Source{ID: "statistica-md", Name: "National Bureau of Statistics of Moldova", URL: "https://statistica.gov.md"}, nil},
	{stat.Source{ID: "armstat", Name: "Statistical Committee of Armenia", URL: "https://armstat.am"}, nil},
	{stat.Source{ID: "geostat", Name: "National Statistics Office of Georgia", URL: "https://www.geostat.ge"}, nil},
	{stat.Source{ID: "psa", Name: "Philippine Statistics Authority", URL: "https://psa.gov.ph"}, nil},
	{stat.Source{ID: "gss", Name: "Ghana Statistical Service", URL: "https://statsghana.gov.gh"}, nil},
	{stat.Source{ID: "unece", Name: "United Nations Economic Commission for Europe", URL: "https://w3.unece.org"}, nil},
	{stat.Source{ID: "nisra", Name: "NISRA", URL: "https://www.nisra.gov.uk"}, nil},
}

// Find returns the office with an ID, an agency or sender ID in SDMX, or a name in files,
// in any case. The ID of an office that is not listed is made of its name, and empty if
// the name is.
func Find(name string) stat.Source {
	folded := strings.ToLower(strings.TrimSpace(name))
	parent, _, _ := strings.Cut(folded, ".") // "OECD.SDD" is an agency of the OECD
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

// EurostatPage returns the address of a dataset on Eurostat's site.
func EurostatPage(code string) string {
	return "https://ec.europa.eu/eurostat/databrowser/product/view/" + strings.ToLower(code)
}

// zones are the zones of offices' times without a zone.
var zones = map[string]string{
	"scb": "Europe/Stockholm", "ssb": "Europe/Oslo", "dst": "Europe/Copenhagen", "statfin": "Europe/Helsinki",
	"statgl": "America/Nuuk", "bfs": "Europe/Zurich", "ine": "Europe/Madrid", "cso": "Europe/Dublin",
	"eurostat": "Europe/Luxembourg", "nordic": "Europe/Copenhagen",
}

// Zone returns the zone of an office's times, UTC if it is not known.
func Zone(source string) *time.Location {
	zone, err := time.LoadLocation(zones[source]) // "" is UTC
	if err != nil {
		return time.UTC
	}
	return zone
}

// sdmxFrequencies are the codes of SDMX CL_FREQ, which most agencies use.
var sdmxFrequencies = map[string]stat.Frequency{
	"A": stat.Annual, "S": stat.HalfYear, "H": stat.HalfYear, "Q": stat.Quarter,
	"M": stat.Month, "W": stat.Week, "D": stat.Day, "B": stat.Day,
}

// ownFrequencies are codes with another meaning in an agency's own list; 0 cannot
// be stored.
var ownFrequencies = map[string]map[string]stat.Frequency{
	"insee":   {"T": stat.Quarter, "B": 0}, // trimestriel; bimestriel
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
