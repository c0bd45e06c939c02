package render

import (
	"math"
	"testing"

	"almanac/internal/chart/colour"
	"almanac/internal/stattest/property"

	"pgregory.net/rapid"
)

// covered returns the area of the shape in the raster, in pixels.
func covered(r *raster) float64 {
	var sum float64
	r.sweep(func(_ int, runs []run) {
		for _, run := range runs {
			sum += float64(run.x1-run.x0) * float64(run.cov) / 255
		}
	})
	return sum
}

// The coverage of a triangle is its area, wherever it is on the pixel grid.
func TestCoverageIsArea(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		place := rapid.Float64Range(0, 200)
		a := point{place.Draw(t, "ax"), place.Draw(t, "ay")}
		b := point{place.Draw(t, "bx"), place.Draw(t, "by")}
		c := point{place.Draw(t, "cx"), place.Draw(t, "cy")}
		area := math.Abs((b.x-a.x)*(c.y-a.y)-(c.x-a.x)*(b.y-a.y)) / 2
		var r raster
		r.reset(200, 200)
		r.fill(polyline{points: []point{a, b, c}})
		// Rounding may change each pixel of the outline by a step.
		rim := a.minus(b).length() + b.minus(c).length() + c.minus(a).length() + 6
		if got := covered(&r); math.Abs(got-area) > rim*.02 {
			t.Fatalf("the triangle %v %v %v covers %.3f pixels, want its area %.3f", a, b, c, got, area)
		}
	})
}

// A shape that leaves the picture covers the same pixels as in a larger picture.
func TestClippingKeepsCoverage(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		place := rapid.Float64Range(-150, 250)
		var points []point
		for range rapid.IntRange(3, 8).Draw(t, "corners") {
			points = append(points, point{place.Draw(t, "x"), place.Draw(t, "y")})
		}
		const size, margin = 100, 150
		var small, large raster
		small.reset(size, size)
		small.fill(polyline{points: points})
		large.reset(size+2*margin, size+2*margin)
		for i := range points {
			points[i] = points[i].plus(point{margin, margin})
		}
		large.fill(polyline{points: points})
		var want, got [size][size]int
		small.sweep(func(y int, runs []run) {
			for _, run := range runs {
				for x := run.x0; x < run.x1; x++ {
					got[y][x] = int(run.cov)
				}
			}
		})
		large.sweep(func(y int, runs []run) {
			for _, run := range runs {
				for x := max(run.x0, margin); x < min(run.x1, margin+size) && y >= margin && y < margin+size; x++ {
					want[y-margin][x-margin] = int(run.cov)
				}
			}
		})
		for y := range got {
			for x := range got[y] {
				if d := got[y][x] - want[y][x]; d < -6 || d > 6 {
					t.Fatalf("the coverage of pixel %d, %d is %d of 255, want %d as in the larger picture", x, y, got[y][x], want[y][x])
				}
			}
		}
	})
}

// The coverage of a straight line is its length times its width, at any angle.
func TestStrokeIsLengthTimesWidth(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		length, width := rapid.Float64Range(5, 80).Draw(t, "length"), rapid.Float64Range(.3, 10).Draw(t, "width")
		sin, cos := math.Sincos(rapid.Float64Range(0, 2*math.Pi).Draw(t, "angle"))
		a := point{100 + rapid.Float64Range(0, 1).Draw(t, "x"), 100}
		b := a.plus(point{cos, sin}.times(length))
		round := rapid.Bool().Draw(t, "round")
		want := length * width
		if round {
			want += math.Pi * width * width / 4
		}
		var r raster
		r.reset(200, 200)
		r.stroke(polyline{points: []point{a, b}}, nib{half: width / 2, round: round})
		if got := covered(&r); math.Abs(got-want) > 2*(length+width)*.02+flatness*width*math.Pi+.1 {
			t.Fatalf("a line of %.2f × %.2f covers %.2f, want %.2f", length, width, got, want)
		}
	})
}

// The dashes of a line cover the fraction of it that follows from the pattern.
func TestDashesCoverTheirFraction(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		on, off := rapid.Float64Range(1, 10).Draw(t, "on"), rapid.Float64Range(1, 10).Draw(t, "off")
		points := []point{{10, 10}, {150, 10}, {150, 150}, {20, 150}}
		var r raster
		r.reset(200, 200)
		r.dash(polyline{points: points}, nib{half: 1, dash: []float64{on, off}}, nil)
		want := 2 * 410 * on / (on + off)
		if got := covered(&r); math.Abs(got-want) > 2*(on+off)+.02*want {
			t.Fatalf("dashes of %.2f on, %.2f off cover %.1f, want about %.1f", on, off, got, want)
		}
	})
}

// A mix uses another colour's palette entry only if the two look alike.
func TestMixesAreClose(t *testing.T) {
	p := &palette{}
	p.reset()
	hues := [][3]uint8{{255, 255, 255}, {0x12, 0x43, 0x6d}, {0x28, 0xa1, 0x97}, {0x80, 0x16, 0x50}, {0xf4, 0x6a, 0x25}, {0x3d, 0x3d, 0x3d}, {0xa2, 0x85, 0xd1}, {0x1b, 0x1f, 0x24}, {0xdf, 0xe3, 0xe8}}
	for _, h := range hues {
		p.entry(rgb(h))
	}
	var worst, sum, n int
	for under := 1; under <= len(hues); under++ {
		for over := 1; over <= len(hues); over++ {
			for level := 1; level < levels-1; level++ {
				got := p.colours[p.mix(uint8(under), uint8(over), level)]
				a, b := p.colours[under], p.colours[over]
				for _, v := range [3][3]uint8{{a.R, b.R, got.R}, {a.G, b.G, got.G}, {a.B, b.B, got.B}} {
					want := (int(v[0])*(levels-1-level) + int(v[1])*level) / (levels - 1)
					d := max(want-int(v[2]), int(v[2])-want)
					worst, sum, n = max(worst, d), sum+d, n+1
				}
			}
		}
	}
	if mean := float64(sum) / float64(n); worst > 64 || mean > 8 {
		t.Errorf("mixes of %d colours are off by at most %d of 255 and by %.1f in the mean, want at most 64 and 8", len(hues), worst, mean)
	}
	for i, h := range hues {
		if got := p.colours[p.entry(rgb(h))]; got != rgb(h) {
			t.Errorf("colour %d is %v after mixing, want %v", i, got, h)
		}
	}
}

func rgb(v [3]uint8) colour.RGB { return colour.RGB{R: v[0], G: v[1], B: v[2]} }
