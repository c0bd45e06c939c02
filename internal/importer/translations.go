package importer

import (
	"cmp"
	"maps"
	"slices"

	"almanac/internal/stat"
)

// completeTranslations completes the texts of the dataset in other languages than its own:
// those of the file, else those of the office's dictionary, else those of the previous
// version if the text that they translate is the same. It decides which language is the
// dataset's own. Labels must be complete.
func (b *codebook) completeTranslations() {
	d, file := b.dataset, b.dataset.Translations
	d.Translations = nil
	own := ownLanguage{}
	b.translateName(file, own)
	for _, axis := range d.Axes() {
		b.translateAxis(axis, file, own)
	}
	b.keepTranslations()
	if d.Language == "" {
		d.Language = own.language()
	}
	delete(d.Translations, d.Language)
	d.TidyTranslations()
}

// ownLanguage counts the dataset's labels by the languages in which the office has them.
type ownLanguage map[string]int

// language returns the language of most labels, of several English, else the first; empty
// if none is known.
func (o ownLanguage) language() string {
	languages := slices.Sorted(maps.Keys(o))
	best := ""
	for _, language := range languages {
		if best == "" || o[language] > o[best] || o[language] == o[best] && language == "en" {
			best = language
		}
	}
	return best
}

// translateName adds the texts on the dataset as a whole.
func (b *codebook) translateName(file map[string]*stat.Translation, own ownLanguage) {
	d := b.dataset
	titles := stat.Texts{}
	for language, texts := range file {
		titles.Set(language, tidyText(texts.Name))
		if texts.Description != "" {
			d.Translation(language).Description = texts.Description
		}
		if texts.SeriesUnits != nil {
			d.Translation(language).SeriesUnits = texts.SeriesUnits
		}
		if texts.Notes != nil {
			d.Translation(language).Notes = texts.Notes
		}
		if unit := tidyText(texts.Unit); unit != "" && d.Unit != "" {
			d.Translation(language).Unit = unit
		}
	}
	for language, title := range b.about.Titles {
		titles.Set(language, tidyText(title))
	}
	for language, title := range titles {
		d.Translation(language).Name = title
		if title == d.Name {
			own[language]++
		}
	}
}

// translateAxis adds the texts of a dimension.
func (b *codebook) translateAxis(axis *stat.Dimension, file map[string]*stat.Translation, own ownLanguage) {
	labels := stat.Texts{}
	for language, texts := range file {
		labels.Set(language, tidyText(texts.Texts(axis.ID).Label))
	}
	for language, label := range b.dictionary.Labels(b.structure, axis.ID) {
		labels.Set(language, tidyText(label))
	}
	for language, label := range labels {
		b.dataset.Translation(language).Dimension(axis.ID).Label = label
		if label == axis.Label {
			own[language]++
		}
	}
	for language, texts := range file {
		for i := range axis.Codes {
			code := &axis.Codes[i]
			b.translateCode(axis, code, language, texts.Texts(axis.ID).Codes[code.ID], own)
			if unit := tidyText(texts.Texts(axis.ID).Units[code.ID]); unit != "" && code.Unit != "" {
				b.dataset.Translation(language).Dimension(axis.ID).Units[code.ID] = unit
			}
		}
	}
	if list := b.lists[axis.ID]; list != nil {
		for language, labels := range list.Translations {
			for i := range axis.Codes {
				b.translateCode(axis, &axis.Codes[i], language, labels[axis.Codes[i].ID], own)
			}
		}
		b.translateOwn(axis, list, own)
		return
	}
	for _, list := range b.listsOf(axis) {
		b.translateAlike(axis, list, own)
	}
}

