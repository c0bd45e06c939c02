package request

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Drawing is a chart request held against a dataset: what to select and how to
// draw it.
type Drawing struct {
	Query   stat.Query
	Options chart.Options
	Notices []Notice

	given Data // the selection in words, with what filled its gaps
}

// Draw holds a chart request against a vintage. Dimensions for which the
// request has no value get that of the default series, or of the series that
// /latest would describe under the rest of the selection; a map gets one value
// for each. Maps and bars of categories get the most recent period.
//
// The error is [stat.Invalid] and names what cannot be: a key or value that
// the dataset does not have, a selection that holds nothing.
func (c *Chart) Draw(ctx context.Context, v *store.Vintage) (*Drawing, error) {
	data, err := c.selection(v.Dataset)
	if err != nil {
		return nil, err
	}
	q, notices, err := Parse(v, data)
	if err != nil {
		return nil, err
	}
	if data.Followed && c.Followed == nil {
		return nil, stat.Errorf(stat.Invalid, "followed=true requires the API key of an organisation")
	}
	if c.Followed != nil {
		data.Followed = true
		var gone []Notice
		q, gone = Restrict(v, q, *c.Followed)
		notices = append(notices, gone...)
	}
	d := &Drawing{Query: q, Options: c.Options, Notices: notices, given: data}
	d.Query.Flags = true
	if err := d.choose(ctx, v); err != nil {
		return nil, err
	}
	return d, nil
}

// selection merges the three places in which a request may say what it wants,
// key by key: selectedDimensions goes over dimensions_query, and the field
// period over both.
func (c *Chart) selection(d *stat.Dataset) (Data, error) {
	data := c.Data
	given := map[string]string{} // parameter → the key that gave it
	for _, choice := range c.Selected {
		param, into, err := target(d, &data, choice.Key)
		if err != nil {
			return data, err
		}
		if before, isGiven := given[param]; isGiven {
			return data, stat.Errorf(stat.Invalid, "selectedDimensions has both %q and %q, which mean the same", before, choice.Key)
		}
		given[param] = choice.Key
		switch into := into.(type) {
		case *[]string:
			*into = choice.Values
		case *string:
			if len(choice.Values) > 1 {
				return data, stat.Errorf(stat.Invalid, "selectedDimensions has %d values for %s; it takes one", len(choice.Values), choice.Key)
			}
			*into = choice.Values[0]
		}
	}
	if c.Period != "" {
		data.Period = c.Period
	}
	return data, nil
}

// target finds what a key of selectedDimensions stands for: its parameter of
// the data endpoint, and where that stands in data. A name of the interface
// goes before a dimension of the dataset with that ID or label.
func target(d *stat.Dataset, data *Data, key string) (param string, into any, err error) {
	switch key {
	case "country":
		return key, &data.Country, nil
	case "period":
		return key, &data.Period, nil
	case "period_from":
		return key, &data.PeriodFrom, nil
	case "period_to":
		return key, &data.PeriodTo, nil
	}
	if i, ok := dimensionOf(key); ok {
		if i >= len(d.Dimensions) {
			return "", nil, errNoDimension(d, i)
		}
		return key, &data.Dims[i], nil
	}
	known := []string{"country", "period", "period_from", "period_to"}
	ids := func(d *stat.Dimension) string { return d.ID }
	labels := func(d *stat.Dimension) string { return d.Label }
	for _, name := range []func(*stat.Dimension) string{ids, labels} {
		for i, axis := range d.Axes() {
			if name(axis) == key && key != "" {
				if i == len(d.Dimensions) {
					return "country", &data.Country, nil
				}
				return axisParam(d, i), &data.Dims[i], nil
			}
			known = append(known, name(axis))
		}
	}
	hint := ""
	if near := nearest(key, known); len(near) > 0 {
		hint = fmt.Sprintf(" (did you mean %q?)", near[0])
	}
	return "", nil, stat.Errorf(stat.Invalid, "unknown key %.60q in selectedDimensions%s; known keys: country, period, period_from, period_to%s", key, hint, keysOf(d))
}

// keysOf lists the keys that stand for the dimensions of a dataset, as the end
// of a list.
func keysOf(d *stat.Dataset) string {
	if len(d.Dimensions) == 0 {
		return ""
	}
	var ids []string
	for i := range d.Dimensions {
		ids = append(ids, fmt.Sprintf("dim%d or %s", i+1, d.Dimensions[i].ID))
	}
	return ", and the dimensions by number, id or label: " + strings.Join(ids, ", ")
}

// choose narrows the query to what the type of chart shows.
func (d *Drawing) choose(ctx context.Context, v *store.Vintage) error {
	dims := len(v.Dataset.Dimensions)
	selection := d.Query.Select
	if selection == nil {
		selection = make([][]int32, dims+1)
	}
	latest, err := d.defaultSeries(ctx, v, selection)
	if err != nil {
		return err
	}
	chosen := slices.Clone(selection)
	for axis := range dims {
		if selection[axis] == nil || d.Options.Type == chart.Map && len(selection[axis]) > 1 {
			chosen[axis] = []int32{latest.Key[axis]}
			if codes := v.Dataset.Dimensions[axis].Codes; len(codes) > 1 {
				d.given.Dims[axis] = []string{codes[latest.Key[axis]].Label}
			}
		}
	}
	d.Query.Select = chosen
	switch d.Options.Type {
	case chart.Map, chart.HorizontalBar:
		d.Query.Latest = true
	case chart.Bar:
		spans := d.given.PeriodFrom != "" || d.given.PeriodTo != ""
		if !isOneSeries(v.Dataset, chosen) && (!spans || d.given.Period != "") {
			d.Query.Latest = true
		}
	}
	return nil
}

