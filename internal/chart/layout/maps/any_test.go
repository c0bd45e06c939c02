package maps

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart"
	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
	"almanac/internal/stattest"
	"almanac/internal/stattest/property"
)

// mapSpec returns a map of areas; f returns the value of the area at an index.
func mapSpec(areas []string, f func(i int) float64) *chart.Spec {
	s := &chart.Spec{
		Type: chart.Map, Width: chart.DefaultWidth, Height: chart.DefaultHeight, ShowBorders: true, ShowLegend: true,
		Title: "Unemployment, 2024", Subtitle: "Percentage of active population", Unit: "Percentage of active population",
		Source: "Source: an office, dataset une_rt_a", Period: "2024",
	}
	var values chart.Values
	for i, a := range areas {
		s.Categories = append(s.Categories, chart.Category{Label: a, Area: a})
		values = append(values, f(i))
	}
	s.Series = []chart.Series{{Key: "Unemployment", Label: "Unemployment", Values: values}}
	return s
}

// addGroup adds a group of countries with a value.
func addGroup(s *chart.Spec, area, label string, value float64) {
	s.Categories = append(s.Categories, chart.Category{Label: label, Area: area, Group: true})
	s.Series[0].Values = append(s.Series[0].Values, value)
}

// worldAreas returns all areas with an outline on a map of the world.
func worldAreas() []string {
	var areas []string
	view := atlas.Layout(atlas.Request{Box: scene.Box{W: 800, H: 400}, Pixels: 1})
	for i := range view.Shapes {
		areas = append(areas, view.Shapes[i].Area)
	}
	return areas
}

var union = strings.Fields("BE BG CZ DK DE EE IE GR ES FR HR IT CY LV LT LU HU MT NL AT PL PT RO SI SK FI SE")

var regions = []atlas.Region{atlas.World, atlas.Europe, atlas.Asia, atlas.Africa, atlas.NorthAmerica, atlas.SouthAmerica, atlas.Oceania}

// areaFills returns the fill of each country with a value, and the hatched countries.
func areaFills(sc *scene.Scene) (fills map[string]colour.RGB, hatched []string) {
	fills = map[string]colour.RGB{}
	for _, m := range sc.Marks {
		switch m := m.(type) {
		case *scene.Path:
			if m.Role == scene.Area {
				fills[m.Name] = m.Fill.Colour
			} else if m.Role == scene.NoData {
				hatched = append(hatched, m.Name)
			}
		}
	}
	return fills, hatched
}

// hasNoDataBox reports whether the legend has a box for countries without a value.
func hasNoDataBox(sc *scene.Scene) bool {
	return slices.ContainsFunc(layoutcheck.Marks(sc, scene.Legend), func(m scene.Mark) bool {
		r, ok := m.(*scene.Rect)
		return ok && r.Fill.Hatch != nil
	})
}

// minClassDistance is the distance of neighbouring classes that docs/charts.md promises.
const minClassDistance = 8.5

// checkMap checks what holds for every map: the scene is readable, the legend covers the
// visible values, countries have the colour of their class, no area is missing, and the
// legend has a box "no data" if and only if a visible country has no value.
func checkMap(t layoutcheck.TestingT, s *chart.Spec) *scene.Scene {
	t.Helper()
	sc := picture(s)
	layoutcheck.Report(t, sc)
	f := frame.New(s)
	c := newChoropleth(f)
	fills, hatched := areaFills(sc)
	for area, fill := range fills {
		v := c.shade(&atlas.Shape{Area: area}).Value
		edges := c.classes.Edges
		i := c.classes.Index(v)
		if v < edges[0] || v > edges[len(edges)-1] || v < edges[i] || v > edges[i+1] {
			t.Errorf("%s has the value %v, outside its class %d of the edges %v", area, v, i, edges)
		} else if fill != c.fills[i] {
			t.Errorf("%s has the value %v and the colour %s; the legend says %s", area, v, fill, c.fills[i])
		}
	}
	for i := 1; i < len(c.fills) && s.Series[0].Colour == ""; i++ {
		if d := colour.Distance(c.fills[i-1], c.fills[i]); d < minClassDistance {
			t.Errorf("the classes %d and %d of %v are only %.1f apart", i-1, i, c.classes.Edges, d)
		}
	}
	drawn := 0
	for _, m := range sc.Marks {
		if _, ok := m.(*scene.Path); ok && slices.Contains([]string{scene.Area, scene.NoData, scene.Land}, m.Tags().Role) {
			drawn++
		}
	}
	if drawn != len(c.view.Shapes) {
		t.Errorf("%d of %d countries are drawn", drawn, len(c.view.Shapes))
	}
	legend := layoutcheck.Marks(sc, scene.Legend)
	if !s.ShowLegend && len(legend) > 0 {
		t.Errorf("the legend has %d marks; want none", len(legend))
	}
	if c.key != nil && hasNoDataBox(sc) != (len(hatched) > 0) {
		t.Errorf("legend has a box for no data: %v; countries without a value: %v", hasNoDataBox(sc), hatched)
	}
	if c.key != nil && len(c.fills) > 0 {
		checkKey(t, sc, c)
	}
	return sc
}

