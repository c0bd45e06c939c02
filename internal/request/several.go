package request

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// maxOthers is the number of datasets in one chart beside the first.
const maxOthers = 11

// Other is a selection from another dataset, or another one from the same dataset, in a
// chart of several: the field s.
type Other struct {
	Text    string // as the caller wrote it: "14:dim2=Total"
	ID      string // the dataset: decimal digits
	Data    Data
	Vintage *store.Vintage // set by [Chart.OpenOthers]
}

// setOthers appends selections written as an ID, a colon and a query string of the data
// endpoint.
func setOthers(c *Chart, v any) error {
	for _, text := range v.([]string) {
		if len(c.Others) == maxOthers {
			return fmt.Errorf("may be given at most %d times", maxOthers)
		}
		id, query, _ := strings.Cut(text, ":")
		if !isInteger(id) || strings.HasPrefix(id, "-") {
			return fmt.Errorf("must be the id of a dataset, a colon and parameters of the data endpoint, such as 14:dim2=Total, not %.60q", text)
		}
		other := Other{Text: text, ID: id}
		if err := Bind(query, &other.Data); err != nil {
			return fmt.Errorf("%.60q: %s", text, err)
		}
		for _, p := range []struct {
			name    string
			isGiven bool
		}{{"followed", other.Data.Followed}, {"transform", other.Data.Transform != ""}, {langParam, other.Data.Lang != ""}, {"latest", other.Data.Latest || other.Data.LatestMode != ""}, {"updated_since", other.Data.UpdatedSince != ""}, {"first_n", other.Data.FirstN > 0}, {"last_n", other.Data.LastN > 0}} {
			if p.isGiven {
				return fmt.Errorf("%.60q: parameter %s is not accepted here; it applies to the whole chart", text, p.name)
			}
		}
		c.Others = append(c.Others, other)
	}
	return nil
}

// OpenOthers opens the datasets of the field s, as of the same time as the first if they do not
// choose a version. The error is [stat.Invalid] if there is no such dataset or version.
func (c *Chart) OpenOthers(open func(id string, e Edition) (*store.Vintage, error)) (err error) {
	for i := range c.Others {
		other := &c.Others[i]
		e := Edition{AsOf: c.Data.AsOf}
		e.merge(&other.Data.Edition)
		other.Data.Edition = e
		if other.Vintage, err = open(other.ID, e); stat.KindOf(err) == stat.NotFound {
			return stat.Errorf(stat.Invalid, "s: %s", err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// ignoredOthers returns the notice that a type of chart does not show other datasets.
func ignoredOthers(c *Chart) []Notice {
	if c.Others == nil {
		return nil
	}
	return []Notice{NewNotice("s", c.Others[0].Text, "only a line chart shows several datasets")}
}

// joinedSpec is [Spec] for several datasets. The others have the areas and periods of the
// first unless they have their own.
func joinedSpec(ctx context.Context, v *store.Vintage, c *Chart) (*chart.Spec, []Notice, error) {
	shared, err := c.selection(v)
	if err != nil {
		return nil, nil, err
	}
	if shared.Followed || c.Followed != nil {
		return nil, nil, stat.Errorf(stat.Invalid, "followed=true and s cannot be combined; followed values are those of one dataset")
	}
	var parts []chart.Part
	var notices []Notice
	add := func(one *Chart, v *store.Vintage) error {
		d, err := one.drawPopulated(ctx, v)
		if err != nil {
			return err
		}
		extract, err := v.Select(ctx, d.Options.Derive.Query(d.Query))
		if err != nil {
			return err
		}
		parts = append(parts, chart.Part{Extract: extract, Query: d.Query, Updated: v.LastUpdate, Version: d.Options.Version, Derive: d.Options.Derive})
		notices = append(notices, d.Notices...)
		return nil
	}
	if err := add(c, v); err != nil {
		return nil, nil, err
	}
	for _, other := range c.Others {
		one := &Chart{Options: c.Options, Data: other.within(&shared), Others: c.Others, Store: c.Store}
		if err := add(one, other.Vintage); err != nil {
			return nil, nil, stat.Errorf(stat.KindOf(err), "s=%.60s: %s", other.Text, err)
		}
	}
	s, err := chart.NewJoined(parts, c.Options)
	if err != nil {
		return nil, nil, err
	}
	return s, slices.Concat(notices, frequencyNotice(s), unusedKeys(s), ignoredOptions(s, c)), nil
}

// within returns the selection with the areas and periods of a shared one, unless it has its
// own. A dataset without any geography cannot have areas.
func (o *Other) within(shared *Data) Data {
	d := o.Data
	if d.Country == nil && d.Within == nil && !o.Vintage.Dataset.HasNoArea() {
		d.Country, d.Within = shared.Country, shared.Within
	}
	if d.Period == "" && d.PeriodFrom == "" && d.PeriodTo == "" {
		d.Period, d.PeriodFrom, d.PeriodTo = shared.Period, shared.PeriodFrom, shared.PeriodTo
	}
	return d
}
