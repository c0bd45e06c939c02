package request

import (
	"golang.org/x/text/language"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// Readers are the languages that a caller reads, the preferred one first.
type Readers []string

// ReadersOf returns the languages of lang, the parameter of that name, else those of accept,
// the header Accept-Language, each with the language that it is a variety of. It returns nil
// if the caller has no choice, because no dataset has names in several languages. The error
// is [stat.Invalid] if lang is no language.
func ReadersOf(c *store.Catalog, lang, accept string) (r Readers, err error) {
	var tags []language.Tag
	if lang != "" {
		tag, err := parseLanguage(lang)
		if err != nil {
			return nil, err
		}
		tags = []language.Tag{tag}
	} else {
		tags = acceptedLanguages(accept)
	}
	if !HaveSeveralNames(c) {
		return nil, nil
	}
	for _, tag := range tags {
		base, _ := tag.Base()
		if r = append(r, stat.LanguageTag(tag.String())); r[len(r)-1] != base.String() {
			r = append(r, base.String())
		}
		if base.String() == "nb" { // offices also write no
			r = append(r, "no")
		}
	}
	return r, nil
}

type severalNamesKey struct{}

// HaveSeveralNames reports whether any dataset has names in several languages.
func HaveSeveralNames(c *store.Catalog) bool {
	return c.Memo(severalNamesKey{}, func() any {
		for i := range c.Entries {
			if c.Entries[i].Names != nil {
				return true
			}
		}
		return false
	}).(bool)
}

// Name returns the name of a dataset in the first of the languages that it has, else the one
// that it has for everybody.
func (r Readers) Name(e *store.Entry) string {
	for _, language := range r {
		if name := e.Names[language]; name != "" {
			return name
		}
	}
	return e.Name
}