// checkKey fails if a legend lacks a class or the number at one of its ends.
func checkKey(t layoutcheck.TestingT, sc *scene.Scene, c *choropleth) {
	t.Helper()
	var swatches []colour.RGB
	for _, m := range layoutcheck.Marks(sc, scene.Legend) {
		if r, ok := m.(*scene.Rect); ok && r.Fill.Hatch == nil {
			swatches = append(swatches, r.Fill.Colour)
		}
	}
	if !slices.Equal(swatches, c.fills) {
		t.Errorf("the legend has the colours %v, the classes %v", swatches, c.fills)
	}
	labels := c.classes.Labels
	texts := layoutcheck.Texts(sc, scene.LegendText)
	ends := []string{labels[0], labels[len(labels)-1]}
	if keyWidth(ends[0])+keyWidth(ends[1])+2*keyGap > c.keyBox.W {
		return // "1,000 trillion" in a picture 100 pixels wide
	}
	for _, label := range ends {
		if !slices.Contains(texts, label) && !slices.Contains(texts, ends[0]+"–"+ends[1]) {
			t.Errorf("the legend %q lacks %s, the number at its end", texts, label)
		}
	}
}

func TestMapsOfManySizes(t *testing.T) {
	stattest.SkipUnderRace(t)
	areas := worldAreas()
	sizes := [][2]int{{100, 100}, {300, 200}, {640, 360}, {400, 800}, {1200, 675}, {3000, 300}, {100, 1000}, {4096, 2000}}
	for _, size := range sizes {
		for _, region := range regions {
			t.Run(fmt.Sprintf("%dx%d %s", size[0], size[1], region), func(t *testing.T) {
				s := mapSpec(areas, func(i int) float64 { return float64(i%17) / 3 })
				s.Width, s.Height, s.Region, s.ShowValues = size[0], size[1], region, true
				addGroup(s, "EU27_2020", "European Union - 27 countries (from 2020)", 2.25)
				checkMap(t, s)
			})
		}
	}
}

// If the European Union and the euro area have similar values, both are on the legend,
// each with a mark that points at its value.
func TestCloseGroupsAreBothOnTheLegend(t *testing.T) {
	s := mapSpec(union, func(i int) float64 { return float64(i) })
	addGroup(s, "EU27_2020", "European Union", 9.5)
	addGroup(s, "EA20", "Euro area", 9.7)
	sc := checkMap(t, s)
	texts := strings.Join(layoutcheck.Texts(sc, scene.LegendText), "; ")
	if !strings.Contains(texts, "EU 9.5") || !strings.Contains(texts, "Euro area (20) 9.7") {
		t.Errorf("the legend says %s", texts)
	}
	tips := map[string]float64{}
	for _, m := range layoutcheck.Marks(sc, scene.Legend) {
		if p, ok := m.(*scene.Path); ok {
			tips[p.Name] = p.Outline.Points[2].Y
		}
	}
	if d := tips["EU27_2020"] - tips["EA20"]; d <= 0 || d > 3 {
		t.Errorf("the mark of the union is %.1f below that of the euro area, want up to 3", d)
	}
}

// Moving a map does not change its size, although it adds a note about the areas that
// are no longer visible.
func TestMovedMapKeepsItsSize(t *testing.T) {
	poland := func(tr chart.Transform) (box scene.Box, sc *scene.Scene) {
		s := mapSpec(union, func(i int) float64 { return float64(i) })
		s.Transform = tr
		sc = checkMap(t, s)
		for _, m := range layoutcheck.Marks(sc, scene.Area) {
			if p, ok := m.(*scene.Path); ok && p.Name == "PL" {
				box = layoutcheck.Extent(p)
			}
		}
		return box, sc
	}
	still, before := poland(chart.Transform{})
	moved, after := poland(chart.Transform{Y: -200})
	if len(layoutcheck.Texts(before, scene.Note)) != 0 || len(layoutcheck.Texts(after, scene.Note)) != 1 {
		t.Fatalf("notes are %q before and %q after moving, want none and one", layoutcheck.Texts(before, scene.Note), layoutcheck.Texts(after, scene.Note))
	}
	if d := (still.Y - moved.Y) * after.Scale; d < 199 || d > 201 || moved.H < still.H-.5 || moved.H > still.H+.5 {
		t.Errorf("the map was moved up by 200 pixels; Poland moved by %.1f and is %.1f high instead of %.1f", d, moved.H, still.H)
	}
}

