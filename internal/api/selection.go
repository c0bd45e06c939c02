package api

import (
	"slices"
	"strconv"

	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/transform"
)

// selection is what a request selects of the dataset in its address.
type selection struct {
	vintage *store.Vintage // in the caller's language
	base    *replyBase     // of the vintage
	params  *request.Data
	query   stat.Query
	mode    stat.LatestMode
	derive  request.Derivation
	notices []request.Notice
}

// selected opens the dataset in the address and applies parameters to it. invalid is the error
// of reading them. A caller who may not have the selection gets an error.
func (x *exchange) selected(p *request.Data, invalid error) (*selection, error) {
	s, err := x.readSelection(p, invalid)
	if err != nil {
		return nil, err
	}
	if p.Transform != "" {
		if s.derive, err = x.derivation(s.vintage, p, &s.query); err != nil {
			return nil, err
		}
	}
	return s, x.checkSelection(s.vintage, &s.query)
}

// readSelection is selected for a response without the selected values, which everybody may
// have.
func (x *exchange) readSelection(p *request.Data, invalid error) (*selection, error) {
	if p.Followed && x.caller.Organisation == 0 {
		return nil, errFollowedNeedsKey
	}
	if invalid != nil {
		return nil, invalid
	}
	v, notices, err := x.localisedVintage(p.Lang, p.Edition)
	if err != nil {
		return nil, err
	}
	if p.UpdatedSince != "" {
		var changed []request.Notice
		if v, changed, err = x.changedSince(v, *p); err != nil {
			return nil, err
		}
		notices = append(notices, changed...)
	}
	followed, err := x.followed(v, p.Followed)
	if err != nil {
		return nil, err
	}
	p.Latest = p.Latest || p.LatestMode != ""
	s := &x.selection
	*s = selection{vintage: v, base: baseOf(v), params: p}
	if s.query, s.notices, err = request.Parse(v, p, followed); err != nil {
		return nil, err
	}
	s.notices = append(s.notices, notices...)
	if c := v.Changes(); c != nil && c.Removed > 0 {
		removed, err := x.removedSince(s, followed)
		if err != nil {
			return nil, err
		}
		s.notices = append(s.notices, removed...)
	}
	s.mode = s.query.Latest
	if p.LatestMode != "" {
		latest, err := request.LatestNotices(v, s.query)
		if err != nil {
			return nil, err
		}
		s.notices = append(s.notices, latest...)
	}
	return s, nil
}

// isWhole reports whether the selection is the whole dataset as the office published it.
func (s *selection) isWhole() bool { return selectsAll(&s.query) && s.derive.IsZero() }

// allNotices returns the notices of a selection that has been read.
func (s *selection) allNotices(derived *transform.Derived, isEmpty bool) []request.Notice {
	all := append(slices.Clip(s.notices), s.derive.Notices(derived, isEmpty)...)
	if isEmpty && len(all) == 0 {
		all = []request.Notice{s.noMatch()}
	}
	return all
}

// noMatch explains why nothing is selected.
func (s *selection) noMatch() request.Notice {
	if c := s.vintage.Changes(); c != nil && c.Since != "" {
		return request.NewNotice("updated_since", s.params.UpdatedSince, "nothing selected was added or changed since version "+c.Since)
	}
	return request.NoMatch(s.vintage, *s.params)
}

// tag returns the tag of the selection in a form.
func (s *selection) tag(form string) tag {
	end := "" // what notices say of populations
	if by := s.derive.Population; by != nil {
		end = " until " + strconv.Itoa(by.LastYear)
		for _, other := range by.Others {
			end += " beside " + other.Reference + " " + other.Version
		}
	}
	return s.base.queryTag(&s.query, s.notices, form, " ", s.derive.Identity(), end, " ", string(s.mode), " ", withCodes(s.params.Codes), withISO(s.params.ISOPeriods), withDecimals(s.params.Decimals))
}

// dependsOnMore reports whether the selection depends on more than the dataset: on what an
// organisation follows, or on the population in another dataset.
func (s *selection) dependsOnMore() bool {
	return s.params.Followed || s.derive.Population != nil
}

// modified returns when the selection was published here. What the organisation follows may
// have changed since.
func (s *selection) modified() lastModified {
	if s.dependsOnMore() {
		return lastModified{}
	}
	return s.base.modified
}

// derivation returns what the parameter transform derives from a query.
func (x *exchange) derivation(v *store.Vintage, p *request.Data, q *stat.Query) (request.Derivation, error) {
	derive, err := request.ParseTransform(v, p.Transform, q)
	if err == nil {
		err = request.Populate(x.r.Context(), x.api.opts.Store, request.Dividend{Vintage: v, Query: q, Edition: p.Edition}, &derive.Transform)
	}
	if err == nil {
		err = derive.CheckAmounts(x.r.Context(), v, q)
	}
	return derive, err
}
