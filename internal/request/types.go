package request

import (
	"context"
	"slices"
	"sync/atomic"

	"almanac/internal/chart"
	"almanac/internal/chart/atlas"
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
// something to compare, a map if most areas have outlines. There is at least one. outlines
// are those of maps; nil means the embedded ones.
func TypesFor(ctx context.Context, v *store.Vintage, outlines *atlas.Atlas) ([]chart.Type, error) {
	known := v.Memo(typesKey{outlines}, func() any { return &atomic.Pointer[[]chart.Type]{} }).(*atomic.Pointer[[]chart.Type])
	if types := known.Load(); types != nil {
		return slices.Clone(*types), nil
	}
	types, err := typesFor(ctx, v, outlines)
	if err == nil {
		known.Store(&types)
	}
	return slices.Clone(types), err
}

func typesFor(ctx context.Context, v *store.Vintage, outlines *atlas.Atlas) ([]chart.Type, error) {
	var types []chart.Type
	for _, t := range []chart.Type{chart.Line, chart.Bar, chart.Map} {
		c := &Chart{Options: chart.DefaultOptions()}
		c.Options.Type, c.Options.Atlas = t, outlines
		s, _, err := Spec(ctx, v, c)
		switch {
		case stat.KindOf(err) == stat.Invalid: // such as a map without geography
		case err != nil:
			return nil, err
		case fits(s, t):
			types = append(types, t)
		}
	}
	if types == nil {
		return []chart.Type{chart.Bar}, nil
	}
	return types, nil
}

// fits reports whether a picture, requested as a type, shows what this type is for.
func fits(s *chart.Spec, t chart.Type) bool {
	switch {
	case t == chart.Line:
		return len(s.Periods) >= minLinePeriods
	case t == chart.Map:
		placed, all := mapped(s)
		return placed >= minMapAreas && float64(placed) >= minMapShare*float64(all)
	case s.Periods != nil:
		return len(s.Series) == 1 && len(s.Periods) <= maxTimeBars && s.Periods[0].Frequency() != stat.Day
	}
	return len(s.Categories) >= minBars
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

// minDefaultMap is the number of areas from which on a map is drawn if the caller chose none.
// A lone country in its colour says nothing that its number does not.
const minDefaultMap = 2

// checkMap returns an error if a map for which neither areas nor a region were chosen shows a
// lone area: because the dataset has no other, or because its default picture has no other.
func (d *Drawing) checkMap(v *store.Vintage, s *chart.Spec) error {
	if s.Type != chart.Map || d.chosen.areas || d.Options.Region != atlas.World {
		return nil
	}
	isPlaced := func(c chart.Category) bool { return s.Set().Has(atlas.OutlineID(c.Area)) }
	if placed, _ := mapped(s); placed >= minDefaultMap || d.chosen.any && countOutlines(v.Dataset, s.Set()) >= minDefaultMap {
		return nil
	}
	only := s.Categories[slices.IndexFunc(s.Categories, isPlaced)]
	return stat.Errorf(stat.Invalid, "a map compares areas, but only %s has an outline and a value in %s; draw line, bar or horizontal-bar, or select country=%s for a map of it alone", only.Label, s.Period, only.Area)
}

// countOutlines returns the number of areas of a dataset with an outline in a set.
func countOutlines(d *stat.Dataset, set *atlas.Set) int {
	n := 0
	for _, c := range d.Geography.Codes {
		if set.Has(atlas.OutlineID(c.Area)) {
			n++
		}
	}
	return n
}
