package render_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"testing"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/render"
	"almanac/internal/chart/scene"
)

// canvas returns a white picture of 100 × 60 units with the marks, one pixel per unit.
func canvas(marks ...scene.Mark) *scene.Scene {
	return &scene.Scene{Width: 100, Height: 60, Scale: 1, PixelWidth: 100, PixelHeight: 60, Ground: colour.White, Marks: marks}
}

// drawn returns the scene's decoded PNG.
func drawn(t testing.TB, s *scene.Scene) *image.Paletted {
	t.Helper()
	var b bytes.Buffer
	if err := render.PNG(&b, s); err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	p, ok := m.(*image.Paletted)
	if !ok {
		t.Fatalf("the PNG is a %T, want *image.Paletted", m)
	}
	if want := image.Rect(0, 0, s.PixelWidth, s.PixelHeight); p.Rect != want {
		t.Fatalf("the picture is %v, want %v", p.Rect, want)
	}
	return p
}

func at(p image.Image, x, y int) colour.RGB {
	r, g, b, _ := p.At(x, y).RGBA()
	return colour.RGB{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8)}
}

// probe is a position and the colour expected there.
type probe struct {
	x, y int
	want colour.RGB
}

var red, blue = colour.RGB{R: 0xc8, G: 0x10, B: 0x2e}, colour.RGB{R: 0x12, G: 0x43, B: 0x6d}

func solidPen(width float64) scene.Pen { return scene.Pen{Colour: red, Width: width} }