func TestAnyMap(t *testing.T) {
	stattest.SkipUnderRace(t)
	areas := append(worldAreas(), "EU27_2020", "DE1", "no area", "")
	property.Check(t, func(t *rapid.T) {
		chosen := rapid.SliceOfDistinct(rapid.SampledFrom(areas), rapid.ID[string]).Draw(t, "areas")
		power := rapid.SampledFrom([]float64{1e-9, 1, 1e3, 1e15, -1e15, math.MaxFloat64}).Draw(t, "power")
		number := rapid.OneOf(rapid.Float64Range(-1, 1), rapid.Float64Range(0, 1), rapid.Just(.5), rapid.Just(math.NaN()))
		s := mapSpec(chosen, func(int) float64 { return number.Draw(t, "value") * power })
		s.Width = rapid.IntRange(chart.MinSide, 1500).Draw(t, "width")
		s.Height = rapid.IntRange(chart.MinSide, 1500).Draw(t, "height")
		s.Region = rapid.SampledFrom(regions).Draw(t, "region")
		s.Title = rapid.SampledFrom([]string{"", "Short", strings.Repeat("Long title ", 150)}).Draw(t, "title")
		s.Aside = rapid.SampledFrom([]string{"", "A few words beside the map", strings.Repeat("more words ", 200)}).Draw(t, "aside")
		s.Unit = rapid.SampledFrom([]string{"", "%", "US$", strings.Repeat("thousand tonnes ", 12)}).Draw(t, "unit")
		s.ShowValues, s.ShowLegend = rapid.Bool().Draw(t, "values"), rapid.Bool().Draw(t, "legend")
		for _, g := range []string{"WLD", "EA20", "G7"} {
			if rapid.Bool().Draw(t, "group") {
				addGroup(s, g, "Group "+g, rapid.Float64Range(-1, 1).Draw(t, "group value")*power)
			}
		}
		s.ShowBorders = rapid.Bool().Draw(t, "borders")
		s.Transform = chart.Transform{
			X:     rapid.Float64Range(-10_000, 10_000).Draw(t, "x"),
			Y:     rapid.Float64Range(-10_000, 10_000).Draw(t, "y"),
			Scale: rapid.SampledFrom([]float64{0, .1, 1, 3, 20}).Draw(t, "scale"),
		}
		if rapid.Bool().Draw(t, "untransformed") {
			s.Transform = chart.Transform{}
		}
		for i := range s.Categories {
			s.Categories[i].Group = s.Categories[i].Group || s.Categories[i].Area == "EU27_2020"
		}
		checkMap(t, s)
	})
}

func TestMapsOfUnusualValues(t *testing.T) {
	cases := map[string]func(i int) float64{
		"all equal":       func(int) float64 { return 5 },
		"all zero":        func(int) float64 { return 0 },
		"all negative":    func(i int) float64 { return -1 - float64(i) },
		"both signs":      func(i int) float64 { return float64(i) - 12 },
		"around 1e-9":     func(i int) float64 { return 1e-9 * float64(i+1) },
		"around 1e15":     func(i int) float64 { return 1e15 * float64(i+1) },
		"outlier":         func(i int) float64 { return math.Pow(10, float64(i)/2) },
		"one value":       func(i int) float64 { return []float64{7, math.NaN()}[min(i, 1)] },
		"infinite values": func(i int) float64 { return []float64{math.Inf(1), math.Inf(-1), 3, 4}[i%4] },
	}
	for name, f := range cases {
		t.Run(name, func(t *testing.T) {
			s := mapSpec(union, f)
			s.ShowValues = true
			sc := checkMap(t, s)
			fills, _ := areaFills(sc)
			want := 0
			for _, v := range s.Series[0].Values {
				if !math.IsNaN(v) && !math.IsInf(v, 0) {
					want++
				}
			}
			if len(fills) != want {
				t.Errorf("%d countries are coloured, but %d have a value", len(fills), want)
			}
		})
	}
}

// picture returns the scene of a Spec.
func picture(s *chart.Spec) *scene.Scene {
	f := frame.New(s)
	Layout(f)
	return f.Scene
}
