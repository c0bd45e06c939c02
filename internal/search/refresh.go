package search

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"almanac/internal/offer"
	"almanac/internal/search/index"
	"almanac/internal/search/terms"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// storedAt is where a stored dataset is indexed, and from what.
type storedAt struct {
	segment *segment
	doc     int
	version string
	name    string
	key     string
}

// snapshot is the index at one moment. It never changes.
type snapshot struct {
	index      *index.Index
	segments   []*segment
	generation [2]int64
	here       int
	weak       map[uint32]bool // words that do not count in titles
	topics     func() map[int][]string
	sources    func() []string                    // see sourceIDs
	cities     func() []string                    // see cityNames
	publishers func() map[string]map[*record]bool // see datasetsOfPublishers
}

func (n *snapshot) record(doc uint32) *record {
	part, local := n.index.Locate(doc)
	return &n.segments[part].records[local]
}

// Refresh brings the index up to date with the catalogue and the offers. It rebuilds the
// lists of the sources that changed, and adds the datasets that changed.
func (s *Search) Refresh(ctx context.Context) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	if err := s.refreshOffers(ctx); err != nil {
		return err
	}
	if now := s.current.Load(); now.generation[1] < 0 && s.opts.Store != nil && s.generation[1] >= 0 {
		s.publish() // what is offered can be found before the datasets of a large store
	}
	if err := s.refreshStored(ctx); err != nil {
		return err
	}
	if now := s.current.Load(); now.generation != s.generation {
		s.publish()
	}
	return nil
}

// refreshOffers rebuilds the segments of the sources whose lists changed.
func (s *Search) refreshOffers(ctx context.Context) error {
	if s.opts.Offers == nil {
		return nil
	}
	generation, err := s.opts.Offers.Generation(ctx)
	if err != nil || generation == s.generation[1] {
		return err
	}
	sources, err := s.opts.Offers.Sources(ctx)
	if err != nil {
		return err
	}
	for source := range s.listed {
		if !slices.ContainsFunc(sources, func(state offer.SourceState) bool { return state.Source == source }) {
			delete(s.listed, source)
			s.setOffered(source, nil)
			s.relisted[source] = true
		}
	}
	for _, state := range sources {
		if at, ok := s.listed[state.Source]; ok && at == state.Generation {
			continue
		}
		segment, err := s.readOffers(ctx, state.Source)
		if err != nil {
			return err
		}
		s.setOffered(state.Source, segment)
		s.listed[state.Source], s.relisted[state.Source] = state.Generation, true
	}
	s.generation[1] = generation
	return nil
}

// setOffered replaces the list of a source; nil: it has none any more.
func (s *Search) setOffered(source string, g *segment) {
	if old := s.offered[source]; old != nil {
		for i := range old.records {
			delete(s.offeredAt, key(old.records[i].source, old.records[i].code))
		}
		delete(s.offered, source)
	}
	if g == nil {
		return
	}
	s.offered[source] = g
	for doc := range g.records {
		s.offeredAt[key(g.records[doc].source, g.records[doc].code)] = position{g, doc}
	}
}

// position is a document of a segment.
type position struct {
	segment *segment
	doc     int
}

// readOffers indexes the list of a source.
func (s *Search) readOffers(ctx context.Context, source string) (*segment, error) {
	g := &segment{}
	var failure error
	g.Segment = index.Build(s.vocabulary, func(yield func(index.Document) bool) {
		for rows, err := range datasets(s.opts.Offers.Offers(ctx, source)) {
			if err != nil {
				failure = err
				return
			}
			r, d := s.offerDocument(rows)
			g.records = append(g.records, r)
			if !yield(d) {
				return
			}
		}
	})
	return g, failure
}

// datasets joins the rows of one dataset, in the order of its first row.
func datasets(offers iter.Seq2[offer.Offer, error]) iter.Seq2[[]offer.Offer, error] {
	return func(yield func([]offer.Offer, error) bool) {
		position := map[string]int{}
		var groups [][]offer.Offer
		for o, err := range offers {
			if err != nil {
				yield(nil, err)
				return
			}
			at, ok := position[o.Code]
			if !ok {
				at = len(groups)
				position[o.Code], groups = at, append(groups, nil)
			}
			groups[at] = append(groups[at], o)
		}
		for _, rows := range groups {
			if !yield(rows, nil) {
				return
			}
		}
	}
}

// refreshStored adds the stored datasets that changed, and hides those that are replaced or
// removed. A dataset of a source whose offers changed is read again.
func (s *Search) refreshStored(ctx context.Context) error {
	if s.opts.Store == nil {
		return nil
	}
	catalog := s.opts.Store.Catalog()
	if catalog.Generation == s.generation[0] && len(s.relisted) == 0 {
		return nil
	}
	var stale []*store.Entry
	for i := range catalog.Entries {
		e := &catalog.Entries[i]
		if at, ok := s.have[e.ID]; !ok || at.version != e.Version || at.name != e.Name || s.relisted[e.Source] {
			stale = append(stale, e)
		}
	}
	for entries := range slices.Chunk(stale, maxAdded) {
		added, err := s.readStored(ctx, entries)
		if err != nil {
			return err
		}
		s.addStored(catalog, added)
	}
	s.hideStored(func(id int) bool { return catalog.Entry(id) == nil })
	s.generation[0] = catalog.Generation
	clear(s.relisted)
	return nil
}

