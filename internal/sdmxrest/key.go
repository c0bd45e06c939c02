package sdmxrest

import (
	"fmt"
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
// has * for all, may leave out the last dimensions, and may have several keys with commas.
func (s *Selection) SelectKey(f *sdmx.Flow, key string, isV3 bool) error {
	if slices.Contains(wildcards, key) {
		return nil
	}
	keys := strings.Split(key, ",")
	values := make([][]string, len(f.Dimensions))
	isOpen := make([]bool, len(f.Dimensions))
	distinct := map[string]bool{}
	for _, one := range keys {
		parts := withArea(f, strings.Split(one, "."))
		if len(parts) > len(values) || len(parts) < len(values) && !isV3 {
			return errKey(f, one)
		}
		for len(parts) < len(values) {
			parts = append(parts, "*")
		}
		distinct[strings.Join(parts, ".")] = true
		for i, part := range parts {
			if part == "" || part == "*" {
				isOpen[i] = true
				continue
			}
			for code := range strings.SplitSeq(part, "+") {
				if !slices.Contains(values[i], code) {
					values[i] = append(values[i], code)
				}
			}
		}
	}
	if err := checkProduct(len(distinct), len(keys), values, isOpen); err != nil {
		return err
	}
	for i, codes := range values {
		if codes != nil {
			s.selectCodes(f, &f.Dimensions[i], codes)
		}
	}
	return nil
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

// checkProduct checks that several keys select all combinations of their codes, which is what a
// query can select.
func checkProduct(distinct, keys int, values [][]string, isOpen []bool) error {
	if keys == 1 {
		return nil
	}
	product := 1
	for i, codes := range values {
		if codes != nil && isOpen[i] {
			product = -1
			break
		}
		product *= max(1, len(codes))
	}
	if product != distinct {
		return &NotImplemented{fmt.Sprintf("%d keys that do not select all combinations of their codes are not supported; ask for each in a request of its own", distinct)}
	}
	return nil
}

// NotImplemented is the error for a part of the API that is not supported.
type NotImplemented struct{ Message string }

func (e *NotImplemented) Error() string { return e.Message }

// selectCodes selects codes of a dimension, by their IDs in SDMX or as the office writes them.
func (s *Selection) selectCodes(f *sdmx.Flow, d *sdmx.Dimension, codes []string) {
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
