package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"almanac/internal/search/terms"
	"almanac/internal/stat"
)

// Limits of pages.
const (
	DefaultLimit = 20
	MaxLimit     = 100
	MaxDepth     = 10000 // hits on all pages
)

// Answer is all that a query finds, in order.
type Answer struct {
	n      *snapshot
	q      Query
	r      *reading
	f      *filter
	all    []ranked
	facets Facets
}

// Find answers a query with the page that it asks for. The errors are those of [Search.Ask].
func (s *Search) Find(ctx context.Context, q Query) (*Result, error) {
	a, err := s.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return a.Page(), nil
}

// Ask answers a query. One without a text finds all datasets that the filter accepts. The
// error is [stat.Invalid] for a text that is too long or without a letter or digit, and for a
// wrong filter.
func (s *Search) Ask(ctx context.Context, q Query) (*Answer, error) {
	q.Limit = cmp.Or(q.Limit, DefaultLimit)
	switch {
	case q.Limit < 1 || q.Limit > MaxLimit:
		return nil, stat.Errorf(stat.Invalid, "limit must be from 1 to %d, not %d", MaxLimit, q.Limit)
	case q.Page < 0 || q.Page > MaxDepth:
		return nil, stat.Errorf(stat.Invalid, "page must be from 0 to %d, not %d", MaxDepth, q.Page)
	}
	n := s.current.Load()
	r, f, err := s.understand(ctx, n, &q)
	if err != nil {
		return nil, err
	}
	if len(r.words) == 0 && q.Text != "" && f.isEmpty() {
		return nil, errNoWord
	}
	all, others := n.answer(r, f)
	n.sort(all, q.Order)
	facets := n.facets(all, others)
	facets.Coverage = n.coverage(f, all)
	return &Answer{n, q, r, f, all, facets}, nil
}

// Page returns the page that the query asks for.
func (a *Answer) Page() *Result {
	result := a.n.result(&a.q, a.r, a.all, a.facets)
	result.Hits = a.Hits()
	result.Unmatched = a.n.unmatched(a.r, a.all, result.Hits, a.from())
	if len(a.all) == 0 && !a.f.isEmpty() {
		result.Unfiltered, result.Elsewhere = a.n.countWithout(a.r, a.f)
	}
	return result
}

// from is the position of the first hit of the page.
func (a *Answer) from() int { return min(a.q.Page*a.q.Limit, len(a.all), MaxDepth) }

// Hits returns the hits of the page.
func (a *Answer) Hits() (hits []Hit) {
	from := a.from()
	for _, at := range a.all[from:min(from+a.q.Limit, len(a.all))] {
		hits = append(hits, a.hit(at))
	}
	return hits
}

// Stored returns the first datasets that are in the store, at most a number of them.
func (a *Answer) Stored(most int) (hits []Hit) {
	for _, at := range a.all {
		if len(hits) == most {
			break
		}
		if a.n.record(at.doc).id != 0 {
			hits = append(hits, a.hit(at))
		}
	}
	return hits
}

// Datasets returns datasets of the store by their IDs, as if they were found.
func (a *Answer) Datasets(ids []int) (hits []Hit) {
	for doc := range a.n.index.All() {
		if id := a.n.record(doc).id; id != 0 && slices.Contains(ids, id) {
			hits = append(hits, a.hit(ranked{doc: doc}))
		}
	}
	return hits
}

// PutFirst moves datasets of the store before all others, in the order of their IDs in a list.
func (a *Answer) PutFirst(ids []int) {
	position := func(at ranked) int {
		if i := slices.Index(ids, a.n.record(at.doc).id); i >= 0 {
			return i
		}
		return len(ids)
	}
	slices.SortStableFunc(a.all, func(x, y ranked) int { return cmp.Compare(position(x), position(y)) })
}

// countWithout returns how many datasets a question finds without the filters: all but that for those that are here, and also without that.
func (n *snapshot) countWithout(r *reading, f *filter) (unfiltered, elsewhere int) {
	all, _ := n.answer(r, &filter{places: f.places, here: f.here})
	if f.here == "" {
		return len(all), len(all)
	}
	everywhere, _ := n.answer(r, &filter{places: f.places})
	return len(all), len(everywhere)
}

var errNoWord = stat.Errorf(stat.Invalid, "the question has no word; ask for words, a code or a place, or choose a source, topic, frequency or area")

