package importer

import (
	"slices"
	"strings"
	"unicode"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// A line such as "Source: Statistics Denmark" names an office, but anybody may have made the
// file. An office without a country is then only named, so that the file is not taken for a
// dataset of this office. The country of a national one is the area of the numbers unless the
// title or a label names another area.

// attribute decides what a source that is only named in the file means for the dataset.
func (t *table) attribute() {
	t.isNamed = t.report.Withdraw(stat.NoteSourceNamed)
	if _, isNational := geo.HomeOf(t.dataset.Source.ID); t.isNamed && !isNational {
		t.dataset.Source.ID = stat.LocalSource
	}
}

// checkHome refuses the country of an office that is only named, if a text names another
// area.
func (t *table) checkHome(home geo.Area) error {
	if !t.isNamed {
		return nil
	}
	text, other := t.otherArea(home)
	if text == "" {
		return nil
	}
	err := stat.Errorf(stat.Refused, "the file names %s as its source, whose country is %s, but %q names %s: state the area that the numbers describe, or that they describe none",
		t.dataset.Source.Name, home.Name, text, other.Name)
	if text != t.dataset.Name { // one of several labels
		return stat.Suggest(err, stat.Suggestion{Option: "no-geo"})
	}
	return stat.Choose(err, []stat.Suggestion{{Option: "country", Value: home.ID}}, []stat.Suggestion{{Option: "country", Value: other.ID}})
}

// maxNamed bounds the texts in which areas are looked for.
const maxNamed = 1000

// otherArea returns the first text among the title and the labels that names another country
// than home, and this country.
func (t *table) otherArea(home geo.Area) (text string, other geo.Area) {
	texts := []string{t.dataset.Name}
	for _, dim := range t.dataset.Dimensions {
		for _, c := range dim.Codes[:min(maxNamed, len(dim.Codes))] {
			texts = append(texts, c.ID, c.Label)
		}
	}
	seen := map[string]bool{}
	for _, text := range texts {
		for _, name := range namesIn(text) {
			if seen[name] {
				continue
			}
			seen[name] = true
			r := geo.ResolveAll("", "country", []geo.Labelled{{Code: name}})
			if r.Known[0] && r.Areas[0].ID != home.ID {
				return text, r.Areas[0]
			}
		}
	}
	return "", geo.Area{}
}

// namesIn returns the runs of up to four words of a text that begin as names do.
func namesIn(text string) (names []string) {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' })
	for i, word := range words {
		letters := []rune(word)
		if len(letters) < 4 || !unicode.IsUpper(letters[0]) || !slices.ContainsFunc(letters, unicode.IsLower) {
			continue
		}
		for end := i + 1; end <= min(i+4, len(words)); end++ {
			names = append(names, strings.Join(words[i:end], " "))
		}
	}
	return names
}
