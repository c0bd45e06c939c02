package chart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// nameSeries returns a function that names what distinguishes a series from those of the
// other parts, as far as its area does not: the first of the ways by which all names differ.
func (j *joined) nameSeries() func(*part, *dataSeries) string {
	ways := []func(*part) string{
		func(*part) string { return "" },
		j.sourceOf,
		j.ownValues,
		func(p *part) string { return p.caption.Title },
		func(p *part) string { return p.dataset.Code },
		func(p *part) string { return p.dataset.Code + ", " + strings.Join(p.own, ", ") },
		func(p *part) string { return fmt.Sprintf("%s (%d)", p.dataset.Code, slices.Index(j.parts, p)+1) },
	}
	for i, way := range ways {
		name := func(p *part, s *dataSeries) string {
			return strings.Trim(way(p)+", "+p.shown().dims(s.key, p.distinctAxes), ", ")
		}
		if i == len(ways)-1 || j.isDistinct(name) {
			j.addNotes(i, way)
			return name
		}
	}
	return nil // not reached
}

// localSource is the source of files whose office is unknown. Its name says nothing.
const localSource = "local"

// sourceOf returns the name of the source of a part; empty if not all parts have one.
func (j *joined) sourceOf(p *part) string {
	if slices.ContainsFunc(j.parts, func(p *part) bool { return p.dataset.Source.ID == localSource }) {
		return ""
	}
	return p.language.Office(p.dataset.Source.Name)
}

// ownValues returns what a part shows and other parts do not: of one dataset, the values of
// the dimensions in which they differ.
func (j *joined) ownValues(p *part) string {
	key := p.series[0].key
	var values []string
	for axis := range key {
		isOther := func(q *part) bool { return q.dataset.ID == p.dataset.ID && q.series[0].key[axis] != key[axis] }
		if slices.ContainsFunc(j.parts, isOther) && !slices.Contains(p.distinctAxes, axis) {
			values = append(values, p.codeLabel(axis, key[axis]))
		}
	}
	if values == nil {
		values = p.own
	}
	return strings.Join(values, ", ")
}

// isDistinct reports whether names and areas tell the series of different parts apart. Either
// all have a name beside the area, or none.
func (j *joined) isDistinct(name func(*part, *dataSeries) string) bool {
	owner := map[string]*part{}
	named, all := 0, 0
	for _, p := range j.parts {
		for _, s := range p.series {
			text := name(p, s)
			if all++; text != "" {
				named++
			}
			id := j.areaID(p, s.area) + "\n" + text
			if before := owner[id]; before != nil && before != p {
				return false
			}
			owner[id] = p
		}
	}
	return named == 0 || named == all
}

// addNotes says what each part shows beyond the names of its series, which are made in one
// of the ways of nameSeries.
func (j *joined) addNotes(way int, name func(*part) string) {
	for _, p := range j.parts {
		var says []string
		if title := p.caption.Title; title != j.caption.Title && title != name(p) {
			says = append(says, title)
		}
		if own := strings.Join(p.own, ", "); own != "" && !strings.HasSuffix(name(p), own) {
			says = append(says, own)
		}
		if says == nil {
			continue
		}
		who := cmp.Or(name(p), p.language.Office(p.dataset.Source.Name)+", "+p.dataset.Code)
		j.notes = append(j.notes, who+": "+strings.Join(says, ", ")+".")
	}
}
