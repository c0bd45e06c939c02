package request

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"almanac/internal/chart"
	"almanac/internal/chart/atlas"
	"almanac/internal/chart/words"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// From these numbers on, a type of chart fits a dataset.
const (
	minLinePeriods = 3
	maxTimeBars    = 40 // bars along time; more are a line
	minBars        = 2
	minMapAreas    = 5
	minMapShare    = .5 // of the areas with values that have outlines on the map
)

// typesKey is the key under which the types of a dataset are kept with its vintage.
type typesKey struct{ outlines *atlas.Atlas }

// TypesFor returns the types of charts that show a dataset well if nothing is chosen, in the
// order in which to offer them: a line if there is a development to see, bars if there is
// something to compare, a map if most areas have outlines and the values are no totals. There
// is none of an incomplete dataset, if pictures would leave open what they show, see
// [chart.Spec.Unstated], if they could show an arbitrary part only, or if there are only two values
// of an index or of days: see [ReasonForNone]. outlines are those of maps; nil means the embedded ones.
func TypesFor(ctx context.Context, v *store.Vintage, outlines *atlas.Atlas) ([]chart.Type, error) {
	o, err := offerOf(ctx, v, outlines)
	if err != nil {
		return nil, err
	}
	return slices.Clone(o.types), nil
}

// ReasonForNone returns why no type of chart shows a dataset well if nothing is chosen: "the
// file does not state what is measured". It is empty if a type does.
func ReasonForNone(ctx context.Context, v *store.Vintage, outlines *atlas.Atlas) (string, error) {
	o, err := offerOf(ctx, v, outlines)
	if err != nil {
		return "", err
	}
	return o.reason, nil
}

// offer is the types of charts that show a dataset well, or the reason why there is none.
type offer struct {
	types  []chart.Type
	reason string
}

func offerOf(ctx context.Context, v *store.Vintage, outlines *atlas.Atlas) (*offer, error) {
	kept := v.Memo(typesKey{outlines}, func() any { return &atomic.Pointer[offer]{} }).(*atomic.Pointer[offer])
	if o := kept.Load(); o != nil {
		return o, nil
	}
	o, err := newOffer(ctx, v, outlines)
	if err == nil {
		kept.Store(o)
	}
	return o, err
}

func newOffer(ctx context.Context, v *store.Vintage, outlines *atlas.Atlas) (*offer, error) {
	if v.Dataset.Partial != "" {
		return &offer{reason: "it is incomplete: " + v.Dataset.Partial}, nil
	}
	if lacking := withoutTotals(v); lacking != nil {
		return &offer{reason: "it has no totals over " + words.In("").List(lacking)}, nil
	}
	var types []chart.Type
	for _, t := range []chart.Type{chart.Line, chart.Bar, chart.Map} {
		c := &Chart{Options: chart.DefaultOptions()}
		c.Options.Type, c.Options.Atlas = t, outlines
		if t == chart.Line && isExample(v) {
			continue // one age of many is no development to see
		}
		s, _, err := Spec(ctx, v, c)
		switch {
		case stat.KindOf(err) == stat.Invalid: // such as a map without geography
		case err != nil:
			return nil, err
		case s.Unstated() != nil:
			return &offer{reason: fmt.Sprintf("the file does not state %s", s.Unstated()[0])}, nil
		case t == chart.Bar && s.Periods != nil && slices.Contains(types, chart.Line) && !differInHeight(s):
		case t == chart.Bar && types == nil && isPairOfLevels(s):
			return &offer{reason: "it has two values that hardly differ"}, nil
		case fits(s, t):
			types = append(types, t)
		}
	}
	if types == nil {
		types = []chart.Type{chart.Bar}
	}
	return &offer{types: types}, nil
}

// isPairOfLevels reports whether bars show two values of an index, whose distance from zero means
// nothing, or two days, and hardly differ.
func isPairOfLevels(s *chart.Spec) bool {
	return len(s.Series) == 1 && len(s.Periods) == minBars && !differInHeight(s) && (s.ShowsIndex() || s.Periods[0].Frequency() == stat.Day)
}

// isExample reports whether the default series is that of one of many ages, or of another range
// without a sum, or of one of many parts of an area.
func isExample(v *store.Vintage) bool {
	usual, err := v.Default()
	if err != nil || usual == nil {
		return false
	}
	parts := partsOf(v, usual).parts
	return slices.ContainsFunc(parts, isOrdered) || isOfOneArea(v, usual, parts)
}

// fits reports whether a picture, requested as a type, shows what this type is for.
func fits(s *chart.Spec, t chart.Type) bool {
	switch {
	case s.InCurrencies():
		return false
	case t == chart.Line:
		return len(s.Periods) >= minLinePeriods && slices.ContainsFunc(s.Series, hasLine) && !isFlat(s) && !isBroken(s)
	case t == chart.Map:
		placed, all := mapped(s)
		return !s.ShowsTotals() && placed >= minMapAreas && float64(placed) >= minMapShare*float64(all)
	case s.Periods != nil:
		return len(s.Series) <= maxGroup && len(s.Series)*len(s.Periods) <= maxTimeBars && s.Periods[0].Frequency() != stat.Day
	}
	return len(s.Categories) >= minBars
}

// Limits of lines that show no development.
const (
	maxFlat  = .02 // of the highest value of each series: its range
	minLevel = .1  // of the highest value of all: the range of the levels of the series
)

