package sdmxrest

import (
	"slices"
	"strings"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// Selection is what a key, filters and periods select of a flow.
type Selection struct {
	stat.Query
	// Periods, if there are any, are alternatives of conditions on the time, which a query cannot state; see
	// [Selection.Of].
	Periods [][]PeriodCondition
	// Keys, if there are any, are alternatives for the codes of all axes, by position and sorted; nil is all codes
	// of an axis. They select less than the query, which has the codes of all of them.
	Keys    [][][]int32
	Unknown []string // values that the flow does not have: "FREQ=X"
	IsEmpty bool     // a fixed dimension has another code
}

// errKey says how keys are written.
func errKey(f *sdmx.Flow, key string) error {
	var ids []string
	for i := range f.Dimensions {
		ids = append(ids, f.Dimensions[i].ID)
	}
	return stat.Errorf(stat.Invalid, "key %.300q has %d parts, but %s has %d dimensions; a key is written %s", key, strings.Count(key, ".")+1, f.ID, len(ids), strings.Join(ids, "."))
}

// SelectKey adds what a key selects of a flow: the codes of each dimension after one another,
// with points between dimensions. SDMX 2.1 has + between codes and nothing for all of them; 3.0
// has * for all, may leave out the last dimensions, and may have several keys with commas, of which each
// selects its series.
func (s *Selection) SelectKey(f *sdmx.Flow, key string, isV3 bool) error {
	if slices.Contains(wildcards, key) {
		return nil
	}
	var keys [][]string
	for one := range strings.SplitSeq(key, ",") {
		parts := withArea(f, strings.Split(one, "."))
		if len(parts) > len(f.Dimensions) || len(parts) < len(f.Dimensions) && !isV3 {
			return errKey(f, one)
		}
		for len(parts) < len(f.Dimensions) {
			parts = append(parts, "*")
		}
		keys = append(keys, parts)
	}
	for i := range f.Dimensions {
		s.selectCodes(f, &f.Dimensions[i], codesIn(keys, i))
	}
	if !isProduct(keys) {
		s.selectKeys(f, keys)
	}
	return nil
}

// codesIn returns the codes that keys have for a dimension, each once; nil if one of them has all.
func codesIn(keys [][]string, dimension int) (codes []string) {
	for _, parts := range keys {
		if isOpen(parts[dimension]) {
			return nil
		}
		for code := range strings.SplitSeq(parts[dimension], "+") {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

// isProduct reports whether keys of single codes select all combinations of these, which is what a query
// can select.
func isProduct(keys [][]string) bool {
	distinct, product := map[string]bool{}, 1
	for _, parts := range keys {
		key := strings.Join(parts, ".")
		if distinct[key] = true; len(keys) > 1 && strings.Contains(key, "+") {
			return false
		}
	}
	for i := range keys[0] {
		open := 0
		for _, parts := range keys {
			if isOpen(parts[i]) {
				open++
			}
		}
		if open > 0 && open < len(keys) {
			return false
		}
		product *= max(1, len(codesIn(keys, i)))
	}
	return len(keys) == 1 || product == len(distinct)
}

// isOpen reports whether a part of a key selects all codes.
func isOpen(part string) bool { return part == "" || part == "*" }

// selectKeys keeps what each of several keys selects.
func (s *Selection) selectKeys(f *sdmx.Flow, keys [][]string) {
	for _, parts := range keys {
		one := Selection{}
		for i := range f.Dimensions {
			one.selectCodes(f, &f.Dimensions[i], codesIn([][]string{parts}, i))
		}
		if one.Select == nil {
			one.Select = make([][]int32, len(f.Dataset.Dimensions)+1)
		}
		if !one.IsEmpty {
			s.Keys = append(s.Keys, one.Select)
		}
	}
	s.IsEmpty = s.IsEmpty || s.Keys == nil
}

// keepKeys narrows a block to what one of the keys selects.
func (s *Selection) keepKeys(b *stat.Block) {
	has := func(codes []int32, code int32) bool {
		_, ok := slices.BinarySearch(codes, code)
		return codes == nil || ok
	}
	var fitting [][]int32 // the areas of the keys that select the series
	for _, key := range s.Keys {
		isOther := false
		for axis, code := range b.Key {
			isOther = isOther || !has(key[axis], code)
		}
		if !isOther {
			fitting = append(fitting, key[len(b.Key)])
		}
	}
	b.KeepAreas(func(area int32) bool {
		return slices.ContainsFunc(fitting, func(areas []int32) bool { return has(areas, area) })
	})
}

// withArea returns the parts of a key with one for the geography, if it has one part too few and
// there is only one area: the office's own keys do not have it if the geography was stated at the
// import.
func withArea(f *sdmx.Flow, parts []string) []string {
	if len(parts) != len(f.Dimensions)-1 || len(parts) == 0 {
		return parts
	}
	for i := range f.Dimensions {
		if d := &f.Dimensions[i]; d.Role == stat.RoleGeo && d.Axis == len(f.Dataset.Dimensions) && len(d.Codes) == 1 {
			return slices.Insert(parts, i, "")
		}
	}
	return parts
}

// NotImplemented is the error for a part of the API that is not supported.
type NotImplemented struct{ Message string }

func (e *NotImplemented) Error() string { return e.Message }

// selectCodes selects codes of a dimension, by their IDs in SDMX or as the office writes them; nil: all.
func (s *Selection) selectCodes(f *sdmx.Flow, d *sdmx.Dimension, codes []string) {
	if codes == nil {
		return
	}
	positions := []int32{}
	for _, code := range codes {
		if at, ok := find(f, d, code); ok {
			positions = append(positions, at)
		} else {
			s.Unknown = append(s.Unknown, d.ID+"="+code)
		}
	}
	s.restrict(f, d, positions)
}

// find returns the position of a code among those of a dimension.
func find(f *sdmx.Flow, d *sdmx.Dimension, code string) (int32, bool) {
	for _, id := range []string{sdmx.Unescape(code), code} {
		if d.Axis >= 0 {
			if at, ok := f.Vintage.Position(d.Axis, id); ok {
				return at, true
			}
		} else if d.Codes[0].ID == id {
			return 0, true
		}
	}
	return 0, false
}

// restrict keeps only some codes of a dimension.
func (s *Selection) restrict(f *sdmx.Flow, d *sdmx.Dimension, positions []int32) {
	if d.Axis < 0 {
		s.IsEmpty = s.IsEmpty || len(positions) == 0
		return
	}
	if s.Select == nil {
		s.Select = make([][]int32, len(f.Dataset.Dimensions)+1)
	}
	slices.Sort(positions)
	positions = slices.Compact(positions)
	if before := s.Select[d.Axis]; before != nil {
		positions = slices.DeleteFunc(positions, func(at int32) bool { return !slices.Contains(before, at) })
	}
	s.Select[d.Axis] = positions
}
