package api

import (
	"strconv"
	"strings"

	"almanac/internal/access"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// open opens the current vintage of the dataset that the address names.
func (x *exchange) open() (*store.Vintage, error) { return x.openID(x.r.PathValue("id")) }

// openID opens the current vintage of the dataset with an id as a caller
// wrote it.
func (x *exchange) openID(text string) (*store.Vintage, error) {
	id, err := datasetID(text)
	if err != nil {
		return nil, err
	}
	return x.api.store.Vintage(x.r.Context(), id)
}

// datasetID reads the id of a dataset as a caller wrote it.
func datasetID(text string) (int, error) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, stat.Errorf(stat.Invalid, "the id of a dataset is a decimal integer, not %q; /api/datasets lists them", text)
	}
	id, err := strconv.Atoi(text)
	if err != nil {
		return 0, stat.Errorf(stat.NotFound, "there is no dataset %s; /api/datasets lists them", text)
	}
	return id, nil
}

// meta answers with a dataset's metadata.
func (x *exchange) meta() (reply, error) {
	v, err := x.bare()
	if err != nil {
		return reply{}, err
	}
	c := cardOf(v)
	return reply{contentType: applicationJSON, tag: c.metaTag, modified: c.modified, body: c.meta}, nil
}

// bare opens the vintage for an address that takes no parameters.
func (x *exchange) bare() (*store.Vintage, error) {
	if err := request.Bind(x.r.URL.RawQuery, &request.None{}); err != nil {
		return nil, err
	}
	return x.open()
}

// details answers with a dataset and all its data.
func (x *exchange) details() (reply, error) {
	var p request.Details
	if err := request.Bind(x.r.URL.RawQuery, &p); err != nil {
		return reply{}, err
	}
	v, err := x.open()
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
// What an organisation follows is another matter: the words do not say it.
func (x *exchange) data() (reply, error) {
	if len(x.r.Header["If-None-Match"]) == 0 {
		return x.part(nil)
	}
	v, err := x.open()
	if err != nil {
		return x.part(nil) // which knows what goes before this error
	}
	c := cardOf(v)
	t, ok := x.api.asked.tag(c, x.r.URL.RawQuery)
	if !ok {
		rep, err := x.part(v)
		if err == nil && !rep.keep && !rep.followed {
			x.api.asked.remember(c, x.r.URL.RawQuery, rep.tag)
		}
		return rep, err
	}
	encode := func(s *stream) error {
		rep, err := x.part(v)
		if err != nil {
			return err
		}
		return rep.encode(s)
	}
	return reply{contentType: applicationJSON, tag: t, modified: c.modified, encode: encode}, nil
}

// part reads the parameters and returns the reply with the part that they
// select of v, or of the current vintage if v is nil.
func (x *exchange) part(v *store.Vintage) (reply, error) {
	var p request.Data
	bad := request.Bind(x.r.URL.RawQuery, &p)
	if p.Followed && x.caller.Account == 0 {
		return reply{}, errFollowedNeedsKey
	}
	if bad != nil {
		return reply{}, bad
	}
	if v == nil {
		var err error
		if v, err = x.open(); err != nil {
			return reply{}, err
		}
	}
	q, notices, err := request.Parse(v, p)
	if err == nil && p.Followed {
		q, notices, err = x.restrict(v, q, notices)
	}
	if err != nil {
		return reply{}, err
	}
	c := cardOf(v)
	var text [256]byte
	what := appendQuery(append(append(text[:0], c.identity...), "data "...), &q)
	published := c.modified
	if p.Followed {
		published = modified{} // what is followed may have changed since
	}
	return reply{
		contentType: applicationJSON, tag: tagOf(appendNotices(what, notices)), modified: published,
		encode:   func(s *stream) error { return encodeData(s, v, &selected{p, q, notices}) },
		followed: p.Followed,
		keep:     q.Select == nil && q.From.IsZero() && q.To.IsZero() && q.Within.IsZero() && !q.Latest,
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
		// What a caller sent by mistake need not stand in the answer.
		buf = appendString(appendName(buf, "value"), access.Redact(n.Value))
		buf = appendString(appendName(buf, "message"), access.Redact(n.Message))
		buf = appendTexts(appendName(buf, "nearest"), n.Nearest)
		buf = append(buf, '}')
	}
	return append(buf, ']')
}
