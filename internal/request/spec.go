package request

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/words"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Drawing is a chart request applied to a dataset: what to select and how to draw it.
type Drawing struct {
	Query   stat.Query
	Options chart.Options
	Notices []Notice

	data        Data // the selection as parameters, including chosen values
	areasChosen bool // by the caller
	isJoined    bool // the chart shows several datasets
	isAlongTime bool // bars show several codes of a dimension in each period
}

// Draw applies a chart request to a vintage. A dimension without a value gets that of the
// default series, else of the series that /latest would describe for the rest of the
// selection. Maps and bars of categories get the most recent period. The error is
// [stat.Invalid] and names the unknown key or value, or the empty part of the selection.
func (c *Chart) Draw(v *store.Vintage) (*Drawing, error) {
	data, err := c.selection(v)
	if err != nil {
		return nil, err
	}
	q, notices, err := Parse(v, &data, c.Followed)
	if err != nil {
		return nil, err
	}
	if data.NoAggregates && len(data.Country) == 0 {
		leaveOutGroups(v, q.Select)
	}
	if data.Followed && c.Followed == nil {
		return nil, stat.Errorf(stat.Invalid, "followed=true requires the API key of an organisation")
	}
	data.Followed = c.Followed != nil
	d := &Drawing{Query: q, Options: c.Options, Notices: notices, data: data, isJoined: c.Others != nil && c.Options.Type == chart.Line}
	d.Query.Flags = true
	if data.Edition != (Edition{}) {
		d.Options.Version = v.Version
	}
	d.areasChosen = q.Select != nil && q.Select[len(q.Select)-1] != nil
	d.Options.IsWithin = (len(data.Within) > 0 || data.NoAggregates) && len(data.Country) == 0
	d.Options.HasMembers = isOfMembers(data.Country)
	if err := d.choose(v); err != nil {
		return nil, err
	}
	return d, nil
}

// drawPopulated is Draw with the population that values are divided by.
func (c *Chart) drawPopulated(ctx context.Context, v *store.Vintage) (*Drawing, error) {
	d, err := c.Draw(v)
	if err != nil {
		return nil, err
	}
	err = Populate(ctx, c.Store, Dividend{Vintage: v, Query: &d.Query, Edition: d.data.Edition}, &d.Options.Derive)
	d.Notices = append(d.Notices, Derivation{d.Options.Derive}.endNotice()...)
	return d, err
}

