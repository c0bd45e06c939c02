package importer

import (
	"cmp"

	"almanac/internal/stat"
)

// Offices that have a file for each language publish one dataset in all of them. An import of a
// file in another language than the stored version adds its texts to the dataset; the texts that
// everybody gets stay in the language in which they are, or become English if the file is.

const english = "en"

// isInOtherLanguage reports whether a file says that it is in another language than the previous
// version is.
func (b *codebook) isInOtherLanguage() bool {
	before := b.previous()
	return before != nil && before.Language != "" && b.dataset.Language != "" && before.Language != b.dataset.Language
}

// translateFile makes the texts of a file in another language a translation, with those of the
// previous version in their place. A code that is new keeps the label of the file. It does nothing
// if the file is in English.
func (b *codebook) translateFile() {
	if !b.isInOtherLanguage() || b.dataset.Language == english {
		return
	}
	d, before := b.dataset, b.previous()
	to, own := d.Translation(d.Language), d.Translations[before.Language]
	if own == nil {
		own = &stat.Translation{}
	}
	exchange := func(text, translation *string, stated, earlier string) {
		if *text != "" && earlier != "" {
			*translation = *text
			*text = cmp.Or(stated, earlier)
		}
	}
	exchange(&d.Name, &to.Name, own.Name, before.Name)
	exchange(&d.Description, &to.Description, own.Description, before.Description)
	exchange(&d.Unit, &to.Unit, own.Unit, before.Unit)
	for _, axis := range d.Axes() {
		known, texts, stated := dimensionOf(before, axis.ID), to.Dimension(axis.ID), own.Texts(axis.ID)
		exchange(&axis.Label, &texts.Label, stated.Label, known.Label)
		positions := known.Positions()
		for i := range axis.Codes {
			at, ok := positions[axis.Codes[i].ID]
			if !ok {
				continue
			}
			code, earlier := &axis.Codes[i], &known.Codes[at]
			label, unit := "", ""
			if sourceLabel(earlier) != earlier.ID {
				exchange(&code.Label, &label, stated.Codes[code.ID], sourceLabel(earlier))
			}
			exchange(&code.Unit, &unit, stated.Units[code.ID], earlier.Unit)
			stat.Texts(texts.Codes).Set(code.ID, label)
			stat.Texts(texts.Units).Set(code.ID, unit)
		}
	}
	d.Language = before.Language
}

// keepOtherLanguage keeps all texts of the previous version that are in another language than the
// file in English that replaces it, for the codes that still exist.
func (b *codebook) keepOtherLanguage() {
	d, before := b.dataset, b.previous()
	own := &stat.Translation{Name: before.Name, Description: before.Description, Unit: before.Unit}
	for _, axis := range before.Axes() {
		texts := own.Dimension(axis.ID)
		texts.Label = axis.Label
		for i := range axis.Codes {
			code := &axis.Codes[i]
			stat.Texts(texts.Codes).Set(code.ID, sourceLabel(code))
			stat.Texts(texts.Units).Set(code.ID, code.Unit)
		}
	}
	keepAll(d.Translation(before.Language), own, d)
	for language, texts := range b.earlierTexts {
		if language != d.Language {
			keepAll(d.Translation(language), texts, d)
		}
	}
}

// keepAll adds the texts that a translation lacks, for the codes of a dataset.
func keepAll(to, from *stat.Translation, d *stat.Dataset) {
	to.Name, to.Description = cmp.Or(to.Name, from.Name), cmp.Or(to.Description, from.Description)
	if d.Unit != "" {
		to.Unit = cmp.Or(to.Unit, from.Unit)
	}
	for _, axis := range d.Axes() {
		texts, earlier := to.Dimension(axis.ID), from.Texts(axis.ID)
		texts.Label = cmp.Or(texts.Label, earlier.Label)
		for i := range axis.Codes {
			code := &axis.Codes[i]
			stat.Texts(texts.Codes).Set(code.ID, earlier.Codes[code.ID])
			if code.Unit != "" {
				stat.Texts(texts.Units).Set(code.ID, earlier.Units[code.ID])
			}
		}
	}
}
