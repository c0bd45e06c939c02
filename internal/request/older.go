package request

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// A notice names all areas that are left out if they are at most maxAbsent, else examples of them.
const (
	maxAbsent = 15
	examples  = 5
)

// OlderNotice returns the notice that areas have no value of the latest period that a query selects
// of one series, with the periods of their last values: a ranking does not show that they are left out.
func OlderNotice(v *store.Vintage, q stat.Query) ([]Notice, error) {
	isSpan := !q.From.IsZero() || !q.To.IsZero() || !q.Within.IsZero()
	if q.Latest == "" || q.Latest == stat.LatestArea || isSpan || !isOneMeasure(v.Dataset, q.Select) {
		return nil, nil
	}
	shown, err := v.LatestOf(q.Select, q.Latest)
	if err != nil {
		return nil, ignoreNotFound(err)
	}
	own, err := v.LatestOf(q.Select, stat.LatestArea)
	if err != nil {
		return nil, ignoreNotFound(err)
	}
	var absent []int // of own
	for i, area := range own.Areas {
		if !slices.Contains(shown.Areas, area) {
			absent = append(absent, i)
		}
	}
	if absent == nil {
		return nil, nil
	}
	slices.SortStableFunc(absent, func(a, b int) int { return own.Periods[b].Compare(own.Periods[a]) })
	text := "some areas have no value of %s; their last values are of other periods: %s"
	named := absent
	if len(absent) > maxAbsent {
		text, named = strconv.Itoa(len(absent))+" areas have no value of %s; their last values are of other periods, such as %s", absent[:examples]
	}
	var names []string
	for _, i := range named {
		names = append(names, fmt.Sprintf("%s (%s)", v.Dataset.Geography.Codes[own.Areas[i]].Label, own.Periods[i]))
	}
	mode := q.Latest
	if mode == stat.LatestCovered {
		mode = stat.LatestObserved // which callers of charts know it as
	}
	return []Notice{NewNotice("latest_mode", string(mode), fmt.Sprintf(text+"; latest_mode=area shows the last value of each area", shown.Period, strings.Join(names, ", ")))}, nil
}

// isOneMeasure reports whether a selection has one code of each dimension but the geography.
func isOneMeasure(d *stat.Dataset, selection [][]int32) bool {
	for axis := range d.Dimensions {
		if isFree := selection == nil || selection[axis] == nil; isFree && len(d.Dimensions[axis].Codes) > 1 || !isFree && len(selection[axis]) > 1 {
			return false
		}
	}
	return true
}
