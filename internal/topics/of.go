package topics

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"almanac/internal/search/terms"
)

// maxTopics is how many topics a dataset has at most.
const maxTopics = 3

// Weights of what speaks for a topic.
const (
	themeWeight = 3.0 // of the first text beside the others
	wordWeight  = .6  // of a word of words.txt beside a term of the field
	splitWeight = .3  // of words after "by": the dimensions of a table
	upperWeight = .4  // of each part of a theme beside the part below it
	leastShare  = .5  // of the best topic's score: what other topics must have
	leastScore  = .15 // what a topic must have: a word in how a table is broken down is not enough
)

// Of returns the codes of the topics that texts speak of: the best first, at most three,
// none if no word is known. The first text is the theme that the office gives, which
// counts most; it may be empty. The others are titles and descriptions.
func Of(texts ...string) []string {
	scores := scoring{}
	for i, text := range texts {
		if i == 0 {
			for code, score := range themeScores(text) {
				scores[code] += themeWeight * score
			}
			continue
		}
		scores.addText(text, 1)
	}
	return scores.best()
}

// scoring has a score for each code of a topic.
type scoring map[string]float64

// themes keeps the scores of themes, because many datasets have the same.
var themes struct {
	sync.Mutex
	scores map[string]scoring
}

const maxThemes = 10000

func themeScores(theme string) scoring {
	if theme == "" {
		return nil
	}
	themes.Lock()
	defer themes.Unlock()
	if s, ok := themes.scores[theme]; ok {
		return s
	}
	if themes.scores == nil || len(themes.scores) >= maxThemes {
		themes.scores = map[string]scoring{}
	}
	s := scoring{}
	for alternative := range strings.SplitSeq(theme, ";") {
		weight := 1.0
		parts := themeSeparators.Split(alternative, -1)
		for _, part := range slices.Backward(parts) {
			if slices.Contains(umbrellas, key(part)) {
				continue
			}
			s.addText(part, weight)
			weight *= upperWeight
		}
	}
	themes.scores[strings.Clone(theme)] = s
	return s
}

// themeSeparators stand between the folders of a theme, the upper first.
var themeSeparators = regexp.MustCompile(` / |>`)

// umbrellas are folders of offices' lists, as key returns them, that hold datasets of
// many topics.
var umbrellas = []string{
	key("General and regional statistics"), key("Allgemeine und Regionalstatistiken"), key("Statistiques générales et régionales"),
	key("Database by themes"), key("Datenbank nach Themen"), key("Base de données par thèmes"),
	key("Tables by themes"), key("Tabellen nach Themen"), key("Tableaux par thèmes"),
	key("Cross cutting topics"), key("Querschnittsthemen"), key("Thèmes transversaux"),
	key("Tables on EU policy"), key("Detailed datasets"), key("Selected datasets"),
}

// addText adds what a text speaks of. Words near its beginning count more.
func (s scoring) addText(text string, weight float64) {
	words := terms.Words(text)
	split := len(words)
	for i, w := range words {
		if i > 0 && slices.Contains(splitWords, w) {
			split = i
			break
		}
	}
	at := func(place int) float64 {
		w := weight * nearWords / (nearWords + float64(place))
		if place > split {
			w *= splitWeight
		}
		return w
	}
	for _, m := range terms.Load().FindAdjacent(text) {
		isBeside := slices.Contains(describedOnes, m.Concept.ID) && m.Places[0] > lastOfBegin
		if m.Concept.Topic != terms.NoTopic && !m.Everyday && !isBeside {
			s[m.Concept.Topic] += at(m.Places[0]) * float64(len(m.Places))
		}
	}
	known := loadWords()
	for i := range words {
		for n := min(known.longest[words[i]], len(words)-i); n > 0; n-- {
			if code := known.byPhrase[strings.Join(words[i:i+n], " ")]; code != "" {
				s[code] += at(i) * wordWeight * float64(n)
				break
			}
		}
	}
}

// describedOnes are concepts whom tables of many topics describe: they are a topic only at the beginning of a title, with at most
// one word before them, and not in "per cent of the population" or "income of private households".
var describedOnes = []string{"population", "population_by_age", "households"}

const lastOfBegin = 1

// nearWords is after how many words a word counts half.
const nearWords = 6

// splitWords separate what a table has from how it is broken down, in the languages of
// the offices.
var splitWords = []string{"by", "nach", "selon", "par", "por", "per"}

// best returns the codes with the highest scores.
func (s scoring) best() []string {
	codes := make([]string, 0, len(s))
	most := 0.0
	for code, score := range s {
		codes = append(codes, code)
		most = max(most, score)
	}
	codes = slices.DeleteFunc(codes, func(code string) bool {
		return s[code] < max(leastScore, leastShare*most) || slices.ContainsFunc(codes, func(c string) bool { return strings.HasPrefix(c, code+".") })
	})
	slices.SortFunc(codes, func(a, b string) int { return cmp.Or(cmp.Compare(s[b], s[a]), cmp.Compare(a, b)) })
	return codes[:min(len(codes), maxTopics)]
}

//go:embed words.txt
var wordsText string

// wordTable has the topics of the phrases of words.txt.
type wordTable struct {
	byPhrase map[string]string
	longest  map[string]int // by first word: the words of the longest phrase
}

var loadWords = sync.OnceValue(func() *wordTable {
	t := &wordTable{byPhrase: map[string]string{}, longest: map[string]int{}}
	for line := range strings.Lines(wordsText) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		code, list, _ := strings.Cut(line, ":")
		for phrase := range strings.SplitSeq(list, ",") {
			words := terms.Words(phrase)
			k := strings.Join(words, " ")
			if other := t.byPhrase[k]; k == "" || other != "" {
				panic(fmt.Sprintf("words.txt: %q of topic %s is empty or also one of topic %s", phrase, code, other))
			}
			t.byPhrase[k] = code
			t.longest[words[0]] = max(t.longest[words[0]], len(words))
		}
	}
	return t
})
