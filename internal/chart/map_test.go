package chart

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/ink"
	"almanac/internal/chart/scene"
)

// mapSpec is a map of areas whose values f gives by position.
func mapSpec(areas []string, f func(i int) float64) *Spec {
	s := &Spec{
		Type: Map, Width: DefaultWidth, Height: DefaultHeight, ShowBorders: true, ShowLegend: true,
		Title: "Unemployment, 2024", Subtitle: "Percentage of active population", Unit: "Percentage of active population",
		Source: "Source: an office, dataset une_rt_a", Period: "2024",
	}
	var values Values
	for i, a := range areas {
		s.Categories = append(s.Categories, Category{Label: a, Area: a})
		values = append(values, f(i))
	}
	s.Series = []Series{{Key: "Unemployment", Label: "Unemployment", Values: values}}
	return s
}

// addGroup adds a group of countries with a value.
func (s *Spec) addGroup(area, label string, value float64) {
	s.Categories = append(s.Categories, Category{Label: label, Area: area, Group: true})
	s.Series[0].Values = append(s.Series[0].Values, value)
}

// everywhere is all areas with an outline in the view of the world.
func everywhere() []string {
	var areas []string
	view := atlas.Lay(atlas.Ask{Box: scene.Box{W: 800, H: 400}, Pixels: 1})
	for i := range view.Shapes {
		areas = append(areas, view.Shapes[i].Area)
	}
	return areas
}

var union = strings.Fields("BE BG CZ DK DE EE IE GR ES FR HR IT CY LV LT LU HU MT NL AT PL PT RO SI SK FI SE")

var regions = []atlas.Region{atlas.World, atlas.Europe, atlas.Asia, atlas.Africa, atlas.NorthAmerica, atlas.SouthAmerica, atlas.Oceania}

