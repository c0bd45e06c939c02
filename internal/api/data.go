package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// open opens the current vintage of the dataset that the address names.
func (a *API) open(r *http.Request) (*store.Vintage, error) {
	return a.openID(r.Context(), r.PathValue("id"))
}

// openID opens the current vintage of the dataset with an id as a caller
// wrote it.
func (a *API) openID(ctx context.Context, text string) (*store.Vintage, error) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return nil, stat.Errorf(stat.Invalid, "the id of a dataset is a decimal integer, not %q; /api/datasets lists them", text)
	}
	id, err := strconv.Atoi(text)
	if err != nil {
		return nil, stat.Errorf(stat.NotFound, "there is no dataset %s; /api/datasets lists them", text)
	}
	return a.store.Vintage(ctx, id)
}

// meta answers with a dataset's metadata.
func (a *API) meta(r *http.Request) (reply, error) {
	v, err := a.bare(r)
	if err != nil {
		return reply{}, err
	}
	c := cardOf(v)
	return reply{contentType: applicationJSON, tag: c.metaTag, modified: c.modified, body: c.meta}, nil
}

// bare opens the vintage for an address that takes no parameters.
func (a *API) bare(r *http.Request) (*store.Vintage, error) {
	if err := request.Bind(r.URL.RawQuery, &request.None{}); err != nil {
		return nil, err
	}
	return a.open(r)
}

// details answers with a dataset and all its data.
func (a *API) details(r *http.Request) (reply, error) {
	var p request.Details
	if err := request.Bind(r.URL.RawQuery, &p); err != nil {
		return reply{}, err
	}
	v, err := a.open(r)
	if err != nil {
		return reply{}, err
	}
	c := cardOf(v)
	what := "details"
	if p.Flags {
		what = "details with flags"
	}
	encode := func(s *stream) error {
		extract, err := v.Select(s.context(), stat.Query{Flags: p.Flags})
		if err != nil {
			return err
		}
		s.buf = appendDataset(append(s.buf, `{"dataset":`...), v)
		s.buf = append(s.buf, `,"data":`...)
		s.blocks.prepare(v, p.Flags)
		if _, err := writeBlocks(s, extract); err != nil {
			return err
		}
		s.buf = append(s.buf, '}')
		return nil
	}
	return reply{contentType: applicationJSON, tag: c.tag(what), modified: c.modified, encode: encode, keep: true}, nil
}

// data answers with a part of a dataset. A caller that says what it has is
// asking again, and will again with the same words: their tag is remembered,
// and what they mean is only worked out if the answer is to be sent.
func (a *API) data(r *http.Request) (reply, error) {
	if len(r.Header["If-None-Match"]) == 0 {
		return a.part(r, nil)
	}
	v, err := a.open(r)
	if err != nil {
		return a.part(r, nil) // which knows what goes before this error
	}
	c := cardOf(v)
	t, ok := a.asked.tag(c, r.URL.RawQuery)
	if !ok {
		rep, err := a.part(r, v)
		if err == nil && !rep.keep {
			a.asked.remember(c, r.URL.RawQuery, rep.tag)
		}
		return rep, err
	}
	encode := func(s *stream) error {
		rep, err := a.part(r, v)
		if err != nil {
			return err
		}
		return rep.encode(s)
	}
	return reply{contentType: applicationJSON, tag: t, modified: c.modified, encode: encode}, nil
}

// part reads the parameters and returns the reply with the part that they
// select of v, or of the current vintage if v is nil.
func (a *API) part(r *http.Request, v *store.Vintage) (reply, error) {
	var p request.Data
	bad := request.Bind(r.URL.RawQuery, &p)
	if p.Followed {
		return reply{}, errFollowedNeedsKey
	}
	if bad != nil {
		return reply{}, bad
	}
	if v == nil {
		var err error
		if v, err = a.open(r); err != nil {
			return reply{}, err
		}
	}
	q, notices, err := request.Parse(v, p)
	if err != nil {
		return reply{}, err
	}
	c := cardOf(v)
	var text [256]byte
	what := appendQuery(append(append(text[:0], c.identity...), "data "...), &q)
	return reply{
		contentType: applicationJSON, tag: tagOf(appendNotices(what, notices)), modified: c.modified,
		encode: func(s *stream) error { return encodeData(s, v, &selected{p, q, notices}) },
		keep:   q.Select == nil && q.From.IsZero() && q.To.IsZero() && q.Within.IsZero() && !q.Latest,
	}, nil
}

// selected is what a caller asked of a dataset's data.
type selected struct {
	given   request.Data
	query   stat.Query
	notices []request.Notice
}

// encodeData writes the answer of the data endpoint.
func encodeData(s *stream, v *store.Vintage, sel *selected) error {
	extract, err := v.Select(s.context(), sel.query)
	if err != nil {
		return err
	}
	s.buf = append(s.buf, `{"data":`...)
	s.blocks.prepare(v, sel.query.Flags)
	empty, err := writeBlocks(s, extract)
	if err != nil {
		return err
	}
	s.buf = append(s.buf, `,"meta":`...)
	s.buf = append(s.buf, cardOf(v).meta.plain...)
	notices := sel.notices
	if empty && len(notices) == 0 {
		notices = []request.Notice{request.NoMatch(v, sel.given)}
	}
	s.buf = append(appendNotices(s.buf, notices), '}')
	return nil
}

// appendNotices appends the member notices, if there are any.
func appendNotices(buf []byte, notices []request.Notice) []byte {
	if len(notices) == 0 {
		return buf
	}
	buf = append(buf, `,"notices":[`...)
	for _, n := range notices {
		buf = append(appendComma(buf), '{')
		buf = appendString(appendName(buf, "parameter"), n.Parameter)
		buf = appendString(appendName(buf, "value"), n.Value)
		buf = appendString(appendName(buf, "message"), n.Message)
		buf = appendTexts(appendName(buf, "nearest"), n.Nearest)
		buf = append(buf, '}')
	}
	return append(buf, ']')
}
