// Package sdmx holds what the syntaxes of SDMX have in common. Every message has
// the same components: the dimensions that make up the key of an observation, its
// time, its value, and attributes of the dataset, of groups of series, of a series
// or of the observation.
//
// The packages below it are codecs: they turn XML, CSV and JSON into calls of this
// package and do not interpret flags or units. A codec finds the components of a
// dataset, makes a [Table] of them, and reads the observations into it:
//
//	table, err := sdmx.NewTable(assembled, in, structure, dimensions, nil)
//	unit := table.Attribute("UNIT")
//	…
//	table.Own.Set(unit, code, nil)            // an attribute of the series
//	table.Inherit()
//	…
//	table.SetCode(0, code)                    // an observation
//	table.Here.Clear()
//	table.Here.Set(status, code, nil)
//	table.YieldNumbers(numbers)
package sdmx

import (
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// FindOffice returns the office whose data a message holds: the one that the caller
// states, else the first known office among the names, else the agency that
// maintains the structure, else the first name.
func FindOffice(stated, agency string, names ...string) stat.Source {
	if stated != "" {
		return office.Find(stated)
	}
	for _, name := range names {
		if s := office.Find(name); s.URL != "" {
			return s
		}
	}
	for _, name := range append([]string{agency}, names...) {
		if s := office.Find(name); s.ID != "" {
			return s
		}
	}
	return stat.Source{}
}

// ParseURN splits a URN into the agency, the ID, and the ID of a part; part is empty
// unless the URN is that of a part:
//
//	urn:sdmx:org.sdmx.infomodel.conceptscheme.Concept=ECB:ECB_CONCEPTS(1.0).FREQ
func ParseURN(urn string) (agency, id, part string) {
	_, rest, found := strings.Cut(strings.TrimSpace(urn), "=")
	if !found {
		return "", "", ""
	}
	if agency, id, found = strings.Cut(rest, ":"); !found {
		agency, id = "", rest
	}
	id, version, _ := strings.Cut(id, "(")
	if at := strings.LastIndex(version, ")."); at >= 0 {
		part = version[at+2:]
	}
	return agency, id, part
}

// Text is a text in a language.
type Text struct {
	Language string `xml:"lang,attr"`
	Text     string `xml:",chardata"`
}

// Best returns the first text in English, else in the office's own language, else in no
// stated language, else in any, with single spaces for white space.
func Best(texts []Text, own string) string { return bestOf(texts, own).Text }

func bestOf(texts []Text, own string) (best Text) {
	rank := 0
	for _, t := range texts {
		if r := languageRank(t.Language, own); r > rank {
			if text := FoldSpace(t.Text); text != "" {
				best, rank = Text{stat.LanguageTag(t.Language), text}, r
			}
		}
	}
	return best
}

// Others returns the language of the text that [Best] returns, and the texts in other
// languages.
func Others(texts []Text, own string) (language string, others stat.Texts) {
	best := bestOf(texts, own)
	for _, t := range texts {
		if tag := stat.LanguageTag(t.Language); tag != best.Language {
			others = others.Set(tag, FoldSpace(t.Text))
		}
	}
	return best.Language, others
}

// InAll returns the texts by language if there are several languages, else nil.
func InAll(texts []Text) (all stat.Texts) {
	for _, t := range texts {
		all = all.Set(stat.LanguageTag(t.Language), FoldSpace(t.Text))
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// FoldSpace replaces white space by single spaces and trims it at both ends.
func FoldSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

func languageRank(language, own string) int {
	language, _, _ = strings.Cut(strings.ToLower(language), "-")
	switch language {
	case "en":
		return 4
	case "":
		return 2
	case strings.ToLower(own):
		return 3
	}
	return 1
}
