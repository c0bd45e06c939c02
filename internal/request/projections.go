package request

import (
	"slices"

	"almanac/internal/defaults"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// ProjectionNotice returns the notice that the latest values of a series in some mode are projections although no flag says so, as charts
// do, or that they may be ones: the series has such values later, and its file does not say since when.
func ProjectionNotice(v *store.Vintage, q stat.Query, shown *stat.Latest) ([]Notice, error) {
	if int(defaults.Horizon(v.Dataset, v.Periods, v.LastUpdate)) == len(v.Periods) {
		return nil, nil
	}
	last := shown
	if q.Latest != stat.LatestLast {
		var err error
		if last, err = v.LatestOf(seriesOf(v, q, shown.Key), stat.LatestLast); err != nil {
			return nil, ignoreNotFound(err)
		}
	}
	isFlagged := slices.ContainsFunc(last.Flags, func(flags stat.Flags) bool { return defaults.IsForecast(v.Dataset, flags) })
	text, period := "", shown.Period.String()
	switch {
	case isFlagged || !v.IsForecast(last.Period, ""):
		return nil, nil
	case v.IsForecast(shown.Period, ""):
		text = defaults.ProjectionsText(v.Dataset, period, period, v.LastUpdate)
	case defaults.SaysHorizon(v.Dataset, v.LastUpdate):
		return nil, nil
	default:
		text = defaults.UnsaidText(period)
	}
	return []Notice{NewNotice("latest_mode", string(q.Latest), text)}, nil
}

// seriesOf returns the selection of the series with a key for the areas of a query.
func seriesOf(v *store.Vintage, q stat.Query, key []int32) (selected [][]int32) {
	for _, code := range key {
		selected = append(selected, []int32{code})
	}
	if q.Select == nil {
		return append(selected, nil)
	}
	return append(selected, q.Select[len(v.Dataset.Dimensions)])
}

// LatestNotices returns the notices on the latest values of one series that a query selects: see [OlderNotice] and [ProjectionNotice].
func LatestNotices(v *store.Vintage, q stat.Query) ([]Notice, error) {
	notices, err := OlderNotice(v, q)
	isSpan := !q.From.IsZero() || !q.To.IsZero() || !q.Within.IsZero()
	if err != nil || q.Latest == "" || isSpan || !isOneMeasure(v.Dataset, q.Select) {
		return notices, err
	}
	shown, err := v.LatestOf(q.Select, q.Latest)
	if err != nil {
		return notices, ignoreNotFound(err)
	}
	projected, err := ProjectionNotice(v, q, shown)
	return append(notices, projected...), err
}
