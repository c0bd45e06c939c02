package stat

import (
	"cmp"
	"slices"
)

// SourceOrder returns the positions of [Dataset.Axes] in the source's order, with
// the geography at GeographyAt.
func (d *Dataset) SourceOrder() []int {
	order := make([]int, len(d.Dimensions))
	for i := range order {
		order[i] = i
	}
	return slices.Insert(order, min(d.GeographyAt, len(order)), len(order))
}

// WholeOrder returns the positions of [Dataset.Axes], and after them those of Fixed, in the
// source's order. Fixed dimensions without a place come last.
func (d *Dataset) WholeOrder() []int {
	order := d.SourceOrder()
	axes := len(order)
	byPlace := make([]int, len(d.Fixed))
	for i := range byPlace {
		byPlace[i] = i
	}
	slices.SortStableFunc(byPlace, func(a, b int) int { return cmp.Compare(d.Fixed[a].Place, d.Fixed[b].Place) })
	for _, i := range byPlace {
		at := len(order)
		if place := d.Fixed[i].Place; place > 0 {
			at = min(place-1, at)
		}
		order = slices.Insert(order, at, axes+i)
	}
	return order
}
