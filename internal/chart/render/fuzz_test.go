package render_test

import (
	"bytes"
	"encoding/binary"
	"image/jpeg"
	"math"
	"sync"
	"testing"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/render"
	"almanac/internal/chart/scene"
)

// decoder makes a scene from bytes. When they are used up, it reads zeros.
type decoder struct{ bytes []byte }

func (d *decoder) byte() byte {
	if len(d.bytes) == 0 {
		return 0
	}
	b := d.bytes[0]
	d.bytes = d.bytes[1:]
	return b
}

// length usually returns a position in the picture, and sometimes any number.
func (d *decoder) length() float64 {
	switch b := d.byte(); {
	case b < 200:
		return float64(b)*.7 + float64(d.byte())/256 - 20
	case b < 230:
		extremes := []float64{0, math.Copysign(0, -1), 1e-300, 1e-9, 1e9, -1e9, 1e12, -1e12, 1e15, -1e15, 1e300, -1e300, math.Inf(1), math.Inf(-1), math.NaN()}
		return extremes[int(d.byte())%len(extremes)]
	}
	var raw [8]byte
	for i := range raw {
		raw[i] = d.byte()
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(raw[:]))
}

func (d *decoder) colour() colour.RGB { return colour.RGB{R: d.byte(), G: d.byte(), B: d.byte()} }

func (d *decoder) pen() scene.Pen {
	p := scene.Pen{Colour: d.colour(), Width: d.length() / 10, Round: d.byte()%2 == 0}
	for range d.byte() % 4 {
		p.Dash = append(p.Dash, d.length())
	}
	return p
}

func (d *decoder) fill() scene.Fill {
	f := scene.Fill{Colour: d.colour(), On: d.byte()%2 == 0}
	if d.byte()%4 == 0 {
		f.Hatch = &scene.Hatch{Colour: d.colour(), Width: d.length(), Spacing: d.length()}
	}
	return f
}

func (d *decoder) outline() *scene.Outline {
	o := &scene.Outline{}
	for range d.byte() % 12 {
		o.Ops = append(o.Ops, scene.Op(d.byte()%6))
	}
	for range d.byte() % 24 {
		o.Points = append(o.Points, scene.Point{X: d.length(), Y: d.length()})
	}
	return o
}

func (d *decoder) text() string {
	n := min(int(d.byte()%16), len(d.bytes))
	text := string(d.bytes[:n])
	d.bytes = d.bytes[n:]
	return text
}

func (d *decoder) mark() scene.Mark {
	tag := scene.Tag{Role: scene.Series, Name: d.text()}
	switch d.byte() % 5 {
	case 0:
		return &scene.Rect{Tag: tag, X: d.length(), Y: d.length(), W: d.length(), H: d.length(), Radius: d.length(), Fill: d.fill(), Pen: d.pen()}
	case 1:
		return &scene.Line{Tag: tag, X1: d.length(), Y1: d.length(), X2: d.length(), Y2: d.length(), Pen: d.pen()}
	case 2:
		return &scene.Circle{Tag: tag, X: d.length(), Y: d.length(), R: d.length(), Fill: d.fill(), Pen: d.pen()}
	case 3:
		return &scene.Path{Tag: tag, Outline: d.outline(), Fill: d.fill(), Pen: d.pen()}
	}
	return &scene.Text{Tag: tag, X: d.length(), Y: d.length(), Text: d.text(), Size: d.length(), Weight: scene.Weight(d.byte()), Anchor: scene.Anchor(d.byte()), Colour: d.colour(), Halo: d.length() / 10, Rim: d.colour(), W: d.length()}
}

func (d *decoder) scene() *scene.Scene {
	s := &scene.Scene{Scale: .2 + float64(d.byte())/64, PixelWidth: 1 + int(d.byte()), PixelHeight: 1 + int(d.byte()), Ground: d.colour(), Title: d.text(), Alt: d.text()}
	s.Width, s.Height = float64(s.PixelWidth)/s.Scale, float64(s.PixelHeight)/s.Scale
	for len(d.bytes) > 0 {
		s.Add(d.mark())
	}
	return s
}

// Any scene can be written in all formats and gives files that can be decoded. The same
// scene gives the same bytes.
func FuzzScene(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x20\xc0\x80\xff\xff\xff\x05title\x03alt\x04name\x00\x10\x00\x10\x00\x50\x00\x50\x00\x02\x00\x10\x20\x30\x00\x01\x00\x00\x00\x10\x00\x00"))
	f.Add(bytes.Repeat([]byte{3, 205, 6, 40, 250, 1}, 60))
	f.Add(bytes.Repeat([]byte("\x04\x01a\x64\x07ABC \xff\xd7\xa9\x64\x50\x01\x20"), 30))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := (&decoder{data[:min(len(data), 2000)]}).scene()
		drawn(t, s)
		var a, b bytes.Buffer
		if err := render.SVG(&a, s); err != nil {
			t.Fatal(err)
		}
		parse(t, a.Bytes())
		for _, word := range []string{"NaN", "Inf"} {
			if bytes.Contains(a.Bytes(), []byte(`="`+word)) {
				t.Fatalf("the SVG has an attribute that begins with %s:\n%s", word, a.Bytes())
			}
		}
		a.Reset()
		if err := render.JPEG(&a, s); err != nil {
			t.Fatal(err)
		}
		if _, err := jpeg.Decode(bytes.NewReader(a.Bytes())); err != nil {
			t.Fatal(err)
		}
		if err := render.JPEG(&b, s); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Fatal("the same scene gives different bytes the second time")
		}
	})
}

// The same scene gives the same bytes, also if scenes of other sizes are drawn before it
// or concurrently.
func TestPicturesAreDeterministic(t *testing.T) {
	for _, f := range []render.Format{render.FormatPNG, render.FormatJPEG, render.FormatSVG} {
		want := make([]bytes.Buffer, len(kinds))
		for i, k := range kinds {
			if err := render.Write(&want[i], k.make(600, 338), f); err != nil {
				t.Fatal(err)
			}
		}
		var workers sync.WaitGroup
		for worker := range 4 {
			workers.Go(func() {
				for i := range kinds {
					i = (i + worker) % len(kinds)
					var other, b bytes.Buffer
					if err := render.Write(&other, kinds[i].make(300+100*worker, 169+50*i), f); err != nil {
						t.Error(err)
					}
					if err := render.Write(&b, kinds[i].make(600, 338), f); err != nil {
						t.Error(err)
					}
					if !bytes.Equal(b.Bytes(), want[i].Bytes()) {
						t.Errorf("the second %s of the %s scene differs from the first", f, kinds[i].name)
					}
				}
			})
		}
		workers.Wait()
	}
}