func TestPixels(t *testing.T) {
	white := colour.White
	square := &scene.Outline{}
	square.MoveTo(10, 10)
	square.LineTo(50, 10)
	square.LineTo(50, 50)
	square.LineTo(10, 50)
	square.Close()
	square.MoveTo(20, 20) // in the opposite direction: a hole
	square.LineTo(20, 40)
	square.LineTo(40, 40)
	square.LineTo(40, 20)
	square.Close()
	curve := &scene.Outline{}
	curve.MoveTo(10, 50)
	curve.CubicTo(scene.Point{X: 10, Y: -10}, scene.Point{X: 90, Y: -10}, scene.Point{X: 90, Y: 50})
	corner := &scene.Outline{}
	corner.MoveTo(20, 50)
	corner.LineTo(20, 20)
	corner.LineTo(60, 20)

	cases := []struct {
		name   string
		marks  []scene.Mark
		probes []probe
	}{
		{"a box covers its pixels and no others", []scene.Mark{&scene.Rect{X: 10, Y: 10, W: 20, H: 10, Fill: scene.Solid(blue)}},
			[]probe{{10, 10, blue}, {29, 19, blue}, {9, 10, white}, {30, 10, white}, {10, 9, white}, {10, 20, white}}},
		{"a box between pixels has crisp edges", []scene.Mark{&scene.Rect{X: 10.3, Y: 10.4, W: 20.3, H: 10.3, Fill: scene.Solid(blue)}},
			[]probe{{10, 10, blue}, {30, 20, blue}, {9, 10, white}, {31, 10, white}, {10, 9, white}, {10, 21, white}}},
		{"boxes that touch leave no gap", []scene.Mark{
			&scene.Rect{X: 10.2, Y: 10, W: 9.3, H: 10, Fill: scene.Solid(blue)}, &scene.Rect{X: 19.5, Y: 10, W: 9.3, H: 10, Fill: scene.Solid(red)}},
			[]probe{{19, 15, blue}, {20, 15, red}}},
		{"a box beyond all sides covers the picture", []scene.Mark{&scene.Rect{X: -1e12, Y: -1e12, W: 2e12, H: 2e12, Fill: scene.Solid(blue)}},
			[]probe{{0, 0, blue}, {99, 59, blue}}},
		{"a box without width is invisible", []scene.Mark{&scene.Rect{X: 10, Y: 10, W: 0, H: 10, Fill: scene.Solid(blue)}},
			[]probe{{9, 15, white}, {10, 15, white}}},
		{"round corners are open", []scene.Mark{&scene.Rect{X: 10, Y: 10, W: 40, H: 40, Radius: 10, Fill: scene.Solid(blue)}},
			[]probe{{10, 10, white}, {11, 11, white}, {30, 10, blue}, {10, 30, blue}, {14, 14, blue}}},
		{"a border is drawn on the edge of its box", []scene.Mark{&scene.Rect{X: 10, Y: 10, W: 20, H: 20, Fill: scene.Solid(blue), Pen: solidPen(1)}},
			[]probe{{10, 10, red}, {30, 20, red}, {20, 30, red}, {11, 11, blue}, {9, 9, white}, {31, 31, white}}},
		{"a horizontal line one pixel wide covers one row", []scene.Mark{&scene.Line{X1: 10, Y1: 20, X2: 90, Y2: 20, Pen: solidPen(1)}},
			[]probe{{10, 20, red}, {89, 20, red}, {50, 19, white}, {50, 21, white}, {9, 20, white}, {90, 20, white}}},
		{"a line 1.33 pixels wide is as crisp", []scene.Mark{&scene.Line{X1: 10, Y1: 20.4, X2: 90, Y2: 20.4, Pen: solidPen(1.33)}},
			[]probe{{50, 20, red}, {50, 19, white}, {50, 21, white}}},
		{"a vertical line two pixels wide covers two columns", []scene.Mark{&scene.Line{X1: 20.2, Y1: 10, X2: 20.2, Y2: 50, Pen: solidPen(2)}},
			[]probe{{19, 30, red}, {20, 30, red}, {18, 30, white}, {21, 30, white}}},
		{"dashes start where the line starts", []scene.Mark{&scene.Line{X1: 10, Y1: 20, X2: 90, Y2: 20, Pen: scene.Pen{Colour: red, Width: 1, Dash: []float64{6, 4}}}},
			[]probe{{10, 20, red}, {15, 20, red}, {16, 20, white}, {19, 20, white}, {20, 20, red}, {25, 20, red}, {27, 20, white}}},
		{"a pattern of one length has equal dashes and gaps", []scene.Mark{&scene.Line{X1: 10, Y1: 20, X2: 90, Y2: 20, Pen: scene.Pen{Colour: red, Width: 1, Dash: []float64{5}}}},
			[]probe{{14, 20, red}, {15, 20, white}, {19, 20, white}, {20, 20, red}}},
		{"dashes too short to be visible are a solid line", []scene.Mark{&scene.Line{X1: 10, Y1: 20, X2: 90, Y2: 20, Pen: scene.Pen{Colour: red, Width: 1, Dash: []float64{1e-9, 1e-9}}}},
			[]probe{{14, 20, red}, {15, 20, red}, {16, 20, red}}},
		{"a dashed line from far away is drawn in the picture", []scene.Mark{&scene.Line{X1: -1e12, Y1: 20, X2: 1e12, Y2: 20, Pen: scene.Pen{Colour: red, Width: 4, Dash: []float64{1e12, 1}}}},
			[]probe{{10, 20, red}, {90, 20, red}}},
		{"round ends reach beyond the line", []scene.Mark{&scene.Line{X1: 20, Y1: 30, X2: 60, Y2: 30, Pen: scene.Pen{Colour: red, Width: 12, Round: true}}},
			[]probe{{15, 30, red}, {64, 30, red}, {13, 30, white}, {14, 25, white}}},
		{"butt ends do not reach beyond the line", []scene.Mark{&scene.Line{X1: 20, Y1: 30, X2: 60, Y2: 30, Pen: solidPen(12)}},
			[]probe{{20, 25, red}, {59, 35, red}, {19, 30, white}, {60, 30, white}}},
		{"mitred corners are sharp", []scene.Mark{&scene.Path{Outline: corner, Pen: solidPen(10)}},
			[]probe{{15, 15, red}, {16, 16, red}, {25, 25, white}, {14, 14, white}}},
		{"round corners are not sharp", []scene.Mark{&scene.Path{Outline: corner, Pen: scene.Pen{Colour: red, Width: 10, Round: true}}},
			[]probe{{15, 15, white}, {20, 15, red}, {18, 18, red}}},
		{"a contour in the opposite direction is a hole", []scene.Mark{&scene.Path{Outline: square, Fill: scene.Solid(blue)}},
			[]probe{{15, 15, blue}, {45, 45, blue}, {30, 30, white}, {20, 20, white}, {39, 39, white}, {40, 40, blue}}},
		{"an open shape is filled as if closed", []scene.Mark{&scene.Path{Outline: curve, Fill: scene.Solid(blue)}},
			[]probe{{50, 6, blue}, {50, 3, white}, {12, 48, blue}, {50, 49, blue}, {50, 50, white}}},
		{"a circle is round", []scene.Mark{&scene.Circle{X: 50, Y: 30, R: 20, Fill: scene.Solid(blue), Pen: solidPen(2)}},
			[]probe{{50, 30, blue}, {50, 12, blue}, {50, 10, red}, {69, 30, red}, {50, 8, white}, {34, 14, white}}},
		{"the last mark is on top", []scene.Mark{&scene.Rect{X: 0, Y: 0, W: 50, H: 50, Fill: scene.Solid(blue)}, &scene.Rect{X: 25, Y: 25, W: 50, H: 30, Fill: scene.Solid(red)}},
			[]probe{{30, 30, red}, {10, 10, blue}}},
		{"marks without a valid position or size are left out", []scene.Mark{
			&scene.Rect{X: math.NaN(), Y: 0, W: 90, H: 50, Fill: scene.Solid(blue)}, &scene.Rect{X: 0, Y: 0, W: math.Inf(1), H: 50, Fill: scene.Solid(blue)},
			&scene.Line{X1: 0, Y1: math.Inf(-1), X2: 50, Y2: 50, Pen: solidPen(9)}, &scene.Circle{X: 50, Y: 50, R: math.NaN(), Fill: scene.Solid(blue)},
			&scene.Rect{X: 50, Y: 50, W: -40, H: -40, Fill: scene.Solid(blue)}, &scene.Path{Fill: scene.Solid(blue)}},
			[]probe{{0, 0, white}, {25, 25, white}, {49, 49, white}, {80, 40, white}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := drawn(t, canvas(c.marks...))
			for _, q := range c.probes {
				if got := at(p, q.x, q.y); got != q.want {
					t.Errorf("the pixel at %d, %d is %v, want %v", q.x, q.y, got, q.want)
				}
			}
		})
	}
}

