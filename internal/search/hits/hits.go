package hits

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"almanac/internal/defaults"
	"almanac/internal/offer"
	"almanac/internal/search"
	"almanac/internal/store"
)

// Reader completes the hits of searches.
type Reader struct {
	Store  *store.Store // nil: everything is only offered
	Offers *offer.DB    // nil: none
	// Wait is how long a page waits for values that are not in memory. If it is negative, a page has no values.
	Wait time.Duration
	// Now is the clock, on which words such as "last year" depend.
	Now func() time.Time

	reading chan struct{}
	late    *late
}

// Limits of the details of a page.
const (
	defaultWait = 100 * time.Millisecond
	// maxReading is the number of datasets that are read at once for all pages.
	maxReading = 4
	// maxCovered is the number of areas for which values are read.
	maxCovered = 5
)

// NewReader returns a reader of the datasets of a store and of offers. It waits a tenth of a second for values.
func NewReader(s *store.Store, offers *offer.DB) *Reader {
	return &Reader{Store: s, Offers: offers, Wait: defaultWait, Now: time.Now, reading: make(chan struct{}, maxReading), late: &late{}}
}

// Hurried returns the reader for what is shown while somebody types: it waits a third of the time.
func (r *Reader) Hurried() *Reader {
	hurried := *r
	hurried.Wait /= 3
	return &hurried
}

// Find answers a query. The error is [stat.Invalid] for a question or a filter that cannot
// be answered. isWhole is false if values of some datasets were not read in time; they are
// read in the background, and the next page has them.
func (r *Reader) Find(ctx context.Context, s *search.Search, q *search.Query) (page *Page, isWhole bool, err error) {
	read := *q
	text, relative := readRelative(q.Text, r.Now())
	text, pair := readPair(text)
	read.Text, q = text, &read
	asked := read
	asked.Text = withoutDay(text)
	asked.Area, asked.Limit = areaIDs(q.Area), cmp.Or(q.Limit, search.DefaultLimit)
	answer, err := s.Ask(ctx, asked)
	if err != nil {
		return nil, false, err
	}
	found := answer.Page()
	typedNames(q.Text, found)
	dropPeriod(q.Text, found)
	dropCodes(q.Text, found)
	unknown, isImpossible := r.check(s, q)
	if isImpossible {
		found = &search.Result{Areas: found.Areas}
	} else {
		unknown = append(unknown, nothing(q, found)...)
	}
	page = &Page{
		Areas: areasOf(s, asked.Area, found), Concept: conceptOf(measureOf(q.Text, found.Words)), Facets: newFacets(&found.Facets),
		Pagination: Pagination{q.Page, asked.Limit, found.Total, (q.Page+1)*asked.Limit < min(found.Total, search.MaxDepth)},
		Notices:    slices.Concat(relative, pair, compoundNotices(found.Compounds), Corrections(q.Text, found.Corrections, titlesOf(found)), unknown),
	}
	page.Notices = append(page.Notices, namesakes(page.Areas, q, found)...)
	for _, u := range found.Unclear {
		page.Notices = append(page.Notices, Notice{"q", u.Text, whyUnclear(u), u.Areas})
	}
	page.Data = r.newHits(ctx, s, found.Hits, page.Areas)
	isWhole = true
	if r.Store != nil {
		inTime, cancel := context.WithTimeout(ctx, r.Wait)
		defer cancel()
		v := &values{reader: r, question: newQuestion(page, q, found), key: keyOf(s, q), read: map[int]details{}}
		if first := v.first(inTime, r.newHits(ctx, s, answer.Stored(maxExamined), page.Areas)); len(first) > 0 && q.Order.By == "" {
			answer.PutFirst(first)
			page.Data = r.newHits(ctx, s, answer.Hits(), page.Areas)
		}
		isWhole = v.addTo(inTime, page.Data)
		v.selectInOthers(inTime, page, func(ids []int) []Hit { return r.newHits(ctx, s, answer.Datasets(ids), page.Areas) })
		page.present = v.present()
	}
	if q.Order.By == "" {
		page.sortByValues()
		page.sortByStatistic(q.Text)
	}
	page.Notices = append(page.Notices, page.readAs(q, found)...)
	if !isWhole {
		page.Notices = append(page.Notices, Notice{Message: "the latest values of some datasets were not read in time; ask again in a second", Nearest: []string{}})
	}
	if isWhole && !isImpossible && !slices.ContainsFunc(page.Data, func(h Hit) bool { return h.Latest != nil }) { // a value has all that is asked for
		page.Notices = append(page.Notices, unmatched(q, found, page.present)...)
	}
	return page, isWhole, nil
}

// newHits returns hits without their values.
func (r *Reader) newHits(ctx context.Context, s *search.Search, found []search.Hit, areas []Area) []Hit {
	list := make([]Hit, len(found))
	_, offers := s.Generation()
	for i := range found {
		list[i] = newHit(&found[i], areas)
		r.addSize(&list[i])
		r.addConcept(ctx, &list[i], found[i].Concept, offers)
	}
	return list
}

