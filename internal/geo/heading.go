package geo

import (
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
	divisionHeading // subdivisions of a country
	townHeading     // towns and municipalities, which may share their names with subdivisions
)

var headingWords = [...][]string{
	countryHeading: {
		"country", "countries", "countrycode", "countryname", "countryiso", "nation", "nations", "economy", "economies",
		"iso", "iso2", "iso3", "isocode", "iso2c", "iso3c", "reporting", "alpha", "alpha2", "alpha3", "reporter", "ref_area", "refarea",
		"pays", "pais", "paises", "paese", "paesi", "staat", "staaten", "kraj", "kraje", "maa", "orszag", "zeme", "riik", "valstybe",
		"ulke", "хώρα", "страна", "країна", "国", "国家", "国名",
	},
	numberHeading: {"m49", "locid", "unsd"},
	divisionHeading: {
		"state", "states", "statecode", "statename", "province", "provinces", "provincia", "provincias", "estado", "estados", "uf",
		"bundesland", "bundeslander", "canton", "cantons", "kanton", "kantone", "prefecture", "prefectures", "lan", "fylke",
		"fylker", "oblast", "departement", "department", "departamento", "entidad", "comunidad", "comunidades", "ccaa", "regione",
		"regioni", "regiao", "voivodeship", "wojewodztwo", "governorate", "subdivision", "stusps", "usps", "territory",
		"region", "regions", "gdlcode", "省", "地区", "省份", "都道府県",
	},
	townHeading: {
		"city", "cities", "town", "towns", "municipality", "municipalities", "kommune", "kommuner", "kommun", "gemeinde", "gemeinden",
		"gemeente", "gemeenten", "commune", "communes", "municipio", "municipios", "comune", "comuni", "station", "village", "kunta",
		"gmina", "concelho", "obec", "settlement", "capital", "airport", "port",
	},
	landHeading: {"land", "lander", "laender", "landekode", "landkode", "lond"},
	areaHeading: {"area", "areas", "geo", "geography", "geographies", "location", "locations", "place", "omrade"},
}

// headingKind returns what the words of a heading say.
func headingKind(heading string) int {
	words := strings.FieldsFunc(plainLetters(heading), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	words = append(words, strings.Fields(plainLetters(heading))...)
	has := func(kind int) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(headingWords[kind], w) })
	}
	for _, kind := range []int{numberHeading, townHeading, countryHeading, divisionHeading, landHeading, areaHeading} {
		if has(kind) {
			return kind
		}
	}
	return anyHeading
}

// HeadingRank tells how likely a column is the geography of its table by the words of
// its heading: the higher, the likelier; 0 if they say nothing.
func HeadingRank(heading string) int {
	switch headingKind(heading) {
	case countryHeading, numberHeading:
		return 3
	case areaHeading, landHeading:
		return 2
	case divisionHeading, townHeading:
		return 1
	}
	return 0
}
