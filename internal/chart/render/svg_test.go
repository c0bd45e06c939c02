package render_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/render"
	"almanac/internal/chart/scene"
)

var update = flag.Bool("update", false, "rewrite the golden SVG")

// everyMark returns a scene with every kind of mark and all their properties.
func everyMark() *scene.Scene {
	path := &scene.Outline{}
	path.MoveTo(10, 10)
	path.LineTo(20.126, 10)
	path.QuadTo(25, 15, 20, 20)
	path.CubicTo(scene.Point{X: 18, Y: 22}, scene.Point{X: 12, Y: 22}, scene.Point{X: 10, Y: -0.001})
	path.Close()
	hatch := &scene.Hatch{Colour: red, Width: .8, Spacing: 4}
	label := func(x float64, text string, a scene.Anchor) *scene.Text {
		return &scene.Text{Tag: scene.Tag{Role: scene.SeriesName, Name: text}, X: x, Y: 50, Text: text, Size: 12, Anchor: a, Colour: red, W: 40}
	}
	rim := label(50, "Rim", scene.Middle)
	rim.Halo, rim.Rim, rim.Weight = 1.5, colour.White, scene.Bold
	s := canvas(
		&scene.Rect{Tag: scene.Tag{Role: scene.Legend}, X: 1, Y: 2, W: 3, H: 4, Fill: scene.Solid(blue)},
		&scene.Rect{Tag: scene.Tag{Role: scene.NoData}, X: 1, Y: 2, W: 3, H: 4, Radius: 1, Fill: scene.Fill{Colour: colour.White, On: true, Hatch: hatch}, Pen: scene.Pen{Colour: red, Width: .5}},
		&scene.Rect{X: 1, Y: 2, W: 3, H: 4, Fill: scene.Fill{Hatch: hatch}},
		&scene.Line{Tag: scene.Tag{Role: scene.Gridline}, X1: 0, Y1: 10.005, X2: 90, Y2: 10.005, Pen: scene.Pen{Colour: blue, Width: 1, Dash: []float64{4, 2, 1}}},
		&scene.Circle{Tag: scene.Tag{Role: scene.Highlight, Name: `"A" & <B>`}, X: 5, Y: 6, R: 2.5, Fill: scene.Solid(red), Pen: scene.Pen{Colour: colour.White, Width: 1}},
		&scene.Path{Tag: scene.Tag{Role: scene.Series, Name: "France"}, Outline: path, Pen: scene.Pen{Colour: blue, Width: 2, Round: true}},
		&scene.Path{Tag: scene.Tag{Role: scene.Area, Name: "FR"}, Outline: path, Fill: scene.Fill{Colour: colour.White, On: true, Hatch: hatch}},
		label(10, "Start", scene.Start), label(90, "End", scene.End), rim,
		label(10, "ישראל", scene.Start), label(90, "مصر", scene.End), label(50, "日本", scene.Middle),
		&scene.Circle{X: math.NaN(), Y: 6, R: 2.5, Fill: scene.Solid(red)},
	)
	s.Title, s.Alt = "A title with <tags> & \"quotes\"", "What is seen."
	return s
}

func TestSVG(t *testing.T) {
	const file = "testdata/marks.svg"
	var b bytes.Buffer
	if err := render.SVG(&b, everyMark()); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("the SVG differs from %s (-want +got); -update rewrites it:\n%s", file, diff)
	}
}

// parse parses an SVG as XML and returns its texts by element and the values of its
// attributes.
func parse(t testing.TB, svg []byte) (texts map[string][]string, attributes []string) {
	t.Helper()
	texts = map[string][]string{}
	d := xml.NewDecoder(bytes.NewReader(svg))
	var open []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts, attributes
		}
		if err != nil {
			t.Fatalf("the SVG is not XML: %v\n%.2000s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
			for _, a := range token.Attr {
				attributes = append(attributes, a.Value)
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 1 {
				name := open[len(open)-1]
				texts[name] = append(texts[name], string(token))
			}
		}
	}
}

// Texts from callers are escaped, whatever they contain.
func TestSVGEscapes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`<script>alert("1")</script>`, `<script>alert("1")</script>`},
		{`]]> & &amp; '"`, `]]> & &amp; '"`},
		{"a\x00b\x1bc\x7f", "abc\x7f"},
		{"tab\tline\nreturn\r", "tab line return "},
		{"not UTF-8: \xff\xc0\x80.", "not UTF-8: ."},
		{"the sign \ufffd itself", "the sign \ufffd itself"},
		{"\ufffe\uffffnot in XML", "not in XML"},
		{"𝔘 beyond 16 bits 🗺", "𝔘 beyond 16 bits 🗺"},
	} {
		s := canvas(&scene.Text{Tag: scene.Tag{Role: scene.Note, Name: c.text}, X: 1, Y: 20, Text: c.text, Size: 10, W: 50})
		s.Title, s.Alt = c.text, c.text
		var b bytes.Buffer
		if err := render.SVG(&b, s); err != nil {
			t.Fatal(err)
		}
		texts, attributes := parse(t, b.Bytes())
		for _, element := range []string{"title", "desc", "text"} {
			if got := texts[element]; len(got) != 1 || got[0] != c.want {
				t.Errorf("the %s of %q is %q, want %q", element, c.text, got, c.want)
			}
		}
		found := false
		for _, a := range attributes {
			found = found || a == c.want
		}
		if !found {
			t.Errorf("no attribute has the value %q: %q", c.want, attributes)
		}
	}
}
