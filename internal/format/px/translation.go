package px

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// maxLanguages bounds the languages of a file, against hostile ones.
const maxLanguages = 40

// setTranslations adds the texts in each of the file's languages. A text that a language
// lacks is left out, not replaced by that of another language.
func (r *reader) setTranslations() {
	r.Dataset.Language = cmp.Or(stat.LanguageTag(r.language), stat.LanguageTag(r.header.language))
	for language, written := range r.otherLanguages() {
		r.translate(language, written)
	}
}

// otherLanguages yields the file's languages but that of the dataset, each with how the file's statements name it,
// empty for the file's own.
func (r *reader) otherLanguages() iter.Seq2[string, string] {
	return func(yield func(language, written string) bool) {
		languages := r.header.list(slot{keyword: "LANGUAGES"})
		if stat.LanguageTag(r.header.language) == "" || len(languages) < 2 {
			return
		}
		for _, written := range languages[:min(len(languages), maxLanguages)] {
			written = strings.ToLower(strings.TrimSpace(written))
			language := stat.LanguageTag(written)
			if language == "" || language == r.Dataset.Language {
				continue
			}
			if written == r.header.language {
				written = ""
			}
			if !yield(language, written) {
				return
			}
		}
	}
}

// translate adds the texts in a language; written is how the file's statements name it,
// empty for the file's own.
func (r *reader) translate(language, written string) {
	h, d := r.header, r.Dataset
	text := func(keyword string) string { return oneLine(h.text(slot{keyword: keyword, language: written})) }
	t := &stat.Translation{Name: cmp.Or(text("DESCRIPTION"), text("TITLE"), text("CONTENTS"))}
	names := r.variableNames(written)
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

// variableNames returns the names of the variables in a language, which are empty if the file does not state all.
func (r *reader) variableNames(written string) []string {
	names := slices.Concat(r.header.list(slot{keyword: "STUB", language: written}), r.header.list(slot{keyword: "HEADING", language: written}))
	if len(names) != len(r.vars) {
		return make([]string, len(r.vars))
	}
	return names
}

// valuesIn returns the statement with the values of a variable that is called name in a language. ok is false if they are not
// those of all codes.
func (r *reader) valuesIn(v *variable, written, name string) (values statement, ok bool) {
	values, ok = r.header.find(slot{"VALUES", written, name, ""})
	if !ok || name == "" {
		values, ok = r.header.find(slot{"VALUES", written, v.name, ""})
	}
	return values, ok && len(values.values) == len(v.codes)
}

// translateVariable adds the texts of a variable that is called name in the language.
func (r *reader) translateVariable(t *stat.Translation, v *variable, written, name string) {
	label := strings.TrimSpace(name)
	values, ok := r.valuesIn(v, written, name)
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
