package terms

import (
	"slices"
	"strings"
)

// Sexes are the words and codes for women, men, girls and boys: values of a dimension that most offices have. They are no terms of the
// field, because they are in too many titles. [Table.Women] and [Table.Men] have those of further languages.
var Sexes = [][]string{
	{"women", "woman", "female", "females", "frauen", "weiblich", "weibliche", "weiblichen", "weiblicher", "femmes", "féminin", "féminine", "mujeres", "femenino", "femenina", "donne", "femmine", "femminile", "FMLE", "SEX_FMLE"},
	{"men", "man", "male", "males", "männer", "männlich", "männliche", "männlichen", "männlicher", "hommes", "masculin", "masculine", "hombres", "varones", "masculino", "masculina", "uomini", "maschi", "maschile", "MLE", "SEX_MLE"},
	{"girls", "girl", "mädchen", "filles", "niñas", "ragazze", "bambine"},
	{"boys", "boy", "jungen", "garçons", "muchachos", "ragazzi"},
}

// AreSame reports whether two texts as a whole are words for the same: for one sex, or for one concept of the field, in any language.
func (t *Table) AreSame(a, b string) bool {
	if sex := t.sexOf(a); sex >= 0 {
		return sex == t.sexOf(b)
	}
	concept := t.conceptOf(a)
	return concept != nil && concept == t.conceptOf(b)
}

// sexOf returns which of Sexes a text is a word for, -1 if it is none. Words of further languages count as they are written,
// because without its accents a short one is a word of another language, as the Hungarian "nő".
func (t *Table) sexOf(text string) int {
	text = strings.TrimSpace(text)
	folded := strings.Join(Words(text), " ")
	at := slices.IndexFunc(Sexes, func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return folded == strings.Join(Words(word), " ") })
	})
	if at >= 0 {
		return at
	}
	return slices.IndexFunc([][]string{t.Women(), t.Men()}, func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(text, word) })
	})
}

// conceptOf returns the only concept of which a text as a whole is a name, nil if it is none. A word for a part of it is no name.
func (t *Table) conceptOf(text string) *Concept {
	found := t.Find(text, "")
	if len(found) != 1 || found[0].Part || len(found[0].Places) != len(Words(text)) {
		return nil
	}
	return found[0].Concept
}
