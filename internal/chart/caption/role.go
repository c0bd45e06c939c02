package caption

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// Labels of some dimensions mean something only with the part that they play: "Partner: World".

// roles are the words in the ID or the name of a dimension that say which part its labels play.
var roles = []struct{ word, name string }{
	{"partner", "Partner"}, {"counterpart", "Partner"}, {"vis_area", "Partner"},
	{"importer", "Importer"}, {"exporter", "Exporter"},
	{"currency_unit", "Currency of the country"}, {"origin", "Origin"}, {"destination", "Destination"},
	{"c_load", "Region of loading"}, {"c_unload", "Region of unloading"},
	{"rei", "Risk factor"}, {"variant", "Variant"}, {"varid", "Variant"},
	{"citizen", "Citizenship"}, {"citizenship", "Citizenship"}, {"nationality", "Citizenship"},
	{"statsborgerskap", "Citizenship"}, {"statsborgarskap", "Citizenship"}, {"medborgarskap", "Citizenship"},
	{"alder", "Age"}, {"edad", "Age"}, {"leeftijd", "Age"},
}

// pairs are dimensions that mean something together.
var pairs = []struct{ first, second, before, between string }{
	{"c_load", "c_unload", "From ", " to "},
	{"der_curr_leg1", "der_curr_leg2", "", " against "},
}

// joined returns the facts with one for each pair.
func joined(facts []fact) []fact {
	at := func(id string) int {
		return slices.IndexFunc(facts, func(f fact) bool { return strings.EqualFold(f.id, id) })
	}
	for _, pair := range pairs {
		if i, j := at(pair.first), at(pair.second); i >= 0 && j >= 0 {
			first := &facts[i]
			first.label = pair.before + first.label + pair.between + facts[j].label
			first.isCode, first.dimension, first.role = false, "", ""
			facts = slices.Delete(facts, j, j+1)
		}
	}
	return facts
}

// RoleOf returns the part that the labels of a dimension of [stat.Dataset.Axes] play, such as
// "Citizenship", in the words of the dataset if a reader chose its language. It is empty for most
// dimensions.
func RoleOf(d *stat.Dataset, axis int) string {
	dim, own := d.Axes()[axis], d.Original().Axes()[axis]
	role := roleOf(own.ID, own.Label)
	if name := tidy(dim.Label); role != "" && dim.Label != own.Label && !IsCode(name) {
		return upperFirst(name)
	}
	return role
}

func roleOf(id, name string) string {
	words := strings.FieldsFunc(strings.ToLower(id+" "+name), func(r rune) bool { return r == ' ' || r == '/' })
	for _, role := range roles {
		if slices.Contains(words, role.word) {
			return role.name
		}
	}
	return ""
}

// isSaidByRole reports whether a label has words enough without its part: ages in words.
func (f *fact) isSaidByRole() bool {
	return f.isAge && hasWord(f.label) || Contains(f.label, f.role)
}

// saysLittle are the IDs of dimensions that say in which part of the world the areas lie, or by
// which classification the other labels are.
var saysLittle = setOf("continent|iso_code|region_code|clasificador|classification|classificationcode")

// isMonth are names of months, which as a label may be anything of a month.
var isMonth = setOf("january|february|march|april|may|june|july|august|september|october|november|december")

// withRisk makes one fact of a measure, which comes first, and the risk factor to which its values
// are attributed: of all deaths only those that alcohol caused.
func withRisk(facts []fact, unit string) []fact {
	i := slices.IndexFunc(facts, func(f fact) bool { return f.role == "Risk factor" && !f.isCode })
	if i < 1 {
		return facts
	}
	measure := &facts[0]
	measure.label += " attributable to " + lowerFirst(facts[i].label)
	if isCorrection(unit) { // a share of them
		measure.label = "Share of " + lowerFirst(measure.label)
	}
	return slices.Delete(facts, i, i+1)
}

// withoutDefinitions leaves out how ages are counted if no age is named.
func withoutDefinitions(facts []fact) []fact {
	isDefinition := func(f fact) bool { return strings.EqualFold(f.id, "agedef") }
	hasAge := slices.ContainsFunc(facts, func(f fact) bool { return strings.EqualFold(f.id, "age") })
	if hasAge {
		return facts
	}
	return slices.DeleteFunc(facts, isDefinition)
}