// defaultSeries returns the series that fills the gaps of a selection: the dataset's
// default one as far as the selection has data in it, dimension by dimension.
// So a chart of one country shows the measure that the chart of all shows.
func (d *Drawing) defaultSeries(ctx context.Context, v *store.Vintage, selection [][]int32) (*stat.Latest, error) {
	if d.Query.Select == nil && v.Default != nil {
		return v.Default, nil
	}
	var gaps []int // axes that the selection leaves open
	narrow := slices.Clone(selection)
	if v.Default != nil {
		for axis, code := range v.Default.Key {
			if selection[axis] == nil {
				gaps = append(gaps, axis)
				narrow[axis] = []int32{code}
			}
		}
	}
	// Most often all of the default's values have data.
	latest, err := v.LatestOf(ctx, narrow)
	if stat.KindOf(err) != stat.NotFound {
		return latest, err
	}
	if latest, err = v.LatestOf(ctx, selection); stat.KindOf(err) == stat.NotFound {
		return nil, d.errNothing(v)
	}
	narrow = slices.Clone(selection)
	for _, axis := range gaps {
		if err != nil {
			break
		}
		narrow[axis] = []int32{v.Default.Key[axis]}
		var closer *stat.Latest
		switch closer, err = v.LatestOf(ctx, narrow); {
		case err == nil:
			latest = closer
		case stat.KindOf(err) == stat.NotFound:
			narrow[axis], err = nil, nil // the selection has nothing there
		}
	}
	return latest, err
}

// errNothing says which part of the selection was empty: an axis of which no
// wanted value is known, else what the known values do not have in common and
// what is followed and gone.
func (d *Drawing) errNothing(v *store.Vintage) error {
	var causes []Notice
	known := d.given
	for axis := range v.Dataset.Axes() {
		param, values := axisParam(v.Dataset, axis), &known.Country
		if axis < len(v.Dataset.Dimensions) {
			values = &known.Dims[axis]
		}
		var unknown []Notice
		isUnknown := map[string]bool{}
		for _, n := range d.Notices {
			if n.Parameter == param {
				unknown, isUnknown[n.Value] = append(unknown, n), true
			}
		}
		*values = slices.DeleteFunc(slices.Clone(*values), func(value string) bool { return isUnknown[value] })
		if len(*values) == 0 {
			causes = append(causes, unknown[:min(len(unknown), maxSuggested)]...)
		}
	}
	if causes == nil {
		isUnfollowed := false
		for _, n := range d.Notices {
			if n.Parameter == followedParam && len(causes) < maxSuggested {
				causes = append(causes, n)
				isUnfollowed = isUnfollowed || n.Value == unfollowedNotice(v.Dataset).Value
			}
		}
		if !isUnfollowed {
			n := NoMatch(v, known)
			// A chart has no way to show them.
			n.Message = strings.TrimSuffix(n.Message, " (flags=true also selects observations that have only flags)")
			causes = append([]Notice{n}, causes...)
		}
	}
	return stat.Errorf(stat.Invalid, "the selection has no data: %s", joinNotices(causes))
}

// isOneSeries reports whether a selection can hold one series only.
func isOneSeries(d *stat.Dataset, selection [][]int32) bool {
	for axis, dim := range d.Axes() {
		if n := len(dim.Codes); n > 1 && (selection[axis] == nil || len(selection[axis]) > 1) {
			return false
		}
	}
	return true
}

// Spec makes what a chart request wants drawn of a vintage: it selects the data
// and puts them into a picture's terms. The notices name values that the
// dataset does not have, and colours and names for series that are not there.
func Spec(ctx context.Context, v *store.Vintage, c *Chart) (*chart.Spec, []Notice, error) {
	d, err := c.Draw(ctx, v)
	if err != nil {
		return nil, nil, err
	}
	extract, err := v.Select(ctx, d.Query)
	if err != nil {
		return nil, nil, err
	}
	s, err := chart.New(extract, d.Query, d.Options, v.LastUpdate)
	if errors.Is(err, chart.ErrNoData) {
		return nil, nil, d.errNothing(v)
	}
	if err != nil {
		return nil, nil, err
	}
	return s, append(d.Notices, unusedKeys(s)...), nil
}

// unusedKeys are the notices for colours and names of series that a chart does
// not have.
func unusedKeys(s *chart.Spec) []Notice {
	var labels []string
	for _, series := range s.Series {
		labels = append(labels, series.Key)
	}
	for _, c := range s.Categories {
		labels = append(labels, c.Label)
	}
	unused := s.Unused()
	var notices []Notice
	add := func(field string, keys []string) {
		for _, key := range keys {
			n := NewNotice(field, key, fmt.Sprintf("the chart has no series or category %.60q", key))
			if s.Type == chart.Map && slices.Contains(labels, key) {
				n.Message = fmt.Sprintf("the areas of a map are coloured by class, in shades of the colour of its series, %.60q", s.Series[0].Key)
			} else {
				n.suggest(labels, len(notices))
			}
			notices = append(notices, n)
		}
	}
	add("seriesColors", unused.Colours)
	add("customLegendLabels", unused.Labels)
	return notices
}