// seenFills returns the fill of each country that is coloured, and which are hatched.
func seenFills(sc *scene.Scene) (fills map[string]colour.RGB, hatched []string) {
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

// noDataBox reports whether the legend has a box for countries without a value.
func noDataBox(sc *scene.Scene) bool {
	return slices.ContainsFunc(marksOf(sc, scene.Legend), func(m scene.Mark) bool {
		r, ok := m.(*scene.Rect)
		return ok && r.Fill.Hatch != nil
	})
}

// checkMap fails the test where a map breaks what every map keeps: its scene is
// fit to be printed, its legend covers the values that are seen, countries have
// the colour that the legend gives their class, and the box "no data" is there
// if and only if a country of the region has none.
func checkMap(t failer, s *Spec) *scene.Scene {
	t.Helper()
	sc := Layout(s)
	checkScene(t, sc)
	f := newFrame(s)
	f.header()
	f.footer()
	c := newChoropleth(f)
	fills, hatched := seenFills(sc)
	for area, fill := range fills {
		v := c.values[area]
		edges := c.classes.Edges
		i := c.classes.Index(v)
		if v < edges[0] || v > edges[len(edges)-1] || v < edges[i] || v > edges[i+1] {
			t.Errorf("%s has %v, in class %d of the edges %v", area, v, i, edges)
		} else if fill != c.fills[i] {
			t.Errorf("%s has %v and the colour %s; the legend says %s", area, v, fill, c.fills[i])
		}
	}
	legend := marksOf(sc, scene.Legend)
	if !s.ShowLegend && len(legend) > 0 {
		t.Errorf("there is a legend of %d marks; none was wanted", len(legend))
	}
	if c.key != nil && noDataBox(sc) != (len(hatched) > 0) {
		t.Errorf("box for no data: %v; countries without a value: %v", noDataBox(sc), hatched)
	}
	if c.key != nil && len(c.fills) > 0 {
		checkKey(t, sc, c)
	}
	return sc
}

// checkKey fails where a legend lacks a class, or one of the numbers at its ends.
func checkKey(t failer, sc *scene.Scene, c *choropleth) {
	t.Helper()
	var swatches []colour.RGB
	for _, m := range marksOf(sc, scene.Legend) {
		if r, ok := m.(*scene.Rect); ok && r.Fill.Hatch == nil {
			swatches = append(swatches, r.Fill.Colour)
		}
	}
	if !slices.Equal(swatches, c.fills) {
		t.Errorf("the legend's colours are %v; the classes' %v", swatches, c.fills)
	}
	labels := c.classes.Labels
	texts := textsOf(sc, scene.LegendText)
	ends := []string{labels[0], labels[len(labels)-1]}
	if keyWidth(ends[0])+keyWidth(ends[1])+2*keyGap > c.keyBox.W {
		return // "1,000 trillion" at a picture of 100 pixels
	}
	for _, label := range ends {
		if !slices.Contains(texts, label) {
			t.Errorf("the legend %q lacks the end %s", texts, label)
		}
	}
}

// Chart rules 5.2, 2, 3 and 4, at many sizes and in every region: no text leaves
// the canvas or overlaps, a box for no data where a country lacks a value,
// legend edges that cover the values.
func TestMapsOfManySizes(t *testing.T) {
	areas := everywhere()
	sizes := [][2]int{{100, 100}, {300, 200}, {640, 360}, {400, 800}, {1200, 675}, {3000, 300}, {100, 1000}, {4096, 2000}}
	for _, size := range sizes {
		for _, region := range regions {
			t.Run(fmt.Sprintf("%dx%d %s", size[0], size[1], region), func(t *testing.T) {
				s := mapSpec(areas, func(i int) float64 { return float64(i%17) / 3 })
				s.Width, s.Height, s.Region, s.ShowValues = size[0], size[1], region, true
				s.addGroup("EU27_2020", "European Union - 27 countries (from 2020)", 2.25)
				checkMap(t, s)
			})
		}
	}
}

// Whatever the values, sizes and options: a map that keeps what checkMap says.
func TestAnyMap(t *testing.T) {
	areas := append(everywhere(), "EU27_2020", "DE1", "no area", "")
	rapid.Check(t, func(t *rapid.T) {
		chosen := rapid.SliceOfDistinct(rapid.SampledFrom(areas), rapid.ID[string]).Draw(t, "areas")
		power := rapid.SampledFrom([]float64{1e-9, 1, 1e3, 1e15, -1e15}).Draw(t, "power")
		number := rapid.OneOf(rapid.Float64Range(-1, 1), rapid.Float64Range(0, 1), rapid.Just(.5), rapid.Just(math.NaN()))
		s := mapSpec(chosen, func(int) float64 { return number.Draw(t, "value") * power })
		s.Width = rapid.IntRange(MinSide, 1500).Draw(t, "width")
		s.Height = rapid.IntRange(MinSide, 1500).Draw(t, "height")
		s.Region = rapid.SampledFrom(regions).Draw(t, "region")
		s.Title = rapid.SampledFrom([]string{"", "Short", strings.Repeat("Long title ", 150)}).Draw(t, "title")
		s.Aside = rapid.SampledFrom([]string{"", "A few words beside the map", strings.Repeat("more words ", 200)}).Draw(t, "aside")
		s.Unit = rapid.SampledFrom([]string{"", "%", "US$", strings.Repeat("thousand tonnes ", 12)}).Draw(t, "unit")
		s.ShowValues, s.ShowLegend = rapid.Bool().Draw(t, "values"), rapid.Bool().Draw(t, "legend")
		for _, g := range []string{"WLD", "EA20", "G7"} {
			if rapid.Bool().Draw(t, "group") {
				s.addGroup(g, "Group "+g, rapid.Float64Range(-1, 1).Draw(t, "of group")*power)
			}
		}
		s.ShowBorders = rapid.Bool().Draw(t, "borders")
		s.Transform = Transform{
			X:     rapid.Float64Range(-10_000, 10_000).Draw(t, "x"),
			Y:     rapid.Float64Range(-10_000, 10_000).Draw(t, "y"),
			Scale: rapid.SampledFrom([]float64{0, .1, 1, 3, 20}).Draw(t, "scale"),
		}
		if rapid.Bool().Draw(t, "untransformed") {
			s.Transform = Transform{}
		}
		for i := range s.Categories {
			s.Categories[i].Group = s.Categories[i].Group || s.Categories[i].Area == "EU27_2020"
		}
		checkMap(t, s)
	})
}

// The issue: all equal, all negative, one value, 1e-9 and 1e15 are good pictures.
func TestMapsOfUnusualValues(t *testing.T) {
	cases := map[string]func(i int) float64{
		"all equal":       func(int) float64 { return 5 },
		"all zero":        func(int) float64 { return 0 },
		"all negative":    func(i int) float64 { return -1 - float64(i) },
		"both signs":      func(i int) float64 { return float64(i) - 12 },
		"around 1e-9":     func(i int) float64 { return 1e-9 * float64(i+1) },
		"around 1e15":     func(i int) float64 { return 1e15 * float64(i+1) },
		"one far away":    func(i int) float64 { return math.Pow(10, float64(i)/2) },
		"one value":       func(i int) float64 { return []float64{7, math.NaN()}[min(i, 1)] },
		"infinite values": func(i int) float64 { return []float64{math.Inf(1), math.Inf(-1), 3, 4}[i%4] },
	}
	for name, f := range cases {
		t.Run(name, func(t *testing.T) {
			s := mapSpec(union, f)
			s.ShowValues = true
			sc := checkMap(t, s)
			fills, _ := seenFills(sc)
			want := 0
			for _, v := range s.Series[0].Values {
				if !math.IsNaN(v) && !math.IsInf(v, 0) {
					want++
				}
			}
			if len(fills) != want {
				t.Errorf("%d countries are coloured; %d have a value", len(fills), want)
			}
		})
	}
}

// Chart rules 5.1: values of both signs are coloured by two hues from zero, and
// a larger number of one sign is darker.
func TestColoursOfClasses(t *testing.T) {
	light := func(c colour.RGB) float64 { return colour.Contrast(c, colour.RGB{}) }
	signs := func(f func(i int) float64) (fills []colour.RGB, low int) {
		c := newChoropleth(newFrame(mapSpec(union, f)))
		for low < len(c.fills) && c.classes.Edges[low+1] <= 0 {
			low++
		}
		return c.fills, low
	}
	for name, f := range map[string]func(i int) float64{
		"positive": func(i int) float64 { return float64(i) },
		"negative": func(i int) float64 { return -float64(i) },
		"both":     func(i int) float64 { return float64(i) - 13 },
	} {
		t.Run(name, func(t *testing.T) {
			fills, low := signs(f)
			if len(fills) < 4 {
				t.Fatalf("only %d classes", len(fills))
			}
			for i := 1; i < len(fills); i++ {
				if i < low && light(fills[i]) <= light(fills[i-1]) {
					t.Errorf("class %d below zero is no lighter than the one farther from zero", i)
				}
				if i > low && light(fills[i]) >= light(fills[i-1]) {
					t.Errorf("class %d is no darker than the one nearer to zero", i)
				}
			}
			if name == "both" && (low == 0 || low == len(fills)) {
				t.Errorf("zero is not between the classes: %d of %d are below", low, len(fills))
			}
		})
	}
}

// Chart rules 5.2, 8: Malta, Luxembourg, Singapore and the Maldives have a mark
// that can be seen, in a picture of the world 850 pixels wide; also where small
// states are many.
func TestSmallStatesAreMarked(t *testing.T) {
	s := mapSpec(everywhere(), func(i int) float64 { return float64(i) })
	s.Width, s.Height = 850, 478
	sc := checkMap(t, s)
	circles := map[string]*scene.Circle{}
	for _, m := range marksOf(sc, scene.Area) {
		if c, ok := m.(*scene.Circle); ok {
			circles[c.Name] = c
		}
	}
	fills, _ := seenFills(sc)
	for _, area := range strings.Fields("MT LU SG MV BB GD LC VC AG DM KN") {
		c := circles[area]
		if c == nil {
			t.Errorf("%s has no circle", area)
			continue
		}
		if px := c.R * sc.Scale; px < 1.2 {
			t.Errorf("the circle of %s has a radius of %.1f pixels", area, px)
		}
		if c.Fill.Colour != fills[area] {
			t.Errorf("the circle of %s is %s, its class %s", area, c.Fill.Colour, fills[area])
		}
		for other, o := range circles {
			if other < area && math.Hypot(c.X-o.X, c.Y-o.Y) < .6*(c.R+o.R) {
				t.Errorf("the circles of %s and %s hide one another", area, other)
			}
		}
	}
	for _, area := range []string{"DE", "FR", "BR"} {
		if circles[area] != nil {
			t.Errorf("%s is large and has a circle", area)
		}
	}
}

// A small state without a value is not marked: a circle says that there is one.
func TestSmallStatesWithoutValue(t *testing.T) {
	s := mapSpec([]string{"US", "CN", "AU", "ZA"}, func(i int) float64 { return float64(i) })
	for _, m := range checkMap(t, s).Marks {
		if c, ok := m.(*scene.Circle); ok {
			t.Errorf("%s has a circle and no value", c.Name)
		}
	}
}

// The interface, 4.6: showBorders, a map option. Borders that are not agreed on
// are dashed.
func TestShowBorders(t *testing.T) {
	s := mapSpec(everywhere(), func(i int) float64 { return float64(i) })
	sc := checkMap(t, s)
	if len(marksOf(sc, scene.Border)) != 1 || len(marksOf(sc, scene.Disputed)) != 1 {
		t.Fatal("borders are lacking")
	}
	if p := marksOf(sc, scene.Border)[0].(*scene.Path); p.Pen.Dash != nil || p.Pen.Width <= 0 {
		t.Errorf("borders are drawn as %v", p.Pen)
	}
	if p := marksOf(sc, scene.Disputed)[0].(*scene.Path); p.Pen.Dash == nil {
		t.Error("disputed borders are not dashed")
	}
	s.ShowBorders = false
	sc = checkMap(t, s)
	if n := len(marksOf(sc, scene.Border)) + len(marksOf(sc, scene.Disputed)); n != 0 {
		t.Errorf("%d marks of borders; none was wanted", n)
	}
}

// The interface, 4.6: showLegend shows and hides the map's legend. Without it
// the map has its room.
func TestShowLegend(t *testing.T) {
	for _, region := range []atlas.Region{atlas.World, atlas.Europe} {
		s := mapSpec(union, func(i int) float64 { return float64(i) })
		s.Region = region
		with := checkMap(t, s)
		if len(marksOf(with, scene.Legend)) < 5 || !slices.Contains(textsOf(with, scene.LegendText), noDataText) {
			t.Errorf("%q: the legend has %d marks and says %q", region, len(marksOf(with, scene.Legend)), textsOf(with, scene.LegendText))
		}
		s.ShowLegend = false
		without := checkMap(t, s)
		if n := len(marksOf(without, scene.LegendText)); n != 0 {
			t.Errorf("%q: %d texts of a legend; none was wanted", region, n)
		}
	}
}

// The legend names the unit, and points at the value of the union.
func TestLegendNamesUnitAndUnion(t *testing.T) {
	for _, size := range [][2]int{{1200, 675}, {700, 800}} {
		s := mapSpec(union, func(i int) float64 { return float64(i) })
		s.Unit, s.Width, s.Height = "Tonnes per head", size[0], size[1]
		s.addGroup("EU27_2020", "European Union - 27 countries (from 2020)", 9.5)
		sc := checkMap(t, s)
		texts := textsOf(sc, scene.LegendText)
		if !slices.Contains(texts, "Tonnes per head") || !slices.ContainsFunc(texts, func(s string) bool { return strings.HasPrefix(s, "EU 9.5") }) {
			t.Errorf("the legend says %q", texts)
		}
		if notes := textsOf(sc, scene.Note); len(notes) != 0 {
			t.Errorf("notes %q; the union is in the legend", notes)
		}
	}
}

// Nothing is left out in silence: what has a value and is not on the map is in a note.
func TestNotesOfWhatIsNotShown(t *testing.T) {
	cases := []struct {
		name string
		edit func(*Spec)
		want string
	}{
		{"regions of countries", func(s *Spec) {
			s.Categories = append(s.Categories, Category{Label: "Stuttgart", Area: "DE11"}, Category{Label: "Salzburg", Area: "AT32"})
			s.Series[0].Values = append(s.Series[0].Values, 3, math.NaN())
		}, "Not on the map: Stuttgart."},
		{"a group beyond the legend", func(s *Spec) { s.addGroup("EU27_2020", "European Union", 1e6) }, "Not on the map: European Union."},
		{"a group where there is no legend", func(s *Spec) { s.ShowLegend = false; s.addGroup("EA20", "Euro area", 5) }, "Not on the map: Euro area."},
		{"many groups", func(s *Spec) {
			for i := range 9 {
				s.addGroup(fmt.Sprint("G", i), fmt.Sprint("Group ", i), 5)
			}
		}, "Not on the map: 9 groups of countries."},
		{"countries of another region", func(s *Spec) {
			s.Categories = append(s.Categories, Category{Label: "Japan", Area: "JP"})
			s.Series[0].Values = append(s.Series[0].Values, 3)
			s.Region = atlas.Europe
		}, "Outside this map: Japan."},
		{"no country of the region has a value", func(s *Spec) { s.Region = atlas.Africa }, "None of the countries on this map has a value."},
		{"two values of one country", func(s *Spec) {
			s.Categories = append(s.Categories, Category{Label: "Germany, West", Area: "DE"})
			s.Series[0].Values = append(s.Series[0].Values, 3)
		}, "Only the first of several values is shown: Germany, West."},
		{"numbers in millions", func(s *Spec) {
			for i := range s.Series[0].Values {
				s.Series[0].Values[i] = 1e6 * float64(i+3)
			}
			s.ShowValues = true
		}, "Numbers on the map are in millions."},
		{"numbers in thousand millionths", func(s *Spec) {
			for i := range s.Series[0].Values {
				s.Series[0].Values[i] = 1e-9 * float64(i+3)
			}
			s.ShowValues = true
		}, "Numbers on the map are to be multiplied by 10⁻⁹."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := mapSpec(union, func(i int) float64 { return float64(i) })
			c.edit(s)
			sc := checkMap(t, s)
			if notes := textsOf(sc, scene.Note); !slices.Contains(notes, c.want) {
				t.Errorf("notes are %q; want %q", notes, c.want)
			}
		})
	}
}

