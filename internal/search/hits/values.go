package hits

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/internal/search"
)

// Limits of the datasets that come before all others because they are here and have the value that is asked for.
const (
	maxExamined = 6 // of the best that are here
	maxFirst    = 3
)

// values reads the latest values of datasets for a question, each once.
type values struct {
	reader   *Reader
	question *question
	key      string          // see [keyOf]
	read     map[int]details // by ID
}

// details are what is read of one stored dataset.
type details struct {
	selection string // see [Hit]
	latest    []*Latest
	why       string // none of them is an answer
	needsArea bool   // it has values that may be answers, but none for all areas, and the question names none
	isClose   bool   // it has values of what the question asks for, but none is the answer, see [Latest]
	lacks     bool   // the dataset has no value of the place or the period that the question names
	// lacksAsked says that the dataset has no word for a thing that the question asks for.
	lacksAsked bool
	// present are the words of the question that the search did not find, and that the dataset has by another name.
	present []string
}

// first returns the IDs of the best datasets here that come before all others, of those that have the places which the question asks for: those
// with the value, or that may have it, if the question named a place or once it is read. If there are none, they are those with other values of
// what is asked for.
func (v *values) first(inTime context.Context, best []Hit) (ids []int) {
	if len(v.question.asked) == 0 { // it names only a place or a dataset
		return nil
	}
	v.addTo(inTime, best)
	var answers, related []Hit
	for _, h := range best {
		d, isRead := v.read[h.ID]
		isTitled := slices.ContainsFunc(h.Found, func(f Found) bool { return f.Field == "title" })
		switch {
		case slices.ContainsFunc(h.Coverage, func(c Coverage) bool { return c.Status != search.Known && c.Status != search.Parts }):
		case h.Latest != nil, d.needsArea, !isRead && isTitled:
			answers = append(answers, h)
		case d.isClose, h.isBegunInTitle(v.question.asked):
			related = append(related, h)
		}
	}
	v.question.moveLesser(answers)
	if answers == nil {
		answers = related
	}
	for _, h := range answers[:min(len(answers), maxFirst)] {
		ids = append(ids, h.ID)
	}
	return ids
}

// isBegunInTitle reports whether a title has all that is asked for, of which the last word is only begun: "fertil".
func (h *Hit) isBegunInTitle(asked []search.Asked) bool {
	isBegun := false
	for i := range asked {
		at := slices.IndexFunc(h.Found, func(f Found) bool { return f.Field == "title" && f.Asked == asked[i].Text && f.Kind != "broader" })
		if at < 0 {
			return false
		}
		isBegun = isBegun || h.Found[at].Kind == "prefix"
	}
	return isBegun
}

// addTo adds the latest values to those of the hits that are here. isWhole is false if some were not read in time: they are kept for the
// next page with the same key.
func (v *values) addTo(inTime context.Context, hits []Hit) (isWhole bool) {
	type result struct {
		id int
		details
	}
	done := make(chan result, len(hits)) // nobody may wait for it any more
	left := 0
	isWhole = true
	for i := range hits {
		h := hits[i] // the page may be sent before it is read
		if _, ok := v.read[h.ID]; ok || h.ID == 0 {
			continue
		}
		if isWhole = inTime.Err() == nil; !isWhole {
			break
		}
		left++
		go func() {
			if d, ok := v.reader.readInTime(inTime, v.question, &h, v.key); ok {
				done <- result{h.ID, d}
			}
		}()
	}
	for ; left > 0 && isWhole; left-- {
		select {
		case d := <-done:
			v.read[d.id] = d.details
		case <-inTime.Done():
			isWhole = false
		}
	}
	for i := range hits {
		if d, ok := v.read[hits[i].ID]; ok {
			hits[i].addLatest(d)
		}
	}
	return isWhole
}

// present returns the words of the question that the search did not find, and that datasets have by another name.
func (v *values) present() (words []string) {
	for _, d := range v.read {
		words = append(words, d.present...)
	}
	return words
}

// readInTime returns what is kept of a dataset, else reads it. What is read too late is kept. ok is false if there was no time to begin.
func (r *Reader) readInTime(inTime context.Context, q *question, h *Hit, key string) (d details, ok bool) {
	of := lateKey{h.ID, key}
	if d, ok := r.late.get(of); ok {
		return d, true
	}
	select {
	case r.reading <- struct{}{}:
	case <-inTime.Done():
		return d, false
	}
	defer func() { <-r.reading }()
	if d = r.readDetails(context.WithoutCancel(inTime), q, h); inTime.Err() != nil && (d.latest != nil || d.why != "") {
		r.late.keep(of, d)
	}
	return d, true
}

// readDetails returns the latest values of a dataset, and why none is an answer. One that cannot be read, or was removed
// meanwhile, must not hide the others.
func (r *Reader) readDetails(ctx context.Context, q *question, h *Hit) details {
	v, err := r.Store.Vintage(ctx, h.ID)
	if err != nil {
		return details{}
	}
	d, err := q.latestOf(ctx, v, h)
	if err != nil {
		return details{}
	}
	return d
}

// addLatest adds the first of the latest values, or why it is no answer, and the periods of the areas.
func (h *Hit) addLatest(d details) {
	h.NoLatest, h.lacks, h.lacksAsked, h.Selection = d.why, d.lacks, d.lacksAsked, cmp.Or(d.selection, h.Selection)
	for i, l := range d.latest {
		switch shown := cmp.Or(l.ofPeriod, l); {
		case d.why != "":
		case i == 0:
			h.Latest = shown
		default:
			h.LatestOthers = append(h.LatestOthers, shown)
		}
		for k := range h.Coverage {
			c := &h.Coverage[k]
			if strings.EqualFold(c.Area, l.Area.Code) || slices.Contains(search.AreasNamed(c.Area, ""), l.Area.Code) || len(h.Coverage) == 1 && c.Status == search.Known {
				c.LatestPeriod = l.Period
			}
		}
	}
}
