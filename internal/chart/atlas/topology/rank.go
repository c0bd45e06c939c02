package topology

import (
	"container/heap"
	"math"

	"almanac/internal/chart/scene"
)

// KeepAlways is the rank of points that simplification must keep.
const KeepAlways = 255

// RankOf returns the rank of a point without which an outline on the sphere of radius 1
// loses the given area.
func RankOf(steradians float64) byte {
	if steradians <= 0 {
		return 0
	}
	return byte(min(max(math.Round(4*(math.Log2(steradians)+44)), 0), KeepAlways-1))
}

// Rank sets how much the outline would lose without each point: the area of the triangle
// with its neighbours, when the smallest is removed first (Visvalingam and Whyatt 1993).
// All maps are equal-area, so the rank applies to each of them. The rank of an area of s
// steradians is 4·(log2 s + 44), rounded to an integer. The ends of an arc, and two more
// points of an arc that is a ring, have rank KeepAlways.
func (t *Topology) Rank() {
	for i := range t.Arcs {
		t.Arcs[i].Ranks = Ranks(t.Arcs[i].Points)
	}
}

// Ranks returns the ranks of the points of one arc.
func Ranks(points []scene.Point) []byte {
	n := len(points)
	ranks := make([]byte, n)
	ranks[0], ranks[n-1] = KeepAlways, KeepAlways
	all := make([]candidate, n)
	for i, p := range points {
		all[i] = candidate{at: onSphere(p), index: i, before: i - 1, after: i + 1}
	}
	area := func(c *candidate) float64 { return triangle(all[c.before].at, c.at, all[c.after].at) }
	var queue byLoss
	for i := 1; i < n-1; i++ {
		c := &all[i]
		c.loss, c.place = area(c), len(queue)
		queue = append(queue, c)
	}
	heap.Init(&queue)
	keep := 0
	if points[0] == points[n-1] {
		keep = 2
	}
	worst := 0.0
	for queue.Len() > keep {
		c := heap.Pop(&queue).(*candidate)
		worst = max(worst, c.loss)
		ranks[c.index] = RankOf(worst)
		all[c.before].after, all[c.after].before = c.after, c.before
		for _, i := range []int{c.before, c.after} {
			if i > 0 && i < n-1 {
				all[i].loss = area(&all[i])
				heap.Fix(&queue, all[i].place)
			}
		}
	}
	for _, c := range queue {
		ranks[c.index] = KeepAlways
	}
	return ranks
}

// candidate is a point of an arc that is being simplified.
type candidate struct {
	at                   [3]float64
	index, before, after int
	loss                 float64
	place                int // index in the queue
}

// byLoss is a priority queue: the smallest loss first, then the lowest position.
type byLoss []*candidate

func (q byLoss) Len() int { return len(q) }
func (q byLoss) Less(i, j int) bool {
	return q[i].loss < q[j].loss || q[i].loss == q[j].loss && q[i].index < q[j].index
}
func (q byLoss) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

// Push is required by heap.Interface but never called: points are only removed.
func (q *byLoss) Push(v any) { *q = append(*q, v.(*candidate)) }

// Pop removes the last element.
func (q *byLoss) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// onSphere returns the point on the sphere of radius 1.
func onSphere(p scene.Point) [3]float64 {
	lon, lat := p.X*math.Pi/180, p.Y*math.Pi/180
	return [3]float64{math.Cos(lat) * math.Cos(lon), math.Cos(lat) * math.Sin(lon), math.Sin(lat)}
}

// triangle returns the area of the plane triangle between three points.
func triangle(a, b, c [3]float64) float64 {
	u := [3]float64{b[0] - a[0], b[1] - a[1], b[2] - a[2]}
	v := [3]float64{c[0] - a[0], c[1] - a[1], c[2] - a[2]}
	x, y, z := u[1]*v[2]-u[2]*v[1], u[2]*v[0]-u[0]*v[2], u[0]*v[1]-u[1]*v[0]
	return math.Sqrt(x*x+y*y+z*z) / 2
}