// The interface, 4.6: showValues. A number stands in its country, or has a line
// to it; none is written without the option.
func TestShowValuesOfMap(t *testing.T) {
	s := mapSpec(union, func(i int) float64 { return float64(i) + .5 })
	if n := len(marksOf(checkMap(t, s), scene.Value)); n != 0 {
		t.Errorf("%d numbers; none was wanted", n)
	}
	s.ShowValues = true
	sc := checkMap(t, s)
	outlines := map[string]*scene.Outline{}
	for _, m := range marksOf(sc, scene.Area) {
		if p, ok := m.(*scene.Path); ok {
			outlines[p.Name] = p.Outline
		}
	}
	led := map[string]bool{}
	for _, m := range marksOf(sc, scene.Leader) {
		led[m.Tags().Name] = true
	}
	values := marksOf(sc, scene.Value)
	if len(values) < 20 {
		t.Errorf("only %d of 27 countries have a number", len(values))
	}
	for _, m := range values {
		text := m.(*scene.Text)
		b := text.Box()
		in := winding(outlines[text.Name], b.X+b.W/2, b.Y+b.H/2) != 0
		if in == led[text.Name] {
			t.Errorf("the number of %s: in the country %v, with a line to it %v", text.Name, in, led[text.Name])
		}
		if want := fmt.Sprintf("%d.5", slices.Index(union, text.Name)); text.Text != want {
			t.Errorf("%s has the number %s; want %s", text.Name, text.Text, want)
		}
	}
}

