package index

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"almanac/internal/search/terms"
)

// Vocabulary numbers the words of all segments. It only grows; the segments of one
// index share one. It is safe for concurrent use.
type Vocabulary struct {
	mu    sync.RWMutex
	ids   map[string]uint32
	words []string
	stems map[string][]uint32 // words by stem
	known map[stemmed]bool    // the word has been stemmed in the language
	// Words of languages that join words, sorted: as they are, and backwards.
	compounds, backwards []compound
	fresh                []compound      // that are not in these yet
	joined               map[uint32]bool // words that are in these or in fresh
	sorted               []uint32        // words in alphabetical order
	letters              []uint32        // of each word, see lettersOf
}

type stemmed struct {
	word     uint32
	language string
}

type compound struct {
	text string
	word uint32
}

// NewVocabulary returns an empty vocabulary.
func NewVocabulary() *Vocabulary {
	return &Vocabulary{ids: map[string]uint32{}, stems: map[string][]uint32{}, known: map[stemmed]bool{}, joined: map[uint32]bool{}}
}

// add returns the numbers of the words of a text in a language (ISO 639-1).
func (v *Vocabulary) add(text, language string, numbers []uint32) []uint32 {
	words := Words(text)
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, word := range words {
		id, ok := v.ids[word]
		if !ok {
			id = uint32(len(v.words))
			word = strings.Clone(word)
			v.ids[word], v.words, v.letters = id, append(v.words, word), append(v.letters, lettersOf(word))
		}
		if key := (stemmed{id, language}); !v.known[key] {
			v.known[key] = true
			v.learn(word, id, language)
		}
		numbers = append(numbers, id)
	}
	return numbers
}

// joinsWords lists the languages that write several words as one.
var joinsWords = []string{"de", "nl", "sv", "da", "no", "nb", "nn", "fi", "hu", "is"}

func (v *Vocabulary) learn(word string, id uint32, language string) {
	if stem := stemOf(language, word); stem != "" && slices.Contains(terms.Languages, language) {
		v.stems[stem] = append(v.stems[stem], id)
	}
	if len(word) > minPart && slices.Contains(joinsWords, language) && !v.joined[id] {
		v.joined[id] = true
		v.fresh = append(v.fresh, compound{word, id})
	}
}

// sort brings the sorted lists up to date. Until then they lack the newest words.
func (v *Vocabulary) sort() {
	v.mu.Lock()
	defer v.mu.Unlock()
	fresh := make([]uint32, 0, len(v.words)-len(v.sorted))
	for id := len(v.sorted); id < len(v.words); id++ {
		fresh = append(fresh, uint32(id))
	}
	v.sorted = merge(v.sorted, fresh, func(a, b uint32) int { return cmp.Compare(v.words[a], v.words[b]) })
	backwards := make([]compound, len(v.fresh))
	for i, c := range v.fresh {
		backwards[i] = compound{reverse(c.text), c.word}
	}
	byText := func(a, b compound) int { return cmp.Compare(a.text, b.text) }
	v.compounds, v.backwards, v.fresh = merge(v.compounds, v.fresh, byText), merge(v.backwards, backwards, byText), nil
}

// merge sorts fresh and returns it with a sorted list as one.
func merge[T any](sorted, fresh []T, compare func(a, b T) int) []T {
	if len(fresh) == 0 {
		return sorted
	}
	slices.SortFunc(fresh, compare)
	all := make([]T, 0, len(sorted)+len(fresh))
	for _, x := range fresh {
		for len(sorted) > 0 && compare(sorted[0], x) <= 0 {
			all, sorted = append(all, sorted[0]), sorted[1:]
		}
		all = append(all, x)
	}
	return append(all, sorted...)
}

func reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// Word returns the number of a folded word.
func (v *Vocabulary) Word(text string) (id uint32, ok bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	id, ok = v.ids[text]
	return id, ok
}

// text returns the word of a number.
func (v *Vocabulary) text(id uint32) string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.words[id]
}

// sameStem returns the words that share a stem with a word in any language.
func (v *Vocabulary) sameStem(text string, languages []string) []uint32 {
	v.mu.RLock()
	defer v.mu.RUnlock()
	var found []uint32
	for _, language := range languages {
		if stem := stemOf(language, text); stem != "" {
			for _, id := range v.stems[stem] {
				if !slices.Contains(found, id) {
					found = append(found, id)
				}
			}
		}
	}
	return found
}

// withPrefix returns the words that begin with a text, at most limit by the alphabet.
func (v *Vocabulary) withPrefix(prefix string, limit int) []uint32 {
	v.mu.RLock()
	defer v.mu.RUnlock()
	at, _ := slices.BinarySearchFunc(v.sorted, prefix, func(id uint32, p string) int { return cmp.Compare(v.words[id], p) })
	var found []uint32
	for ; at < len(v.sorted) && len(found) < limit && strings.HasPrefix(v.words[v.sorted[at]], prefix); at++ {
		found = append(found, v.sorted[at])
	}
	return found
}

// minPart is the shortest part of a compound.
const minPart = 5

// withPart returns the compounds that begin or end with a word.
func (v *Vocabulary) withPart(part string, limit int) []uint32 {
	if len(part) < minPart {
		return nil
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	var found []uint32
	for _, list := range []struct {
		sorted []compound
		part   string
	}{{v.compounds, part}, {v.backwards, reverse(part)}} {
		at, _ := slices.BinarySearchFunc(list.sorted, list.part, func(c compound, p string) int { return cmp.Compare(c.text, p) })
		for ; at < len(list.sorted) && len(found) < limit && strings.HasPrefix(list.sorted[at].text, list.part); at++ {
			if len(list.sorted[at].text) > len(part)+2 {
				found = append(found, list.sorted[at].word)
			}
		}
	}
	return found
}
