package atlas

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"almanac/internal/chart/scene"
	"almanac/internal/geo"
)

// The outlines stand in world.bin, which package gen makes from Natural Earth's
// 1:50m data. It is one stream of DEFLATE (RFC 1951). Numbers are varints of
// encoding/binary, u unsigned and s signed:
//
//	4 × float64, little endian    degrees of a step east and north; where steps begin
//	u                             how many arcs
//	u for each arc                places × 2, and 1 more if the border is disputed
//	s for each place              steps east from the place before it, in all arcs
//	s for each place              steps north, likewise
//	byte for each place           its rank
//	u                             how many areas
//	for each area                 two letters; u polygons; in each u rings; in each
//	                              u arcs; each s its number, or ^number if it runs
//	                              backwards. The first ring is the outer one.
//
// An arc is a line that at most two areas have in common, so that neighbours
// fit after simplification as before. The rank of a place says how much the
// outline would lose without it: 4·(log₂ s + 44) for an area of s on the sphere
// of radius 1, or 255 if it always stays.
//
//go:embed world.bin
var packed []byte

// world is all outlines, on the sphere.
type world struct {
	arcs  []arc
	areas []area
}

// arc is a line. Its places are points with the longitude as X and the
// latitude as Y, in degrees.
type arc struct {
	places   []scene.Point
	ranks    []byte // beside places
	disputed bool
	owners   []int // the areas that have it, one for a coast
}

// area is a country or territory.
type area struct {
	id, name string
	polygons []polygon
}

// polygon is an outer ring and the holes in it; a ring is arcs by number,
// ^number where they run backwards.
type polygon [][]int

// theWorld reads the embedded outlines when they are first needed.
var theWorld = sync.OnceValue(func() *world {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		panic("atlas: unpacking the embedded file world.bin: " + err.Error())
	}
	w, err := readWorld(data)
	if err != nil {
		panic("atlas: reading the embedded file world.bin: " + err.Error())
	}
	return w
})

var errCut = errors.New("it ends too early")

func readWorld(data []byte) (*world, error) {
	r := &reader{data: data}
	w := &world{}
	w.readArcs(r)
	w.readAreas(r)
	if r.err == nil && len(r.data) > 0 {
		r.err = fmt.Errorf("%d bytes too many", len(r.data))
	}
	return w, r.err
}

func (w *world) readArcs(r *reader) {
	scale := scene.Point{X: r.float(), Y: r.float()}
	shift := scene.Point{X: r.float(), Y: r.float()}
	total := 0
	for range r.count() {
		n := r.count()
		w.arcs = append(w.arcs, arc{disputed: n&1 == 1, places: make([]scene.Point, n>>1)})
		if n>>1 < 2 {
			r.fail(fmt.Errorf("arc %d has %d places, want at least 2", len(w.arcs)-1, n>>1))
			return
		}
		total += n >> 1
	}
	x, y := 0, 0
	for _, a := range w.arcs {
		for j := range a.places {
			x += r.signed()
			a.places[j].X = float64(x)*scale.X + shift.X
		}
	}
	for _, a := range w.arcs {
		for j := range a.places {
			y += r.signed()
			a.places[j].Y = float64(y)*scale.Y + shift.Y
		}
	}
	ranks := r.take(total)
	if r.err != nil {
		return
	}
	for i, a := range w.arcs {
		n := len(a.places)
		w.arcs[i].ranks, ranks = ranks[:n:n], ranks[n:]
	}
}

func (w *world) readAreas(r *reader) {
	for range r.count() {
		a := area{id: string(r.take(2))}
		if known, ok := geo.Find(a.id); ok {
			a.name = known.Name
		}
		for range r.count() {
			var p polygon
			for range r.count() {
				p = append(p, w.readRing(r, len(w.areas)))
			}
			a.polygons = append(a.polygons, p)
		}
		w.areas = append(w.areas, a)
	}
}

func (w *world) readRing(r *reader, owner int) []int {
	var ring []int
	for range r.count() {
		ref := r.signed()
		number := max(ref, ^ref)
		if number >= len(w.arcs) {
			r.fail(fmt.Errorf("there is no arc %d", number))
			return nil
		}
		ring = append(ring, ref)
		w.arcs[number].owners = append(w.arcs[number].owners, owner)
	}
	return ring
}

// reader takes numbers from data. After the first error all are 0.
type reader struct {
	data []byte
	err  error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.data = nil
}

func (r *reader) take(n int) []byte {
	if n > len(r.data) {
		r.fail(errCut)
		return nil
	}
	taken := r.data[:n:n]
	r.data = r.data[n:]
	return taken
}

func (r *reader) float() float64 {
	if b := r.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

// count is a number of things that follow, each in a byte or more, or twice
// their number and one.
func (r *reader) count() int {
	v, n := binary.Uvarint(r.data)
	if n <= 0 || v/2 > uint64(len(r.data)) {
		r.fail(errCut)
		return 0
	}
	r.data = r.data[n:]
	return int(v)
}

func (r *reader) signed() int {
	v, n := binary.Varint(r.data)
	if n <= 0 {
		r.fail(errCut)
		return 0
	}
	r.data = r.data[n:]
	return int(v)
}
