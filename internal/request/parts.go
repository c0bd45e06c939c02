package request

import (
	"slices"

	"almanac/internal/chart"
	"almanac/internal/defaults"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Limits of what a picture shows of dimensions without a total.
const (
	maxLines    = 8   // in colour
	maxGroup    = 4   // bars side by side
	minTimeBars = 3   // periods
	maxFewBars  = 20  // of all values in a few areas
	maxAgeBars  = 250 // of all ages and another dimension
)

// chosenParts is what can be known of a dataset before anything is selected.
type chosenParts struct {
	parts    []defaults.Parts
	whole    int32 // the area that contains the others
	hasWhole bool
	free     defaults.Parts // that bars of one area run over; without codes if there is none
}

type partsKey struct{}

// partsOf reads the texts that the vintage has for everybody, so that a picture shows the
// same in each language.
func partsOf(v *store.Vintage, usual *stat.Latest) *chosenParts {
	v = v.Stored()
	return v.Memo(partsKey{}, func() any {
		c := &chosenParts{}
		if usual != nil {
			c.parts = defaults.FindParts(v.Dataset, usual.Key, usual.Rules)
		}
		c.whole, c.hasWhole = defaults.Whole(v.Dataset)
		if axis, codes, ok := defaults.FreeAxis(v.Dataset); ok {
			c.free = defaults.Parts{Axis: axis, Codes: codes}
		}
		return c
	}).(*chosenParts)
}

// showParts selects all values of dimensions of which none stands for all, such as both
// sexes or all ages, where they fit into one picture: if it is about one area, if there is
// one that contains the others, or if areas and values are few. Ages without a sum are bars in their order. Bars of one area
// that would be a single one run over the dimension with the most values.
func (d *Drawing) showParts(v *store.Vintage, selection [][]int32, latest *stat.Latest) error {
	isBar := d.Options.Type == chart.Bar || d.Options.Type == chart.HorizontalBar
	if d.isJoined || !isBar && d.Options.Type != chart.Line {
		return nil
	}
	usual, err := v.Default()
	if err != nil {
		return err
	}
	c := partsOf(v, usual)
	parts := slices.DeleteFunc(slices.Clone(c.parts), func(p defaults.Parts) bool { return selection[p.Axis] != nil })
	areas := selection[len(selection)-1]
	switch {
	case len(areas) == 1 || len(v.Dataset.Geography.Codes) == 1:
	case areas != nil:
		return nil
	case c.hasWhole:
		areas = []int32{c.whole}
	case isBar && isOfOneArea(v, latest, parts): // such as passengers between two regions of one country
		areas = latest.Areas
	case isBar && slices.ContainsFunc(parts, isOrdered): // a single age says less than those of one area
		areas = []int32{latest.Areas[largestOf(latest.Values)]}
	default:
		most := maxLines
		if isBar {
			most = maxFewBars
		}
		return d.selectParts(v, partsOfFew(latest, parts, most), nil)
	}
	var shown []defaults.Parts
	if isBar {
		shown = d.barParts(v, parts, c.free, selection)
	} else {
		shown = lineParts(parts, len(v.Dataset.Geography.Codes) == 1)
	}
	return d.selectParts(v, shown, areas)
}

// partsOfFew returns the only dimension without a total, such as sex, if all its values in all
// areas are at most so many.
func partsOfFew(latest *stat.Latest, parts []defaults.Parts, most int) []defaults.Parts {
	if len(parts) != 1 || len(parts[0].Codes) > maxGroup || len(parts[0].Codes)*len(latest.Areas) > most {
		return nil
	}
	return parts
}

// isOfOneArea reports whether only one of the dataset's areas has values of the default series,
// because a dimension with many values divides it, such as regions to which it is connected.
func isOfOneArea(v *store.Vintage, latest *stat.Latest, parts []defaults.Parts) bool {
	return len(latest.Areas) == 1 && len(v.Dataset.Geography.Codes) > 1 && slices.ContainsFunc(parts, isWide)
}

// withoutTotals returns the names of dimensions without a total of which pictures could show only
// an arbitrary value: the regions between which people travel, or the marital status of people of
// each age in a region that stands for all.
func withoutTotals(v *store.Vintage) []string {
	usual, err := v.Default()
	if err != nil || usual == nil {
		return nil
	}
	c := partsOf(v, usual)
	var lacking []int // axes
	switch {
	case isOfOneArea(v, usual, c.parts):
		arbitrary := []defaults.Rule{defaults.Largest, defaults.MostAreas, defaults.MostValues, defaults.Middle}
		for axis := range v.Dataset.Dimensions {
			if d := &v.Dataset.Dimensions[axis]; d.Role == stat.RoleOther && len(d.Codes) > maxLines && slices.Contains(arbitrary, defaults.Rule(usual.Rules[axis])) {
				lacking = append(lacking, axis)
			}
		}
		if len(lacking) < 2 {
			return nil
		}
	case !c.hasWhole && len(v.Dataset.Geography.Codes) > 1 && slices.ContainsFunc(c.parts, isOrdered):
		shown := (&Drawing{}).barParts(v, slices.Clone(c.parts), c.free, make([][]int32, len(v.Dataset.Dimensions)+1))
		for _, p := range c.parts {
			if !slices.ContainsFunc(shown, func(q defaults.Parts) bool { return q.Axis == p.Axis }) {
				lacking = append(lacking, p.Axis)
			}
		}
	}
	var names []string
	for _, axis := range lacking {
		names = append(names, v.Dataset.Dimensions[axis].Label)
	}
	return names
}

func isWide(p defaults.Parts) bool { return len(p.Codes) > maxLines }

func isOrdered(p defaults.Parts) bool { return p.Ordered }

func largestOf(values []float64) int { return slices.Index(values, slices.Max(values)) }

// lineParts returns the dimension whose parts are lines: the one with the most values of
// those that eight lines can show. If there is none, and the areas need no names, it is one of
// more, whose lines are mostly grey. Ages are no lines.
func lineParts(parts []defaults.Parts, isOneArea bool) []defaults.Parts {
	parts = slices.DeleteFunc(parts, isOrdered)
	slices.SortStableFunc(parts, func(p, q defaults.Parts) int { return len(q.Codes) - len(p.Codes) })
	i := slices.IndexFunc(parts, func(p defaults.Parts) bool { return len(p.Codes) <= maxLines })
	switch {
	case i >= 0:
		return parts[i : i+1]
	case len(parts) > 0 && isOneArea:
		return parts[:1]
	}
	return nil
}

// barParts returns the dimension that bars run over and, if there is another one with a few
// values, those side by side. A few values over several periods are bars along time.
func (d *Drawing) barParts(v *store.Vintage, parts []defaults.Parts, free defaults.Parts, selection [][]int32) []defaults.Parts {
	hasOneBar := d.Options.Type == chart.HorizontalBar || len(v.Periods) == 1
	rank := func(p defaults.Parts) int {
		if p.Ordered {
			return 1000 + len(p.Codes)
		}
		return len(p.Codes)
	}
	slices.SortStableFunc(parts, func(p, q defaults.Parts) int { return rank(q) - rank(p) })
	hasMany := len(parts) > 0 && (parts[0].Ordered || len(parts[0].Codes) > maxGroup)
	if !hasMany && hasOneBar && free.Codes != nil && selection[free.Axis] == nil {
		parts = slices.DeleteFunc(parts, func(p defaults.Parts) bool { return p.Axis == free.Axis })
		return append([]defaults.Parts{free}, parts[:min(1, len(parts))]...)
	}
	if len(parts) == 0 {
		return nil
	}
	shown := parts[:1]
	if !hasMany && len(v.Periods) >= minTimeBars {
		d.isAlongTime = true
		return shown
	}
	if i := slices.IndexFunc(parts[1:], func(p defaults.Parts) bool {
		return len(p.Codes) <= maxGroup && len(p.Codes)*len(parts[0].Codes) <= maxAgeBars
	}); i >= 0 {
		shown = []defaults.Parts{parts[0], parts[1+i]}
	}
	return shown
}

// selectParts selects parts in areas, if they have values there.
func (d *Drawing) selectParts(v *store.Vintage, parts []defaults.Parts, areas []int32) error {
	if len(parts) == 0 {
		return nil
	}
	q := d.Query
	q.Select, q.Latest = slices.Clone(q.Select), stat.LatestCovered
	q.Select[len(q.Select)-1] = areas
	for _, p := range parts {
		q.Select[p.Axis] = p.Codes
	}
	if period, err := v.LatestPeriod(q); err != nil || period.IsZero() {
		d.isAlongTime = false
		return err // its parts have no values in this selection
	}
	d.Query.Select = q.Select
	for _, p := range parts {
		d.Options.Parts = append(d.Options.Parts, p.Axis)
		d.data.Dims[p.Axis] = nil
	}
	return nil
}
