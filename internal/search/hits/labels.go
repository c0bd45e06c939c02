package hits

import (
	"cmp"
	"slices"

	"almanac/internal/geo"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// axisCode is a value of a dimension. The geography stands after the others.
type axisCode struct {
	axis int
	code int32
}

type labelsKey struct{}

// maxLabels is the number of values of a dataset up to which they are looked up by their labels.
const maxLabels = 50_000

// maxRaw is how many bytes a label has that is also looked up as it is written.
const maxRaw = 4

// labelsOf returns the values of a dataset by their labels; several if the label is not unique.
func labelsOf(v *store.Vintage) map[string][]axisCode {
	return v.Memo(labelsKey{}, func() any {
		found := map[string][]axisCode{}
		add := func(label string, at axisCode) {
			key, raw := search.LabelKey(label), search.RawLabel(label)
			if key != "" && !slices.Contains(found[key], at) {
				found[key] = append(found[key], at)
			}
			if len(raw) <= maxRaw && raw != key && !slices.Contains(found[raw], at) {
				found[raw] = append(found[raw], at)
			}
		}
		d, n := v.Dataset, 0
		for axis := range d.Dimensions {
			codes := d.Dimensions[axis].Codes
			if n += len(codes); n > maxLabels {
				return found
			}
			for i := range codes {
				add(codes[i].Label, axisCode{axis, int32(i)})
				add(codes[i].SourceLabel, axisCode{axis, int32(i)})
				add(search.KnownLabel(d, axis, &codes[i]), axisCode{axis, int32(i)})
				for _, name := range shorterLabels(&codes[i]) {
					add(name, axisCode{axis, int32(i)})
				}
			}
		}
		for i := range d.Geography.Codes[:min(len(d.Geography.Codes), maxLabels-n)] {
			c, at := &d.Geography.Codes[i], axisCode{len(d.Dimensions), int32(i)}
			add(c.Label, at)
			if city, ok := geo.CityOfLabel(c.Label); ok {
				add(city, at)
			}
		}
		return found
	}).(map[string][]axisCode)
}

// valuesNamed returns the values of which the label is just what is asked for: as it was typed, else by another name.
func valuesNamed(v *store.Vintage, a *search.Asked) []axisCode {
	if found := valuesWith(v, a, a.TypedKeys()); len(found) > 0 {
		return found
	}
	return valuesWith(v, a, a.Keys())
}

// valuesWith returns the values with labels in the form of [search.LabelKey].
func valuesWith(v *store.Vintage, a *search.Asked, keys []string) (found []axisCode) {
	labels := labelsOf(v)
	for _, key := range keys {
		for _, at := range labels[key] {
			isPlace := at.axis == len(v.Dataset.Dimensions)
			if (!isPlace || key == search.LabelKey(a.Text)) && !slices.Contains(found, at) { // a misspelt place may be another one
				found = append(found, at)
			}
		}
	}
	return found
}

// only returns the value that is meant of some. Of several of one dimension with one label of the source, such as the yields of
// crops and of eggs, it is that with which the series has values. ok is false if there is none, or several.
func only(v *store.Vintage, key []int32, values []axisCode) (at axisCode, ok bool) {
	if len(values) == 1 {
		return values[0], true
	}
	isOther := func(value axisCode) bool {
		return value.axis == len(key) || value.axis != values[0].axis || sourceLabel(v.Dataset, value) != sourceLabel(v.Dataset, values[0])
	}
	if slices.ContainsFunc(values, isOther) {
		return at, false
	}
	n := 0
	for _, value := range values {
		sel := make([][]int32, len(key)+1) // all areas
		for axis, code := range key {
			sel[axis] = []int32{code}
		}
		sel[value.axis] = []int32{value.code}
		if _, err := v.LatestOf(sel, stat.LatestObserved); err == nil {
			at = value
			n++
		}
	}
	return at, n == 1
}

// sourceLabel returns the label of a value as its office has it, or as well-known code lists have it.
func sourceLabel(d *stat.Dataset, at axisCode) string {
	c := &d.Dimensions[at.axis].Codes[at.code]
	return cmp.Or(c.SourceLabel, search.KnownLabel(d, at.axis, c), c.Label)
}
