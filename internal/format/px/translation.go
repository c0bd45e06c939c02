package px

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// maxLanguages bounds the languages of a file, against hostile ones.
const maxLanguages = 40

// setTranslations adds the texts in each of the file's languages. A text that a language
// lacks is left out, not replaced by that of another language.
func (r *reader) setTranslations() {
	own := stat.LanguageTag(r.header.language)
	r.Dataset.Language = cmp.Or(stat.LanguageTag(r.language), own)
	languages := r.header.list(slot{keyword: "LANGUAGES"})
	if own == "" || len(languages) < 2 {
		return
	}
	for _, written := range languages[:min(len(languages), maxLanguages)] {
		written = strings.ToLower(strings.TrimSpace(written))
		if language := stat.LanguageTag(written); language != "" && language != r.Dataset.Language {
			if written == r.header.language {
				written = ""
			}
			r.translate(language, written)
		}
	}
}

// translate adds the texts in a language; written is how the file's statements name it,
// empty for the file's own.
func (r *reader) translate(language, written string) {
	h, d := r.header, r.Dataset
	text := func(keyword string) string { return oneLine(h.text(slot{keyword: keyword, language: written})) }
	t := &stat.Translation{Name: cmp.Or(text("DESCRIPTION"), text("TITLE"), text("CONTENTS"))}
	names := slices.Concat(h.list(slot{keyword: "STUB", language: written}), h.list(slot{keyword: "HEADING", language: written}))
	if len(names) != len(r.vars) {
		names = make([]string, len(r.vars))
	}
	t.Description = r.remarksIn(written, names)
	if d.Unit != "" {
		t.Unit = text("UNITS")
	}
	for i, v := range r.vars {
		if i != r.time {
			r.translateVariable(t, v, written, names[i])
		}
	}
	if t.Name != "" || len(t.Dimensions) > 0 {
		*d.Translation(language) = *t
	}
}

// translateVariable adds the texts of a variable that is called name in the language.
func (r *reader) translateVariable(t *stat.Translation, v *variable, written, name string) {
	label := strings.TrimSpace(name)
	values, ok := r.header.find(slot{"VALUES", written, name, ""})
	if !ok || name == "" {
		values, ok = r.header.find(slot{"VALUES", written, v.name, ""})
	}
	ok = ok && len(values.values) == len(v.codes)
	if label == "" && !ok {
		return
	}
	texts := t.Dimension(v.id)
	texts.Label = label
	if !ok {
		return
	}
	hasUnits := r.isContents(v)
	for at, code := range v.codes {
		value := values.values[at]
		if value = strings.TrimSpace(value); value != "" {
			texts.Codes[code] = value
		}
		if !hasUnits {
			continue
		}
		unit := cmp.Or(r.header.text(slot{"UNITS", written, values.values[at], ""}), r.header.text(slot{"UNITS", written, name, values.values[at]}))
		if unit != "" {
			texts.Units[code] = unit
		}
	}
	if hasUnits && t.Unit == "" && r.Dataset.Unit != "" {
		t.Unit = texts.Units[v.codes[0]]
	}
}

// isContents reports whether the values of a variable are what is measured.
func (r *reader) isContents(v *variable) bool {
	contents := r.header.text(slot{keyword: "CONTVARIABLE"})
	return contents != "" && strings.TrimSpace(v.name) == contents
}

// remarksIn is description in a language without texts in others; names are those of the
// variables.
func (r *reader) remarksIn(written string, names []string) string {
	var parts []string
	for _, keyword := range noteKeywords {
		if remark := plain(r.header.text(slot{keyword: keyword, language: written})); remark != "" {
			parts = append(parts, remark)
		}
		for _, name := range names {
			if name == "" {
				continue
			}
			if remark := plain(r.header.text(slot{keyword, written, name, ""})); remark != "" {
				parts = append(parts, strings.TrimSpace(name)+": "+remark)
			}
		}
	}
	return strings.Join(parts, "\n")
}
