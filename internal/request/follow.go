package request

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// MaxSelection bounds the body of a request to follow a dataset, in bytes.
const MaxSelection = 64 << 10

// ReadSelection reads the JSON body of a request to follow a dataset: dim1 … dim8 and
// country, each with strings that match like filters. The empty object is the whole
// dataset. The selection has codes in the order of the code list, each once. The error is
// [stat.Invalid] and names the field or value.
func ReadSelection(body []byte, v *store.Vintage) (stat.Selection, error) {
	const want = `a JSON object such as {"dim1": ["…"], "country": ["…"]}`
	members, err := readObject(body)
	if err != nil {
		return nil, stat.Errorf(stat.Invalid, "the body %s; it must be %s", err, want)
	}
	choices, err := choicesOf(members)
	if err != nil {
		return nil, stat.Errorf(stat.Invalid, "the body %s", err)
	}
	axes := v.Dataset.Axes()
	selection := stat.Selection{}
	for _, choice := range choices {
		axis, err := axisOf(v.Dataset, choice.Key)
		if err != nil {
			return nil, err
		}
		if selection[axes[axis].ID], err = codesOf(v, axis, choice.Values); err != nil {
			return nil, err
		}
	}
	return selection, nil
}

func codesOf(v *store.Vintage, axis int, values []string) ([]string, error) {
	var found []int32
	var unknown []Notice
	// A few at a time, because no error needs to list thousands of unknown values.
	for few := range slices.Chunk(values, maxSuggested) {
		var here []int32
		here, unknown = positions(v, axis, few, unknown)
		found = append(found, here...)
		if len(unknown) > 0 {
			return nil, stat.Errorf(stat.Invalid, "%s", JoinNotices(unknown))
		}
	}
	slices.Sort(found)
	var codes []string
	for _, pos := range slices.Compact(found) {
		codes = append(codes, v.Dataset.Axes()[axis].Codes[pos].ID)
	}
	return codes, nil
}

// axisOf returns the axis that a field of a selection means.
func axisOf(d *stat.Dataset, field string) (axis int, err error) {
	dims := len(d.Dimensions)
	if field == "country" {
		return dims, nil
	}
	if i, ok := dimensionOf(field); ok {
		if i >= dims {
			return 0, errNoDimension(d, "", i)
		}
		return i, nil
	}
	fields := make([]string, dims+1)
	var names []string // of each axis: field, id and label
	for i, axis := range d.Axes() {
		fields[i] = axisParam(d, i)
		names = append(names, fields[i], axis.ID, axis.Label)
	}
	hint := ""
	if near := stat.Nearest(field, names); len(near) > 0 {
		hint = fmt.Sprintf(" (did you mean %s?)", fields[slices.Index(names, near[0])/3]) // three names an axis
	}
	return 0, stat.Errorf(stat.Invalid, "unknown field %.60q in the body%s; known fields: %s", field, hint, strings.Join(fields, ", "))
}

// followedParam is the parameter in notices about followed selections.
const followedParam = "followed"

// Restrict narrows a query to what an organisation follows of a dataset. Followed codes
// and axes that the dataset no longer has select nothing, not the whole axis, and are
// returned as notices.
func Restrict(v *store.Vintage, q stat.Query, followed stat.Selection) (stat.Query, []Notice) {
	if len(followed) == 0 {
		return q, nil
	}
	axes := v.Dataset.Axes()
	var notices []Notice
	restricted := make([][]int32, len(axes))
	copy(restricted, q.Select)
	for axis, dim := range axes {
		ids, isChosen := followed[dim.ID]
		if !isChosen {
			continue
		}
		var codes []int32
		codes, notices = followedCodes(v, axis, ids, notices)
		if wanted := restricted[axis]; wanted != nil {
			codes = slices.DeleteFunc(codes, func(code int32) bool {
				_, isWanted := slices.BinarySearch(wanted, code)
				return !isWanted
			})
		}
		restricted[axis] = codes
	}
	for _, id := range missingAxes(axes, followed) {
		notices = append(notices, NewNotice(followedParam, id, fmt.Sprintf("the organisation follows %s of dimension %q, which the dataset no longer has; nothing is selected", quoteSome(followed[id]), id)))
		restricted[len(axes)-1] = []int32{}
	}
	q.Select = restricted
	return q, notices
}

