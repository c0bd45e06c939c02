package portal

import (
	"net/http"
	"net/url"
	"slices"

	"almanac/internal/people"
	"almanac/internal/stat"
)

// maxQuery is the longest selection that an address has, in bytes. A longer one is stored, and the address has its
// hash in the parameter sel. Filters beside it replace its own; an empty one removes it.
const maxQuery = 2000

// selectionQuery returns the parameters of the address, with those of its stored selection. isMoved reports whether the reader
// was sent to the address that the selection has.
func (p *page) selectionQuery() (query url.Values, isMoved bool, err error) {
	query = p.r.URL.Query()
	p.lang.readPeriods(query)
	hash := query.Get("sel")
	if p.opts.People == nil || hash == "" && len(p.r.URL.RawQuery) <= maxQuery {
		return query, false, nil
	}
	isChanged := hash == ""
	if hash != "" {
		text, err := p.opts.People.Selection(p.r.Context(), hash)
		if stat.KindOf(err) == stat.NotFound {
			err = &refusal{Status: http.StatusNotFound, Message: p.lang.text("selection.unknown"), isTranslated: true}
		}
		if err != nil {
			return nil, false, err
		}
		stored, err := url.ParseQuery(text)
		if err != nil {
			return nil, false, err
		}
		for name := range query {
			isChanged = isChanged || isFilter(name)
		}
		query.Del("sel")
		for name, values := range stored {
			if !query.Has(name) {
				query[name] = values
			}
		}
	}
	if !isChanged {
		p.sel = hash
		return query, false, nil
	}
	return query, p.isShort(query), err
}

// isShort sends the reader to the shortest address of a selection, and reports false if that would be the one that it has.
func (p *page) isShort(query url.Values) bool {
	chosen, other := url.Values{}, url.Values{}
	for name, values := range query {
		if !isFilter(name) {
			other[name] = values
			continue
		}
		chosen[name] = slices.Sorted(slices.Values(values))
	}
	chosen = without(chosen)
	text := chosen.Encode()
	if len(text) > maxQuery && len(text) <= people.MaxSelection {
		hash, err := p.opts.People.StoreSelection(p.r.Context(), text)
		if err != nil {
			p.opts.Log.Warn("a selection could not be stored", "error", err)
			return false
		}
		chosen = url.Values{"sel": {hash}}
	}
	for name, values := range other {
		chosen[name] = values
	}
	to := addressWith(p.r.URL.EscapedPath(), chosen)
	if len(to) >= len(p.Here()) && !p.r.URL.Query().Has("sel") {
		return false
	}
	p.leadTo(to)
	return true
}

// start returns the parameters with which an address of the selection begins: the hash of a stored one.
func (s *selection) start() url.Values {
	q := url.Values{}
	if s.sel != "" {
		q.Set("sel", s.sel)
		return q
	}
	for name, values := range s.asked {
		q[name] = values
	}
	return q
}
