package caption

import (
	"slices"
	"strings"
)

// Labels of some dimensions mean something only with the part that they play: "Partner: World".

// roles are the words in the ID or the name of a dimension that say which part its labels play.
var roles = []struct{ word, name string }{
	{"partner", "Partner"}, {"counterpart", "Partner"}, {"vis_area", "Partner"},
	{"importer", "Importer"}, {"exporter", "Exporter"},
	{"c_load", "From"}, {"c_unload", "To"}, {"origin", "Origin"}, {"destination", "Destination"},
	{"rei", "Risk factor"}, {"variant", "Variant"}, {"varid", "Variant"},
	{"alder", "Age"}, {"edad", "Age"}, {"leeftijd", "Age"},
}

// roleOf returns the part that the labels of a dimension play; empty for most dimensions.
func roleOf(id, name string) string {
	words := strings.FieldsFunc(strings.ToLower(id+" "+name), func(r rune) bool { return r == ' ' || r == '/' })
	for _, role := range roles {
		if slices.Contains(words, role.word) {
			return role.name
		}
	}
	return ""
}

// RoleOf returns the part that the areas of a picture play: "Exporter".
func RoleOf(id, name string) string {
	if role := roleOf(id, name); role == "Importer" || role == "Exporter" {
		return role
	}
	return ""
}

// isSaidByRole reports whether a label has words enough without its part: ages in words.
func (f *fact) isSaidByRole() bool {
	return f.role == "Age" && hasWord(f.label) || Contains(f.label, f.role)
}

// saysRegion are the IDs of dimensions that say in which part of the world the areas lie.
var saysRegion = setOf("continent|iso_code|region_code")

// isMonth are names of months, which as a label may be anything of a month.
var isMonth = setOf("january|february|march|april|may|june|july|august|september|october|november|december")

// withoutDefinitions leaves out how ages are counted if no age is named.
func withoutDefinitions(facts []fact) []fact {
	isDefinition := func(f fact) bool { return strings.EqualFold(f.id, "agedef") }
	hasAge := slices.ContainsFunc(facts, func(f fact) bool { return strings.EqualFold(f.id, "age") })
	if hasAge {
		return facts
	}
	return slices.DeleteFunc(facts, isDefinition)
}
