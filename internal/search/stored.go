package search

import (
	"context"
	"slices"
	"strings"
)

// Stored returns the IDs of all datasets of the store that a query finds, best first, and the words
// that were read as others,
// whatever its page. A query without words finds what its filters accept, by ID. The error
// is [stat.Invalid] as with [Search.Find].
func (s *Search) Stored(ctx context.Context, q Query) ([]int, []Correction, error) {
	q.Here = "here"
	n := s.current.Load()
	r, f, err := s.understand(ctx, n, &q)
	if err != nil {
		return nil, nil, err
	}
	if len(r.words) == 0 && len(q.Topic) == 0 {
		return nil, nil, errNoWord
	}
	ids := []int{}
	all, _ := n.answer(r, f)
	for _, found := range all {
		ids = append(ids, n.record(found.doc).id)
	}
	return ids, r.corrections, nil
}

// TopicsOf returns the topics of datasets of the store by ID, best first, as codes of package
// topics. Datasets without topics, or that are not indexed yet, are left out.
func (s *Search) TopicsOf(ids []int) map[int][]string {
	found := make(map[int][]string, len(ids))
	topics := s.current.Load().topics()
	for _, id := range ids {
		if list := topics[id]; list != nil {
			found[id] = list
		}
	}
	return found
}

// topicsByID returns the topics of all datasets of the store. It visits all datasets.
func (n *snapshot) topicsByID() map[int][]string {
	topics := map[int][]string{}
	for doc := range n.index.All() {
		if rec := n.record(doc); rec.id != 0 && rec.topics != nil {
			topics[rec.id] = rec.topics
		}
	}
	return topics
}

// Held is how many datasets are here and how many are only offered.
type Held struct{ Here, Offered int }

// TopicCounts returns the number of datasets of each topic, by its code: those that speak of
// it or of one below it, as for the filter Topic of a query. Topics without datasets are left
// out.
func (s *Search) TopicCounts() map[string]Held {
	n := s.current.Load()
	counts := map[string]Held{}
	for doc := range n.index.All() {
		rec := n.record(doc)
		for _, code := range withUpper(rec.topics) {
			c := counts[code]
			if rec.id != 0 {
				c.Here++
			} else {
				c.Offered++
			}
			counts[code] = c
		}
	}
	return counts
}

// withUpper returns the codes of topics and of all topics above them, each once.
func withUpper(codes []string) []string {
	var all []string
	for _, code := range codes {
		for code != "" && !slices.Contains(all, code) {
			all = append(all, code)
			code = code[:max(0, strings.LastIndexByte(code, '.'))]
		}
	}
	return all
}
