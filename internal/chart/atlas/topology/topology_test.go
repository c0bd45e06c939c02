package topology

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart/scene"
)

func pts(xy ...float64) (ring []scene.Point) {
	for i := 0; i < len(xy); i += 2 {
		ring = append(ring, scene.Point{X: xy[i], Y: xy[i+1]})
	}
	return ring
}

// Neighbours share one arc, and the coast of each is another.
func TestNeighboursShareTheirBorder(t *testing.T) {
	got := Build([]Shape{
		{ID: "west", Polygons: []Polygon{{pts(0, 0, 1, 0, 1, 1, 1, 2, 0, 2, 0, 0)}}},
		{ID: "east", Polygons: []Polygon{{pts(2, 0, 2, 2, 1, 2, 1, 1, 1, 0)}}}, // not closed, other direction
	})
	if len(got.Arcs) != 3 {
		t.Fatalf("%d arcs, want the border and two coasts: %v", len(got.Arcs), got.Arcs)
	}
	owners := make([]int, len(got.Arcs))
	for _, a := range got.Areas {
		for _, ref := range a.Polygons[0][0] {
			owners[max(ref, ^ref)]++
		}
	}
	if slices.Sort(owners); !slices.Equal(owners, []int{1, 1, 2}) {
		t.Errorf("arcs have %v owners, want 1, 1, 2", owners)
	}
}

// A lake that is an area of its own and an island in it have their whole rings in common
// with their surroundings.
func TestEnclaves(t *testing.T) {
	square := func(from, to float64) []scene.Point { return pts(from, from, to, from, to, to, from, to) }
	backwards := func(ring []scene.Point) []scene.Point { slices.Reverse(ring); return ring }
	got := Build([]Shape{
		{ID: "around", Polygons: []Polygon{{square(0, 10), backwards(square(4, 6))}}},
		{ID: "enclave", Polygons: []Polygon{{square(4, 6)}}},
	})
	if len(got.Arcs) != 2 || len(got.Areas[0].Polygons[0]) != 2 {
		t.Errorf("%d arcs, want 2; areas: %v", len(got.Arcs), got.Areas)
	}
}

// Polygons of one area that touch, as files cut Russia at the 180th meridian, become one.
func TestPartsOfAnAreaAreJoined(t *testing.T) {
	got := Build([]Shape{
		{ID: "RU", Polygons: []Polygon{{pts(170, 60, 180, 60, 180, 65, 180, 70, 170, 70)}}},
		{ID: "RU", Polygons: []Polygon{{pts(-180, 60, -170, 60, -170, 70, -180, 70, -180, 65)}, {pts(-169, 60, -168, 60, -168, 61)}}},
	})
	if len(got.Areas) != 1 || len(got.Areas[0].Polygons) != 2 || len(got.Arcs) != 3 {
		t.Errorf("got %d arcs and the areas %v, want the mainland, with one arc in each hemisphere, and an island", len(got.Arcs), got.Areas)
	}
}

func TestSpikesAreRemoved(t *testing.T) {
	got := Build([]Shape{{ID: "a", Polygons: []Polygon{
		{pts(0, 0, 1, 0, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 0, 1)},
		{pts(5, 5, 6, 6, 5, 5)}, // nothing but a spike
	}}})
	if len(got.Areas[0].Polygons) != 1 || len(got.Arcs) != 1 || len(got.Arcs[0].Points) != 5 {
		t.Errorf("got %v, want one square", got)
	}
}

// Whatever the rings, those of the topology are closed and have the area of the input.
func TestRingsAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shapes := drawCells(t)
		got := Build(shapes)
		for i, a := range got.Areas {
			sum := 0.0
			for _, p := range a.Polygons {
				for _, ring := range p {
					sum += math.Abs(signed(got.points(t, ring)))
				}
			}
			want := 0.0
			for _, p := range shapes[i].Polygons {
				want += content(p[0])
			}
			if math.Abs(sum-want) > 1e-9 {
				t.Errorf("%s has the area %v, want %v", a.ID, sum, want)
			}
		}
	})
}

// drawCells draws areas of cells of a grid, each area one row or a part of it.
func drawCells(t *rapid.T) (shapes []Shape) {
	for y := range rapid.IntRange(1, 4).Draw(t, "rows") {
		for x := 0; x < 4; {
			w := rapid.IntRange(1, 3).Draw(t, "width")
			x1, x2, y1, y2 := float64(x), float64(x+w), float64(y), float64(y+1)
			ring := pts(x1, y1)
			for at := x1 + 1; at <= x2; at++ { // a point at each corner of a neighbour
				ring = append(ring, scene.Point{X: at, Y: y1})
			}
			for at := x2; at >= x1; at-- {
				ring = append(ring, scene.Point{X: at, Y: y2})
			}
			if rapid.Bool().Draw(t, "backwards") {
				slices.Reverse(ring)
			}
			shapes = append(shapes, Shape{ID: string(rune('a' + len(shapes))), Polygons: []Polygon{{ring}}})
			x += w
		}
	}
	return shapes
}

// points returns the points of a ring and fails if its arcs do not meet.
func (t *Topology) points(rt *rapid.T, ring []int) (points []scene.Point) {
	for _, ref := range ring {
		arc := slices.Clone(t.Arcs[max(ref, ^ref)].Points)
		if ref < 0 {
			slices.Reverse(arc)
		}
		if n := len(points); n > 0 && points[n-1] != arc[0] {
			rt.Fatalf("an arc begins at %v, but the one before ends at %v", arc[0], points[n-1])
		}
		points = append(points, arc...)
	}
	if points[0] != points[len(points)-1] {
		rt.Fatalf("ring %v is not closed", ring)
	}
	return points
}

func signed(ring []scene.Point) (sum float64) {
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		sum += (p.X*q.Y - q.X*p.Y) / 2
	}
	return sum
}

// A rank is lower the less the outline loses, and ends are always kept.
func TestRanks(t *testing.T) {
	ranks := Ranks(pts(0, 0, 1, .001, 2, 0, 3, 2, 4, 0))
	if ranks[0] != KeepAlways || ranks[4] != KeepAlways || ranks[1] >= ranks[3] {
		t.Errorf("ranks %v: want the ends kept and the second point below the fourth", ranks)
	}
}

// FuzzParse checks that any file is refused or gives rings of existing arcs.
func FuzzParse(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		layers, err := Parse(data)
		if err != nil {
			return
		}
		var shapes []Shape
		for _, l := range layers {
			for _, feature := range l.Features {
				shapes = append(shapes, Shape{ID: feature.Properties[IDKey], Polygons: feature.Polygons})
			}
		}
		built := Build(shapes)
		built.Refine()
		built.Rank()
		for _, a := range built.Areas {
			for _, p := range a.Polygons {
				for _, ring := range p {
					for _, ref := range ring {
						if n := max(ref, ^ref); n >= len(built.Arcs) || len(built.Arcs[n].Points) < 2 {
							t.Fatalf("arc %d of %d is missing or too short", n, len(built.Arcs))
						}
					}
				}
			}
		}
	})
}
