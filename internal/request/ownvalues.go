package request

import (
	"fmt"
	"slices"

	"almanac/internal/chart"
	"almanac/internal/defaults"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// chooseForAreas looks at dimensions of which the chosen value has few of the areas. If each
// area has a value of its own, as a country has its currency or its survey, all are selected
// and the chart takes that of each area. Else a notice says that others have other values.
func (d *Drawing) chooseForAreas(v *store.Vintage, selection [][]int32, latest *stat.Latest) error {
	all := len(v.Dataset.Geography.Codes)
	for axis, rule := range latest.Rules {
		if rule != string(defaults.MostAreas) || selection[axis] != nil || selection[len(selection)-1] != nil || len(d.Query.Select[axis]) != 1 {
			continue
		}
		chosen, err := v.LatestOf(d.Query.Select, stat.LatestArea)
		if err != nil || 3*len(chosen.Areas) > 2*all {
			continue
		}
		isOwn, err := isOwnValue(v, d.Query.Select, axis)
		if err != nil {
			return err
		}
		if isOwn && !d.isJoined && ownTypes[d.Options.Type] {
			d.Query.Select[axis], d.data.Dims[axis] = nil, nil
			d.Options.OwnAxes = append(d.Options.OwnAxes, axis)
			continue
		}
		dim := &v.Dataset.Dimensions[axis]
		d.Notices = append(d.Notices, NewNotice(axisParam(v.Dataset, axis), dim.Codes[latest.Key[axis]].Label,
			fmt.Sprintf("%d of %d areas have values of this %s; others have other values of %s", len(chosen.Areas), all, dim.Label, axisParam(v.Dataset, axis))))
	}
	return nil
}

// ownTypes are the types of charts that show one value for each area.
var ownTypes = map[chart.Type]bool{chart.Line: true, chart.Bar: true, chart.HorizontalBar: true, chart.Map: true}

// maxOwn is how many values of a dimension an area may have on average to have one of its own.
const maxOwn = 1.5

type ownValueKey struct{ axis int }

// isOwnValue reports whether nearly all areas have one value of a dimension each, if other
// dimensions have those of a selection. The result for the first selection that is asked for
// is kept.
func isOwnValue(v *store.Vintage, selection [][]int32, axis int) (bool, error) {
	type result struct {
		isOwn bool
		err   error
	}
	r := v.Memo(ownValueKey{axis}, func() any {
		q := slices.Clone(selection)
		seen, pairs := map[int32]bool{}, 0
		for code := range v.Dataset.Dimensions[axis].Codes {
			q[axis] = []int32{int32(code)}
			latest, err := v.LatestOf(q, stat.LatestArea)
			if stat.KindOf(err) == stat.NotFound {
				continue
			} else if err != nil {
				return result{err: err}
			}
			pairs += len(latest.Areas)
			for _, area := range latest.Areas {
				seen[area] = true
			}
		}
		return result{isOwn: float64(pairs) <= maxOwn*float64(len(seen))}
	}).(result)
	return r.isOwn, r.err
}
