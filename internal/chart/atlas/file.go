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
)

// The outlines are in world.bin and the folder sets, whose files package gen makes. A file
// is one DEFLATE stream (RFC 1951). Numbers are varints of
// encoding/binary, u unsigned and s signed:
//
//	4 × float64, little endian    degrees of a step east and north; where steps begin
//	u                             number of arcs
//	u for each arc                points × 2, plus 1 if the border is disputed
//	s for each point              steps east from the previous point, over all arcs
//	s for each point              steps north, likewise
//	byte for each point           its rank
//	u                             number of areas
//	for each area                 u length of its ID and the ID; u polygons; in each u
//	                              rings; in each u arcs; each s its number, or ^number
//	                              if it runs backwards. The first ring is the outer one.
//
// An arc is a line that one or two areas have, so that neighbours still fit together
// after simplification. The rank of a point says how much area the outline would lose
// without it: 4·(log₂ s + 44) for an area of s on the sphere of radius 1, or 255 if the
// point must be kept.
//
//go:embed world.bin
var packed []byte

// outlines are the arcs and areas of a set, on the sphere.
type outlines struct {
	arcs  []arc
	areas []area // sorted by ID

	indexed sync.Once
	index   map[string]int // of areas, by ID
}

// arc is a line. The X of its points is the longitude and the Y the latitude, in
// degrees.
type arc struct {
	places   []scene.Point
	ranks    []byte // of the places
	disputed bool
	owners   []int // the areas that have it: two for a border, one for a coast
}

// area is a country or territory, or a part of one.
type area struct {
	id       string
	polygons []polygon
}

// polygon is an outer ring and its holes. A ring is a list of arc numbers, ^number if
// the arc runs backwards.
type polygon [][]int

// theWorld reads the embedded outlines on first use.
var theWorld = sync.OnceValue(func() *outlines {
	return unpack("world.bin", packed)
})

// unpack reads an embedded file.
func unpack(name string, packed []byte) *outlines {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		panic("atlas: unpack embedded " + name + ": " + err.Error())
	}
	o, err := readOutlines(data)
	if err != nil {
		panic("atlas: read embedded " + name + ": " + err.Error())
	}
	return o
}

var errTruncated = errors.New("unexpected end of data")

func readOutlines(data []byte) (*outlines, error) {
	r := &reader{data: data}
	w := &outlines{}
	w.readArcs(r)
	w.readAreas(r)
	if r.err == nil && len(r.data) > 0 {
		r.err = fmt.Errorf("%d bytes after the last area", len(r.data))
	}
	return w, r.err
}

func (o *outlines) readArcs(r *reader) {
	scale := scene.Point{X: r.float(), Y: r.float()}
	shift := scene.Point{X: r.float(), Y: r.float()}
	total := 0
	for range r.count() {
		n := r.count()
		o.arcs = append(o.arcs, arc{disputed: n&1 == 1, places: make([]scene.Point, n>>1)})
		if n>>1 < 2 {
			r.fail(fmt.Errorf("arc %d has %d places, want at least 2", len(o.arcs)-1, n>>1))
			return
		}
		total += n >> 1
	}
	x, y := 0, 0
	for _, a := range o.arcs {
		for j := range a.places {
			x += r.signed()
			a.places[j].X = float64(x)*scale.X + shift.X
		}
	}
	for _, a := range o.arcs {
		for j := range a.places {
			y += r.signed()
			a.places[j].Y = float64(y)*scale.Y + shift.Y
		}
	}
	ranks := r.take(total)
	if r.err != nil {
		return
	}
	for i, a := range o.arcs {
		n := len(a.places)
		o.arcs[i].ranks, ranks = ranks[:n:n], ranks[n:]
	}
}

func (o *outlines) readAreas(r *reader) {
	for range r.count() {
		a := area{id: string(r.take(r.count()))}
		for range r.count() {
			var p polygon
			for range r.count() {
				p = append(p, o.readRing(r, len(o.areas)))
			}
			a.polygons = append(a.polygons, p)
		}
		o.areas = append(o.areas, a)
	}
}

func (o *outlines) readRing(r *reader, owner int) []int {
	var ring []int
	for range r.count() {
		ref := r.signed()
		number := max(ref, ^ref)
		if number >= len(o.arcs) {
			r.fail(fmt.Errorf("unknown arc %d", number))
			return nil
		}
		ring = append(ring, ref)
		o.arcs[number].owners = append(o.arcs[number].owners, owner)
	}
	return ring
}

// reader reads numbers from data. After the first error all numbers are 0.
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
		r.fail(errTruncated)
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

// count reads the number of elements that follow, each at least one byte long, or twice
// that number plus one.
func (r *reader) count() int {
	v, n := binary.Uvarint(r.data)
	if n <= 0 || v/2 > uint64(len(r.data)) {
		r.fail(errTruncated)
		return 0
	}
	r.data = r.data[n:]
	return int(v)
}

func (r *reader) signed() int {
	v, n := binary.Varint(r.data)
	if n <= 0 {
		r.fail(errTruncated)
		return 0
	}
	r.data = r.data[n:]
	return int(v)
}