// maxAdded is how many datasets of the store are read at once.
const maxAdded = 5000

// addStored replaces datasets by those of a new segment.
func (s *Search) addStored(catalog *store.Catalog, added *segment) {
	if len(added.records) == 0 {
		return
	}
	replaced := map[int]bool{}
	for i := range added.records {
		replaced[added.records[i].id] = true
	}
	s.hideStored(func(id int) bool { return replaced[id] })
	for doc := range added.records {
		r := &added.records[doc]
		e := catalog.Entry(r.id)
		s.have[r.id] = storedAt{added, doc, e.Version, e.Name, key(r.source, stat.ListedCode(r.source, r.code))}
	}
	s.stored = append(s.stored, added)
	s.mergeStored()
}

// hideStored leaves out the datasets that are gone.
func (s *Search) hideStored(isGone func(id int) bool) {
	docs := map[*segment][]int{}
	for id, at := range s.have {
		if isGone(id) {
			docs[at.segment] = append(docs[at.segment], at.doc)
			delete(s.have, id)
		}
	}
	for g, list := range docs {
		g.hide(list)
	}
}

// mergeStored joins the last segments while they are of a similar size, so that their
// number grows with the logarithm of the number of datasets.
func (s *Search) mergeStored() {
	for n := len(s.stored); n > 1 && len(s.stored[n-2].records) < 2*len(s.stored[n-1].records); n-- {
		merged := &segment{}
		var parts []index.Subset
		for _, g := range s.stored[n-2:] {
			parts = append(parts, index.Subset{Segment: g.Segment, Hidden: g.hidden})
			for doc, r := range g.records {
				if g.hidden != nil && g.hidden[doc] {
					continue
				}
				at := s.have[r.id]
				at.segment, at.doc = merged, len(merged.records)
				s.have[r.id] = at
				merged.records = append(merged.records, r)
			}
		}
		merged.Segment = index.Merge(parts)
		s.stored = append(s.stored[:n-2:n-2], merged)
	}
}

// hide leaves out documents from the next snapshot on.
func (g *segment) hide(docs []int) {
	hidden := make([]bool, len(g.records)) // snapshots hold the old one
	copy(hidden, g.hidden)
	for _, doc := range docs {
		hidden[doc] = true
	}
	g.hidden = hidden
}

// readStored indexes datasets of the store. One that was removed meanwhile is left out.
func (s *Search) readStored(ctx context.Context, entries []*store.Entry) (*segment, error) {
	g := &segment{}
	var failure error
	g.Segment = index.Build(s.vocabulary, func(yield func(index.Document) bool) {
		for _, e := range entries {
			r, d, err := s.storedDocument(ctx, e)
			if stat.KindOf(err) == stat.NotFound {
				continue
			}
			if err != nil {
				failure = fmt.Errorf("indexing dataset %d: %w", e.ID, err)
				return
			}
			g.records = append(g.records, r)
			if !yield(d) {
				return
			}
		}
	})
	return g, failure
}

// publish makes the segments the current snapshot. An offered dataset that is in the store is
// shown as stored.
func (s *Search) publish() {
	n := &snapshot{generation: s.generation, here: len(s.have)}
	docs := map[*segment][]int{} // offered, but shown as stored
	for _, at := range s.have {
		if o, ok := s.offeredAt[at.key]; ok {
			docs[o.segment] = append(docs[o.segment], o.doc)
		}
	}
	for _, source := range slices.Sorted(maps.Keys(s.offered)) {
		g := *s.offered[source]
		if list := docs[s.offered[source]]; list != nil {
			g.hide(list)
		}
		n.segments = append(n.segments, &g)
	}
	for _, g := range s.stored {
		copied := *g
		n.segments = append(n.segments, &copied)
	}
	parts := make([]index.Subset, len(n.segments))
	for i, g := range n.segments {
		parts[i] = index.Subset{Segment: g.Segment, Hidden: g.hidden}
	}
	n.index, n.weak = index.New(s.vocabulary, parts), s.weakWords()
	n.topics, n.sources, n.cities = sync.OnceValue(n.topicsByID), sync.OnceValue(n.sourceIDs), sync.OnceValue(n.cityNames)
	n.publishers = sync.OnceValue(n.datasetsOfPublishers)
	s.current.Store(n)
}

// weakWords returns the words that say nothing in any language.
func (s *Search) weakWords() map[uint32]bool {
	weak := map[uint32]bool{}
	for _, language := range terms.Languages {
		for _, word := range s.table.WeakWords(language) {
			if s.table.Weak(word, language) == terms.Function {
				if id, ok := s.vocabulary.Word(word); ok {
					weak[id] = true
				}
			}
		}
	}
	return weak
}
