package request

import (
	"slices"

	"almanac/internal/chart"
	"almanac/internal/defaults"
	"almanac/internal/stat"
	"almanac/internal/store"
)

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
	d.Options.UnitChosen = isUnitChosen(v, selection)
	if err := d.showParts(v, selection, latest); err != nil {
		return err
	}
	if err := d.chooseForAreas(v, selection); err != nil {
		return err
	}
	d.Query.Latest = d.latestMode(v)
	d.Options.UntilLast = stat.LatestMode(d.data.LatestMode) == stat.LatestLast
	if err := d.fillMap(v); err != nil {
		return err
	}
	if d.Options.Derive.IsZero() {
		return nil
	}
	return fitTransform(v, d.Options.Derive, &d.Query)
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
	case d.Options.Type == chart.Bar && d.isAlongTime:
		return ""
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

// isOneSeries reports whether a selection contains at most one series.
func isOneSeries(d *stat.Dataset, selection [][]int32) bool {
	for axis, dim := range d.Axes() {
		if n := len(dim.Codes); n > 1 && (selection[axis] == nil || len(selection[axis]) > 1) {
			return false
		}
	}
	return true
}

// isUnitChosen reports whether a selection decides in which units values are. Without a
// choice of units, the areas do.
func isUnitChosen(v *store.Vintage, selection [][]int32) bool {
	units := v.Memo(unitsKey{}, func() any { return unitAxes(v.Dataset) }).([]int)
	if len(units) == 0 {
		return selection[len(v.Dataset.Dimensions)] != nil
	}
	return slices.ContainsFunc(units, func(axis int) bool { return selection[axis] != nil })
}

// unitsKey is the key under which the axes of units are kept with a vintage.
type unitsKey struct{}

// unitAxes returns the axes of a dataset with several units or currencies.
func unitAxes(d *stat.Dataset) (axes []int) {
	for axis := range d.Dimensions {
		if dim := &d.Dimensions[axis]; len(dim.Codes) > 1 && (dim.Role == stat.RoleUnit || defaults.IsCurrency(dim)) {
			axes = append(axes, axis)
		}
	}
	return axes
}
