package terms

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Offices of other languages than those of the table publish the everyday concepts, too. The file languages.txt has what these call
// them: not for all concepts, and without rules for endings.

//go:embed languages.txt
var languagesText string

// Further is a term in another language than those of the table.
type Further struct {
	Language string // ISO 639-1
	Term     string // as the file has it
	Words    []FurtherWord
}

// FurtherWord is a folded word of such a term.
type FurtherWord struct {
	Text    string
	IsBegun bool // any ending may follow
}

// further has what the file languages.txt adds to the table.
type further struct {
	byWord map[string][]*furtherTerm // by the longest word of the term
	groups map[string][]string       // words of the blocks that are no concepts, as written
	beside map[string]bool           // folded words of the block beside
}

type furtherTerm struct {
	Further
	concept *Concept
}

// The blocks that are no concepts.
const (
	women  = "women"
	men    = "men"
	beside = "beside"
)

// minBegun is how many bytes a word that any ending may follow has at least.
const minBegun = 5

// Women and Men return the words for values of a dimension in the further languages, as written.
func (t *Table) Women() []string { return t.further.groups[women] }

// Men is [Table.Women] for men.
func (t *Table) Men() []string { return t.further.groups[men] }

// IsBeside reports whether a folded word of a further language may stand in a title beside a concept without saying that its values are
// something else.
func (t *Table) IsBeside(word string) bool { return t.further.beside[word] }

// readFurther reads the text of languages.txt.
func (t *Table) readFurther(text string) error {
	t.further = further{map[string][]*furtherTerm{}, map[string][]string{}, map[string]bool{}}
	var errs []error
	block, number := "", 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		language, list, isList := strings.Cut(line, ":")
		switch isGroup := slices.Contains([]string{women, men, beside}, line); {
		case isList && block != "":
			if err := t.addFurther(block, language, list); err != nil {
				errs = append(errs, fmt.Errorf("languages.txt, line %d: %w", number, err))
			}
		case !isList && (isGroup || t.byID[line] != nil):
			block = line
		default:
			errs = append(errs, fmt.Errorf("languages.txt, line %d: %q is no concept of the table", number, line))
		}
	}
	return errors.Join(errs...)
}

// addFurther adds a line of a block.
func (t *Table) addFurther(block, language, list string) error {
	if len(language) != 2 || slices.Contains(Languages, language) {
		return fmt.Errorf("%q is no code of a further language", language)
	}
	for term := range strings.SplitSeq(list, ",") {
		term = strings.TrimSpace(term)
		f := Further{Language: language, Term: term}
		for field := range strings.FieldsSeq(term) {
			text, isBegun := strings.CutSuffix(field, "*")
			words := Words(text)
			if isBegun && (len(words) != 1 || len(words[0]) < minBegun) {
				return fmt.Errorf("%q is too short for any ending", field)
			}
			for _, word := range words {
				f.Words = append(f.Words, FurtherWord{word, isBegun})
			}
		}
		if len(f.Words) == 0 {
			return fmt.Errorf("term %q has no letter", term)
		}
		c := t.byID[block]
		switch {
		case c != nil:
			c.Further = append(c.Further, f)
			longest := slices.MaxFunc(f.Words, func(a, b FurtherWord) int { return len(a.Text) - len(b.Text) })
			t.further.byWord[longest.Text] = append(t.further.byWord[longest.Text], &furtherTerm{f, c})
		case block == beside:
			t.further.beside[f.Words[0].Text] = true
		default:
			t.further.groups[block] = append(t.further.groups[block], strings.TrimSuffix(term, "*"))
		}
	}
	return nil
}

// findFurther returns the terms of further languages in words that are in no term that was found already.
func (t *Table) findFurther(words []string, found []Match) (more []Match) {
	taken := make([]bool, len(words))
	for _, m := range found {
		for _, i := range m.Places {
			taken[i] = true
		}
	}
	for i, word := range words {
		if taken[i] || hasDigit(word) {
			continue
		}
		isWeak := len(words) > 1 && t.most[word] != Strong
		for end := min(minBegun, len(word)); end <= len(word); end++ {
			for _, f := range t.further.byWord[word[:end]] {
				places := f.placesIn(words)
				if isWeak && len(places) == 1 {
					continue
				}
				if slices.Contains(places, i) && !slices.ContainsFunc(places, func(k int) bool { return taken[k] }) {
					more = append(more, Match{Concept: f.concept, Term: f.Term, Language: f.Language, Places: places, Adjacent: areNeighbours(places), words: len(places), isExact: true})
				}
			}
		}
	}
	return more
}

// placesIn returns where the words of a term stand, nil if one is missing.
func (f *Further) placesIn(words []string) (places []int) {
	for _, w := range f.Words {
		at := -1
		for i, word := range words {
			if is := word == w.Text || w.IsBegun && strings.HasPrefix(word, w.Text); is && at < 0 && !slices.Contains(places, i) {
				at = i
			}
		}
		if at < 0 {
			return nil
		}
		places = append(places, at)
	}
	return places
}

func areNeighbours(places []int) bool {
	for k := range places[1:] {
		if places[k+1] != places[k]+1 {
			return false
		}
	}
	return true
}
