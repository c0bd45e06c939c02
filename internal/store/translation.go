package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store/catalog"
)

// A vintage file holds the texts in all languages with its structure. The catalogue stores
// those of each dimension and language once, like code lists, and a vintage reads them only
// when somebody wants the language.

// packedTranslation is a [stat.Translation] as the catalogue stores it.
type packedTranslation struct {
	Name        string            `json:"name,omitempty"`
	Description string            `json:"description,omitempty"`
	Unit        string            `json:"unit,omitempty"`
	Notes       stat.Notes        `json:"notes,omitempty"`
	SeriesUnits map[string]string `json:"series_units,omitempty"`
	Dimensions  map[string]string `json:"dimensions,omitempty"` // digest of the texts by the dimension's ID
}

// packTranslations returns the translations of a dataset, and adds the texts of dimensions to
// lists by their digests.
func packTranslations(d *stat.Dataset, lists map[string][]byte) (map[string]*packedTranslation, error) {
	var all map[string]*packedTranslation
	for language, t := range d.Translations {
		packed := &packedTranslation{Name: t.Name, Description: t.Description, Unit: t.Unit, Notes: t.Notes, SeriesUnits: t.SeriesUnits, Dimensions: map[string]string{}}
		for id, texts := range t.Dimensions {
			digest, err := addList(lists, texts)
			if err != nil {
				return nil, fmt.Errorf("writing the texts of %s in %s: %w", id, language, err)
			}
			packed.Dimensions[id] = digest
		}
		if all == nil {
			all = map[string]*packedTranslation{}
		}
		all[language] = packed
	}
	return all, nil
}

// namesOf returns the JSON of the names of a dataset by language, empty if there is only one
// or a curator chose it.
func namesOf(d *stat.Dataset) string {
	names := stat.Texts{}
	for language, t := range d.Translations {
		names.Set(language, t.Name)
	}
	if len(names) == 0 || d.Curated["name"] != "" {
		return ""
	}
	names.Set(d.Language, d.Name)
	text, err := json.Marshal(names)
	if err != nil {
		panic(err) // a map of texts
	}
	return string(text)
}

// Languages returns the languages in which the vintage has texts: its own first, if it is
// known, then the others in order. It returns nil if there is only one.
func (v *Vintage) Languages() []string {
	if len(v.texts) == 0 {
		return nil
	}
	others := slices.Sorted(maps.Keys(v.texts))
	own := v.Stored().Dataset.Language
	if own == "" {
		return others
	}
	return append([]string{own}, others...)
}

// Translation returns the texts in a language of [Vintage.Languages], nil if there are none
// besides the vintage's own.
func (v *Vintage) Translation(ctx context.Context, language string) (*stat.Translation, error) {
	packed := v.texts[language]
	if packed == nil {
		return nil, nil
	}
	t := &stat.Translation{Name: packed.Name, Description: packed.Description, Unit: packed.Unit, Notes: packed.Notes, SeriesUnits: packed.SeriesUnits}
	for id, digest := range packed.Dimensions {
		body, err := v.store.readList(ctx, v.file, digest)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, t.Dimension(id)); err != nil {
			return nil, fmt.Errorf("reading the texts of %s in %s: %w", id, language, err)
		}
	}
	return t, nil
}

// Translations returns the texts in all languages but the vintage's own, nil if there are
// none.
func (v *Vintage) Translations(ctx context.Context) (map[string]*stat.Translation, error) {
	var all map[string]*stat.Translation
	for language := range v.texts {
		t, err := v.Translation(ctx, language)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = map[string]*stat.Translation{}
		}
		all[language] = t
	}
	return all, nil
}

// addChangedLabels adds to rows the language of a list and its labels in other languages, as
// far as they are new or different. It reports whether there are any.
func (d *Dictionary) addChangedLabels(name string, list *stat.CodeList, rows *catalog.Dictionary) bool {
	before := len(rows.Translations) + len(rows.Languages)
	known := d.Lists[name]
	if known == nil {
		known = &stat.CodeList{}
	}
	if list.Language != known.Language {
		rows.Languages = append(rows.Languages, catalog.DictionaryLanguage{List: name, Language: list.Language})
	}
	for language, labels := range list.Translations {
		for code, label := range labels {
			if known.Translations[language][code] != label {
				rows.Translations = append(rows.Translations, catalog.DictionaryTranslation{List: name, Code: code, Language: language, Label: label})
			}
		}
	}
	return len(rows.Translations)+len(rows.Languages) > before
}

// changedTranslations adds to rows the labels of concepts in other languages that are new or
// different.
func (d *Dictionary) changedTranslations(stated *stat.Dictionary, rows *catalog.Dictionary) {
	for concept, texts := range stated.ConceptTexts {
		for language, label := range texts {
			if d.ConceptTexts[concept][language] != label {
				rows.Translations = append(rows.Translations, catalog.DictionaryTranslation{Code: concept, Language: language, Label: label})
			}
		}
	}
}

// addTranslations adds changed rows to a dictionary whose changed lists are copies.
func (d *Dictionary) addTranslations(rows *catalog.Dictionary) {
	for _, row := range rows.Languages {
		if list := d.Lists[row.List]; list != nil {
			list.Language = row.Language
		}
	}
	isCopy := map[string]bool{}
	for _, row := range rows.Translations {
		if row.List == "" {
			if !isCopy[row.Code] {
				isCopy[row.Code] = true
				d.ConceptTexts[row.Code] = maps.Clone(d.ConceptTexts[row.Code])
			}
			if d.ConceptTexts[row.Code] == nil {
				d.ConceptTexts[row.Code] = stat.Texts{}
			}
			d.ConceptTexts[row.Code][row.Language] = row.Label
			continue
		}
		list := d.Lists[row.List]
		if list == nil {
			continue // its row is always written with those of its labels
		}
		if list.Translations == nil {
			list.Translations = map[string]map[string]string{}
		}
		if list.Translations[row.Language] == nil {
			list.Translations[row.Language] = map[string]string{}
		}
		list.Translations[row.Language][row.Code] = row.Label
	}
}

func cloneTranslations(all map[string]map[string]string) map[string]map[string]string {
	clone := maps.Clone(all)
	for language, labels := range clone {
		clone[language] = maps.Clone(labels)
	}
	return clone
}
