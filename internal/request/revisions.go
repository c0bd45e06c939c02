package request

import (
	"net/url"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// Revisions are the parameters of the list of what changed between two versions. Those that
// select series and periods are those of [Data].
type Revisions struct {
	From         string   `param:"from" example:"1.0" doc:"The older version: its number, or a date or time, which means the version that was current then, as for as_of. Without it, the version before the newer one."`
	To           string   `param:"to" example:"2100-01-01" doc:"The newer version, likewise. Without it, the current one."`
	Kind         string   `param:"kind" example:"revised" enum:"added,revised,removed" doc:"Only revisions of this kind: added, revised or removed."`
	Dims         Dims     `param:"dim" as:"data"`
	Country      []string `param:"country" as:"data"`
	Within       []string `param:"within" as:"data"`
	NoAggregates bool     `param:"aggregates" as:"data"`
	Period       string   `param:"period" as:"data"`
	PeriodFrom   string   `param:"period_from" as:"data"`
	PeriodTo     string   `param:"period_to" as:"data"`
	NotDims      Dims     `param:"not.dim" as:"data"`
	NotCountry   []string `param:"not.country" as:"data"`
	LikeDims     Dims     `param:"like.dim" as:"data"`
	LikeCountry  []string `param:"like.country" as:"data"`
	BelowDims    Dims     `param:"below.dim" as:"data"`
	BelowCountry []string `param:"below.country" as:"data"`
	Followed     bool     `param:"followed" as:"data"`
	ISOPeriods   bool     `param:"iso_periods" as:"data"`
	Codes        bool     `param:"codes" example:"true" doc:"Accepted because the data have it. Revisions have the codes beside the labels in any case."`
	Flags        bool     `param:"flags" example:"true" doc:"Accepted because the data have it. Revisions have flags and notes in any case."`
	Decimals     bool     `param:"decimals" example:"true" doc:"Adds to each revision how many decimals the values of its series have, in the older and in the newer version: the most that any of them has. With it, 10 can be written as the office wrote it: 10.0. Left out where that is not known."`
	Lang         string   `param:"lang" as:"data"`
	Page         int      `param:"page" example:"0" default:"0" min:"0" doc:"Page number, counted from 0. A page past the end is empty."`
	Limit        int      `param:"limit" example:"100" default:"100" min:"1" doc:"Revisions per page."`
}

// Filters returns the parameters that select series and periods.
func (p *Revisions) Filters() Data {
	return Data{
		Dims: p.Dims, Country: p.Country, Within: p.Within, NoAggregates: p.NoAggregates,
		Period: p.Period, PeriodFrom: p.PeriodFrom, PeriodTo: p.PeriodTo,
		NotDims: p.NotDims, NotCountry: p.NotCountry, LikeDims: p.LikeDims, LikeCountry: p.LikeCountry,
		BelowDims: p.BelowDims, BelowCountry: p.BelowCountry, Followed: p.Followed,
	}
}

// RevisionFilters returns the parameters of a query string for data that a list of revisions
// takes too: "&country=Germany", empty if there are none.
func RevisionFilters(query url.Values) string {
	known := formOf[Revisions]().byName
	taken := url.Values{}
	for name, values := range query {
		if _, ok := known[name]; ok && name != "page" && name != "limit" {
			taken[name] = values
		}
	}
	if len(taken) == 0 {
		return ""
	}
	return "&" + taken.Encode()
}

// Versions returns the choice of the two versions; the zero [store.At] is none. The error is
// [stat.Invalid] and names the parameter.
func (p *Revisions) Versions() (from, to store.At, err error) {
	for _, side := range []struct {
		name, text string
		into       *store.At
	}{{"from", p.From, &from}, {"to", p.To, &to}} {
		switch {
		case side.text == "":
		case versionNumber.MatchString(side.text):
			side.into.Version = side.text
		default:
			if side.into.Time, err = parseEnd(side.name, side.text); err != nil {
				return from, to, stat.Errorf(stat.Invalid, "parameter %s must be the number of a version such as 1.3, a date such as 2026-01-31 or a time, not %.40q", side.name, side.text)
			}
		}
	}
	switch store.RevisionKind(p.Kind) {
	case "", store.Added, store.Revised, store.Removed:
	default:
		err = stat.Errorf(stat.Invalid, "parameter kind must be added, revised or removed, not %.40q", p.Kind)
	}
	return from, to, err
}

// Filter returns what the filters of a list of revisions select of two versions, and which
// periods; nil: all. A value that only one of the versions has is no mistake: notices name those
// that neither has. followed is as for [Parse].
func (p *Revisions) Filter(old, now *store.Vintage, followed stat.Selection) (sides [2]store.Side, isSelected func(stat.Period) bool, notices []Notice, err error) {
	sides[0].Vintage, sides[1].Vintage = old, now
	filters := p.Filters()
	query, unknown, err := Parse(now, &filters, followed)
	if err != nil {
		return sides, nil, nil, err
	}
	sides[1].Select = query.Select
	var earlier []Notice
	sides[0].Select, earlier = SelectEarlier(old, now, filters, followed)
	for _, n := range unknown {
		if slices.ContainsFunc(earlier, func(m Notice) bool { return m.Parameter == n.Parameter && m.Value == n.Value }) {
			notices = append(notices, n)
		}
	}
	switch {
	case !query.Within.IsZero():
		isSelected = func(period stat.Period) bool { return period.Within(query.Within) }
	case !query.From.IsZero() || !query.To.IsZero():
		isSelected = func(period stat.Period) bool { return period.OverlapsSpan(query.From, query.To) }
	}
	return sides, isSelected, notices, nil
}

// SelectEarlier returns what parameters that a vintage takes select of an older version of the
// dataset, as in [stat.Query.Select], and notices on what that does not have. Series match by their
// codes, so a code that both versions have is selected if it is in the newer one, whatever its
// label was; the labels of the older version matter only for codes that the newer one lacks.
func SelectEarlier(old, now *store.Vintage, p Data, followed stat.Selection) ([][]int32, []Notice) {
	query, unknown, err := Parse(now, &p, followed)
	none := make([][]int32, len(old.Dataset.Axes()))
	for axis := range none {
		none[axis] = []int32{}
	}
	own, isPossible := earlierFilters(old, now, p)
	if err != nil || !isPossible {
		return none, unknown
	}
	earlier, notices, err := Parse(old, &own, followed)
	if err != nil { // it lacks a hierarchy that the newer one has
		earlier.Select, notices = none, unknown
	}
	if !store.HaveSameAxes(old, now) {
		return earlier.Select, notices
	}
	if query.Select == nil && earlier.Select == nil {
		return nil, notices
	}
	axes := now.Dataset.Axes()
	selected := make([][]int32, len(none))
	for i, axis := range old.Dataset.Axes() {
		at := slices.IndexFunc(axes, func(d *stat.Dimension) bool { return d.ID == axis.ID })
		selected[i] = matching(axis, i, at, now, [2]stat.Query{earlier, query})
	}
	return selected, notices
}

// matching returns the codes of an axis of an older version that queries of it and of a newer
// version select. at is the axis in the newer one.
func matching(axis *stat.Dimension, i, at int, now *store.Vintage, queries [2]stat.Query) []int32 {
	has := func(query *stat.Query, axis int, code int32) bool {
		if query.Select == nil || query.Select[axis] == nil {
			return true
		}
		_, ok := slices.BinarySearch(query.Select[axis], code)
		return ok
	}
	codes := []int32{}
	for p := range axis.Codes {
		position, isShared := now.Position(at, axis.Codes[p].ID)
		if isShared && has(&queries[1], at, position) || !isShared && has(&queries[0], i, int32(p)) {
			codes = append(codes, int32(p))
		}
	}
	if len(codes) == len(axis.Codes) {
		return nil
	}
	return codes
}

// earlierFilters returns the filters for an older version, whose dimensions may be in another
// order. isPossible is false if it does not have a dimension of which values are chosen.
func earlierFilters(old, now *store.Vintage, p Data) (earlier Data, isPossible bool) {
	earlier, isPossible = p, true
	given := filtersOf(&p)
	for f, filter := range filtersOf(&earlier) {
		*filter.dims = Dims{}
		for i := range now.Dataset.Dimensions {
			values := given[f].dims[i]
			if len(values) == 0 {
				continue
			}
			id := now.Dataset.Dimensions[i].ID
			at := slices.IndexFunc(old.Dataset.Dimensions, func(d stat.Dimension) bool { return d.ID == id })
			if at >= 0 {
				filter.dims[at] = values
			} else if filter.prefix != notPrefix {
				isPossible = false
			}
		}
	}
	return earlier, isPossible
}