// The interface, 4.6: mapLocation forces the region; without it the areas with
// values decide.
func TestMapLocation(t *testing.T) {
	for _, c := range []struct {
		areas    []string
		region   atlas.Region
		in, away string
	}{
		{union, atlas.World, "DE", "BR"}, // framed as Europe by itself
		{[]string{"US", "CN", "ZA"}, atlas.World, "BR", ""},
		{union, atlas.SouthAmerica, "BR", "DE"},
		{union, atlas.Oceania, "NZ", "DE"},
		{union, atlas.Africa, "KE", "SE"},
		{union, atlas.Asia, "IN", "CA"},
		{union, atlas.NorthAmerica, "MX", "AU"},
		{[]string{"US"}, atlas.Europe, "PL", "US"},
	} {
		s := mapSpec(c.areas, func(i int) float64 { return float64(i) })
		s.Region = c.region
		fills, hatched := seenFills(checkMap(t, s))
		seen := func(area string) bool {
			_, ok := fills[area]
			return ok || slices.Contains(hatched, area)
		}
		if !seen(c.in) || seen(c.away) {
			t.Errorf("%q of %.8q…: %s is seen: %v, %s: %v", c.region, c.areas, c.in, seen(c.in), c.away, seen(c.away))
		}
	}
}

// Decisions, charts: mapTransform is in pixels at output size about the centre.
func TestMapTransform(t *testing.T) {
	place := func(tr Transform) (x, y, width float64) {
		s := mapSpec(everywhere(), func(i int) float64 { return float64(i) })
		s.Transform = tr
		sc := checkMap(t, s)
		for _, m := range marksOf(sc, scene.Area) {
			if p, ok := m.(*scene.Path); ok && p.Name == "NG" {
				box, _ := extent(p)
				return (box.X + box.W/2) * sc.Scale, (box.Y + box.H/2) * sc.Scale, box.W * sc.Scale
			}
		}
		t.Fatalf("Nigeria is not on the map %v", tr)
		return 0, 0, 0
	}
	x, y, w := place(Transform{})
	x1, y1, w1 := place(Transform{X: 80, Y: -40, Scale: 1})
	if math.Abs(x1-x-80) > .7 || math.Abs(y1-y+40) > .7 || math.Abs(w1-w) > .7 {
		t.Errorf("moved by 80, -40 pixels: by %.1f, %.1f and from %.1f to %.1f wide", x1-x, y1-y, w, w1)
	}
	if _, _, w2 := place(Transform{Scale: 2}); math.Abs(w2-2*w) > 1.5 {
		t.Errorf("twice as large: %.1f wide instead of %.1f", w2, 2*w)
	}
}

