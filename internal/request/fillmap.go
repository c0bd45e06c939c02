package request

import (
	"almanac/internal/chart"
	"almanac/internal/stat"
	"almanac/internal/store"
)

const (
	// minMapCoverage is the share of the areas with recent values from which a map shows the
	// values of one period. Of surveys and registers that reach offices late, no year has more.
	minMapCoverage = 2. / 3
	// recentYears is the number of years whose values may complete a map.
	recentYears = 10
)

// fillMap lets each area of a map have its own latest value of the last ten years, if nobody
// chose a period and no period is well covered.
func (d *Drawing) fillMap(v *store.Vintage) error {
	isChosen := d.data.Latest || d.data.LatestMode != "" || d.data.Period != "" || d.data.PeriodFrom != "" || d.data.PeriodTo != ""
	if d.Options.Type != chart.Map || isChosen || !d.Options.Derive.IsZero() {
		return nil
	}
	covered, err := v.LatestOf(d.Query.Select, stat.LatestCovered)
	if err != nil {
		return ignoreNotFound(err)
	}
	own, err := v.LatestOf(d.Query.Select, stat.LatestArea)
	if err != nil {
		return ignoreNotFound(err)
	}
	from := stat.NewPeriod(stat.Annual, covered.Period.Year()-recentYears+1, 1)
	recent := 0
	for _, p := range own.Periods {
		if p.Year() >= from.Year() {
			recent++
		}
	}
	if recent >= minMapAreas && float64(len(covered.Areas)) < minMapCoverage*float64(recent) {
		d.Query.Latest, d.Query.From = stat.LatestArea, from
	}
	return nil
}

// ignoreNotFound returns nil for the error that a selection has no value, which others report.
func ignoreNotFound(err error) error {
	if stat.KindOf(err) == stat.NotFound {
		return nil
	}
	return err
}