// A line thinner than a pixel covers one row, lighter in proportion.
func TestHairline(t *testing.T) {
	p := drawn(t, canvas(&scene.Line{X1: 10, Y1: 20.9, X2: 90, Y2: 20.9, Pen: scene.Pen{Colour: colour.RGB{}, Width: .5}}))
	if got := at(p, 50, 20); got.R < 0x70 || got.R > 0x90 {
		t.Errorf("a black line half a pixel wide is %v, want mid grey", got)
	}
	if got := at(p, 50, 21); got != colour.White {
		t.Errorf("the row below is %v, want white", got)
	}
}

// Bars of equal size have the same size in pixels, wherever they are.
func TestBarsOfEqualSize(t *testing.T) {
	var marks []scene.Mark
	for i := range 7 {
		marks = append(marks, &scene.Rect{X: 3 + float64(i)*13.37, Y: 10, W: 8.6, H: 40, Fill: scene.Solid(blue)})
	}
	p := drawn(t, canvas(marks...))
	var widths []int
	for x, n := 0, 0; x < 100; x++ {
		if at(p, x, 30) == blue {
			n++
			continue
		}
		if n > 0 {
			widths = append(widths, n)
		}
		n = 0
	}
	if len(widths) != 7 {
		t.Fatalf("%d bars are visible, want 7", len(widths))
	}
	for _, w := range widths {
		if w != 9 {
			t.Errorf("the widths of the bars are %v, want 9 each", widths)
			break
		}
	}
}

