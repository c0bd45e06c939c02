package request

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/defaults"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Drawing is a chart request applied to a dataset: what to select and how to draw it.
type Drawing struct {
	Query   stat.Query
	Options chart.Options
	Notices []Notice

	data Data // the selection as parameters, including chosen values
}

// Draw applies a chart request to a vintage. A dimension without a value gets that of the
// default series, else of the series that /latest would describe for the rest of the
// selection. Maps and bars of categories get the most recent period. The error is
// [stat.Invalid] and names the unknown key or value, or the empty part of the selection.
func (c *Chart) Draw(v *store.Vintage) (*Drawing, error) {
	data, err := c.selection(v.Dataset)
	if err != nil {
		return nil, err
	}
	q, notices, err := Parse(v, data, c.Followed)
	if err != nil {
		return nil, err
	}
	if data.Followed && c.Followed == nil {
		return nil, stat.Errorf(stat.Invalid, "followed=true requires the API key of an organisation")
	}
	data.Followed = c.Followed != nil
	d := &Drawing{Query: q, Options: c.Options, Notices: notices, data: data}
	d.Query.Flags = true
	if err := d.choose(v); err != nil {
		return nil, err
	}
	return d, nil
}

// selection merges the three parts of a request that select data, key by key:
// selectedDimensions overrides dimensions_query, and the field period overrides both.
func (c *Chart) selection(d *stat.Dataset) (Data, error) {
	data := c.Data
	given := map[string]string{} // parameter → the key that gave it
	for _, choice := range c.Selected {
		param, into, err := paramOf(d, &data, choice.Key)
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
	data.Period, data.LatestMode = cmp.Or(c.Period, data.Period), cmp.Or(c.LatestMode, data.LatestMode)
	return data, nil
}

// paramOf returns the parameter that a key of selectedDimensions means, and a pointer to
// its place in data. A parameter's name takes precedence over an ID or label.
func paramOf(d *stat.Dataset, data *Data, key string) (param string, into any, err error) {
	switch key {
	case "country":
		return key, &data.Country, nil
	case withinParam:
		return key, &data.Within, nil
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
	known := []string{"country", withinParam, "period", "period_from", "period_to"}
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
	if near := stat.Nearest(key, known); len(near) > 0 {
		hint = fmt.Sprintf(" (did you mean %q?)", near[0])
	}
	return "", nil, stat.Errorf(stat.Invalid, "unknown key %.60q in selectedDimensions%s; known keys: country, within, period, period_from, period_to%s", key, hint, keysOf(d))
}

// keysOf returns the keys of the dimensions of a dataset, as the end of a list.
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

// choose narrows the query to what the chart type shows.
func (d *Drawing) choose(v *store.Vintage) error {
	dims := len(v.Dataset.Dimensions)
	selection := d.Query.Select
	if selection == nil {
		selection = make([][]int32, dims+1)
	}
	latest, err := d.defaultSeries(v, selection)
	if err != nil {
		return err
	}
	chosen := slices.Clone(selection)
	for axis := range dims {
		if selection[axis] == nil || d.Options.Type == chart.Map && len(selection[axis]) > 1 {
			chosen[axis] = []int32{latest.Key[axis]}
			if codes := v.Dataset.Dimensions[axis].Codes; len(codes) > 1 {
				d.data.Dims[axis] = []string{codes[latest.Key[axis]].Label}
			}
		}
	}
	d.Query.Select = chosen
	d.Options.UnitChosen = isUnitChosen(v.Dataset, selection)
	if err := d.freeAxis(v, selection); err != nil {
		return err
	}
	d.Query.Latest = d.latestMode(v)
	d.shortenBars(v)
	if d.Options.Derive.IsZero() || d.Query.Latest == "" {
		return nil
	}
	// Derived values have no coverage of their own: the period is that of the office's.
	if d.Query.Latest == stat.LatestArea {
		return stat.Errorf(stat.Invalid, "latest_mode=area and transform cannot be combined: derived values of different periods are not comparable")
	}
	d.Query.Within, err = v.LatestPeriod(d.Query)
	d.Query.Latest = ""
	return err
}

// freeAxisOf is the result of [defaults.FreeAxis]; codes is nil if there is none.
type freeAxisOf struct {
	axis  int
	codes []int32
}

type freeAxisKey struct{}

// freeAxis selects all parts of a dimension of a dataset of one area, if the caller
// selected none, where bars would otherwise be a single one.
func (d *Drawing) freeAxis(v *store.Vintage, selection [][]int32) error {
	hasOneBar := d.Options.Type == chart.HorizontalBar || len(v.Periods) == 1 && d.Options.Type != chart.Map
	if !hasOneBar {
		return nil
	}
	free := v.Memo(freeAxisKey{}, func() any {
		axis, codes, _ := defaults.FreeAxis(v.Dataset)
		return freeAxisOf{axis, codes}
	}).(freeAxisOf)
	if free.codes == nil || selection[free.axis] != nil {
		return nil
	}
	q := d.Query
	q.Select, q.Latest = slices.Clone(q.Select), stat.LatestCovered
	q.Select[free.axis] = free.codes
	if p, err := v.LatestPeriod(q); err != nil || p.IsZero() {
		return err // its parts have no values in this selection
	}
	d.Query.Select, d.data.Dims[free.axis] = q.Select, nil
	return nil
}

// Bars along time show at most maxBarPeriods of the dataset; if it has more and the caller
// chose none, the last barPeriods.
const maxBarPeriods, barPeriods = 2000, 250

// shortenBars selects the last periods of a long series of bars along time, with a notice.
func (d *Drawing) shortenBars(v *store.Vintage) {
	q := &d.Query
	at, _ := slices.BinarySearchFunc(v.Periods, v.Newest, stat.Period.Compare)
	if d.Options.Type != chart.Bar || q.Latest != "" || at < maxBarPeriods || !q.Within.IsZero() || !q.From.IsZero() || !q.To.IsZero() {
		return
	}
	q.From = v.Periods[at+1-barPeriods]
	d.Notices = append(d.Notices, NewNotice("period_from", q.From.String(), fmt.Sprintf("bars show the last %d of %d periods; a line chart shows all", barPeriods, at+1)))
}

// comparesCodes reports whether several codes of a dimension are selected.
func (d *Drawing) comparesCodes() bool {
	return slices.ContainsFunc(d.Query.Select[:len(d.Query.Select)-1], func(codes []int32) bool { return len(codes) > 1 })
}

// latestMode returns which period the picture shows; empty: all. Where areas are compared,
// it is by default one that is observed for about as many of them as any recent one.
func (d *Drawing) latestMode(v *store.Vintage) stat.LatestMode {
	spans := d.data.PeriodFrom != "" || d.data.PeriodTo != ""
	switch {
	case d.data.Latest, d.Options.Type == chart.Map, d.Options.Type == chart.HorizontalBar:
	case d.Options.Type == chart.Dumbbell && d.comparesCodes() && !spans:
	case d.Options.Type == chart.Bar && !isOneSeries(v.Dataset, d.Query.Select) && (!spans || d.data.Period != ""):
	default:
		return ""
	}
	if mode := stat.LatestMode(d.data.LatestMode); mode != "" && mode != stat.LatestObserved {
		return mode
	}
	return stat.LatestCovered
}

// defaultSeries returns the series that completes a selection: dimension by dimension
// the default series, if the selection has data in it. So a chart of one country shows
// the same measure as the chart of all countries.
func (d *Drawing) defaultSeries(v *store.Vintage, selection [][]int32) (*stat.Latest, error) {
	usual, err := v.Default()
	if err != nil {
		return nil, err
	}
	if d.Query.Select == nil && usual != nil {
		return usual, nil
	}
	var gaps []int // axes without a selection
	narrow := slices.Clone(selection)
	if usual != nil {
		for axis, code := range usual.Key {
			if selection[axis] == nil {
				gaps = append(gaps, axis)
				narrow[axis] = []int32{code}
			}
		}
	}
	// Usually, all values of the default series have data.
	latest, err := v.LatestOf(narrow, stat.LatestLast)
	if stat.KindOf(err) != stat.NotFound {
		return latest, err
	}
	if latest, err = v.LatestOf(selection, stat.LatestLast); stat.KindOf(err) == stat.NotFound {
		return nil, d.errNoData(v)
	}
	narrow = slices.Clone(selection)
	for _, axis := range gaps {
		if err != nil {
			break
		}
		narrow[axis] = []int32{usual.Key[axis]}
		var closer *stat.Latest
		switch closer, err = v.LatestOf(narrow, stat.LatestLast); {
		case err == nil:
			latest = closer
		case stat.KindOf(err) == stat.NotFound:
			narrow[axis], err = nil, nil // the selection has no data there
		}
	}
	return latest, err
}

// errNoData returns the error that names the empty part of the selection: an axis
// without known values, else the values without common data and the lost followed codes.
func (d *Drawing) errNoData(v *store.Vintage) error {
	var causes []Notice
	known := d.data
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
	for _, n := range d.Notices {
		if n.Parameter == withinParam && len(causes) < maxSuggested {
			causes = append(causes, n)
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
			// A chart cannot show them.
			n.Message = strings.TrimSuffix(n.Message, " (flags=true also selects observations that have only flags)")
			causes = append([]Notice{n}, causes...)
		}
	}
	return stat.Errorf(stat.Invalid, "the selection has no data: %s", JoinNotices(causes))
}

// isOneSeries reports whether a selection contains at most one series.
func isOneSeries(d *stat.Dataset, selection [][]int32) bool {
	for axis, dim := range d.Axes() {
		if n := len(dim.Codes); n > 1 && (selection[axis] == nil || len(selection[axis]) > 1) {
			return false
		}
	}
	return true
}

// Spec selects the data of a chart request and returns the specification of the chart.
// The notices name values that the dataset lacks, series with a colour or label
// that the chart lacks, and options that it cannot follow.
func Spec(ctx context.Context, v *store.Vintage, c *Chart) (*chart.Spec, []Notice, error) {
	d, err := c.Draw(v)
	if err != nil {
		return nil, nil, err
	}
	extract, err := v.Select(ctx, d.Options.Derive.Query(d.Query))
	if err != nil {
		return nil, nil, err
	}
	s, err := chart.New(extract, d.Query, d.Options, v.LastUpdate)
	if errors.Is(err, chart.ErrNoData) {
		return nil, nil, d.errNoData(v)
	}
	if err != nil {
		return nil, nil, err
	}
	return s, slices.Concat(d.Notices, typeNotice(s, d.Options.Type), currencyNotice(s), frequencyNotice(s), unusedKeys(s), ignoredOptions(s, &d.Options)), nil
}

// isUnitChosen reports whether a selection decides in which units values are. Without a
// choice of units, the areas do.
func isUnitChosen(d *stat.Dataset, selection [][]int32) bool {
	hasUnits := false
	for axis := range d.Dimensions {
		if dim := &d.Dimensions[axis]; dim.Role == stat.RoleUnit && len(dim.Codes) > 1 {
			if hasUnits = true; selection[axis] != nil {
				return true
			}
		}
	}
	return !hasUnits && selection[len(d.Dimensions)] != nil
}

// currencyNotice returns the notice that values are in different currencies.
func currencyNotice(s *chart.Spec) []Notice {
	if !s.InCurrencies() {
		return nil
	}
	return []Notice{NewNotice("dimensions_query", "", "the values are in different currencies and cannot be compared; select a common unit, or use transform=index with a base period")}
}

// frequencyNotice returns the notice that a chart shows one of several frequencies.
func frequencyNotice(s *chart.Spec) []Notice {
	var names []string
	for _, f := range s.OtherFrequencies() {
		names = append(names, f.String())
	}
	if names == nil {
		return nil
	}
	return []Notice{NewNotice("period_from", "", fmt.Sprintf("the dataset also has %s values of these series, which are not drawn; with period_from or period_to, all frequencies are", strings.Join(names, " and ")))}
}

// typeNotice returns the notice that a chart is drawn as another type than the caller's.
func typeNotice(s *chart.Spec, want chart.Type) []Notice {
	switch {
	case s.Type == want:
		return nil
	case want == chart.Line:
		return []Notice{NewNotice("chartType", string(want), "the selection has one period, so it is drawn as bars")}
	}
	return []Notice{NewNotice("chartType", string(want), fmt.Sprintf("%d bars are drawn horizontally, because their names do not fit below vertical ones", len(s.Categories)))}
}

// unusedKeys returns the notices for colours and labels of series that a chart does
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
