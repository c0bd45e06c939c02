package search

import (
	"slices"
	"strings"

	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// namedSource is a source that a question names, or datasets by the beginning of their codes: WEO.
type namedSource struct {
	ids      []string // in lower case
	datasets map[*record]bool
	asked    string
}

// has reports whether a dataset is of the source.
func (s *namedSource) has(rec *record) bool {
	return slices.ContainsFunc(s.ids, func(id string) bool { return isOf(rec.source, id) || slices.Contains(rec.publishers, id) }) || s.datasets[rec]
}

// sourceFactor weighs the datasets of a source that the question names.
const sourceFactor = float32(10)

// readSources finds the sources that the text names and that have a dataset: offices by their names, others by the name that a
// stored dataset has for its source, and datasets by the short names that their codes begin with.
func (s *Search) readSources(n *snapshot, r *reading, text string) {
	add := func(named namedSource, places []int) {
		named.asked = r.asked(places)
		r.sources = append(r.sources, named)
		for _, i := range places {
			r.used[i] = true
		}
	}
	isTaken := func(i int) bool { return r.inCode[i] || r.used[i] }
	for _, named := range s.table.Sources(text) {
		datasets := n.publishers()[joined(r.words, named.Places)]
		if !slices.ContainsFunc(named.Places, isTaken) && (datasets != nil || slices.ContainsFunc(named.IDs, n.hasSource)) {
			add(namedSource{ids: named.IDs, datasets: datasets}, named.Places)
		}
	}
	for i, word := range r.words {
		for length := min(maxPublisherWords, len(r.words)-i); length > 0 && !isTaken(i); length-- {
			places := span(i, length)
			name := joined(r.words, places)
			datasets := n.publishers()[name]
			if datasets == nil || slices.ContainsFunc(places, isTaken) || length == 1 && !s.isName(n, word) {
				continue
			}
			add(namedSource{datasets: datasets}, places)
		}
		if datasets := s.datasetsBegun(n, word, text); !isTaken(i) && datasets != nil {
			add(namedSource{datasets: datasets}, []int{i})
		}
	}
}

// maxPublisherWords is the number of words of a name of a source in stored datasets.
const maxPublisherWords = 5

// isName reports whether a word is a name only: no term of the field, no common word, no place, and in no title.
func (s *Search) isName(n *snapshot, word string) bool {
	return len(word) >= minNearLetters && !s.isTerm(word) && s.table.Weak(word, "") == terms.Strong && !isNumber(word) &&
		!terms.IsPlaceWord(word) && len(s.table.Areas(word)) == 0 && !s.isInTitle(n, word)
}

// isInTitle reports whether the title of a dataset has a word.
func (s *Search) isInTitle(n *snapshot, word string) bool {
	if n.index.Occurrences(word) == 0 {
		return false
	}
	c := index.Clause{Phrases: []index.Phrase{{Terms: []index.Term{n.index.Expand(word, index.Asked{IsKnown: true})}, Weight: 1}}}
	found, _ := n.index.Search([]index.Clause{c}, func(uint32) float32 { return 1 }, 0)
	return slices.ContainsFunc(found, func(m index.Match) bool {
		return slices.ContainsFunc(n.index.Explain(m.Doc, c), func(e index.Explanation) bool { return e.Field == index.Title || e.Field == index.Tail })
	})
}

// datasetsOfPublishers returns the stored datasets by the names that they have for their sources, and by single words of these that are of
// one source: Maddison Project.
func (n *snapshot) datasetsOfPublishers() map[string]map[*record]bool {
	names, all := map[string]string{}, map[string]map[*record]bool{} // as questions have them
	for doc := range n.index.All() {
		rec := n.record(doc)
		if rec.publisher == "" {
			continue
		}
		name, ok := names[rec.publisher]
		if !ok {
			name = strings.Join(terms.Words(rec.publisher), " ")
			names[rec.publisher] = name
		}
		if all[name] == nil {
			all[name] = map[*record]bool{}
		}
		all[name][rec] = true
	}
	delete(all, "") // names without a letter
	withWord := map[string][]string{}
	for name := range all {
		for _, word := range strings.Fields(name) {
			if !slices.Contains(withWord[word], name) {
				withWord[word] = append(withWord[word], name)
			}
		}
	}
	for word, names := range withWord {
		if len(names) == 1 {
			all[word] = all[names[0]]
		}
	}
	return all
}

// Short names of datasets have this many letters; longer ones are codes, see [Search.readCode].
const minShortName, maxShortName = 3, 4

// datasetsBegun returns the stored datasets whose codes are a word, or begin with it before a digit: WEO, PWT1001. The word must be in
// capitals, or one that no dataset has, and no term of the field.
func (s *Search) datasetsBegun(n *snapshot, word, text string) map[*record]bool {
	if len(word) < minShortName || len(word) > maxShortName || isNumber(word) || s.isTerm(word) || len(s.table.Areas(strings.ToUpper(word))) > 0 {
		return nil
	}
	if isCapital := slices.Contains(strings.Fields(text), strings.ToUpper(word)); !isCapital && n.index.Occurrences(word) > 0 {
		return nil
	}
	var datasets map[*record]bool
	for _, doc := range n.index.CodePrefix(index.FoldCode(word), maxCodes) {
		rec := n.record(doc)
		rest, ok := strings.CutPrefix(strings.ToLower(rec.code), word)
		if rec.id != 0 && ok && (rest == "" || rest[0] >= '0' && rest[0] <= '9') {
			if datasets == nil {
				datasets = map[*record]bool{}
			}
			datasets[rec] = true
		}
	}
	return datasets
}

// hasSource reports whether a source, or a part of one, has a dataset.
func (n *snapshot) hasSource(id string) bool {
	return slices.ContainsFunc(n.sources(), func(source string) bool { return isOf(source, id) })
}

// isOf reports whether a source is one with an ID, or a part of it: destatis_regional of destatis.
func isOf(source, id string) bool {
	if len(source) < len(id) || !strings.EqualFold(source[:len(id)], id) {
		return false
	}
	return len(source) == len(id) || source[len(id)] == '_'
}

// sourceOf returns what the question calls the source of a dataset; empty if it does not name it.
func (r *reading) sourceOf(rec *record) string {
	for _, named := range r.sources {
		if named.has(rec) {
			return named.asked
		}
	}
	return ""
}

// sourceFactor weighs a dataset by the sources that the question names.
func (r *reading) sourceFactor(rec *record) float32 {
	if r.sourceOf(rec) != "" {
		return sourceFactor
	}
	return 1
}