// followedCodes returns the positions of followed codes on an axis, ascending and
// without duplicates, and adds a notice for each that is gone.
func followedCodes(v *store.Vintage, axis int, ids []string, notices []Notice) ([]int32, []Notice) {
	codes := make([]int32, 0, len(ids))
	for _, id := range ids {
		if pos, ok := v.Position(axis, id); ok {
			codes = append(codes, pos)
			continue
		}
		notices = append(notices, NewNotice(followedParam, id, fmt.Sprintf("the organisation follows %q of %s (%s), which the dataset no longer has", id, v.Dataset.Axes()[axis].Label, axisParam(v.Dataset, axis))))
	}
	if len(ids) == 0 {
		notices = append(notices, unfollowedNotice(v.Dataset))
	}
	slices.Sort(codes)
	return slices.Compact(codes), notices
}

// missingAxes returns the ids in a selection that are not ids of the axes, sorted.
func missingAxes(axes []*stat.Dimension, followed stat.Selection) []string {
	left := maps.Clone(followed)
	for _, axis := range axes {
		delete(left, axis.ID)
	}
	return slices.Sorted(maps.Keys(left))
}

// quoteSome quotes the first codes for a notice; a selection may have thousands.
func quoteSome(ids []string) string {
	const maxQuoted = 10
	var quoted []string
	for _, id := range ids[:min(len(ids), maxQuoted)] {
		quoted = append(quoted, strconv.Quote(id))
	}
	text := strings.Join(quoted, ", ")
	if more := len(ids) - maxQuoted; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Unfollowed returns the selection of an organisation that does not follow the dataset:
// nothing, with a notice of [Restrict].
func Unfollowed(v *store.Vintage) stat.Selection {
	return stat.Selection{v.Dataset.Geography.ID: {}}
}

func unfollowedNotice(d *stat.Dataset) Notice {
	return NewNotice(followedParam, "true", fmt.Sprintf("the organisation does not follow dataset %d", d.ID))
}

// HasData reports whether a followed selection has any observation with a value.
func HasData(ctx context.Context, v *store.Vintage, followed stat.Selection) (bool, error) {
	q, _ := Restrict(v, stat.Query{}, followed)
	if q.Select == nil || v.Oldest.IsZero() {
		return !v.Oldest.IsZero(), nil
	}
	if slices.ContainsFunc(q.Select, func(codes []int32) bool { return codes != nil && len(codes) == 0 }) {
		return false, nil
	}
	extract, err := v.Select(ctx, q)
	if err != nil {
		return false, err
	}
	for _, err := range extract.Blocks {
		return err == nil, err
	}
	return false, nil
}

// Part is the part of a selection on one axis.
type Part struct {
	// Param is dim1 … dim8 or country, or the source's id for an axis that the dataset
	// no longer has.
	Param  string
	Codes  []string // as followed
	Labels []string // of the codes, as the dataset has them now; the code itself if it is gone
}

// DescribeSelection returns the parts of a selection: on the axes of the dataset in
// order, then on axes that are gone, by id. For a removed dataset, v is nil.
func DescribeSelection(v *store.Vintage, followed stat.Selection) []Part {
	var axes []*stat.Dimension
	if v != nil {
		axes = v.Dataset.Axes()
	}
	var parts []Part
	for i, axis := range axes {
		ids, isChosen := followed[axis.ID]
		if !isChosen {
			continue
		}
		part := Part{Param: axisParam(v.Dataset, i), Codes: slices.Clone(ids), Labels: slices.Clone(ids)}
		for at, id := range ids {
			if pos, ok := v.Position(i, id); ok {
				part.Labels[at] = axis.Codes[pos].Label
			}
		}
		parts = append(parts, part)
	}
	for _, id := range missingAxes(axes, followed) {
		part := Part{Param: id, Codes: slices.Clone(followed[id]), Labels: slices.Clone(followed[id])}
		if _, ok := dimensionOf(id); ok || id == "country" {
			part.Param += " (gone)" // else it would look like a field of the selection
		}
		parts = append(parts, part)
	}
	return parts
}
