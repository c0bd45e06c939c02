package main

import (
	"encoding/binary"
	"math"
)

// encode returns the file's contents in the format described in file.go of package
// atlas.
func (w *world) encode() []byte {
	var b []byte
	for _, f := range []float64{w.scale[0], w.scale[1], w.shift[0], w.shift[1]} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	}
	b = binary.AppendUvarint(b, uint64(len(w.arcs)))
	for _, a := range w.arcs {
		mark := uint64(0)
		if a.disputed {
			mark = 1
		}
		b = binary.AppendUvarint(b, uint64(len(a.pts))<<1|mark)
	}
	b = w.encodePoints(b, func(p pt) int { return p.x })
	b = w.encodePoints(b, func(p pt) int { return p.y })
	for _, a := range w.arcs {
		b = append(b, a.ranks...)
	}
	b = binary.AppendUvarint(b, uint64(len(w.areas)))
	for _, a := range w.areas {
		b = binary.AppendUvarint(b, uint64(len(a.id)))
		b = append(b, a.id...)
		b = binary.AppendUvarint(b, uint64(len(a.polygons)))
		for _, p := range a.polygons {
			b = binary.AppendUvarint(b, uint64(len(p)))
			for _, r := range p {
				b = binary.AppendUvarint(b, uint64(len(r)))
				for _, ref := range r {
					b = binary.AppendVarint(b, int64(ref))
				}
			}
		}
	}
	return b
}

// encodePoints writes one coordinate of all points, each relative to the previous
// point.
func (w *world) encodePoints(b []byte, coordinate func(pt) int) []byte {
	last := 0
	for _, a := range w.arcs {
		for _, p := range a.pts {
			b = binary.AppendVarint(b, int64(coordinate(p)-last))
			last = coordinate(p)
		}
	}
	return b
}
