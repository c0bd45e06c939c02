package api

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// catalogTime is how the catalog writes times: an offset without a colon.
const catalogTime = "2006-01-02T15:04:05-0700"

// catalogText is the catalog's entries as JSON, rendered once: entry i is
// text[ends[i-1]:ends[i]] and begins with a comma.
type catalogText struct {
	text     []byte
	ends     []int
	identity []byte // begins every tag
	modified modified
}

type catalogKey struct{}

func catalogTextOf(c *store.Catalog) *catalogText {
	return c.Memo(catalogKey{}, func() any {
		t := &catalogText{ends: make([]int, len(c.Entries)), modified: modifiedAt(c.Changed)}
		t.identity = binary.AppendVarint([]byte("catalog "+encoderVersion+" "), c.Generation)
		t.identity = binary.AppendVarint(t.identity, c.Changed.UnixNano())
		t.identity = binary.AppendVarint(t.identity, int64(len(c.Entries)))
		for i := range c.Entries {
			e := &c.Entries[i]
			t.text = append(t.text, `,{"id":`...)
			t.text = strconv.AppendInt(t.text, int64(e.ID), 10)
			t.text = appendString(appendName(t.text, "dataset_name"), e.Name)
			t.text = append(t.text, `,"last_update":"`...)
			t.text = e.LastUpdate.AppendFormat(t.text, catalogTime)
			t.text = append(t.text, '"', '}')
			t.ends[i] = len(t.text)
		}
		return t
	}).(*catalogText)
}

// from returns entries i to j-1, of which there must be one, each beginning
// with a comma.
func (t *catalogText) from(i, j int) []byte {
	start := 0
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.text[start:t.ends[j-1]]
}

// catalog answers with a page of the list of datasets.
func (x *exchange) catalog() (reply, error) {
	var p request.Catalog
	if err := request.Bind(x.r.URL.RawQuery, &p); err != nil {
		return reply{}, err
	}
	if err := x.api.checkLimit(p.Limit); err != nil {
		return reply{}, err
	}
	c := x.api.store.Catalog()
	t := catalogTextOf(c)
	page := catalogPage{text: t, total: len(c.Entries), limit: p.Limit, page: p.Page}
	what := binary.AppendUvarint(slices.Clip(t.identity), uint64(p.Page))
	what = binary.AppendUvarint(what, uint64(p.Limit))
	if p.Country != "" {
		areas := append(geo.Match(p.Country), p.Country) // a source's own code may look like any other
		what = append(append(what, ' '), strings.Join(areas, " ")...)
		page.only = c.With(areas...)
		page.filtered, page.total = true, len(page.only)
	}
	return reply{contentType: applicationJSON, tag: tagOf(what), modified: t.modified, encode: page.encode}, nil
}

// checkLimit refuses pages that are too large.
func (a *API) checkLimit(limit int) error {
	if limit > a.maxLimit {
		return stat.Errorf(stat.Invalid, "parameter limit is %d; at most %d datasets fit on a page", limit, a.maxLimit)
	}
	return nil
}

// catalogPage is one page of the list, of all datasets or of some.
type catalogPage struct {
	text        *catalogText
	filtered    bool
	only        []int32 // positions of the wanted entries, if filtered
	total       int
	page, limit int
}

// encode writes the page.
func (p *catalogPage) encode(s *stream) error {
	from, to := p.total, p.total
	if p.page <= p.total/p.limit {
		from = min(p.page*p.limit, p.total)
		to = min(from+p.limit, p.total)
	}
	s.buf = append(s.buf, `{"data":[`...)
	if p.filtered {
		for i, at := range p.only[from:to] {
			entry := p.text.from(int(at), int(at)+1)
			if i == 0 {
				entry = entry[1:]
			}
			s.buf = append(s.buf, entry...)
		}
	} else if from < to {
		s.buf = append(s.buf, p.text.from(from, to)[1:]...)
	}
	s.buf = appendPagination(append(s.buf, ']'), pagination{p.page, p.limit, p.total, to < p.total})
	s.buf = append(s.buf, '}')
	return s.pass()
}

// pagination says which part of a list a page is.
type pagination struct {
	page, limit, total int
	more               bool
}

func appendPagination(buf []byte, p pagination) []byte {
	buf = strconv.AppendInt(append(buf, `,"pagination":{"page":`...), int64(p.page), 10)
	buf = strconv.AppendInt(append(buf, `,"limit":`...), int64(p.limit), 10)
	buf = strconv.AppendInt(append(buf, `,"total":`...), int64(p.total), 10)
	return append(strconv.AppendBool(append(buf, `,"hasMore":`...), p.more), '}')
}
