package search

import (
	"slices"
	"sync"

	"almanac/internal/search/terms"
)

// WordsOf returns the words of texts. Of a word that stands in several terms, the shortest counts. Words that only say that something is
// by region make no other term: "Bevölkerung nach Kreisen" is Bevölkerung. The caller must not change the set.
func WordsOf(texts ...string) WordSet {
	if len(texts) == 1 {
		return wordsOfTexts.of(texts[0])
	}
	set := WordSet{}
	for _, text := range texts {
		for word, of := range wordsOfTexts.of(text) {
			set.add(word, of)
		}
	}
	return set
}

// add adds a word, unless it is there as a part of a term that is not longer.
func (s WordSet) add(word string, of within) {
	if before, ok := s[word]; !ok || len(of.others) < len(before.others) {
		s[word] = of
	}
}

// wordsOfTexts keeps the words of texts, which depend on nothing else. A question reads the same titles and labels many times, and the
// next question mostly finds the same datasets.
var wordsOfTexts keptWords

type keptWords struct {
	mu   sync.RWMutex
	kept map[string]WordSet
}

// maxKeptTexts and maxKeptLength bound what is kept: how many texts, of how many bytes. When they are too many, all are forgotten.
const (
	maxKeptTexts  = 5000
	maxKeptLength = 500
)

func (k *keptWords) of(text string) WordSet {
	k.mu.RLock()
	set, ok := k.kept[text]
	k.mu.RUnlock()
	if ok {
		return set
	}
	if set = readWords(text); len(text) > maxKeptLength {
		return set
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || len(k.kept) >= maxKeptTexts {
		k.kept = map[string]WordSet{}
	}
	k.kept[text] = set
	return set
}

// readWords returns the words of a text.
func readWords(text string) WordSet {
	words := terms.Words(text)
	of := make([]within, len(words))
	isOfRegion := terms.Load().RegionWords(words)
	for _, m := range terms.Load().Find(text, "") {
		telling := slices.DeleteFunc(slices.Clone(m.Places), func(k int) bool { return isOfRegion[k] || terms.Load().Weak(words[k], "") != terms.Strong })
		if m.Everyday || !m.Adjacent || len(m.Places) < 2 || len(telling) < 2 && slices.ContainsFunc(m.Places, func(k int) bool { return isOfRegion[k] }) {
			continue
		}
		for _, i := range m.Places {
			of[i].concept, of[i].term = m.Concept.ID, m.Term
			for _, k := range telling {
				if words[k] != words[i] {
					of[i].others = append(of[i].others, words[k])
				}
			}
		}
	}
	set := WordSet{}
	for i, word := range words {
		set.add(word, of[i])
	}
	return set
}