// errNoData returns the error that names the empty part of the selection: an axis
// without known values, else the values without common data and the lost followed codes.
func (d *Drawing) errNoData(v *store.Vintage) error {
	known, causes := d.knownValues(v.Dataset)
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

// knownValues returns the selection without values that the dataset lacks, and the notices on
// those of axes that have no other.
func (d *Drawing) knownValues(ds *stat.Dataset) (known Data, causes []Notice) {
	known = d.data
	for axis := range ds.Axes() {
		param, values := axisParam(ds, axis), &known.Country
		if axis < len(ds.Dimensions) {
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
	return known, causes
}

// Spec selects the data of a chart request and returns the specification of the chart.
// The notices name values that the dataset lacks, series with a colour or label
// that the chart lacks, and options that it cannot follow.
func Spec(ctx context.Context, v *store.Vintage, c *Chart) (*chart.Spec, []Notice, error) {
	if c.Others != nil && c.Options.Type == chart.Line {
		return joinedSpec(ctx, v, c)
	}
	draw := selectedSpec
	if c.isPlainSpark() {
		draw = plainSpark
	}
	s, notices, err := draw(ctx, v, c)
	if err != nil {
		return nil, nil, err
	}
	return s, slices.Concat(notices, ignoredOptions(s, c), ignoredOthers(c)), nil
}

// selectedSpec is Spec without the notices on options.
func selectedSpec(ctx context.Context, v *store.Vintage, c *Chart) (*chart.Spec, []Notice, error) {
	d, err := c.drawPopulated(ctx, v)
	if err != nil {
		return nil, nil, err
	}
	extract, err := v.Select(ctx, d.withBounds(v))
	if err != nil {
		return nil, nil, err
	}
	d.Options.Unknown = unknownTexts(d.Notices)
	s, err := chart.New(extract, d.Query, d.Options, v.LastUpdate)
	if errors.Is(err, chart.ErrNoData) {
		return nil, nil, d.errNoData(v)
	}
	if err != nil {
		return nil, nil, err
	}
	if d.Options.Type == chart.Bar || d.Options.Type == chart.HorizontalBar {
		older, err := OlderNotice(v, d.Query)
		if err != nil {
			return nil, nil, err
		}
		d.Notices = append(d.Notices, older...)
	}
	return s, slices.Concat(d.Notices, partialNotice(v.Dataset), unstatedNotices(s), typeNotice(s, d.Options.Type), unitNotice(s), frequencyNotice(s), boundsNotice(s), earlierNotice(s), d.panelNotice(s), d.loneAreaNotice(s), d.noOutlinesNotice(s), unusedKeys(s), d.latestNotice()), nil
}

// unknownTexts returns the first values that the notices say the dataset does not have, shortened.
func unknownTexts(notices []Notice) (texts []string) {
	for _, n := range notices {
		if len(texts) < maxSuggested && strings.HasPrefix(n.Message, fmt.Sprintf("%.*q is not ", maxNamedLength, n.Value)) {
			texts = append(texts, fmt.Sprintf("%.40s", n.Value))
		}
	}
	return texts
}

// partialNotice returns the notice that a dataset is incomplete.
func partialNotice(d *stat.Dataset) []Notice {
	if d.Partial == "" {
		return nil
	}
	return []Notice{NewNotice("datasetId", fmt.Sprint(d.ID), fmt.Sprintf("the dataset is incomplete (%s), so no chart of it is offered by default; an import of all parts in one command completes it", d.Partial))}
}

// unstatedNotices return the notices that a picture leaves open what it shows.
func unstatedNotices(s *chart.Spec) []Notice {
	var notices []Notice
	for _, what := range s.Unstated() {
		mend := "almanac dataset set ID name=… says it"
		if what == chart.UnstatedAreaNames {
			mend = "an import with the office's list of areas (--labels) brings them"
		}
		notices = append(notices, NewNotice("datasetId", fmt.Sprint(s.Dataset), fmt.Sprintf("the file does not state %s, so no chart of the dataset is offered by default; %s", what, mend)))
	}
	return notices
}

// unitNotice returns the notice that values are in different currencies or other units.
func unitNotice(s *chart.Spec) []Notice {
	const advice = "; select a common unit, or use transform=index with a base period"
	switch {
	case s.InCurrencies():
		return []Notice{NewNotice("dimensions_query", "", "the values are in different currencies and cannot be compared"+advice)}
	case s.Mixed:
		return []Notice{NewNotice("dimensions_query", "", "the values have different units and cannot be compared"+advice)}
	}
	return nil
}

// boundsNotice returns the notice that a logarithmic scale cannot show the bounds of series.
func boundsNotice(s *chart.Spec) []Notice {
	names := s.WithoutBounds()
	if names == nil {
		return nil
	}
	return []Notice{NewNotice("scale", "log", "a logarithmic scale has no place for bounds of zero or less, so those of these series are not drawn: "+words.In("").List(names))}
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
	message := fmt.Sprintf("the dataset also has %s values of these series, which are not drawn", strings.Join(names, " and "))
	if s.Type != chart.Dumbbell { // which compares two periods of one frequency
		message += "; with period_from or period_to, all frequencies are"
	}
	return []Notice{NewNotice("period_from", "", message)}
}

// panelNotice returns the notice that small multiples or an area chart show some of the series,
// or that a sparkline shows one of those that were selected.
func (d *Drawing) panelNotice(s *chart.Spec) []Notice {
	if s.WithoutPanel() == 0 {
		return nil
	}
	n := len(s.Series)
	if s.Type == chart.Spark {
		isSeveral := func(values []string) bool { return len(values) > 1 }
		if !d.areasChosen && !slices.ContainsFunc(d.data.Dims[:], isSeveral) {
			return nil // the most important line is what a sparkline is for
		}
		return []Notice{NewNotice("chartType", string(s.Type), fmt.Sprintf("a sparkline has one line; of %d selected series, it shows %.200q", 1+s.WithoutPanel(), s.Series[0].Key))}
	}
	message := "%d of %d series have a panel; select others with country"
	if s.Type == chart.Area {
		message = "%d of %d series are drawn; select others with country"
	}
	return []Notice{NewNotice("chartType", string(s.Type), fmt.Sprintf(message, n, n+s.WithoutPanel()))}
}

// earlierNotice returns the notice that bars show only the last periods.
func earlierNotice(s *chart.Spec) []Notice {
	if s.Earlier() == 0 {
		return nil
	}
	return []Notice{NewNotice("period_from", s.Periods[0].String(), fmt.Sprintf("bars of all %d periods would be too thin, so the last %d are drawn; choose periods, or draw a line chart", s.Earlier()+len(s.Periods), len(s.Periods)))}
}

// typeNotice returns the notice that a chart is drawn as another type than the caller's.
func typeNotice(s *chart.Spec, want chart.Type) []Notice {
	switch {
	case s.Type == want:
		return nil
	case want == chart.Line, want == chart.SmallMultiples, want == chart.Area:
		return []Notice{NewNotice("chartType", string(want), "the selection has one period, so it is drawn as bars")}
	}
	if want == chart.HorizontalBar {
		return []Notice{NewNotice("chartType", string(want), fmt.Sprintf("%d bars are drawn upright, because their rows would not fit", len(s.Categories)))}
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
			switch {
			case field == "seriesColors" && slices.Contains(unused.Categories, key):
				n.Message = categoryColour(s)
			case isPeriodOf(s, key):
				n.Message = "the values of all periods have the colour and the name of their series; its key is " + keysOfSeries(s)
			default:
				n.suggest(labels, len(notices))
			}
			notices = append(notices, n)
		}
	}
	add("seriesColors", unused.Colours)
	add("customLegendLabels", unused.Labels)
	double := func(field string, keys map[string]string) {
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			notices = append(notices, NewNotice(field, key, fmt.Sprintf("%.200q names the same series or category and decides", keys[key])))
		}
	}
	double("seriesColors", unused.DoubledColours)
	double("customLegendLabels", unused.DoubledLabels)
	return notices
}

// isPeriodOf reports whether a key is a period of a chart that runs along time.
func isPeriodOf(s *chart.Spec, key string) bool {
	p, err := stat.ParsePeriod(key)
	return err == nil && slices.Contains(s.Periods, p)
}

// keysOfSeries lists the keys of the series of a chart.
func keysOfSeries(s *chart.Spec) string {
	var keys []string
	for _, series := range s.Series {
		keys = append(keys, strconv.Quote(series.Key))
	}
	return words.In("").List(keys)
}

// categoryColour says what the colours of a chart show in which a category cannot have one.
func categoryColour(s *chart.Spec) string {
	series := keysOfSeries(s)
	switch s.Type {
	case chart.Dumbbell:
		return "the dots of all rows have the same colours; their keys are " + series
	case chart.Map:
		return "the areas of a map are coloured by class, in shades of the colour of its series, " + series
	}
	return "bars side by side have the colours of their series; the keys of these are " + series
}
