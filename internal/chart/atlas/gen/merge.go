package main

import (
	"fmt"
	"slices"
)

// mergeParts removes lines inside an area, between parts that are separate shapes in
// the source, such as Somalia and Somaliland.
func (w *world) mergeParts() error {
	for _, a := range w.areas {
		used := map[int]bool{}
		for _, p := range a.polygons {
			for _, r := range p {
				for _, ref := range r {
					used[ref] = true
				}
			}
		}
		inner := func(ref int) bool { return used[ref] && used[^ref] }
		hasInner := func(p polygon) bool {
			return slices.ContainsFunc(p, func(r ring) bool { return slices.ContainsFunc(r, inner) })
		}
		var merged, apart []polygon
		for _, p := range a.polygons {
			if hasInner(p) {
				merged = append(merged, p)
			} else {
				apart = append(apart, p)
			}
		}
		if len(merged) == 0 {
			continue
		}
		joined, err := w.join(merged, inner)
		if err != nil {
			return fmt.Errorf("merge the parts of %s: %w", a.id, err)
		}
		a.polygons = append(apart, joined)
	}
	return nil
}

// join joins polygons that meet along inner arcs to one ring.
func (w *world) join(parts []polygon, inner func(int) bool) (polygon, error) {
	from := map[pt]int{} // arc by its first point
	count := 0
	for _, p := range parts {
		if len(p) > 1 {
			return nil, fmt.Errorf("a polygon has a hole, which is not supported")
		}
		for _, ref := range p[0] {
			if !inner(ref) {
				from[w.arcPoints(ref)[0]] = ref
				count++
			}
		}
	}
	var joined ring
	at := w.arcPoints(lowestArc(from))[0]
	for range count {
		ref, ok := from[at]
		if !ok {
			break
		}
		joined = append(joined, ref)
		delete(from, at)
		pts := w.arcPoints(ref)
		at = pts[len(pts)-1]
	}
	if len(joined) != count {
		return nil, fmt.Errorf("only %d of %d arcs form a ring", len(joined), count)
	}
	return polygon{joined}, nil
}

// lowestArc returns the lowest number, so that the same input gives the same file.
func lowestArc(from map[pt]int) int {
	least, first := 0, true
	for _, ref := range from {
		if first || ref < least {
			least, first = ref, false
		}
	}
	return least
}

// prune removes arcs that no area uses.
func (w *world) prune() {
	var arcs []arc
	number := make([]int, len(w.arcs))
	for i, owners := range w.owners() {
		if len(owners) > 0 {
			number[i] = len(arcs)
			arcs = append(arcs, w.arcs[i])
		}
	}
	w.arcs = arcs
	for _, a := range w.areas {
		for _, p := range a.polygons {
			for _, r := range p {
				for i, ref := range r {
					if ref >= 0 {
						r[i] = number[ref]
					} else {
						r[i] = ^number[^ref]
					}
				}
			}
		}
	}
}
