package agent

import (
	"cmp"
	"slices"
	"time"

	"almanac/internal/defaults"
	"almanac/internal/stat"
)

// remarkProjections notes which values are projections although no flag says so, by the rule of charts: see [defaults.Horizon].
func (f *fetched) remarkProjections() {
	updated, err := time.Parse(time.DateOnly, cmp.Or(f.meta.Updated, f.meta.LastUpdate))
	if f.of.dataset == nil || err != nil {
		return
	}
	dataset := *f.of.dataset
	if f.meta.Updated != "" {
		dataset.Updated = updated
	}
	periods, isFlagged := f.periods(&dataset)
	if horizon := defaults.Horizon(&dataset, periods, updated); !isFlagged && int(horizon) < len(periods) {
		var named []string // of the rows that are ahead
		for i := range f.list {
			p, err := stat.ParsePeriod(f.list[i].ownPeriod)
			if at := slices.Index(periods, p); err == nil && at >= int(horizon) && !f.list[i].isMissing() {
				named = append(named, f.list[i].ownPeriod)
			}
		}
		if named != nil {
			byTime := func(a, b string) int { return periodOf(a).Compare(periodOf(b)) }
			f.lacking = append(f.lacking, defaults.ProjectionsText(&dataset, slices.MinFunc(named, byTime), slices.MaxFunc(named, byTime), updated))
		}
	}
}

// periods returns the periods of the rows and the last one of the dataset, sorted. isFlagged says that a row has the flag of a forecast.
func (f *fetched) periods(d *stat.Dataset) (sorted []stat.Period, isFlagged bool) {
	texts := []string{f.meta.LatestPeriod}
	for i := range f.list {
		texts = append(texts, f.list[i].ownPeriod)
		isFlagged = isFlagged || defaults.IsForecast(d, stat.Flags(f.list[i].flags))
	}
	slices.Sort(texts)
	for _, text := range slices.Compact(texts) {
		if p := periodOf(text); !p.IsZero() {
			sorted = append(sorted, p)
		}
	}
	slices.SortFunc(sorted, stat.Period.Compare)
	return sorted, isFlagged
}

// periodOf returns the period of a text, the zero one if it is none.
func periodOf(text string) stat.Period {
	p, err := stat.ParsePeriod(text)
	if err != nil {
		return stat.Period{}
	}
	return p
}
