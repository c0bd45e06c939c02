package request

import (
	"regexp"
	"slices"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// Edition are the parameters that choose a version of a dataset. Without them, it is the current
// one.
type Edition struct {
	Version string `param:"version" example:"1.0" doc:"This version of the dataset instead of the current one, with the labels that it had. /api/datasets/{id}/versions lists the versions. Not with as_of."`
	AsOf    string `param:"as_of" example:"2100-01-01" doc:"The version of the dataset that was current here at this time: a date, which means the end of the day in UTC, or a time (RFC 3339). Not with version."`
}

// At returns the choice. The error is [stat.Invalid] and names the parameter.
func (e *Edition) At() (at store.At, err error) {
	switch {
	case e.Version != "" && e.AsOf != "":
		return at, stat.Errorf(stat.Invalid, "version and as_of both choose a version; give only one of them")
	case e.AsOf != "":
		at.Time, err = parseEnd("as_of", e.AsOf)
	case e.Version != "":
		at.Version, err = e.Version, checkVersion("version", e.Version)
	}
	return at, err
}

// merge replaces the choice if over has one.
func (e *Edition) merge(over *Edition) {
	if *over != (Edition{}) {
		*e = *over
	}
}

// versionNumber matches the number of a version.
var versionNumber = regexp.MustCompile(`^[1-9][0-9]{0,8}\.[0-9]$`)

func checkVersion(parameter, text string) error {
	if !versionNumber.MatchString(text) {
		return stat.Errorf(stat.Invalid, "parameter %s must be the number of a version such as 1.3, not %.40q", parameter, text)
	}
	return nil
}

// parseEnd parses a time, or a date, which means the last moment of the day in UTC.
func parseEnd(parameter, text string) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.AddDate(0, 0, 1).Add(-1), nil
	}
	return parseMoment(parameter, text)
}

// Versions are the parameters of the list of a dataset's versions.
type Versions struct {
	Page  int `param:"page" example:"0" default:"0" min:"0" doc:"Page number, counted from 0. A page past the end is empty."`
	Limit int `param:"limit" example:"100" default:"100" min:"1" doc:"Versions per page."`
}

// Revisions are the parameters of the list of what changed between two versions.
type Revisions struct {
	From         string   `param:"from" example:"1.0" doc:"The older version: its number, or a date or time, which means the version that was current then, as for as_of. Without it, the version before the newer one."`
	To           string   `param:"to" example:"2100-01-01" doc:"The newer version, likewise. Without it, the current one."`
	Kind         string   `param:"kind" example:"revised" enum:"added,revised,removed" doc:"Only revisions of this kind: added, revised or removed."`
	Dims         Dims     `param:"dim" example:"Life expectancy" doc:"Only series with this value of the dimension: its label or code, as for the data."`
	Country      []string `param:"country" example:"Germany" doc:"Only this area: its label, code or name, as for the data."`
	Within       []string `param:"within" example:"US" doc:"Only this area and its parts, as for the data."`
	NoAggregates bool     `param:"aggregates" inverted:"true" example:"false" doc:"false leaves out groups of countries, totals and areas that are no place."`
	Period       string   `param:"period" example:"2005" doc:"Only periods equal to this one or within it. Overrides period_from and period_to."`
	PeriodFrom   string   `param:"period_from" example:"1990" doc:"Only periods that end at or after the start of this one."`
	PeriodTo     string   `param:"period_to" example:"2005" doc:"Only periods that start at or before the end of this one."`
	Lang         string   `param:"lang" example:"en" doc:"The language of labels, as for the data."`
	Page         int      `param:"page" example:"0" default:"0" min:"0" doc:"Page number, counted from 0. A page past the end is empty."`
	Limit        int      `param:"limit" example:"100" default:"100" min:"1" doc:"Revisions per page."`
}

// Filters returns the parameters that select series and periods.
func (p *Revisions) Filters() Data {
	return Data{Dims: p.Dims, Country: p.Country, Within: p.Within, NoAggregates: p.NoAggregates, Period: p.Period, PeriodFrom: p.PeriodFrom, PeriodTo: p.PeriodTo}
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
// that neither has.
func (p *Revisions) Filter(old, now *store.Vintage) (sides [2]store.Side, isSelected func(stat.Period) bool, notices []Notice, err error) {
	var all [2][]Notice
	sides[0].Vintage, sides[1].Vintage = old, now
	query, unknown, err := Parse(now, p.Filters(), nil)
	if err != nil {
		return sides, nil, nil, err
	}
	sides[1].Select, all[1] = query.Select, unknown
	own, isPossible := p.filtersOf(old, now)
	earlier, unknown, err := Parse(old, own, nil)
	if err != nil {
		return sides, nil, nil, err
	}
	if sides[0].Select, all[0] = earlier.Select, unknown; !isPossible {
		sides[0].Select = make([][]int32, len(old.Dataset.Dimensions)+1)
		for axis := range sides[0].Select {
			sides[0].Select[axis] = []int32{}
		}
	}
	for _, n := range all[1] {
		if slices.ContainsFunc(all[0], func(m Notice) bool { return m.Parameter == n.Parameter && m.Value == n.Value }) {
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

// filtersOf returns the filters for an older version, whose dimensions may be in another order.
// isPossible is false if it does not have a dimension that is filtered.
func (p *Revisions) filtersOf(old, now *store.Vintage) (filters Data, isPossible bool) {
	filters, isPossible = p.Filters(), true
	filters.Dims = Dims{}
	for i := range now.Dataset.Dimensions {
		if p.Dims[i] == nil {
			continue
		}
		id := now.Dataset.Dimensions[i].ID
		at := slices.IndexFunc(old.Dataset.Dimensions, func(d stat.Dimension) bool { return d.ID == id })
		if at < 0 {
			isPossible = false
			continue
		}
		filters.Dims[at] = p.Dims[i]
	}
	return filters, isPossible
}

// Since returns the moment of UpdatedSince. The error is [stat.Invalid] and names the parameter.
func (d *Data) Since() (time.Time, error) { return parseMoment("updated_since", d.UpdatedSince) }
