package request

import (
	"fmt"
	"iter"
	"slices"

	"almanac/internal/chart"
	"almanac/internal/defaults"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// chooseForAreas looks at dimensions of which the chosen value has few of the areas, or not all
// that the request selects. If each area has a value of its own, as a country has its currency
// or its survey, all are selected and the chart takes that of each area. Else a notice says that
// others have other values.
func (d *Drawing) chooseForAreas(v *store.Vintage, selection [][]int32) error {
	usual, err := v.Default()
	if err != nil || usual == nil {
		return err
	}
	asked := selection[len(selection)-1]
	for axis, rule := range usual.Rules {
		if !isDefault(d.Query.Select[axis], usual.Key[axis]) || selection[axis] != nil || !mayBeOwn(&v.Dataset.Dimensions[axis], rule) {
			continue
		}
		chosen, err := v.LatestOf(d.Query.Select, stat.LatestArea)
		all := len(v.Dataset.Geography.Codes)
		if err != nil || asked == nil && 3*len(chosen.Areas) > 2*all || len(chosen.Areas) == len(asked) {
			continue
		}
		isOwn, err := isOwnValue(v, d.Query.Select, axis)
		adds := false
		if err == nil && isOwn {
			adds, err = addsAreas(v, d.Query.Select, axis, chosen)
		}
		if err != nil {
			return err
		}
		if isOwn && !adds {
			continue
		}
		dim := &v.Dataset.Dimensions[axis]
		switch {
		case isOwn && !d.isJoined && ownTypes[d.Options.Type]:
			d.Query.Select[axis], d.data.Dims[axis] = nil, nil
			d.Options.OwnAxes = append(d.Options.OwnAxes, axis)
		case isOwn && asked != nil && !d.isJoined && d.Options.Type == chart.Area:
			return stat.Errorf(stat.Invalid, "chartType: %q shows areas with one %s, but each selected area has its own; select one area, or draw lines", d.Options.Type, dim.Label)
		case asked == nil:
			d.Notices = append(d.Notices, NewNotice(axisParam(v.Dataset, axis), dim.Codes[usual.Key[axis]].Label,
				fmt.Sprintf("%d of %d areas have values of this %s; others have other values of %s", len(chosen.Areas), all, dim.Label, axisParam(v.Dataset, axis))))
		}
	}
	return nil
}

func isDefault(selected []int32, code int32) bool { return len(selected) == 1 && selected[0] == code }

// mayBeOwn reports whether areas may have values of their own of a dimension: a unit that neither
// a curator nor the table of well-known datasets states, or what no rule prefers.
func mayBeOwn(d *stat.Dimension, rule string) bool {
	if d.Role == stat.RoleUnit {
		return rule != string(defaults.Curator) && rule != string(defaults.Table)
	}
	return slices.Contains([]defaults.Rule{defaults.MostAreas, defaults.MostValues, defaults.Middle}, defaults.Rule(rule))
}

// addsAreas reports whether areas without a value of a selection have one with another code of
// a dimension.
func addsAreas(v *store.Vintage, selection [][]int32, axis int, chosen *stat.Latest) (bool, error) {
	for areas, err := range areasByCode(v, selection, axis) {
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(areas, func(area int32) bool { return !slices.Contains(chosen.Areas, area) }) {
			return true, nil
		}
	}
	return false, nil
}

// areasByCode yields, for each code of a dimension, the areas that have values of it and of a
// selection of the other dimensions.
func areasByCode(v *store.Vintage, selection [][]int32, axis int) iter.Seq2[[]int32, error] {
	return func(yield func([]int32, error) bool) {
		q := slices.Clone(selection)
		for code := range v.Dataset.Dimensions[axis].Codes {
			q[axis] = []int32{int32(code)}
			latest, err := v.LatestOf(q, stat.LatestArea)
			switch {
			case stat.KindOf(err) == stat.NotFound:
			case err != nil:
				yield(nil, err)
				return
			case !yield(latest.Areas, nil):
				return
			}
		}
	}
}

// ownTypes are the types of charts that show one value for each area.
var ownTypes = map[chart.Type]bool{chart.Line: true, chart.Bar: true, chart.HorizontalBar: true, chart.Map: true, chart.Dumbbell: true, chart.SmallMultiples: true}

// maxOwn is how many values of a dimension an area may have on average to have one of its own.
const maxOwn = 1.5

type ownValueKey struct{ axis int }

// isOwnValue reports whether nearly all areas of the dataset have one value of a dimension
// each, if other dimensions have those of a selection. The result for the first selection that
// is asked for is kept.
func isOwnValue(v *store.Vintage, selection [][]int32, axis int) (bool, error) {
	type result struct {
		isOwn bool
		err   error
	}
	codes, areas := v.Dataset.Dimensions[axis].Codes, v.Dataset.Geography.Codes
	if v.Dataset.Dimensions[axis].Role == stat.RoleFrequency || float64(len(codes)) > maxOwn*float64(len(areas)) {
		return false, nil
	}
	r := v.Memo(ownValueKey{axis}, func() any {
		q := slices.Clone(selection)
		q[len(q)-1] = nil
		seen, pairs := map[int32]bool{}, 0
		for areas, err := range areasByCode(v, q, axis) {
			if err != nil {
				return result{err: err}
			}
			pairs += len(areas)
			for _, area := range areas {
				seen[area] = true
			}
		}
		return result{isOwn: float64(pairs) <= maxOwn*float64(len(seen))}
	}).(result)
	return r.isOwn, r.err
}
