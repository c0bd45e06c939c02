package hits

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/search"
)

// The search compares words in small letters without accents. What readers are told has them as they are written: those of the question
// as they are typed, the others as titles, labels and the table of terms have them.

// typed returns folded words of a question as they are typed, also parts of its compounds.
func (q *question) typed(words string) string {
	return written(words, typedTexts(q.text, q.compounds))
}

// typedTexts returns a question and the parts of its compounds.
func typedTexts(question string, compounds []search.Compound) []string {
	texts := []string{question}
	for _, c := range compounds {
		texts = append(texts, c.Parts[:]...)
	}
	return texts
}

// written returns folded words as one of some texts has them, all together or else each; those that none has stay as they are.
func written(words string, texts []string) string {
	if text := writtenTogether(words, texts); text != "" {
		return text
	}
	each := strings.Fields(words)
	for i, word := range each {
		if text := writtenTogether(word, texts); text != "" {
			each[i] = text
		}
	}
	return strings.Join(each, " ")
}

// writtenTogether returns words that follow one another in one of some texts as that has them; empty if none has them.
func writtenTogether(words string, texts []string) string {
	folded := search.Words(words)
	for _, text := range texts {
		fields := strings.Fields(text)
		for from := range fields {
			for to := from + 1; to <= min(len(fields), from+len(folded)); to++ {
				if found := strings.Trim(strings.Join(fields[from:to], " "), search.Punctuation); slices.Equal(search.Words(found), folded) {
					return found
				}
			}
		}
	}
	return ""
}

// typedNames has the names of places and sources in a question as they are typed.
func typedNames(question string, found *search.Result) {
	texts := []string{question}
	for id, name := range found.AreaNames {
		found.AreaNames[id] = written(name, texts)
	}
	for i := range found.Unclear {
		found.Unclear[i].Text = written(found.Unclear[i].Text, texts)
	}
	for i := range found.PartsOf {
		found.PartsOf[i].Text = written(found.PartsOf[i].Text, texts)
	}
	for i, name := range found.Sources {
		found.Sources[i] = written(name, texts)
	}
}

// compoundNotices say as which parts compounds of a question are read.
func compoundNotices(compounds []search.Compound) (notices []Notice) {
	for _, c := range compounds {
		notices = append(notices, Notice{"q", c.Text, fmt.Sprintf("%q is read as %q and %q", c.Text, c.Parts[0], c.Parts[1]), []string{}})
	}
	return notices
}
