package api

import (
	"strings"

	"golang.org/x/text/language"

	"almanac/internal/chart/colour"
)

// Forms of values in the API reference, as regular expressions of ECMA-262 without anchors.
const (
	yearForm   = `[12][0-9]{3}`
	periodForm = yearForm + `|[HQ][12]/` + yearForm + `|Q[34]/` + yearForm + `|` + yearForm + `-?(H[12]|S[12]|Q[1-4])|` +
		`(0[1-9]|1[0-2])/` + yearForm + `|` + yearForm + `[M-]?(0[1-9]|1[0-2])|W(0[1-9]|[1-4][0-9]|5[0-2])/` + yearForm + `|` + yearForm + `-?W(0[1-9]|[1-4][0-9]|5[0-2])|` +
		`(0[1-9]|1[0-9]|2[0-8])/(0[1-9]|1[0-2])/` + yearForm + `|` + yearForm + `-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])`
	momentForm  = yearForm + `-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z)?`
	versionForm = `[1-9][0-9]{0,6}[.][0-9]`
	fieldForm   = `(all|source|code|frequency|periods|areas|available_geo|observations|licence|version|versions|kept_up_to_date|last_checked|description|topics)`
	colourForm  = `#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}`
)

// valueForms says what values the parameters take, by name, where a schema can say it. A
// pattern may leave out rare spellings that are accepted too.
var valueForms = map[string]object{
	"lang":             {"$ref": "#/components/schemas/Language"},
	"names":            {"enum": []string{"all"}},
	"updated_since":    pattern(momentForm),
	"version":          pattern(versionForm),
	"as_of":            pattern(momentForm),
	"from":             pattern(versionForm + "|" + momentForm),
	"to":               pattern(versionForm + "|" + momentForm),
	"frequency":        pattern("annual|half-yearly|quarterly|monthly|weekly|daily|[ASQMWD]"),
	"s":                pattern("([1-9][0-9]{0,8}|[^:/]+:[^:/]+)(:[a-z][a-z0-9_.]*=.*)?"),
	"fields":           pattern(fieldForm + "(," + fieldForm + ")*"),
	"sort":             pattern("-?(id|name|last_update|latest_period|observations)"),
	"here":             {"enum": []string{"true", "here", "1", "false", "offered", "0"}},
	"last_period_from": pattern(yearForm),
	"period":           pattern(periodForm),
	"period_from":      pattern(periodForm),
	"period_to":        pattern(periodForm),
	"latest_mode":      {"enum": []string{"last", "observed", "area"}},
	"transform":        pattern("change|percent|percent-year|index:(" + periodForm + ")"),
	"labels":           {"enum": []string{"code", "label", "both"}},
	"sep":              {"enum": []string{"comma", "semicolon", "tab"}},
	"decimal":          {"enum": []string{"point", "comma"}},
}

// pattern returns the schema of texts that match as a whole.
func pattern(form string) object { return object{"pattern": "^(" + form + ")$"} }

// languageSchema describes the tags of languages with two letters, which are those of ISO 639-1.
// Longer tags are accepted too.
func languageSchema() object {
	var tags []string
	for first := 'a'; first <= 'z'; first++ {
		for second := 'a'; second <= 'z'; second++ {
			tag := string([]rune{first, second})
			if parsed, err := language.Parse(tag); err == nil && parsed.String() == tag {
				tags = append(tags, tag)
			}
		}
	}
	return object{"type": "string", "description": "The tag of a language (BCP 47). A region or script may follow: pt-BR, zh-Hant.", "pattern": "^(" + strings.Join(tags, "|") + ")(-(419|AT|BE|BR|CA|CH|DE|ES|FR|GB|Hans|Hant|IT|PT|US))?$"}
}

// colourSchema describes a colour that a caller chooses. Other names are those of CSS, or what
// is given besides.
func colourSchema(besides ...string) object {
	return object{"type": "string", "pattern": "^(" + colourForm + "|" + strings.Join(append(colour.Names(), besides...), "|") + ")$"}
}

// chartForms describes the texts of fields of a chart request, by name; of an object, its values.
var chartForms = map[string]func() object{
	"period":       textForm(periodForm),
	"version":      textForm(versionForm),
	"asOf":         textForm(momentForm),
	"transform":    textForm("change|percent|percent-year|index:(" + periodForm + ")"),
	"lang":         func() object { return object{"$ref": "#/components/schemas/Language"} },
	"background":   func() object { return colourSchema("transparent") },
	"seriesColors": func() object { return colourSchema() },
}

// keyForms describes the names of members of fields of a chart request that are objects.
var keyForms = map[string]object{
	"referenceLines": pattern("-?[0-9]{1,9}([.][0-9]{1,6})?"),
	"shadedSpans":    pattern(yearForm + "[.][.]" + yearForm),
	"dateNotes":      pattern(periodForm),
}

func textForm(form string) func() object {
	return func() object { return object{"type": "string", "pattern": pattern(form)["pattern"]} }
}
