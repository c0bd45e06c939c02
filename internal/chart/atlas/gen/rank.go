package main

import (
	"container/heap"
	"math"
)

// rank determines how much the outline would lose without each point: the area of the
// triangle with its neighbours, when the smallest is removed first (Visvalingam and
// Whyatt 1993). All maps are equal-area, so the rank applies to each of them. The rank of
// an area of s steradians is 4·(log2 s + 44), rounded to an integer. The ends of an arc,
// and two more points of an arc that is a ring, have rank keepAlways.
func (w *world) rank() {
	for i := range w.arcs {
		w.arcs[i].ranks = w.ranks(w.arcs[i].pts)
	}
}

const keepAlways = 255

func rankOf(steradians float64) byte {
	if steradians <= 0 {
		return 0
	}
	return byte(min(max(math.Round(4*(math.Log2(steradians)+44)), 0), keepAlways-1))
}

func (w *world) ranks(pts []pt) []byte {
	n := len(pts)
	ranks := make([]byte, n)
	ranks[0], ranks[n-1] = keepAlways, keepAlways
	vertices := make([]*vertex, n)
	for i, p := range pts {
		vertices[i] = &vertex{at: w.onSphere(p), index: i, before: i - 1, after: i + 1}
	}
	area := func(v *vertex) float64 { return triangle(vertices[v.before].at, v.at, vertices[v.after].at) }
	var queue byLoss
	for _, v := range vertices[1 : n-1] {
		v.loss, v.place = area(v), len(queue)
		queue = append(queue, v)
	}
	heap.Init(&queue)
	keep := 0
	if pts[0] == pts[n-1] {
		keep = 2
	}
	worst := 0.0
	for queue.Len() > keep {
		v := heap.Pop(&queue).(*vertex)
		worst = max(worst, v.loss)
		ranks[v.index] = rankOf(worst)
		vertices[v.before].after, vertices[v.after].before = v.after, v.before
		for _, i := range []int{v.before, v.after} {
			if i > 0 && i < n-1 {
				vertices[i].loss = area(vertices[i])
				heap.Fix(&queue, vertices[i].place)
			}
		}
	}
	for _, v := range queue {
		ranks[v.index] = keepAlways
	}
	return ranks
}

// vertex is a point of an arc that is being simplified.
type vertex struct {
	at                   [3]float64
	index, before, after int
	loss                 float64
	place                int // index in the queue
}

// byLoss is a priority queue: the smallest loss first, then the lowest position.
type byLoss []*vertex

func (q byLoss) Len() int { return len(q) }
func (q byLoss) Less(i, j int) bool {
	return q[i].loss < q[j].loss || q[i].loss == q[j].loss && q[i].index < q[j].index
}
func (q byLoss) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

// Push is required by heap.Interface but never called: points are only removed.
func (q *byLoss) Push(v any) { *q = append(*q, v.(*vertex)) }

// Pop removes the last element.
func (q *byLoss) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// onSphere returns the point on the sphere of radius 1.
func (w *world) onSphere(p pt) [3]float64 {
	lon, lat := w.degrees(p)
	lon, lat = lon*math.Pi/180, lat*math.Pi/180
	return [3]float64{math.Cos(lat) * math.Cos(lon), math.Cos(lat) * math.Sin(lon), math.Sin(lat)}
}

// triangle returns the area of the plane triangle between three points.
func triangle(a, b, c [3]float64) float64 {
	u := [3]float64{b[0] - a[0], b[1] - a[1], b[2] - a[2]}
	v := [3]float64{c[0] - a[0], c[1] - a[1], c[2] - a[2]}
	x, y, z := u[1]*v[2]-u[2]*v[1], u[2]*v[0]-u[0]*v[2], u[0]*v[1]-u[1]*v[0]
	return math.Sqrt(x*x+y*y+z*z) / 2
}
