package geo

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A heading says what the values of a column are. The kinds of headings:
const (
	anyHeading      = iota
	countryHeading  // countries: codes in a common system need no further proof
	numberHeading   // countries by M49 numbers
	areaHeading     // areas of any kind
	landHeading     // countries in Germanic languages, and the states of Germany
	regionHeading   // subdivisions of a country, rarely countries
	divisionHeading // subdivisions of a country, never countries
	townHeading     // municipalities, which may share their names with subdivisions and countries
	placeHeading    // other places, likewise
	otherHeading    // no areas: short codes are no codes of countries
)

var headingWords = [...][]string{
	countryHeading: {
		"country", "countries", "countrycode", "countryname", "countryiso", "nation", "nations", "economy", "economies",
		"iso", "iso2", "iso3", "isocode", "iso2c", "iso3c", "reporting", "alpha", "alpha2", "alpha3", "reporter", "ref_area", "refarea", "adm0",
		"pays", "pais", "paises", "paese", "paesi", "staat", "staaten", "maa", "orszag", "zeme", "riik", "valstybe",
		"ulke", "хώρα", "страна", "країна", "国", "国家", "国名",
	},
	numberHeading: {"m49", "locid", "unsd"},
	regionHeading: {
		"state", "states", "statecode", "statename", "stname", "stateid", "territory", "territories", "region", "regions", "regio", "regios", "regio's", "subdivision", "gdlcode", "kraj", "kraje", "地区", "регион", "регионы", "регіон", "регіони", "행정구역별", "행정구역",
	},
	divisionHeading: {
		"adm1", "admin1", "county", "counties", "countyname", "ctyname", "district", "districts", "maakond", "maakunta", "megye", "varmegye", "judet", "kreis", "kreise", "province", "provinces", "provincia", "provincias", "estado", "estados", "uf",
		"bundesland", "bundeslander", "canton", "cantons", "kanton", "kantone", "prefecture", "prefectures", "lan", "fylke",
		"fylker", "oblast", "departement", "department", "departamento", "entidad", "comunidad", "comunidades", "ccaa", "regione",
		"regioni", "regiao", "voivodeship", "wojewodztwo", "powiat", "prov", "dep", "governorate", "stusps", "usps", "省", "省份", "都道府県", "область", "області", "субъект", "시도", "시도별",
	},
	townHeading: {
		"municipality", "municipalities", "kommune", "kommuner", "kommun", "gemeinde", "gemeinden",
		"gemeente", "gemeenten", "commune", "communes", "municipio", "municipios", "comune", "comuni", "kunta",
		"gmina", "concelho", "obec", "okres", "borough", "boroughs", "komuna", "komunat", "lga", "lgas", "adm2", "adm3", "admin2", "admin3",
	},
	placeHeading: {
		"city", "cities", "town", "towns", "station", "village", "settlement", "capital", "airport", "port", "metro", "metropolitan", "cbsa", "msa", "agglomeration",
		"hospital", "university", "school", "branch", "site", "citta", "ciudad", "ville", "villes", "cidade", "cidades", "stadt", "stadte",
		"staedte", "ort", "orte", "standort", "filiale", "sede", "miasto", "miasta", "mesto", "mesta", "varos", "stad", "kaupunki", "linn", "miestas", "pilseta", "sehir",
		"город", "города", "місто", "міста", "城市", "都市", "도시",
	},
	landHeading: {"land", "lander", "laender", "landekode", "landkode", "lond"},
	areaHeading: {"area", "areas", "geo", "geography", "geographies", "location", "locations", "place", "omrade", "alue", "jurisdiction", "geofips", "geoname", "geografico",
		"territorio", "territorios", "territoire", "terytorialna", "teritoriala", "teruleti", "omraden", "alueet", "asgs", "sa2", "sa3", "sa4", "nuts", "nuts1", "nuts2", "nuts3", "nutscode", "nutsid", "lau", "lau1", "lau2"},
	otherHeading: {
		"industry", "industries", "sector", "sectors", "nace", "isic", "naics", "sic", "activity", "branch", "product", "products", "commodity",
		"item", "items", "sex", "gender", "age", "currency", "currencies", "language", "languages", "lang", "unit", "units", "indicator", "series",
		"subject", "variable", "measure", "category", "class", "status", "flag", "type", "occupation", "fips", "noc", "ioc", "fifa", "cowc",
	},
}

// capital matches the beginning of a word within a heading: BoroughName.
var capital = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)

// headingTokens returns the words of a heading, as they are and split at capitals and signs.
func headingTokens(heading string) []string {
	words := strings.FieldsFunc(plainLetters(capital.ReplaceAllString(heading, "$1 $2")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return append(words, strings.Fields(plainLetters(heading))...)
}

// standards are words of headings for codes of ISO 3166, which has codes of countries and of
// their subdivisions.
var standards = strings.Fields("iso iso2 iso3 isocode iso2c iso3c alpha alpha2 alpha3")

// headingKind returns what the words of a heading say.
func headingKind(heading string) int {
	words := headingTokens(heading)
	has := func(kind int) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(headingWords[kind], w) })
	}
	if slices.Contains(words, "3166") && slices.Contains(words, "2") {
		return divisionHeading
	}
	if has(divisionHeading) || has(regionHeading) {
		words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(standards, w) })
	}
	for _, kind := range []int{numberHeading, townHeading, placeHeading, countryHeading, divisionHeading, regionHeading, landHeading, areaHeading, otherHeading} {
		if has(kind) {
			return kind
		}
	}
	return anyHeading
}

// areOnlyAreas reports whether all words of a heading mean areas within a country.
func areOnlyAreas(heading string) bool {
	words := strings.Fields(plainLetters(heading))
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
		kind := headingKind(w)
		return kind < areaHeading || kind > townHeading
	})
}

// partners matches words in headings of columns with areas that are not the geography. A
// subnational region is one, and neither "import" in important nor "origin" in original
// means an area.
var partners = regexp.MustCompile(`citizen|partner|counterpart|(?:^|_)cp_|count_area|parent|nationalit|birth|destination|(?:^|[^c])currenc|languag|import(?:[^a]|a[^n]|$)|origin(?:[^a]|a[^l]|$)`)

// HeadingRank tells how likely a column is the geography of its table by the words of
// its heading: the higher, the likelier; 0 if they say nothing, -1 if they say that it
// is not.
func HeadingRank(heading string) int {
	if partners.MatchString(plainLetters(heading)) {
		return -1
	}
	switch headingKind(heading) {
	case countryHeading, numberHeading:
		return 3
	case areaHeading, landHeading:
		return 2
	case regionHeading, divisionHeading, townHeading, placeHeading:
		return 1
	}
	return 0
}
