package main

import "slices"

// line is a disputed border, or the disputed part of one.
type line struct {
	a, b string
	// The bounds of the part in degrees. All zero means the whole border.
	west, south, east, north float64
}

// disputed lists the borders that the maps of the United Nations draw as dashed lines or
// annotate, if the source has a line for them.
var disputed = []line{
	{a: "EH", b: "MA"}, // Western Sahara is a non-self-governing territory; Morocco claims it
	{a: "RS", b: "XK"}, // Kosovo: Security Council resolution 1244 (1999)
	{a: "IL", b: "PS"}, // Palestine: its borders are subject to negotiation
	{a: "IL", b: "SY"}, // the line of 1974 east of the Golan, which the UN regards as Syrian; the source does not have the line of 1967
	{a: "SD", b: "SS"}, // the final boundary of 2011 is not determined, in particular around Abyei
	// Jammu and Kashmir: the line of control, and the parts held by China.
	{a: "IN", b: "PK", west: 73.5, south: 32.6, east: 81, north: 37.5},
	{a: "CN", b: "IN", west: 73.5, south: 32.4, east: 81, north: 37.5},
	{a: "CN", b: "IN", west: 91, south: 26, east: 98, north: 30}, // Arunachal Pradesh
}

func (d line) covers(lon, lat float64) bool {
	whole := d.west == d.east
	return whole || lon >= d.west && lon <= d.east && lat >= d.south && lat <= d.north
}

// splitDisputed splits arcs where a disputed part of a border begins or ends, and marks
// those parts.
func (w *world) splitDisputed() {
	owners := w.owners()
	into := map[int][]int{} // the arcs that each arc was split into
	for i := range w.arcs {
		var lines []line
		for _, d := range disputed {
			if slices.Equal(owners[i], []string{d.a, d.b}) {
				lines = append(lines, d)
			}
		}
		if len(lines) > 0 {
			into[i] = w.split(i, lines)
		}
	}
	for _, a := range w.areas {
		for _, p := range a.polygons {
			for i, r := range p {
				p[i] = replace(r, into)
			}
		}
	}
}

// owners returns the areas on both sides of each arc, by ID.
func (w *world) owners() [][]string {
	owners := make([][]string, len(w.arcs))
	for _, a := range w.areas {
		for _, p := range a.polygons {
			for _, r := range p {
				for _, ref := range r {
					owners[max(ref, ^ref)] = append(owners[max(ref, ^ref)], a.id)
				}
			}
		}
	}
	return owners
}

// split splits an arc into runs that the lines cover and runs that they do not, and
// returns their numbers in order. The first run keeps the arc's number.
func (w *world) split(number int, lines []line) []int {
	pts := w.arcs[number].pts
	covered := func(i int) bool { // the edge from i to i+1
		lon1, lat1 := w.degrees(pts[i])
		lon2, lat2 := w.degrees(pts[i+1])
		return slices.ContainsFunc(lines, func(d line) bool { return d.covers((lon1+lon2)/2, (lat1+lat2)/2) })
	}
	var runs []int
	for from := 0; from < len(pts)-1; {
		to := from + 1
		for to < len(pts)-1 && covered(to) == covered(from) {
			to++
		}
		run := arc{pts: pts[from : to+1 : to+1], disputed: covered(from)}
		if from == 0 {
			w.arcs[number] = run
			runs = append(runs, number)
		} else {
			w.arcs = append(w.arcs, run)
			runs = append(runs, len(w.arcs)-1)
		}
		from = to
	}
	return runs
}

// replace replaces the arcs of a ring by their runs, in the ring's direction.
func replace(r ring, into map[int][]int) ring {
	var out ring
	for _, ref := range r {
		runs, cut := into[max(ref, ^ref)]
		switch {
		case !cut:
			out = append(out, ref)
		case ref >= 0:
			out = append(out, runs...)
		default:
			for _, run := range slices.Backward(runs) {
				out = append(out, ^run)
			}
		}
	}
	return out
}
