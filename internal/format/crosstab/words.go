package crosstab

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// rowRole is what a heading row says of its columns.
type rowRole uint8

const (
	roleHeading    rowRole = iota // a part of a dimension
	roleID                        // identifiers of series
	roleTitle                     // names of series
	roleUnit                      // units
	roleMultiplier                // what the numbers are to be multiplied by
	roleFrequency                 // frequencies
	roleUpdated                   // dates of the last update
	roleRemark                    // anything else that describes series
	roleParts                     // parts of the years in the stub
)

// rowWords are the names of heading rows in the files of offices, folded.
var rowWords = map[rowRole][]string{
	roleID: {
		"series id", "series_id", "series code", "series key", "code série", "code serie", "code de la série", "cdid", "idbank", "id", "identifier", "mnemonic", "sourcekey",
		"ticker", "código", "código de la serie", "código da série", "zeitreihenschlüssel", "zeitreihen-id", "code",
	},
	roleTitle: {
		"title", "titre", "titel", "título", "titolo", "libellé", "libelle", "name", "series name", "series", "label", "bezeichnung", "nom", "nombre", "nome",
		"data item description", "series description", "série", "serie", "variable name", "description", "descripción", "beschreibung",
	},
	roleUnit: {
		"unit", "units", "unit of measure", "unit of measurement", "einheit", "unité", "unite", "unidad", "unidade", "unidad de medida", "unidade de medida", "unità", "unità di misura",
		"eenheid", "enhet", "enhed", "yksikkö", "jednostka", "jednotka", "mértékegység", "単位", "单位", "計量单位",
	},
	roleMultiplier: {"unit multiplier", "multiplier", "magnitude", "unit_mult", "scale", "dimension", "power"},
	roleFrequency: {
		"frequency", "freq", "freq.", "fréquence", "frequence", "frecuencia", "frequência", "frequenza", "periodicity", "périodicité", "periodicidad", "periodicidade",
		"periodizität", "häufigkeit", "time format code",
	},
	roleUpdated: {
		"last update", "last updated", "updated", "dernière mise à jour", "date de mise à jour", "letzte aktualisierung", "stand vom", "release date", "publication date",
		"última actualización", "última atualização",
	},
	roleRemark: {
		"series type", "data type", "type", "source", "quelle", "fuente", "fonte", "series start", "series end", "currency", "unique identifier", "dezimalstellen", "no. obs", "no. obs.", "no obs", "collection month", "decimals",
		"precision", "next release", "important notes", "notes", "note", "preunit", "source dataset id", "méthode d'observation", "base", "base period", "seasonal adjustment",
		"adjustment", "start date", "end date", "status", "methodology", "remarks", "bemerkung", "kommentar", "comment", "comments", "observations", "coverage",
	},
}

// roleOf returns what a row with a name says. ok is false for names that are not known.
func roleOf(name string) (role rowRole, ok bool) {
	folded := strings.TrimSpace(strings.TrimRight(strings.ToLower(clean(name)), " :"))
	short, _, _ := strings.Cut(folded, " (in ") // "Source (in english)"
	for role, words := range rowWords {
		if slices.Contains(words, folded) || slices.Contains(words, short) {
			return role, true
		}
	}
	return roleHeading, false
}

// frequencyWords are the beginnings of names of frequencies, lower case.
var frequencyWords = []struct {
	word      string
	frequency stat.Frequency
}{
	{"ann", stat.Annual}, {"year", stat.Annual}, {"jähr", stat.Annual}, {"jahr", stat.Annual}, {"anu", stat.Annual}, {"p1y", stat.Annual},
	{"semi-ann", stat.HalfYear}, {"semiann", stat.HalfYear}, {"half", stat.HalfYear}, {"semest", stat.HalfYear}, {"halbj", stat.HalfYear}, {"p6m", stat.HalfYear},
	{"quart", stat.Quarter}, {"trimest", stat.Quarter}, {"viertelj", stat.Quarter}, {"p3m", stat.Quarter},
	{"month", stat.Month}, {"mens", stat.Month}, {"monat", stat.Month}, {"p1m", stat.Month},
	{"week", stat.Week}, {"hebdo", stat.Week}, {"wöch", stat.Week}, {"seman", stat.Week}, {"p7d", stat.Week}, {"p1w", stat.Week},
	{"dai", stat.Day}, {"day", stat.Day}, {"quotid", stat.Day}, {"journ", stat.Day}, {"täg", stat.Day}, {"diar", stat.Day}, {"diár", stat.Day}, {"business", stat.Day}, {"p1d", stat.Day},
}

// frequencyOf returns the frequency that a cell names, 0 if none.
func frequencyOf(cell string) stat.Frequency {
	folded := strings.ToLower(cell)
	if len(folded) == 1 {
		return map[string]stat.Frequency{"a": stat.Annual, "q": stat.Quarter, "m": stat.Month, "w": stat.Week, "d": stat.Day}[folded]
	}
	for _, f := range frequencyWords {
		if strings.HasPrefix(folded, f.word) {
			return f.frequency
		}
	}
	return 0
}

// one matches multipliers that change nothing.
var one = regexp.MustCompile(`(?i)^(|0|1|ones?|eins|einheit|units?|unités?|unidad(es)?)( \([01]\))?$`)

// withMultiplier returns a unit with the multiplier that the file states for it.
func withMultiplier(unit, multiplier string) string {
	switch {
	case one.MatchString(multiplier):
		return unit
	case unit == "":
		return multiplier
	}
	return unit + " (" + multiplier + ")"
}

// unitLine matches a line of a title that states the unit of the whole table.
var unitLine = regexp.MustCompile(`(?i)^\(?(?:units?|einheit|unité|unidad(?: de medida)?|unidade|unità|eenheid|enhet|enhed|mértékegység|单位|単位|计量单位)\s*[:：]\s*(.+?)\)?$`)

// unitForm matches short names of units below the headings of columns.
var unitForm = regexp.MustCompile(`(?i)^(in )?([0-9][0-9 .,]* ?)?(%|‰|per ?cent|percent|prozent|pour cent|por ?cento|procent|thousands?|millions?|billions?|tonnes?|t|kt|mt|kg|ha|km2|km²|m3|m³|tj|gwh|mwh|toe|ktoe|eur|usd|£|€|\$|` +
	`mrd\.? eur|mill?\.? eur|number|anzahl|nombre|número|persons?|personen|personnes|personas|fő|ezer fő|db|ezer|osob[ay]?|szt\.?|人|万人|亿元|千人|戸|円|[0-9]{4} ?= ?100)$`)

// areaWords are names of columns of areas, lower case.
var areaWords = []string{
	"geo", "geography", "geo (labels)", "geo (codes)", "ref_area", "country", "countries", "country or territory", "country/territory", "area", "region", "state", "province", "land", "länder", "bundesländer", "bundesland", "kreise",
	"kreise und kreisfreie städte", "kreise und krfr. städte", "gemeinden", "pays", "région", "país", "paese", "regione", "地区", "county", "geoname", "territory", "municipality", "területi egység neve",
	"kraj", "województwo", "maakond", "kommune", "kommun", "landsdel", "departamento", "provincia", "comunidad autónoma", "unidade da federação", "município",
}

func isAreaWord(name string) bool {
	return slices.Contains(areaWords, strings.ToLower(strings.TrimSpace(name))) || office.IsCountyHeading(name)
}
