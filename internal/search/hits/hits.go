package hits

import (
	"context"
	"slices"
	"strings"
	"time"

	"almanac/internal/defaults"
	"almanac/internal/search"
	"almanac/internal/store"
)

// Reader completes the hits of searches.
type Reader struct {
	Store *store.Store // nil: everything is only offered

	reading chan struct{}
}

// Limits of the details of a page.
const (
	// detailTime is how long a page waits for values that are not in memory.
	detailTime = 60 * time.Millisecond
	// maxReading is the number of datasets that are read at once for all pages.
	maxReading = 4
	// maxCovered is the number of areas for which values are read.
	maxCovered = 5
)

// NewReader returns a reader of the datasets of a store.
func NewReader(s *store.Store) *Reader {
	return &Reader{Store: s, reading: make(chan struct{}, maxReading)}
}

// Find answers a query. The error is [stat.Invalid] for a question or a filter that cannot
// be answered. isWhole is false if values of some datasets were not read in time; they are
// read in the background, and the next page has them.
func (r *Reader) Find(ctx context.Context, s *search.Search, q *search.Query) (page *Page, isWhole bool, err error) {
	asked := *q
	asked.Area = areaIDs(q.Area)
	found, err := s.Find(ctx, asked)
	if err != nil {
		return nil, false, err
	}
	unknown, isImpossible := r.check(s, q)
	if isImpossible {
		found = &search.Result{Areas: found.Areas}
	}
	page = &Page{
		Data: make([]Hit, len(found.Hits)), Areas: areasOf(asked.Area, found), Facets: newFacets(&found.Facets),
		Pagination: Pagination{q.Page, q.Limit, found.Total, (q.Page+1)*q.Limit < min(found.Total, search.MaxDepth)},
		Notices:    append(corrections(q, found), unknown...),
	}
	for i := range found.Hits {
		page.Data[i] = newHit(&found.Hits[i], page.Areas)
		r.addConcept(&page.Data[i], found.Hits[i].Concept)
	}
	if r.Store == nil {
		return page, true, nil
	}
	return page, r.addLatest(ctx, page), nil
}

// areasOf returns the areas that the question names and those of the filter.
func areasOf(asked []string, found *search.Result) (areas []Area) {
	for _, id := range append(slices.Clone(found.Areas), asked...) {
		if !slices.ContainsFunc(areas, func(a Area) bool { return a.Code == id }) {
			areas = append(areas, Area{id, areaName(id)})
		}
	}
	return areas
}

// details are what is read of one stored dataset.
type details struct {
	at     int // of the hit
	latest []*Latest
}

// addLatest adds the latest values of the datasets that are here.
func (r *Reader) addLatest(ctx context.Context, page *Page) (isWhole bool) {
	done := make(chan details, len(page.Data)) // nobody may wait for it any more
	areas := page.Areas[:min(len(page.Areas), maxCovered)]
	left := 0
	for i := range page.Data {
		if page.Data[i].ID == 0 {
			continue
		}
		left++
		go func() {
			r.reading <- struct{}{}
			defer func() { <-r.reading }()
			done <- details{i, r.read(context.WithoutCancel(ctx), page.Data[i].ID, areas)}
		}()
	}
	late := time.After(detailTime)
	for ; left > 0; left-- {
		select {
		case d := <-done:
			page.Data[d.at].addLatest(d.latest)
		case <-late:
			return false
		}
	}
	return true
}

// read returns the latest values of a dataset. One that cannot be read, or was removed
// meanwhile, must not hide the others.
func (r *Reader) read(ctx context.Context, id int, areas []Area) []*Latest {
	v, err := r.Store.Vintage(ctx, id)
	if err != nil {
		return nil
	}
	latest, err := latestOf(ctx, v, areas)
	if err != nil {
		return nil
	}
	return latest
}

func (h *Hit) addLatest(list []*Latest) {
	for i, l := range list {
		if i == 0 {
			h.Latest = l
		}
		for k := range h.Coverage {
			if strings.EqualFold(h.Coverage[k].Area, l.Area.Code) {
				h.Coverage[k].LatestPeriod = l.Period
			}
		}
	}
}

// conceptKey is the key of the datasets of a concept in the memo of a catalogue.
type conceptKey string

// addConcept adds the concept and the datasets of other sources that measure it.
func (r *Reader) addConcept(h *Hit, id string) {
	all := defaults.Concepts()
	at := slices.IndexFunc(all, func(c defaults.Concept) bool { return c.ID == id })
	if id == "" || at < 0 {
		return
	}
	h.Concept = &Concept{id, all[at].Label}
	for _, o := range r.others(&all[at]) {
		if o.Source != h.Source {
			h.AlsoFrom = append(h.AlsoFrom, o)
		}
	}
}

// others returns the datasets of a concept: of each of its series the stored one, or what
// the table names.
func (r *Reader) others(c *defaults.Concept) []Other {
	if r.Store == nil {
		return findOthers(c, nil)
	}
	catalog := r.Store.Catalog()
	return catalog.Memo(conceptKey(c.ID), func() any { return findOthers(c, catalog.Entries) }).([]Other)
}

func findOthers(c *defaults.Concept, stored []store.Entry) (list []Other) {
	for i := range c.Series {
		s := &c.Series[i]
		o := Other{Source: s.Source, Code: s.Dataset, Remark: s.Remark}
		for k := range stored {
			if e := &stored[k]; strings.EqualFold(e.Source, s.Source) && s.Covers(e.Source, e.Code) {
				o.Code, o.Name, o.ID = e.Code, e.Name, e.ID
				break
			}
		}
		isPattern := o.ID == 0 && strings.ContainsAny(o.Code, `*?[`)
		if !isPattern && !slices.ContainsFunc(list, func(l Other) bool { return l.Source == o.Source && l.Code == o.Code }) {
			list = append(list, o)
		}
	}
	return list
}
