package terms

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/spanish"
)

// stemmers are the rules of Snowball by language.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"en": english.Stem, "de": german.Stem, "fr": french.Stem, "es": spanish.Stem, "it": italian.Stem,
}

//go:embed stems.txt
var stemsText string

// loadExceptions returns by language the stems of the words of stems.txt: the first form
// of each, with a mark that no stem of the rules has. A language may have several lines.
var loadExceptions = sync.OnceValue(func() map[string]map[string]string {
	exceptions := map[string]map[string]string{}
	for line := range strings.Lines(stemsText) {
		language, list, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if exceptions[language] == nil {
			exceptions[language] = map[string]string{}
		}
		for group := range strings.SplitSeq(list, ",") {
			forms := Words(group)
			for _, form := range forms {
				if exceptions[language][form] != "" {
					panic("stems.txt: " + form + " stands twice in " + language)
				}
				exceptions[language][form] = forms[0] + "."
			}
		}
	}
	return exceptions
})

// Stem returns a folded word without its endings by the rules of a language: "wages" and
// "wage" have one stem in English. Words of other languages, words with digits and words
// of up to three letters are returned as they are.
func Stem(word, language string) string {
	stem := stemmers[language]
	if stem == nil {
		return word
	}
	if own := loadExceptions()[language][word]; own != "" {
		return own
	}
	if len(word) <= 3 || hasDigit(word) {
		return word
	}
	env := snowballstem.NewEnv(word)
	stem(env)
	if s := env.Current(); !strings.HasPrefix(word, s) {
		return s
	}
	return word[:len(env.Current())] // no memory of its own
}

// stemCache keeps the stems of words that were looked up, because few words make up most of
// the texts. It is emptied when it is full.
type stemCache struct {
	mu    sync.RWMutex
	words map[string]*stems
}

// stems has the stems of a word by the place of the language in Languages.
type stems [5]string

const maxCachedStems = 1 << 15

func (c *stemCache) stems(word string) *stems {
	c.mu.RLock()
	s := c.words[word]
	c.mu.RUnlock()
	if s != nil {
		return s
	}
	s = new(stems)
	for i, l := range Languages {
		s[i] = Stem(word, l)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.words == nil || len(c.words) >= maxCachedStems {
		c.words = make(map[string]*stems, maxCachedStems)
	}
	c.words[strings.Clone(word)] = s
	return s
}

func hasDigit(word string) bool {
	for i := range len(word) {
		if word[i] >= '0' && word[i] <= '9' {
			return true
		}
	}
	return false
}
