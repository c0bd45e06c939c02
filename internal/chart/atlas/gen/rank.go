package main

import (
	"almanac/internal/chart/atlas/topology"
	"almanac/internal/chart/scene"
)

// rank sets the ranks of all points.
func (w *world) rank() {
	for i, a := range w.arcs {
		points := make([]scene.Point, len(a.pts))
		for j, p := range a.pts {
			points[j].X, points[j].Y = w.degrees(p)
		}
		w.arcs[i].ranks = topology.Ranks(points)
	}
}
