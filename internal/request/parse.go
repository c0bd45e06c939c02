package request

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Notice tells a caller of something that is not wrong but probably not meant,
// such as a value that the dataset does not have.
type Notice struct {
	Parameter string   `json:"parameter"`
	Value     string   `json:"value"`
	Message   string   `json:"message"`
	Nearest   []string `json:"nearest"` // values that were perhaps meant; never nil
}

// same reports whether two notices are about the same value.
func (n Notice) same(m Notice) bool { return n.Parameter == m.Parameter && n.Value == m.Value }

// Parse turns the parameters into a query of one vintage. Values that the
// dataset does not have select nothing and are returned as notices, in the
// order given. The error is [stat.Invalid] and names the parameter: a
// dimension that the dataset does not have, a text that is no period, a range
// that ends before it begins. Followed is not looked at.
func Parse(v *store.Vintage, p Data) (stat.Query, []Notice, error) {
	q := stat.Query{Latest: p.Latest, Flags: p.Flags}
	sel, notices, err := selection(v, p)
	if err != nil {
		return q, nil, err
	}
	q.Select = sel
	if err := setPeriods(&q, v, p); err != nil {
		return q, nil, err
	}
	return q, notices, nil
}

// selection finds the code positions of the wanted values. It is nil if there
// is no filter.
func selection(v *store.Vintage, p Data) (sel [][]int32, notices []Notice, err error) {
	dims := len(v.Dataset.Dimensions)
	for i, values := range p.Dims {
		if len(values) == 0 {
			continue
		}
		if i >= dims {
			return nil, nil, noDimension(v.Dataset, i)
		}
		if sel == nil {
			sel = make([][]int32, dims+1)
		}
		sel[i], notices = positions(v, i, values, notices)
	}
	if len(p.Country) > 0 {
		if sel == nil {
			sel = make([][]int32, dims+1)
		}
		sel[dims], notices = positions(v, dims, p.Country, notices)
	}
	return sel, notices, nil
}

// noDimension is the error for a dimN that a dataset does not have.
func noDimension(d *stat.Dataset, i int) error {
	has := "no dimensions beside geography and time"
	switch n := len(d.Dimensions); {
	case n == 1:
		has = "dim1 only"
	case n > 1:
		has = fmt.Sprintf("dim1 to dim%d", n)
	}
	return stat.Errorf(stat.Invalid, "unknown parameter dim%d: dataset %d has %s", i+1, d.ID, has)
}

// positions finds the code positions of values on an axis, ascending and each
// once, and adds a notice for each value that is not found.
func positions(v *store.Vintage, axis int, values []string, notices []Notice) ([]int32, []Notice) {
	found := make([]int32, 0, len(values))
	var unknown map[string]bool // a caller may give thousands
	for _, value := range values {
		if unknown[value] {
			continue
		}
		if pos, ok := v.Find(axis, value); ok {
			found = append(found, pos)
			continue
		}
		if areas := areasOf(v, axis, value); len(areas) > 0 {
			found = append(found, areas...)
			continue
		}
		if unknown == nil {
			unknown = map[string]bool{}
		}
		unknown[value] = true
		notices = append(notices, unknownValue(v, axis, value, len(notices)))
	}
	slices.Sort(found)
	return slices.Compact(found), notices
}

// areasOf finds the geography's positions that an ISO, M49 or other known code
// of an area stands for.
func areasOf(v *store.Vintage, axis int, text string) []int32 {
	if axis < len(v.Dataset.Dimensions) {
		return nil
	}
	var found []int32
	at := areaPositions(v)
	for _, area := range append(geo.Match(text), text) { // a source's own code may look like any other
		found = append(found, at[strings.ToLower(area)]...)
	}
	return found
}

type areaPositionsKey struct{}

// areaPositions is where each area, in lower case, stands among the codes of
// the geography.
func areaPositions(v *store.Vintage) map[string][]int32 {
	return v.Memo(areaPositionsKey{}, func() any {
		at := map[string][]int32{}
		for i, c := range v.Dataset.Geography.Codes {
			area := strings.ToLower(c.Area)
			at[area] = append(at[area], int32(i))
		}
		return at
	}).(map[string][]int32)
}