// understand reads the question and the filters of a query.
func (s *Search) understand(ctx context.Context, n *snapshot, q *Query) (*reading, *filter, error) {
	r, err := s.read(n, q.Text)
	if err != nil {
		return nil, nil, err
	}
	f, err := newFilter(q, r)
	if err != nil {
		return nil, nil, err
	}
	return r, f, ctx.Err()
}

// answer returns the datasets that a question finds, or without words all that the filter
// accepts, best first, and those that a single filter leaves out. A question that only names a
// source finds all datasets of it.
func (n *snapshot) answer(r *reading, f *filter) ([]ranked, []beside) {
	if len(r.clauses) == 0 && len(r.coded) == 0 && (len(r.words) == 0 || r.sources != nil) {
		return browse(n, r, f)
	}
	if r.isReference {
		return addCodes(n, r, f, nil, nil)
	}
	return rank(n, r, f)
}

// browse returns all datasets that a filter accepts, of the sources that the question names.
func browse(n *snapshot, r *reading, f *filter) (all []ranked, others []beside) {
	for doc := range n.index.All() {
		rec := n.record(doc)
		if r.sources != nil && r.sourceOf(rec) == "" {
			continue
		}
		switch by := f.refusing(rec); {
		case by == 0:
			all = append(all, ranked{doc: doc, score: rec.prior * f.areaFactor(rec) * f.placeFactor(rec)})
		case by.isSingle():
			others = append(others, beside{doc, by})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	return all, others
}

func (n *snapshot) result(q *Query, r *reading, all []ranked, facets Facets) *Result {
	result := &Result{
		Total: len(all), Facets: facets,
		Areas: r.areas, AreaNames: r.areaNames, Unclear: r.unclear, PartsOf: r.partsOf, ValueCode: r.valueCode, Asked: n.asked(r), Words: r.tellingWords(), Corrections: r.corrections, Compounds: r.compounds, Concepts: r.concepts,
		Weak:      len(r.clauses) == 0 && r.sources == nil && !slices.ContainsFunc(r.words, func(w string) bool { return terms.Load().Weak(w, "") != terms.Function }),
		IsForeign: !strings.ContainsFunc(q.Text, func(c rune) bool { return unicode.Is(unicode.Latin, c) }),
	}
	for _, named := range r.sources {
		result.Sources = append(result.Sources, named.asked)
	}
	result.IsVague = len(result.Asked) == 0 && len(r.coded) == 0 && r.hasGeneralWord()
	return result
}

// hit describes a dataset that was found.
func (a *Answer) hit(at ranked) Hit {
	rec := a.n.record(at.doc)
	h := rec.hit([]string{a.q.Language, a.r.language, "en"}, at.title)
	h.Score = float64(at.score)
	h.Areas = map[string]Coverage{}
	for _, places := range [][]place{a.f.places, a.f.areas} {
		for i := range places {
			h.Areas[places[i].id] = places[i].coverage(rec)
		}
	}
	h.Found = append(a.n.found(a.r, at.doc, rec), foundAreas(a.r, h.Areas)...)
	return h
}

// tellingWords returns the words of a question without places, sources, codes, years and articles.
func (r *reading) tellingWords() (words []string) {
	for i, word := range r.words {
		if !r.named[i] && !r.inCode[i] && !isYear(word) && terms.Load().Weak(word, "") != terms.Function {
			words = append(words, word)
		}
	}
	return words
}

// hasGeneralWord reports whether a question has a word that nearly all datasets could have, besides places, codes and terms.
func (r *reading) hasGeneralWord() bool {
	for i, word := range r.words {
		if !r.used[i] && !r.inCode[i] && terms.Load().Weak(word, "") == terms.General {
			return true
		}
	}
	return false
}

// hit describes a dataset, with its title in the first of the languages that it has, else the one
// that matches.
func (r *record) hit(languages []string, matched int) Hit {
	h := Hit{
		Source: r.source, Code: r.code, ID: r.id, Topic: r.topics, Theme: r.theme,
		Frequency: r.frequency, Annual: r.annual, First: r.first, Last: r.last, Concept: r.concept,
	}
	chosen := r.titles[min(matched, len(r.titles)-1)]
	for _, language := range languages {
		if at := slices.IndexFunc(r.titles, func(t title) bool { return language != "" && t.language == language }); at >= 0 {
			if chosen.language != language {
				chosen = r.titles[at]
			}
			break
		}
	}
	h.Name, h.Language = chosen.text, chosen.language
	h.Updated = r.updatedAt()
	return h
}

// updatedAt returns when the source updated the dataset last; zero if that is unknown.
func (r *record) updatedAt() time.Time {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, r.updated); err == nil {
			return t
		}
	}
	return time.Time{}
}
