package geo

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// shortNamesFile has the names in use that are shorter than those of the other tables.
const shortNamesFile = "shortnames"

// shortName is the name in use of an area.
type shortName struct {
	name string
	// beginnings are the folded words with which an English label of a group begins.
	beginnings []string
}

// loadShortNames reads the names in use of groups and countries by ID at the first call.
var loadShortNames = sync.OnceValue(func() map[string]shortName {
	names := make(map[string]shortName, 300)
	for _, p := range loadTables().countries {
		if p.area.Kind == Country {
			names[p.area.ID] = shortName{name: p.area.Name}
		}
	}
	for _, fields := range lines(shortNamesFile) {
		s := shortName{name: fields[1]}
		for _, field := range fields[2:] {
			for words := range strings.SplitSeq(field, " | ") {
				s.beginnings = append(s.beginnings, foldName(words))
			}
		}
		names[fields[0]] = s
	}
	return names
})

// ShortName returns the English name in use of an area by its ID: "Germany", "EU". ok is
// false for areas that have none: regions, most groups, former countries.
func ShortName(id string) (name string, ok bool) {
	s, ok := loadShortNames()[id]
	return s.name, ok
}

// NameInUse returns the short name of an area in place of the label that an office gives
// it: "Germany" for "Germany (until 1990 former territory of the FRG)". It returns the
// label itself if it says more than which area it is ("France, metropolitan"), if it is not
// English, and for areas without a short name.
func NameInUse(id, label string) string {
	if m := editionOfEU.FindStringSubmatch(label); m != nil {
		return "EU-" + m[1]
	}
	if label == "European Union" || label == "European Union (27)" { // of an office with its own code
		return "EU"
	}
	s, ok := loadShortNames()[id]
	if !ok {
		return label
	}
	key := foldName(label)
	switch {
	case isLimited(key):
	case s.beginnings != nil:
		if slices.ContainsFunc(s.beginnings, func(words string) bool { return beginsWith(key, words) }) {
			return s.name
		}
	case isNameOf(id, key), isNameOf(id, withoutHarmless(key)), isQualified(id, label):
		return s.name
	}
	return label
}

// editionOfEU matches the European Union as it was before 2020: "European Union (EU: 28)".
var editionOfEU = regexp.MustCompile(`^European Union \(EU:? ?(28|25|15)\)$`)

// namesBeside are the names of groups with the members of one time, which tell them from the same group with others.
var namesBeside = map[string]struct{ group, name string }{
	"EU27_2020": {"EU", "EU-27 (2020)"}, "EU28": {"EU", "EU-28"}, "EU27_2007": {"EU", "EU-27 (2007)"}, "EU27": {"EU", "EU-27"}, "EU25": {"EU", "EU-25"}, "EU15": {"EU", "EU-15"},
	"EU": {group: "EU"}, "EU_V": {group: "EU"}, "EUU": {group: "EU"}, "D0": {group: "EU"},
	"EA21": {"EA", "Euro area (21)"}, "EA20": {"EA", "Euro area (20)"}, "I9": {"EA", "Euro area (20)"}, "EA19": {"EA", "Euro area (19)"}, "I8": {"EA", "Euro area (19)"},
	"EA18": {"EA", "Euro area (18)"}, "I7": {"EA", "Euro area (18)"}, "EA17": {"EA", "Euro area (17)"}, "I6": {"EA", "Euro area (17)"},
	"EA": {group: "EA"}, "EMU": {group: "EA"}, "U2": {group: "EA"},
}

// NamesBeside returns the short names of areas that stand beside the same group with other members, by their IDs: "EU-27 (2020)"
// for EU27_2020 beside EU28. Other areas have none, nor have groups whose members change.
func NamesBeside(ids iter.Seq[string]) map[string]string {
	beside := map[string]map[string]bool{} // the IDs by group
	for id := range ids {
		if c, ok := namesBeside[id]; ok {
			if beside[c.group] == nil {
				beside[c.group] = map[string]bool{}
			}
			beside[c.group][id] = true
		}
	}
	names := map[string]string{}
	for _, group := range beside {
		for id := range group {
			if name := namesBeside[id].name; name != "" && len(group) > 1 {
				names[id] = name
			}
		}
	}
	return names
}

// IsName reports whether a text is a name of a country in any language.
func IsName(id, text string) bool {
	p := loadNames().any[foldName(text)]
	return p != nil && p.area.ID == id
}

// isNameOf reports whether a folded name is one by which an office calls a country.
func isNameOf(id, key string) bool {
	t := loadTables()
	is := func(p *place) bool { return p != nil && p.area.ID == id }
	return is(t.names[key]) || slices.ContainsFunc(ownFiles, func(file string) bool { return is(t.own[file].names[key]) })
}

// isQualified reports whether a label is a name of a country followed by a remark, in
// brackets or after a comma: "Bahamas, The", "Hong Kong, China (SAR)".
func isQualified(id, label string) bool {
	for i, r := range label {
		if (r == '(' || r == ',') && i > 0 && isNameOf(id, foldName(label[:i])) {
			return true
		}
	}
	return false
}

// limits are words of labels that mean another territory than that of the country today.
var limits = strings.Fields("without excluding exclusive excl except including incl includes mainland metropolitan continental " +
	"urban rural only part parts outside nea former formerly")

// harmless are folded words of labels that contain such a word and mean the country.
var harmless = []string{
	"former yugoslav republic", "until 1990 former territory of the frg", "including former gdr",
	// Territories that ISO 3166 does not count as parts of these countries.
	"excluding puerto rico and united states virgin islands", "excl channel islands and isle of man",
	"french part", "dutch part", // of the island of Saint Martin, each a territory of its own
}

// isLimited reports whether a folded label says that its area is not the country as it is.
func isLimited(key string) bool {
	return slices.ContainsFunc(strings.Fields(withoutHarmless(key)), func(word string) bool { return slices.Contains(limits, word) })
}

// withoutHarmless cuts words from a folded label that do not limit its area.
func withoutHarmless(key string) string {
	for _, words := range harmless {
		key = strings.Replace(key, words, "", 1)
	}
	return strings.TrimSpace(key)
}

// beginsWith reports whether a folded text begins with folded words.
func beginsWith(key, words string) bool {
	rest, ok := strings.CutPrefix(key, words)
	return ok && (rest == "" || rest[0] == ' ' || rest[0] >= '0' && rest[0] <= '9')
}
