package search

import (
	"slices"
	"strings"

	"almanac/internal/search/terms"
)

// Compound is a German compound that was read as its parts, as they are typed: Frauenerwerbsquote as Frauen and Erwerbsquote.
type Compound struct {
	Text  string
	Parts [2]string
}

// splitCompounds parts the compounds of a text that no dataset has, no term and no place: Milchproduktion, not Euroraum. A term of the
// field that names a sex is parted if no title has it.
func (s *Search) splitCompounds(n *snapshot, text string) (parted string, compounds []Compound) {
	fields := strings.Fields(text)
	for i, field := range fields {
		words := terms.Words(field)
		if len(words) != 1 {
			continue
		}
		if len(s.table.Areas(field)) == 0 {
			if parts, ok := s.splitCompass(words[0]); ok {
				fields[i] = parts
				continue
			}
		}
		first, second, ok := s.splitSex(n, words[0])
		if !ok {
			if s.isTerm(words[0]) || n.index.Occurrences(words[0]) > 0 || len(s.table.Areas(field)) > 0 || lookUpName(words[0]) != "" { // Cornwall
				continue
			}
			first, second, ok = n.index.Split(words[0], s.known)
		}
		if ok {
			fields[i] = first + " " + second
			compounds = append(compounds, compoundOf(field, first, second))
		}
	}
	return strings.Join(fields, " "), compounds
}

// compoundOf returns a compound with its two parts, which are folded, as it is typed. A noun begins with a capital also in it.
func compoundOf(field, first, second string) Compound {
	c := Compound{strings.Trim(field, Punctuation), [2]string{first, second}}
	for i := range c.Text {
		begin, end := c.Text[:i], c.Text[i:]
		if isWord(begin, first) {
			c.Parts[0] = begin
		}
		if isWord(end, second) {
			c.Parts[1] = end
			if head := []rune(c.Text)[:1]; strings.ToUpper(string(head)) == string(head) {
				letters := []rune(end)
				c.Parts[1] = strings.ToUpper(string(letters[:1])) + string(letters[1:])
			}
		}
	}
	return c
}

// Punctuation stands around words of a text.
const Punctuation = ".,;:!?\"'()[]„“”«»"

func isWord(text, folded string) bool { return slices.Equal(terms.Words(text), []string{folded}) }

// germanSexes are the German words for people of one sex that compounds begin with, folded.
var germanSexes = []string{"frauen", "manner", "madchen", "jungen"}

// splitSex parts a term of the field that begins with a word for a sex from its rest, if titles have the rest and not the term, by any of
// their names. ok is false if it is none.
func (s *Search) splitSex(n *snapshot, word string) (sex, rest string, ok bool) {
	for _, sex := range germanSexes {
		rest, isOne := strings.CutPrefix(word, sex)
		if isOne && s.isTerm(word) && n.index.Occurrences(word) == 0 && s.haveTitles(n, rest) && !s.haveTitles(n, word) {
			return sex, rest, true
		}
	}
	return "", "", false
}

// haveTitles reports whether a title has a German term of one word by any of its names.
func (s *Search) haveTitles(n *snapshot, word string) bool {
	alone := &reading{words: []string{word}, typed: []string{word}, language: "de", covered: map[uint32]bool{}}
	return slices.ContainsFunc(s.table.Find(word, ""), func(m terms.Match) bool { return s.isInTitles(n, alone, m) })
}
