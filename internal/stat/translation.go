package stat

import (
	"cmp"
	"maps"
	"strings"
)

// A Translation holds the texts of a dataset in one language. A text that the office does
// not have in that language is empty or absent.
type Translation struct {
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	Unit        string `json:"unit,omitempty"`
	// Notes holds notes on observations, or remarks of which these consist, by the text in the dataset's language.
	Notes Notes `json:"notes,omitempty"`
	// SeriesUnits holds units that are stated for series, by the text in the dataset's language.
	SeriesUnits map[string]string `json:"series_units,omitempty"`
	// Dimensions holds the texts of dimensions by ID, also of the geography and of fixed
	// dimensions.
	Dimensions map[string]*DimensionTexts `json:"dimensions,omitempty"`
}

// DimensionTexts holds the texts of a dimension in one language.
type DimensionTexts struct {
	Label string            `json:"label,omitempty"`
	Codes map[string]string `json:"codes,omitempty"` // labels by code
	Units map[string]string `json:"units,omitempty"` // units by code, see [Code]
}

// Texts holds a text in several languages, by the language as [LanguageTag] writes it.
type Texts map[string]string

// LanguageTag returns a language as Almanac writes it: the tag of BCP 47 in lower case
// with hyphens ("de", "pt-br"). It is empty for the empty text.
func LanguageTag(language string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(language)), "_", "-")
}

// Set adds a text, unless there is one in the language already or either is empty. The
// receiver may be nil; the result replaces it.
func (t Texts) Set(language, text string) Texts {
	if language == "" || text == "" || t[language] != "" {
		return t
	}
	if t == nil {
		t = Texts{}
	}
	t[language] = text
	return t
}

// Over returns the texts with those of below added that they lack.
func (t Texts) Over(below Texts) Texts {
	if len(below) == 0 {
		return t
	}
	all := maps.Clone(below)
	maps.Copy(all, t)
	return all
}

// Translation returns the texts of d in a language for adding to them.
func (d *Dataset) Translation(language string) *Translation {
	if d.Translations == nil {
		d.Translations = map[string]*Translation{}
	}
	if d.Translations[language] == nil {
		d.Translations[language] = &Translation{}
	}
	return d.Translations[language]
}

// Dimension returns the texts of the dimension with an ID for adding to them.
func (t *Translation) Dimension(id string) *DimensionTexts {
	if t.Dimensions == nil {
		t.Dimensions = map[string]*DimensionTexts{}
	}
	if t.Dimensions[id] == nil {
		t.Dimensions[id] = &DimensionTexts{Codes: map[string]string{}, Units: map[string]string{}}
	}
	return t.Dimensions[id]
}

// TranslateUnit adds the labels of a unit that is stated for series, as by [CodeList.TranslationsOf]. rest is what stands behind
// it in any language, such as a multiple.
func (d *Dataset) TranslateUnit(unit string, labels Texts, rest string) {
	for language, label := range labels {
		if label != unit {
			t := d.Translation(language)
			t.SeriesUnits = Texts(t.SeriesUnits).Set(unit+rest, label+rest)
		}
	}
}

// Texts returns the texts of the dimension with an ID, the zero DimensionTexts if there
// are none.
func (t *Translation) Texts(id string) DimensionTexts {
	if t == nil || t.Dimensions[id] == nil {
		return DimensionTexts{}
	}
	return *t.Dimensions[id]
}

// JoinTranslations adds the translations of another part of the dataset that d lacks.
func (d *Dataset) JoinTranslations(part *Dataset) {
	for language, theirs := range part.Translations {
		own := d.Translation(language)
		own.Notes = Notes(Texts(own.Notes).Over(Texts(theirs.Notes)))
		own.SeriesUnits = Texts(own.SeriesUnits).Over(theirs.SeriesUnits)
		for id, texts := range theirs.Dimensions {
			to := own.Dimension(id)
			to.Codes = Texts(to.Codes).Over(texts.Codes)
			to.Units = Texts(to.Units).Over(texts.Units)
		}
	}
}

// Notes holds texts in one language by those in another.
type Notes map[string]string

// Of returns a note in the other language: as a whole, else remark by remark, each of which has lines of its own. A remark
// without a translation stays as it is.
func (n Notes) Of(note string) string {
	if text := n[note]; text != "" {
		return text
	}
	lines := strings.Split(note, "\n")
	var remarks []string
	for from := 0; from < len(lines); {
		to := len(lines)
		for to > from+1 && n[strings.Join(lines[from:to], "\n")] == "" {
			to--
		}
		own := strings.Join(lines[from:to], "\n")
		remarks, from = append(remarks, cmp.Or(n[own], own)), to
	}
	return strings.Join(remarks, "\n")
}

// Original returns the dataset with the texts that everybody gets: Base, or d itself.
func (d *Dataset) Original() *Dataset {
	if d.Base != nil {
		return d.Base
	}
	return d
}

// translatedUnit returns a unit that is stated for a series in the language of d, if the office has it there or it is
// the label of a unit of the key, alone or before a multiple: "US dollar (millions)".
func (d *Dataset) translatedUnit(key []int32, stated string) string {
	if d.Base == nil {
		return stated
	}
	if unit := d.SeriesUnits[stated]; unit != "" {
		return unit
	}
	for i := range d.Dimensions {
		if d.Dimensions[i].Role != RoleUnit {
			continue
		}
		rest, ok := strings.CutPrefix(stated, d.Base.Dimensions[i].Codes[key[i]].Label)
		if ok && (rest == "" || strings.HasPrefix(rest, " (")) {
			return d.Dimensions[i].Codes[key[i]].Label + rest
		}
	}
	return stated
}

// TidyTranslations removes translations without any text.
func (d *Dataset) TidyTranslations() {
	for language, t := range d.Translations {
		maps.DeleteFunc(t.Dimensions, func(_ string, texts *DimensionTexts) bool {
			return texts.Label == "" && len(texts.Codes)+len(texts.Units) == 0
		})
		if t.Name == "" && t.Description == "" && t.Unit == "" && len(t.Notes)+len(t.SeriesUnits)+len(t.Dimensions) == 0 {
			delete(d.Translations, language)
		}
	}
	if len(d.Translations) == 0 {
		d.Translations = nil
	}
}
