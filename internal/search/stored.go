package search

import "context"

// Stored returns the IDs of all datasets of the store that a query finds, best first,
// whatever its page. A query without words finds what its filters accept, by ID. The error
// is [stat.Invalid] as with [Search.Find].
func (s *Search) Stored(ctx context.Context, q Query) ([]int, error) {
	q.Here = "here"
	n := s.current.Load()
	r, f, err := s.understand(ctx, n, &q)
	if err != nil {
		return nil, err
	}
	ids := []int{}
	for _, found := range n.answer(r, f) {
		ids = append(ids, n.record(found.doc).id)
	}
	return ids, nil
}

// TopicsOf returns the topics of datasets of the store by ID, best first, as codes of package
// topics. Datasets without topics, or that are not indexed yet, are left out.
func (s *Search) TopicsOf(ids []int) map[int][]string {
	wanted := make(map[int]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	found := make(map[int][]string, len(ids))
	n := s.current.Load()
	for doc := range n.index.All() {
		if rec := n.record(doc); rec.id != 0 && wanted[rec.id] && rec.topics != nil {
			found[rec.id] = rec.topics
		}
	}
	return found
}