// listsOf returns the lists in several languages that the office's structures name for
// dimensions with the ID of a dimension for which the dataset's own structure names none.
func (b *codebook) listsOf(axis *stat.Dimension) (lists []*stat.CodeList) {
	if b.dictionary == nil || !hasTranslations(b.dictionary.Lists) {
		return nil
	}
	var names []string
	for _, s := range b.dictionary.Structures {
		if c := s.Dimension(axis.ID); c != nil && c.List != "" {
			names = append(names, stat.ListName(c.List))
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if list := b.dictionary.Lists[name]; list != nil && list.Translations != nil {
			lists = append(lists, list)
		}
	}
	return lists
}

// hasTranslations reports whether any list is in several languages. Most offices with very many
// structures have none.
func hasTranslations(lists map[string]*stat.CodeList) bool {
	for _, list := range lists {
		if list.Translations != nil {
			return true
		}
	}
	return false
}

// translateAlike adds the labels of a list to the codes that have one of its labels, which
// shows that they are meant.
func (b *codebook) translateAlike(axis *stat.Dimension, list *stat.CodeList, own ownLanguage) {
	positions := list.Positions()
	for i := range axis.Codes {
		code := &axis.Codes[i]
		at, ok := positions[code.ID]
		if !ok {
			continue
		}
		labels := stat.Texts{}.Set(list.Language, tidyText(list.Codes[at].Label))
		for language := range list.Translations {
			labels.Set(language, tidyText(list.Translations[language][code.ID]))
		}
		if slices.Contains(slices.Collect(maps.Values(labels)), sourceLabel(code)) {
			for language, label := range labels {
				b.translateCode(axis, code, language, label, own)
			}
		}
	}
}

// translateOwn adds the labels of a list in its own language, where the file has others: they
// may be in another language, if the office has several.
func (b *codebook) translateOwn(axis *stat.Dimension, list *stat.CodeList, own ownLanguage) {
	if list.Language == "" {
		return
	}
	positions := list.Positions()
	for i := range axis.Codes {
		code := &axis.Codes[i]
		at, ok := positions[code.ID]
		switch {
		case !ok || list.Codes[at].Label == "":
		case tidyText(list.Codes[at].Label) == sourceLabel(code):
			own[list.Language]++
		case list.Translations != nil:
			b.translateCode(axis, code, list.Language, list.Codes[at].Label, own)
		}
	}
}

// translateCode adds the label of a code in a language, unless there is one.
func (b *codebook) translateCode(axis *stat.Dimension, code *stat.Code, language, label string, own ownLanguage) {
	if label = tidyText(label); label == "" {
		return
	}
	codes := b.dataset.Translation(language).Dimension(axis.ID).Codes
	if codes[code.ID] != "" {
		return
	}
	codes[code.ID] = label
	if label == sourceLabel(code) {
		own[language]++
	}
}

// sourceLabel returns the label of a code as the source has it.
func sourceLabel(code *stat.Code) string { return cmp.Or(code.SourceLabel, code.Label) }

// keepTranslations adds the texts of the previous version whose own text is unchanged.
func (b *codebook) keepTranslations() {
	d, before := b.dataset, b.previous()
	if b.isInOtherLanguage() {
		b.keepOtherLanguage()
		return
	}
	for language, texts := range b.earlierTexts {
		to := d.Translation(language)
		if d.Name == before.Name {
			to.Name = cmp.Or(to.Name, texts.Name)
		}
		if d.Description == before.Description {
			to.Description = cmp.Or(to.Description, texts.Description)
		}
		if d.Unit == before.Unit {
			to.Unit = cmp.Or(to.Unit, texts.Unit)
		}
		for _, axis := range d.Axes() {
			keepTexts(to, axis, dimensionOf(before, axis.ID), texts.Texts(axis.ID))
		}
	}
}

// keepTexts adds the texts of a dimension of the previous version.
func keepTexts(to *stat.Translation, axis *stat.Dimension, before stat.Dimension, texts stat.DimensionTexts) {
	if texts.Label == "" && len(texts.Codes) == 0 {
		return
	}
	own := to.Dimension(axis.ID)
	if axis.Label == before.Label {
		own.Label = cmp.Or(own.Label, texts.Label)
	}
	positions := before.Positions()
	for i := range axis.Codes {
		code := &axis.Codes[i]
		at, ok := positions[code.ID]
		if !ok || sourceLabel(&before.Codes[at]) != sourceLabel(code) {
			continue
		}
		if label := cmp.Or(own.Codes[code.ID], texts.Codes[code.ID]); label != "" {
			own.Codes[code.ID] = label
		}
		if unit := cmp.Or(own.Units[code.ID], texts.Units[code.ID]); unit != "" && before.Codes[at].Unit == code.Unit {
			own.Units[code.ID] = unit
		}
	}
}