// The lines of a hatch continue from one shape to the next.
func TestHatchIsContinuous(t *testing.T) {
	fill := scene.Fill{Colour: colour.White, On: true, Hatch: &scene.Hatch{Colour: blue, Width: 2, Spacing: 7}}
	box := func(x, w float64) scene.Mark { return &scene.Rect{X: x, Y: 5, W: w, H: 50, Fill: fill} }
	one := drawn(t, canvas(box(5, 90)))
	two := drawn(t, canvas(box(5, 38), box(43, 52)))
	dark := 0
	for y := range 60 {
		for x := range 100 {
			if at(one, x, y) != at(two, x, y) {
				t.Fatalf("the pixel at %d, %d is %v in one box but %v in two adjacent ones", x, y, at(one, x, y), at(two, x, y))
			}
			if x > 10 && x < 90 && y > 10 && y < 50 && at(one, x, y) != at(one, x-1, y+1) {
				t.Fatalf("the line through %d, %d does not run from lower left to upper right", x, y)
			}
			if at(one, x, y).R < 0x80 {
				dark++
			}
		}
	}
	if part := float64(dark) / (90 * 50); part < 1./7 || part > 3./7 {
		t.Errorf("%.2f of the box is dark, want about 2/7", part)
	}
}

// The colours of a scene are exact in the picture, also if there are many.
func TestColoursAreExact(t *testing.T) {
	s := canvas()
	want := map[colour.RGB]bool{}
	for i := range 150 {
		c := colour.RGB{R: uint8(i * 37), G: uint8(i * 91), B: uint8(i * 53)}
		want[c] = true
		s.Add(&scene.Circle{X: 5 + float64(i%15)*6, Y: 5 + float64(i/15)*5.5, R: 2.6, Fill: scene.Solid(c)})
	}
	p := drawn(t, s)
	for y := range 60 {
		for x := range 100 {
			delete(want, at(p, x, y))
		}
	}
	if len(want) > 0 {
		t.Errorf("%d colours are not in the picture: %v", len(want), want)
	}
}

// JPEG shows the same picture as PNG.
func TestJPEG(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			s := k.make(601, 337)
			var b bytes.Buffer
			if err := render.JPEG(&b, s); err != nil {
				t.Fatal(err)
			}
			got, err := jpeg.Decode(&b)
			if err != nil {
				t.Fatal(err)
			}
			want := drawn(t, s)
			if got.Bounds() != want.Rect {
				t.Fatalf("the picture is %v, want %v", got.Bounds(), want.Rect)
			}
			var sum float64
			for y := range want.Rect.Dy() {
				for x := range want.Rect.Dx() {
					a, b := color.GrayModel.Convert(got.At(x, y)).(color.Gray), color.GrayModel.Convert(want.At(x, y)).(color.Gray)
					sum += math.Abs(float64(a.Y) - float64(b.Y))
				}
			}
			if mean := sum / float64(want.Rect.Dx()*want.Rect.Dy()); mean > 2 {
				t.Errorf("the mean difference in brightness is %.2f of 255, want at most 2", mean)
			}
		})
	}
}

func TestInvalidPictures(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int
		scale         float64
	}{
		{"no width", 0, 100, 1}, {"negative height", 100, -1, 1}, {"too large", 1 << 20, 1 << 20, 1},
		{"no scale", 100, 100, 0}, {"scale is not a number", 100, 100, math.NaN()}, {"infinite scale", 100, 100, math.Inf(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &scene.Scene{Width: 1, Height: 1, Scale: c.scale, PixelWidth: c.width, PixelHeight: c.height}
			if render.PNG(&bytes.Buffer{}, s) == nil || render.JPEG(&bytes.Buffer{}, s) == nil {
				t.Error("PNG or JPEG returned no error")
			}
		})
	}
}