// The interface, 4.6: additionalText stands on the left side of the map.
func TestAdditionalTextOfMap(t *testing.T) {
	for _, region := range regions {
		s := mapSpec(everywhere(), func(i int) float64 { return float64(i) })
		s.Region = region
		s.Aside = "Where work is scarce. " + strings.Repeat("Many words follow. ", 40)
		sc := checkMap(t, s)
		aside := marksOf(sc, scene.Aside)
		if len(aside) < 5 {
			t.Fatalf("%q: %d lines of text", region, len(aside))
		}
		right := 0.0
		for _, m := range aside {
			b := m.(*scene.Text).Box()
			right = max(right, b.X+b.W)
		}
		if right > .25*sc.Width {
			t.Errorf("%q: the text takes %.0f of %.0f", region, right, sc.Width)
		}
		for _, role := range []string{scene.Area, scene.NoData, scene.Land} {
			for _, m := range marksOf(sc, role) {
				if box, _ := extent(m); box.W > 0 && box.X < right {
					t.Fatalf("%q: %s begins at %.1f, the text ends at %.1f", region, m.Tags().Name, box.X, right)
				}
			}
		}
	}
}

// The interface, 4.6: seriesColors. The colour of a map's series is that of its
// highest class.
func TestSeriesColourOfMap(t *testing.T) {
	s := mapSpec(union, func(i int) float64 { return float64(i) })
	s.Series[0].Colour = "#800080"
	fills, _ := seenFills(checkMap(t, s))
	if want := (colour.RGB{R: 0x80, B: 0x80}); fills["SE"] != want || fills["BE"] == want {
		t.Errorf("the highest value is %s and the lowest %s; want %s and a lighter one", fills["SE"], fills["BE"], want)
	}
}

// A colour that is too light to have lighter tints is the lowest class's.
func TestLightSeriesColourOfMap(t *testing.T) {
	for _, own := range []string{"#ffff00", "#ffffff"} {
		s := mapSpec(union, func(i int) float64 { return float64(i) })
		s.Series[0].Colour = own
		fills, _ := seenFills(checkMap(t, s))
		if fills["BE"].String() != own || colour.Contrast(fills["BE"], fills["SE"]) < 4 {
			t.Errorf("%s: the lowest class is %s, the highest %s", own, fills["BE"], fills["SE"])
		}
	}
}

// Chart rules 5.2, 9: the same request twice is the same bytes.
func TestSameMapSameBytes(t *testing.T) {
	draw := func() []byte {
		s := mapSpec(everywhere(), func(i int) float64 { return float64(i) })
		s.ShowValues = true
		var b bytes.Buffer
		if err := ink.SVG(&b, Layout(s)); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if !bytes.Equal(draw(), draw()) {
		t.Error("two pictures of one map differ")
	}
}
