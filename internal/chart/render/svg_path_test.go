package render

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart/scene"
	"almanac/internal/stattest/property"
)

// readPath returns the ends of the steps of path data as this package writes it.
func readPath(t *rapid.T, data string) []scene.Point {
	var points []scene.Point
	var at, start scene.Point
	rest := data
	number := func() float64 {
		end, dot := 0, false
		for ; end < len(rest); end++ {
			c := rest[end]
			if c == ' ' && end == 0 {
				rest = rest[1:]
				end--
				continue
			}
			if c == '-' && end > 0 || c == '.' && dot || c != '-' && c != '.' && (c < '0' || c > '9') {
				break
			}
			dot = dot || c == '.'
		}
		v, err := strconv.ParseFloat(rest[:end], 64)
		if err != nil {
			t.Fatalf("no number at %q of %q", rest, data)
		}
		rest = rest[end:]
		return v
	}
	letter := byte(0)
	for rest != "" {
		if c := rest[0]; c >= 'A' {
			letter, rest = c, rest[1:]
		}
		switch letter {
		case 'M':
			at = scene.Point{X: number(), Y: number()}
			start = at
		case 'm':
			at = scene.Point{X: at.X + number(), Y: at.Y + number()}
			start = at
		case 'l':
			at = scene.Point{X: at.X + number(), Y: at.Y + number()}
		case 'h':
			at.X += number()
		case 'v':
			at.Y += number()
		case 'q', 'c':
			for range map[byte]int{'q': 2, 'c': 4}[letter] {
				number()
			}
			at = scene.Point{X: at.X + number(), Y: at.Y + number()}
		case 'z':
			at = start
		default:
			t.Fatalf("unknown step %q in %q", letter, data)
		}
		points = append(points, at)
	}
	return points
}

// Every point of a line is within the tolerance of the path that is written, and the
// path has no more points than the line.
func TestPathTolerance(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		coordinate := rapid.Float64Range(-50, 1000)
		point := rapid.Custom(func(t *rapid.T) scene.Point {
			return scene.Point{X: coordinate.Draw(t, "x"), Y: rapid.Float64Range(0, 3).Draw(t, "y")}
		})
		points := rapid.SliceOfN(point, 2, 40).Draw(rt, "points")
		o := &scene.Outline{}
		o.MoveTo(points[0].X, points[0].Y)
		for _, p := range points[1:] {
			o.LineTo(p.X, p.Y)
		}
		d := &svg{scale: 1, tolerance: rapid.SampledFrom([]float64{.1, .5, 2}).Draw(rt, "tolerance"), decimals: 1}
		d.outline(o, d.tolerance)
		got := readPath(rt, d.out.String())
		if len(got) > len(points) {
			rt.Fatalf("%d points became %d", len(points), len(got))
		}
		const rounding = .0708 // half the diagonal of a step of the last decimal
		for _, p := range points {
			nearest := math.Hypot(p.X-got[0].X, p.Y-got[0].Y)
			for i := range got[1:] {
				c := chordOf(got[i], got[i+1])
				nearest = min(nearest, math.Sqrt(c.squaredDistance(p)))
			}
			if nearest > d.tolerance+rounding {
				rt.Fatalf("%v is %.3f from the path %s", p, nearest, d.out.String())
			}
		}
	})
}

// Curves, subpaths and outlines without a first step keep their ends.
func TestPathSteps(t *testing.T) {
	o := &scene.Outline{}
	o.LineTo(3, 4)
	o.Close()
	o.MoveTo(10, 10)
	o.QuadTo(15, 20, 20, 10)
	o.CubicTo(scene.Point{X: 25, Y: -5}, scene.Point{X: 30, Y: 25}, scene.Point{X: 40.04, Y: 10.96})
	o.Close()
	o.MoveTo(5, 5)
	o.LineTo(5, 5)
	d := &svg{scale: 1, tolerance: .1, decimals: 1}
	d.outline(o, d.tolerance)
	if got, want := d.out.String(), "M0 0l3 4zm10 10q5 10 10 0c5-15 10 15 20 1zm-5-5h0"; got != want {
		t.Errorf("the path is %s, want %s", got, want)
	}
}
