package request

import (
	"cmp"
	"fmt"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// selection merges the three parts of a request that select data, key by key:
// selectedDimensions overrides dimensions_query, and the field period overrides both.
func (c *Chart) selection(v *store.Vintage) (Data, error) {
	data := c.Data
	given := map[string]string{} // parameter → the key that gave it
	for _, choice := range c.Selected {
		param, into, err := paramOf(v, &data, choice.Key)
		if err != nil {
			return data, err
		}
		if before, isGiven := given[param]; isGiven {
			return data, stat.Errorf(stat.Invalid, "selectedDimensions has both %q and %q, which mean the same", before, choice.Key)
		}
		given[param] = choice.Key
		switch into := into.(type) {
		case *[]string:
			*into = choice.Values
		case *string:
			if len(choice.Values) > 1 {
				return data, stat.Errorf(stat.Invalid, "selectedDimensions has %d values for %s; it takes one", len(choice.Values), choice.Key)
			}
			*into = choice.Values[0]
		}
	}
	data.Period, data.LatestMode = cmp.Or(c.Period, data.Period), cmp.Or(c.LatestMode, data.LatestMode)
	return data, nil
}

// paramOf returns the parameter that a key of selectedDimensions means, and a pointer to
// its place in data. A parameter's name takes precedence over an ID, and an ID over a label;
// labels are those without a choice of language, and those of the language.
func paramOf(v *store.Vintage, data *Data, key string) (param string, into any, err error) {
	d := v.Dataset
	switch key {
	case "country":
		return key, &data.Country, nil
	case withinParam:
		return key, &data.Within, nil
	case "period":
		return key, &data.Period, nil
	case "period_from":
		return key, &data.PeriodFrom, nil
	case "period_to":
		return key, &data.PeriodTo, nil
	}
	if i, ok := dimensionOf(key); ok {
		if i >= len(d.Dimensions) {
			return "", nil, errNoDimension(d, "", i)
		}
		return key, &data.Dims[i], nil
	}
	known := []string{"country", withinParam, "period", "period_from", "period_to"}
	ids := func(d *stat.Dimension) string { return d.ID }
	labels := func(d *stat.Dimension) string { return d.Label }
	for _, names := range []struct {
		of   *stat.Dataset
		name func(*stat.Dimension) string
	}{{d, ids}, {v.Stored().Dataset, labels}, {d, labels}} {
		for i, axis := range names.of.Axes() {
			if names.name(axis) == key && key != "" {
				if i == len(d.Dimensions) {
					return "country", &data.Country, nil
				}
				return axisParam(d, i), &data.Dims[i], nil
			}
			known = append(known, names.name(axis))
		}
	}
	hint := ""
	if near := stat.Nearest(key, known); len(near) > 0 {
		hint = fmt.Sprintf(" (did you mean %q?)", near[0])
	}
	return "", nil, stat.Errorf(stat.Invalid, "unknown key %.60q in selectedDimensions%s; known keys: country, within, period, period_from, period_to%s", key, hint, keysOf(d))
}

// keysOf returns the keys of the dimensions of a dataset, as the end of a list.
func keysOf(d *stat.Dataset) string {
	if len(d.Dimensions) == 0 {
		return ""
	}
	var ids []string
	for i := range d.Dimensions {
		ids = append(ids, fmt.Sprintf("dim%d or %s", i+1, d.Dimensions[i].ID))
	}
	return ", and the dimensions by number, id or label: " + strings.Join(ids, ", ")
}
