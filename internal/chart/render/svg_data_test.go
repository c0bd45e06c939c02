package render_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"almanac/internal/chart/render"
	"almanac/internal/chart/scene"
)

type quarters []string

func (q quarters) Period(i int) (code, text string) { return "2024-" + q[i], q[i] + "/2024" }

// The marks of a line are a group with the values. A bar has its value and a title.
func TestSVGData(t *testing.T) {
	values := &scene.Values{Values: []float64{1.25, math.NaN(), 1e20}, Flags: []string{"", "", "B P"}, Low: []float64{1, math.NaN(), math.NaN()}, High: []float64{1.5, math.NaN(), math.NaN()}}
	line := func(role, name string, v *scene.Values) *scene.Line {
		return &scene.Line{Tag: scene.Tag{Role: role, Name: name, Values: v}, X2: 5, Y2: 5, Pen: scene.Pen{Width: 1}}
	}
	s := canvas(
		line(scene.Series, "A & B", values), line(scene.Series, "A & B", values), line(scene.Zero, "", nil), line(scene.Series, "A & B", values),
		&scene.Rect{Tag: scene.Tag{Role: scene.Series, Name: "France", Datum: &scene.Datum{Name: "France, <women>", Area: "FR", Value: -0.5, Flags: "E", PeriodCode: "2024-Q1", Period: "Q1/2024"}}, W: 5, H: 5, Fill: scene.Solid(red)},
	)
	s.Unit = "%"
	s.Plots = []scene.Plot{{Box: scene.Box{X: 1, Y: 2, W: 90, H: 50}, X: []float64{1, 45.678, 91}, Periods: quarters{"Q1", "Q2", "Q3"}}}
	var b bytes.Buffer
	if err := render.SVG(&b, s); err != nil {
		t.Fatal(err)
	}
	parse(t, b.Bytes())
	for _, want := range []string{
		`<g class="plot" data-box="1 2 90 50" data-p="2024-Q1 2024-Q2 2024-Q3" data-period="Q1/2024 Q2/2024 Q3/2024" data-x="1 45.68 91" data-unit="%"/>`,
		`<g class="series" data-name="A &amp; B" data-v="1.25 - 100000000000000000000" data-low="1 - -" data-high="1.5 - -" data-f="- - B,P">` + "\n<line x1",
		"</g>\n" + `<line class="zero"`,
		`<g class="series" data-name="A &amp; B">`,
		`<rect class="series" data-name="France" data-area="FR" data-p="2024-Q1" data-v="-0.5" data-f="E" x=`,
		`<title>France, &lt;women&gt;, Q1/2024: -0.5%</title></rect>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the SVG lacks %s:\n%s", want, b.String())
		}
	}
	s.ValueText = func(float64) string { return "minus a half " }
	b.Reset()
	if err := render.SVG(&b, s); err != nil || !strings.Contains(b.String(), "Q1/2024: minus a half %</title></rect>") || !strings.Contains(b.String(), `data-v="-0.5"`) {
		t.Errorf("the value is not written as the scene writes it for readers (%v): %s", err, b.String())
	}
	if n := strings.Count(b.String(), "<g "); n != 3 {
		t.Errorf("the SVG has %d groups, want 3", n)
	}
}

// A picture of very many lines stays below 400 kB: lines in the background have fewer
// points and no values.
func TestSVGWeight(t *testing.T) {
	s := blankScene(1200, 675)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		o, v := &scene.Outline{}, &scene.Values{}
		y := 100 + 300*rng.Float64()
		for i := range 300 {
			y += 3 * rng.NormFloat64()
			if i == 0 {
				o.MoveTo(20, y)
			} else {
				o.LineTo(20+float64(i)*2.5, y)
			}
			v.Values = append(v.Values, y)
		}
		s.Add(&scene.Path{Tag: scene.Tag{Role: scene.Context, Name: "one of many", Values: v}, Outline: o, Pen: scene.Pen{Width: 1, Round: true}})
	}
	var b bytes.Buffer
	if err := render.SVG(&b, s); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 400_000 {
		t.Errorf("the SVG has %d bytes, want at most 400000", b.Len())
	}
	if strings.Contains(b.String(), "data-v") {
		t.Error("the lines in the background have values")
	}
}

// Areas of one class are a group. A document that would be too large has less detail.
func TestSVGAreas(t *testing.T) {
	area := func(name string, fill scene.Fill, period string) *scene.Path {
		o := &scene.Outline{}
		o.MoveTo(1, 1)
		o.LineTo(9, 1)
		o.LineTo(9, 9)
		o.Close()
		return &scene.Path{Tag: scene.Tag{Role: scene.Area, Name: name, Datum: &scene.Datum{Name: "Area " + name, Area: name, Value: 2, PeriodCode: period, Period: period}}, Outline: o, Fill: fill}
	}
	s := canvas(area("AA", scene.Solid(red), "2020"), area("BB", scene.Solid(red), "2020"), area("CC", scene.Solid(red), "2019"))
	write := func(limits render.Limits) string {
		var b bytes.Buffer
		if err := render.SmallSVG(&b, s, limits); err != nil {
			t.Fatal(err)
		}
		parse(t, b.Bytes())
		return b.String()
	}
	full := write(render.Limits{Bytes: 5000})
	for _, want := range []string{
		`<g class="area" data-p="2020" fill="#c8102e">` + "\n" + `<path data-name="AA" data-v="2" d="M1 1h8v8z"><title>Area AA, 2020: 2</title></path>`,
		`<path class="area" data-name="CC" data-p="2019" data-v="2" d="M1 1h8v8z" fill="#c8102e">`,
	} {
		if !strings.Contains(full, want) {
			t.Errorf("the SVG lacks %s:\n%s", want, full)
		}
	}
	coarser := 0
	s.Coarser = func(detail float64) map[*scene.Outline]*scene.Outline { coarser++; return nil }
	small := write(render.Limits{Bytes: 100})
	if want := `<path data-name="Area AA" data-area="AA" data-v="2" d="M1 1h8v8z"/>`; coarser == 0 || !strings.Contains(small, want) {
		t.Errorf("asked %d times for less detail; the SVG should have %s:\n%s", coarser, want, small)
	}
}
