package request

import (
	"errors"
	"fmt"
	"strings"

	"almanac/internal/stat"
)

// unknownFilter is the cause of the error for a name that is no parameter of an address with filters of dimensions.
type unknownFilter string

func (p unknownFilter) Error() string { return string(p) }

// IsUnknownFilter reports whether [ExplainUnknown] may know more of an error.
func IsUnknownFilter(err error) bool {
	_, ok := errors.AsType[unknownFilter](err)
	return ok
}

// otherNames are what files, SDMX and other services call the parameters.
var otherNames = map[string]string{
	"geo": "country", "area": "country", "areas": "country", "ref_area": "country", "location": "country", "geo_iso": "country", "geo_iso3": "country", "countries": "country",
	"time": "period", "time_period": "period", "year": "period", "date": "period",
	"startperiod": "period_from", "start": "period_from", "from": "period_from", "since": "period_from", "period_start": "period_from",
	"endperiod": "period_to", "end": "period_to", "to": "period_to", "until": "period_to", "period_end": "period_to",
	"lastnobservations": "last_n", "firstnobservations": "first_n",
}

// unknown returns the error for a name that is no parameter of the form.
func (f *form) unknown(name string) error {
	if len(f.params) == 0 {
		return stat.Errorf(stat.Invalid, "unknown parameter %q; this address takes none", name)
	}
	if f.find("period_from") >= 0 {
		if err := optionOfFile(name); err != nil {
			return err
		}
	}
	var names, listed []string
	for i := range f.params {
		p := &f.params[i]
		if p.isHidden() {
			continue
		}
		names = append(names, p.Name)
		switch isOneOfMany := strings.Contains(p.Name, ".dim"); {
		case !isOneOfMany:
			listed = append(listed, p.Name)
		case p.dim == 0:
			listed = append(listed, p.Name+" …")
		}
	}
	similar, byPlace := f.hint(name, names), ""
	if similar == "" && f.find("dim1") >= 0 {
		byPlace = "; a dimension is named by its place, as in /api/datasets/{id}/dimensions: dim1 for the first"
	}
	message := fmt.Sprintf("unknown parameter %q%s; known parameters: %s%s", name, similar, strings.Join(listed, ", "), byPlace)
	if f.find("dim1") < 0 {
		return &stat.Error{Kind: stat.Invalid, Message: message}
	}
	return &stat.Error{Kind: stat.Invalid, Message: message, Err: unknownFilter(name)}
}

// hint returns the parameter that a name may mean, in parentheses, or nothing. Three letters are too
// few to be similar: sex is not sep.
func (f *form) hint(name string, known []string) string {
	const enough = 4
	if other := otherNames[strings.ToLower(name)]; other != "" && f.find(other) >= 0 {
		return fmt.Sprintf(" (did you mean %s?)", other)
	}
	if len(name) < enough {
		return ""
	}
	return didYouMean(name, known)
}

// ExplainUnknown returns the error of reading the parameters of a dataset. If a dimension has
// the name of an unknown parameter, the error says which parameter selects it.
func ExplainUnknown(err error, d *stat.Dataset) error {
	name, ok := errors.AsType[unknownFilter](err)
	if !ok {
		return err
	}
	for i, axis := range d.Axes() {
		if strings.EqualFold(axis.ID, string(name)) || strings.EqualFold(axis.Label, string(name)) {
			return stat.Errorf(stat.Invalid, "unknown parameter %q; dimension %s of dataset %d is selected with %s", string(name), axis.ID, d.ID, axisParam(d, i))
		}
	}
	return err
}
