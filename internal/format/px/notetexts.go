package px

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// localNames are the names of variables and values in a language of the file.
type localNames struct {
	variables []string
	values    []map[string]int32 // positions by name, for each variable
}

// labelNames returns the names in the language of the labels.
func (r *reader) labelNames() *localNames {
	in := &localNames{}
	for _, v := range r.vars {
		in.variables, in.values = append(in.variables, v.label), append(in.values, v.index[byLabel])
	}
	return in
}

// namesIn returns the names in another language, nil for the file's own.
func (r *reader) namesIn(written string) *localNames {
	if written == "" {
		return nil
	}
	in := &localNames{variables: r.variableNames(written)}
	for i, v := range r.vars {
		var index map[string]int32
		if values, ok := r.valuesIn(v, written, in.variables[i]); ok {
			index = indexOf(values.values)
		}
		in.values = append(in.values, index)
	}
	return in
}

// maxTranslatedNotes bounds the notes that are kept in several languages, because a view in a language has them in memory.
const maxTranslatedNotes = 10_000

// translateNotes adds the remarks in other languages to those on the same places in the language of the labels.
func (r *reader) translateNotes(own map[[2]string]*remark) {
	if len(own) > maxTranslatedNotes {
		r.Report.Add(noteTranslation, 1, fmt.Sprintf("%d remarks on values and cells", len(own)))
		return
	}
	for language, written := range r.otherLanguages() {
		in, texts := r.namesIn(written), map[[2]string][]string{}
		for _, st := range r.header.remarks {
			if st.language != written && !(written == "" && r.header.isOwn(st.language)) {
				continue
			}
			place := r.place(st, in)
			key := [2]string{st.keyword, fmt.Sprint(place)}
			if text := plain(st.values[0]); place != nil && text != "" && !slices.Contains(texts[key], text) {
				texts[key] = append(texts[key], text)
			}
		}
		notes, isOpen := stat.Notes{}, map[string]bool{} // open: of several texts in the other language
		for key, remark := range own {
			text, translated := strings.Join(remark.texts, "\n"), strings.Join(texts[key], "\n")
			if known := notes[text]; known != "" && translated != "" && known != translated {
				isOpen[text] = true
			}
			if text != "" && translated != "" {
				notes[text] = translated
			}
		}
		maps.DeleteFunc(notes, func(text, translated string) bool { return isOpen[text] || text == translated })
		if len(notes) > 0 {
			r.Dataset.Translation(language).Notes = notes
		}
	}
}
