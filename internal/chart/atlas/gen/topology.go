package main

import (
	"encoding/json"
	"fmt"
)

// pt is a point on the file's grid: longitude and latitude in steps.
type pt struct{ x, y int }

// arc is a complete ring, or a line between two points where three areas, or areas and
// the sea, meet. Neighbouring areas share it.
type arc struct {
	pts      []pt
	ranks    []byte // of pts, see topology.Ranks
	disputed bool
}

// ring is a closed line: arc numbers, ^number if the arc runs backwards.
type ring []int

// polygon is an outer ring and its holes.
type polygon []ring

// area is a country or territory.
type area struct {
	id       string // as in package geo
	polygons []polygon
}

// world holds the data from the source and the areas made from it.
type world struct {
	scale, shift [2]float64 // from steps to degrees: step × scale + shift
	arcs         []arc
	shapes       []shape // as in the source
	areas        []*area // by ID
}

// shape is an outline from the source.
type shape struct {
	number, alpha3, name string
	polygons             []polygon
}

// readTopology reads a TopoJSON file: quantised arcs and the geometries of its object
// "countries".
func readTopology(data []byte) (*world, error) {
	var file struct {
		Transform struct{ Scale, Translate [2]float64 }
		Arcs      [][][2]int
		Objects   map[string]struct {
			Geometries []struct {
				Type       string
				ID         string
				Properties struct{ Name, A3 string }
				Arcs       json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	w := &world{scale: file.Transform.Scale, shift: file.Transform.Translate}
	for _, deltas := range file.Arcs {
		var a arc
		var at pt
		for _, d := range deltas {
			at.x += d[0]
			at.y += d[1]
			a.pts = append(a.pts, at)
		}
		w.arcs = append(w.arcs, a)
	}
	for _, g := range file.Objects["countries"].Geometries {
		s := shape{number: g.ID, alpha3: g.Properties.A3, name: g.Properties.Name}
		var err error
		switch g.Type {
		case "Polygon":
			s.polygons = make([]polygon, 1)
			err = json.Unmarshal(g.Arcs, &s.polygons[0])
		case "MultiPolygon":
			err = json.Unmarshal(g.Arcs, &s.polygons)
		default:
			err = fmt.Errorf("unsupported geometry type %s", g.Type)
		}
		if err != nil {
			return nil, fmt.Errorf("shape %s: %w", s.name, err)
		}
		w.shapes = append(w.shapes, s)
	}
	return w, nil
}

// degrees returns the longitude and latitude of a point.
func (w *world) degrees(p pt) (lon, lat float64) {
	return float64(p.x)*w.scale[0] + w.shift[0], float64(p.y)*w.scale[1] + w.shift[1]
}

// arcPoints returns the points of an arc in the direction of the reference.
func (w *world) arcPoints(ref int) []pt {
	if ref >= 0 {
		return w.arcs[ref].pts
	}
	pts := w.arcs[^ref].pts
	back := make([]pt, len(pts))
	for i, p := range pts {
		back[len(pts)-1-i] = p
	}
	return back
}

// ringPoints returns the points of a ring without repeating the first one.
func (w *world) ringPoints(r ring) []pt {
	var pts []pt
	for _, ref := range r {
		p := w.arcPoints(ref)
		pts = append(pts, p[:len(p)-1]...)
	}
	return pts
}

func (w *world) points() int {
	n := 0
	for _, a := range w.arcs {
		n += len(a.pts)
	}
	return n
}
