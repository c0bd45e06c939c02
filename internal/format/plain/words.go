package plain

import "strings"

// Folded headings of plain tables. Of each list, the first that a table has counts.
var (
	wordsPeriod = []string{
		"time period", "time", "period", "date", "year", "ref date", "reference period", "obs time", "month", "quarter", "week", "day",
		"jahr", "zeit", "datum", "année", "annee", "période", "año", "ano", "periodo", "anno", "rok", "jaar", "år",
	}
	wordsYear  = []string{"year", "jahr", "année", "annee", "año", "ano", "anno"}
	wordsPart  = []string{"month", "quarter", "week", "qtr", "monat", "quartal", "woche", "mois", "trimestre", "mes", "mese", "semester"}
	wordsValue = []string{
		"value", "values", "obs value", "observation value", "observation", "amount", "figure", "number", "count", "data value",
		"wert", "valeur", "valor", "valore", "waarde", "værdi", "värde",
	}
	wordsLower = []string{"lower bound", "lower", "low", "lower limit", "lower ci", "ci lower", "minimum"}
	wordsUpper = []string{"upper bound", "upper", "high", "upper limit", "upper ci", "ci upper", "maximum"}
	wordsFlag  = []string{"obs status", "obs flag", "flag", "flags", "status", "status flag", "symbol"}
	wordsConf  = []string{"conf status", "confidentiality", "confidentiality status"}
	wordsNote  = []string{"obs note", "note", "notes", "comment", "comments", "footnote", "footnotes", "remark", "remarks", "obs comment"}
	wordsUnit  = []string{"unit", "units", "unit measure", "unit of measure", "uom", "einheit", "unité", "unidad"}
	wordsFreq  = []string{"freq", "frequency"}

	// wordsNumeric are headings of dimensions whose codes are numbers.
	wordsNumeric = []string{
		"age", "ages", "age group", "single age", "alter", "âge", "edad", "età", "ålder", "alder", "leeftijd", "ikä",
		"grade", "class", "decile", "quintile", "quartile", "percentile", "cohort",
	}
	// wordsNumber are headings of numbers that count or identify things.
	wordsNumber = []string{
		"no", "no.", "nr", "num", "number", "row", "row number", "rownum", "index", "idx", "key", "rank", "serial", "serial number", "record", "line",
		"zip", "postcode", "postal code", "phone", "fips", "geonameid", "isic", "nace", "isco", "cpc", "hs", "sitc", "cpv", "isced",
	}

	wordsGeoCode = []string{
		"geo", "ref area", "country code", "iso3", "iso2", "iso", "iso3c", "iso2c", "iso code", "iso 3", "iso 2", "country iso", "country iso3",
		"area code", "geo code", "location code", "region code", "economy code", "m49", "m49 code", "nuts", "nuts code", "area code (m49)",
	}
	wordsGeoName = []string{
		"country name", "country", "country or area", "countries", "reference area", "geographic area", "geography", "area", "economy",
		"entity", "location", "region", "territory", "nation", "state", "reporter", "geo label", "region name", "area name", "location name",
		"land", "pays", "país", "pais", "paese",
	}
)

// fold returns a heading in lower case, with one space between words.
func fold(heading string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool {
		return r == ' ' || r == '_' || r == '-' || r == '.' || r == '\u00a0'
	}), " ")
}