// hasLine reports whether a series has values in enough periods to show a development.
func hasLine(series chart.Series) bool {
	n := 0
	for _, v := range series.Values {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n >= minLinePeriods
}

// isFlat reports whether a chart of several lines shows nothing but their levels, such as the
// areas of provinces: none rises or falls visibly. Lines of an index or near one another are
// drawn to show small changes.
func isFlat(s *chart.Spec) bool {
	if len(s.Series) < minBars || s.ShowsIndex() {
		return false
	}
	least, most := math.Inf(1), 0.
	for _, series := range s.Series {
		low, high := extremes(series)
		if low < 0 || high-low > maxFlat*high {
			return false
		}
		least, most = min(least, high), max(most, high)
	}
	return most-least >= minLevel*most
}

// maxLowest is the share of the highest value from which the lowest value of bars along time is
// too close to it: all bars look alike, and a line shows how they differ.
const maxLowest = .6

// differInHeight reports whether bars along time show more than a line: values of different
// sign, or some that are much lower than others, but no index.
func differInHeight(s *chart.Spec) bool {
	low, high := extremes(s.Series...)
	if s.ShowsIndex() {
		return low < 0 && high > 0 // a change of an index
	}
	return low <= 0 && high >= 0 || min(math.Abs(low), math.Abs(high)) <= maxLowest*max(math.Abs(low), math.Abs(high))
}

// extremes returns the lowest and the highest value of series.
func extremes(all ...chart.Series) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, series := range all {
		for _, v := range series.Values {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	return low, high
}

// mapped returns how many areas of a map have an outline, and how many areas the data have,
// with those of levels that the map does not show, but without groups of countries.
func mapped(s *chart.Spec) (placed, all int) {
	for _, c := range s.Categories {
		switch {
		case s.Set().Has(atlas.OutlineID(c.Area)):
			placed++
			all++
		case !c.Group:
			all++
		}
	}
	return placed, all + s.LeftOut()
}

// loneAreaNotice returns the notice that a map shows none of the values, because its region
// has none, or only one, whose colour says nothing that its number does not. A map of one area
// that the caller chose is what was wanted, but not of an area with its parts.
func (d *Drawing) loneAreaNotice(s *chart.Spec) []Notice {
	if s.Type != chart.Map {
		return nil
	}
	shown, place := s.OnMap(), ""
	placed, all := mapped(s)
	field, value := "chartType", string(chart.Map)
	if d.Options.Region != atlas.World {
		field, value = "mapLocation", string(d.Options.Region)
		place = " in " + value
	}
	switch {
	case len(shown) == 0 && placed > 0:
		return []Notice{NewNotice(field, value, fmt.Sprintf("no area%s has a value, but %d elsewhere have; choose another mapLocation or leave it out", place, placed))}
	case len(shown) == 1 && placed == 1 && s.LeftOut() == 0 && len(d.data.Within) > 0:
		return []Notice{NewNotice(withinParam, d.data.Within[0], d.whyWhole(shown[0].Label, all-1))}
	case len(shown) == 1 && (!d.areasChosen || placed > 1):
		return []Notice{NewNotice(field, value, fmt.Sprintf("only %s has an outline and a value%s in %s; lines and bars show more", shown[0].Label, place, s.Period))}
	}
	return nil
}

// whyWhole says why the map of an area shows none of its parts, of which so many have values.
func (d *Drawing) whyWhole(area string, parts int) string {
	selected := d.Query.Select[len(d.Query.Select)-1]
	switch {
	case parts > 0:
		return fmt.Sprintf("the map shows %s as a whole, because the service has no outlines of its parts in the dataset, of which %d have values; bars show them, and the host of the service can add outlines", area, parts)
	case len(selected) > 1:
		return fmt.Sprintf("no part of %s has a value in this selection, and the map shows it as a whole", area)
	}
	return fmt.Sprintf("the dataset has no parts of %s, and the map shows it as a whole", area)
}

// noOutlinesNotice returns the notice that most areas with values are regions that a map of
// countries leaves out, because no set of outlines has more of them.
func (d *Drawing) noOutlinesNotice(s *chart.Spec) []Notice {
	if s.Type != chart.Map || s.Set() != atlas.Countries || d.Options.Region != atlas.World {
		return nil
	}
	placed, all := mapped(s)
	if n := s.LeftOut(); n > 1 && 2*n > all {
		return []Notice{NewNotice("chartType", string(chart.Map), fmt.Sprintf("the map shows %d of %d areas; outlines of the other regions can be given by the host of the service", placed, all))}
	}
	return nil
}

// minGaps is the number of gaps from which on lines are not offered.
const minGaps = 3

// isBroken reports whether gaps cut all lines of annual values into short pieces: those of a
// survey whose results are missing every few years.
func isBroken(s *chart.Spec) bool {
	return s.Periods[0].Frequency() == stat.Annual && !slices.ContainsFunc(s.Series, func(series chart.Series) bool {
		return gapsIn(s.Periods, series.Values) < minGaps
	})
}

// gapsIn returns the number of gaps in a line of annual values. Values every second or fifth year
// have none, and several longer steps in a row are those of early years, such as censuses.
func gapsIn(years []stat.Period, values []float64) int {
	var steps []int
	last := -1
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		if last >= 0 {
			steps = append(steps, years[i].Year()-years[last].Year())
		}
		last = i
	}
	gaps := 0
	for i := 1; i < len(steps)-1; i++ {
		if steps[i] > steps[i-1] && steps[i] > steps[i+1] {
			gaps++
		}
	}
	return gaps
}