// addSize adds what the catalogue says of a dataset that is here.
func (r *Reader) addSize(h *Hit) {
	if h.ID == 0 || r.Store == nil {
		return
	}
	catalog := r.Store.Catalog()
	at, ok := slices.BinarySearchFunc(catalog.Entries, h.ID, func(e store.Entry, id int) int { return cmp.Compare(e.ID, id) })
	if !ok {
		return // it was removed meanwhile
	}
	e := &catalog.Entries[at]
	h.SourceName, h.AreaCount, h.Observations = e.SourceName, len(catalog.Areas(at)), e.Observations
}

// areasOf returns the areas that the question names and those of the filter. One that only datasets name has its
// name for a code.
func areasOf(s *search.Search, asked []string, found *search.Result) (areas []Area) {
	for _, id := range append(slices.Clone(found.Areas), asked...) {
		name := areaName(id)
		if name == "" && s.HasCity(id) {
			name = id
		}
		if name != "" && !slices.ContainsFunc(areas, func(a Area) bool { return a.Code == id }) {
			areas = append(areas, Area{id, name})
		}
	}
	return areas
}

// addConcept adds the concept and the datasets of other sources that measure it.
func (r *Reader) addConcept(ctx context.Context, h *Hit, id string, offers int64) {
	all := defaults.Concepts()
	at := slices.IndexFunc(all, func(c defaults.Concept) bool { return c.ID == id })
	if id == "" || at < 0 {
		return
	}
	h.Concept = &Concept{id, all[at].Label}
	for _, o := range r.others(ctx, &all[at], offers) {
		if !strings.EqualFold(o.Source, h.Source) {
			h.AlsoFrom = append(h.AlsoFrom, o)
		}
	}
}

// conceptKey is the key of the datasets of a concept in the memo of a catalogue. They also
// depend on the generation of the offers.
type conceptKey struct {
	id     string
	offers int64
}

// others returns the datasets of a concept.
func (r *Reader) others(ctx context.Context, c *defaults.Concept, offers int64) []Other {
	if r.Store == nil {
		return r.findOthers(ctx, c, nil)
	}
	catalog := r.Store.Catalog()
	return catalog.Memo(conceptKey{c.ID, offers}, func() any { return r.findOthers(ctx, c, catalog) }).([]Other)
}

// findOthers returns for each series of a concept the dataset that is here, else the one
// that its office offers, or may offer if its list is not known. Of a family of datasets only
// one that is here is known.
func (r *Reader) findOthers(ctx context.Context, c *defaults.Concept, catalog *store.Catalog) (list []Other) {
	for i := range c.Series {
		s := &c.Series[i]
		o, ok := storedOther(s, catalog)
		if !ok && !strings.ContainsAny(s.Dataset, `*?[`) {
			o, ok = r.offeredOther(ctx, s)
		}
		if ok && !slices.ContainsFunc(list, func(l Other) bool { return l.Source == o.Source && strings.EqualFold(l.Code, o.Code) }) {
			list = append(list, o)
		}
	}
	return list
}

func storedOther(s *defaults.Series, catalog *store.Catalog) (o Other, ok bool) {
	if catalog == nil {
		return o, false
	}
	for i := range catalog.Entries {
		if e := &catalog.Entries[i]; e.Source == s.Source && s.Covers(e.Source, e.Code) {
			return Other{Source: e.Source, Code: e.Code, Name: e.Name, ID: e.ID, Remark: s.Remark}, true
		}
	}
	return o, false
}

// offeredOther returns the dataset of a series in its office's list. Without a list, or if it
// cannot be read, it is that of the table.
func (r *Reader) offeredOther(ctx context.Context, s *defaults.Series) (o Other, ok bool) {
	o = Other{Source: s.Source, Code: s.Code, Remark: s.Remark}
	if r.Offers == nil {
		return o, true
	}
	if rows, err := r.Offers.Find(ctx, s.Source, s.Dataset); err != nil || len(rows) > 0 {
		if err == nil {
			o.Code, o.Name = rows[0].Code, rows[0].Title
		}
		return o, true
	}
	similar, err := r.Offers.Near(ctx, s.Source, s.Dataset) // also with the agency of a dataflow
	if err != nil || len(similar) == 0 {
		return o, err != nil || !r.hasList(ctx, s.Source)
	}
	for _, code := range similar {
		rows, err := r.Offers.Find(ctx, s.Source, code)
		if err == nil && len(rows) > 0 && s.Covers(s.Source, code) {
			o.Code, o.Name = rows[0].Code, rows[0].Title
			return o, true
		}
	}
	return o, false
}

// hasList reports whether the list of a source is known.
func (r *Reader) hasList(ctx context.Context, source string) bool {
	states, err := r.Offers.Sources(ctx)
	return err == nil && slices.ContainsFunc(states, func(s offer.SourceState) bool { return s.Source == source && s.Entries > 0 })
}
