package maps

import (
	"bytes"
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
	"almanac/internal/chart/render"
	"almanac/internal/chart/scene"
	"almanac/internal/stattest/property"
)

// Negative and positive values have different hues, and classes get darker away from
// zero.
func TestColoursOfClasses(t *testing.T) {
	lightness := func(c colour.RGB) float64 { return colour.Contrast(c, colour.RGB{}) }
	signs := func(f func(i int) float64) (fills []colour.RGB, low int) {
		c := newChoropleth(frame.New(mapSpec(union, f)))
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
				if i < low && lightness(fills[i]) <= lightness(fills[i-1]) {
					t.Errorf("class %d, below zero, is not lighter than the one farther from zero", i)
				}
				if i > low && lightness(fills[i]) >= lightness(fills[i-1]) {
					t.Errorf("class %d is not darker than the one closer to zero", i)
				}
			}
			if name == "both" && (low == 0 || low == len(fills)) {
				t.Errorf("zero is not between two classes: %d of %d are below zero", low, len(fills))
			}
		})
	}
}

// On a map of the world 850 pixels wide, small states such as Malta and Singapore have
// visible circles.
func TestSmallStatesAreMarked(t *testing.T) {
	s := mapSpec(worldAreas(), func(i int) float64 { return float64(i) })
	s.Width, s.Height = 850, 478
	sc := checkMap(t, s)
	circles := map[string]*scene.Circle{}
	for _, m := range layoutcheck.Marks(sc, scene.Area) {
		if c, ok := m.(*scene.Circle); ok {
			circles[c.Name] = c
		}
	}
	fills, _ := areaFills(sc)
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
				t.Errorf("the circles of %s and %s hide each other", area, other)
			}
		}
	}
	for _, area := range []string{"DE", "FR", "BR"} {
		if circles[area] != nil {
			t.Errorf("%s has a circle although it is large", area)
		}
	}
}

// A small state without a value has no circle.
func TestSmallStatesWithoutValue(t *testing.T) {
	s := mapSpec([]string{"US", "CN", "AU", "ZA"}, func(i int) float64 { return float64(i) })
	for _, m := range checkMap(t, s).Marks {
		if c, ok := m.(*scene.Circle); ok {
			t.Errorf("%s has a circle but no value", c.Name)
		}
	}
}

// showBorders draws borders; disputed ones are dashed.
func TestShowBorders(t *testing.T) {
	s := mapSpec(worldAreas(), func(i int) float64 { return float64(i) })
	sc := checkMap(t, s)
	if len(layoutcheck.Marks(sc, scene.Border)) != 1 || len(layoutcheck.Marks(sc, scene.Disputed)) != 1 {
		t.Fatalf("%d marks of borders and %d of disputed borders, want one each", len(layoutcheck.Marks(sc, scene.Border)), len(layoutcheck.Marks(sc, scene.Disputed)))
	}
	if p := layoutcheck.Marks(sc, scene.Border)[0].(*scene.Path); p.Pen.Dash != nil || p.Pen.Width <= 0 {
		t.Errorf("borders are drawn with %v, want a solid pen", p.Pen)
	}
	if p := layoutcheck.Marks(sc, scene.Disputed)[0].(*scene.Path); p.Pen.Dash == nil {
		t.Error("disputed borders are not dashed")
	}
	s.ShowBorders = false
	sc = checkMap(t, s)
	if n := len(layoutcheck.Marks(sc, scene.Border)) + len(layoutcheck.Marks(sc, scene.Disputed)); n != 0 {
		t.Errorf("%d marks of borders; want none", n)
	}
}

// showLegend shows and hides the legend.
func TestShowLegend(t *testing.T) {
	for _, region := range []atlas.Region{atlas.World, atlas.Europe} {
		s := mapSpec(union, func(i int) float64 { return float64(i) })
		s.Region = region
		with := checkMap(t, s)
		if len(layoutcheck.Marks(with, scene.Legend)) < 5 || !slices.Contains(layoutcheck.Texts(with, scene.LegendText), "No data") {
			t.Errorf("%q: the legend has %d marks and says %q", region, len(layoutcheck.Marks(with, scene.Legend)), layoutcheck.Texts(with, scene.LegendText))
		}
		s.ShowLegend = false
		without := checkMap(t, s)
		if n := len(layoutcheck.Marks(without, scene.LegendText)); n != 0 {
			t.Errorf("%q: %d texts of a legend; want none", region, n)
		}
	}
}

// The legend names the unit and marks the value of the European Union.
func TestLegendNamesUnitAndUnion(t *testing.T) {
	for _, size := range [][2]int{{1200, 675}, {700, 800}} {
		s := mapSpec(union, func(i int) float64 { return float64(i) })
		s.Unit, s.Width, s.Height = "Tonnes per head", size[0], size[1]
		addGroup(s, "EU27_2020", "European Union - 27 countries (from 2020)", 9.5)
		sc := checkMap(t, s)
		texts := layoutcheck.Texts(sc, scene.LegendText)
		if !slices.Contains(texts, "Tonnes per head") || !slices.ContainsFunc(texts, func(s string) bool { return strings.HasPrefix(s, "EU 9.5") }) {
			t.Errorf("the legend says %q", texts)
		}
		if notes := layoutcheck.Texts(sc, scene.Note); len(notes) != 0 {
			t.Errorf("the notes are %q although the union is in the legend", notes)
		}
	}
}

// A name that tells a group from the same one with other members is not shortened.
func TestLegendKeepsComposition(t *testing.T) {
	s := mapSpec(union, func(i int) float64 { return float64(i) })
	addGroup(s, "EU27_2020", "EU-27 (2020)", 9.5)
	if texts := layoutcheck.Texts(checkMap(t, s), scene.LegendText); !slices.Contains(texts, "EU-27 (2020) 9.5%") {
		t.Errorf("the legend says %q", texts)
	}
}

// If an office publishes several compositions of the European Union, the legend shows
// the current one.
func TestLegendPrefersTheCurrentUnion(t *testing.T) {
	s := mapSpec(union, func(i int) float64 { return float64(i) })
	for i, area := range []string{"EU15", "EA19", "EU28", "EA21", "EA20", "EU27_2020"} {
		addGroup(s, area, "A union with a long name, "+area, 4*float64(i+1))
	}
	texts := strings.Join(layoutcheck.Texts(checkMap(t, s), scene.LegendText), "; ")
	if !strings.Contains(texts, "EU 24") || !strings.Contains(texts, "Euro area (20) 20") || strings.Contains(texts, "EU-28") {
		t.Errorf("the legend says %s", texts)
	}
}

// The text of a map in a page is as large as the smallest of the page, which says itself what is not on the map.
func TestMapInPage(t *testing.T) {
	for _, size := range [][2]int{{720, 420}, {360, 340}} {
		s := mapSpec(union, func(i int) float64 { return float64(i) })
		addGroup(s, "EU27_2020", "European Union", 1e6)
		s.Width, s.Height, s.Plain, s.PageStyle = size[0], size[1], true, true
		sc := checkMap(t, s)
		legend := layoutcheck.Marks(sc, scene.LegendText)
		if len(legend) < 3 {
			t.Errorf("%v: the legend has %d texts", size, len(legend))
		}
		for _, it := range legend {
			if text := it.(*scene.Text); text.Size*sc.Scale < 11.99 {
				t.Errorf("%v: %q has %.1f pixels", size, text.Text, text.Size*sc.Scale)
			}
		}
		if notes := layoutcheck.Texts(sc, scene.Note); len(notes) > 0 {
			t.Errorf("%v: the picture says %q", size, notes)
		}
	}
}

// A note names the areas that have a value and are not on the map.
func TestNotesOnHiddenAreas(t *testing.T) {
	cases := []struct {
		name string
		edit func(*chart.Spec)
		want string
	}{
		{"regions of countries", func(s *chart.Spec) {
			s.Categories = append(s.Categories, chart.Category{Label: "Stuttgart", Area: "DE11"}, chart.Category{Label: "Salzburg", Area: "AT32"})
			s.Series[0].Values = append(s.Series[0].Values, 3, math.NaN())
		}, "Not on the map: Stuttgart 3%."},
		{"a group beyond the legend", func(s *chart.Spec) { addGroup(s, "EU27_2020", "European Union", 1e6) }, "Not on the map: European Union 1 million%."},
		{"a group without a legend", func(s *chart.Spec) { s.ShowLegend = false; addGroup(s, "EA20", "Euro area", 5) }, "Not on the map: Euro area 5%."},
		{"many countries outside the chosen region", func(s *chart.Spec) { s.Region = atlas.SouthAmerica }, "Not on the map: 27 areas with values."},
		{"countries that a transform moves out of the picture", func(s *chart.Spec) {
			s.Region, s.Transform = atlas.Europe, chart.Transform{Scale: 4}
			s.Categories = append(s.Categories, chart.Category{Label: "Stuttgart", Area: "DE11"})
			s.Series[0].Values = append(s.Series[0].Values, 3)
		}, ""},
		{"many groups", func(s *chart.Spec) {
			for i := range 9 {
				addGroup(s, fmt.Sprint("G", i), fmt.Sprint("Group ", i), 5)
			}
		}, "Not on the map: 9 groups of countries."},
		{"many groups of which the legend shows one", func(s *chart.Spec) {
			addGroup(s, "EU27_2020", "European Union", 5)
			for i := range 9 {
				addGroup(s, fmt.Sprint("G", i), fmt.Sprint("Group ", i), 5)
			}
		}, "Not on the map: 10 groups of countries."},
		{"countries of another region", func(s *chart.Spec) {
			s.Categories = append(s.Categories, chart.Category{Label: "Japan", Area: "JP"})
			s.Series[0].Values = append(s.Series[0].Values, 3)
			s.Region = atlas.Europe
		}, "Not on the map: Japan 3%."},
		{"no country of the region has a value", func(s *chart.Spec) { s.Region = atlas.Africa }, "None of the countries on this map has a value."},
		{"a transform that moves all countries out of the picture", func(s *chart.Spec) {
			s.Region, s.Transform = atlas.Europe, chart.Transform{X: 10_000}
		}, "The map is moved or enlarged so far that none of its countries is in the picture."},
		{"a transform that moves all values out of the picture", func(s *chart.Spec) {
			s.Categories, s.Series[0].Values = []chart.Category{{Label: "Iceland", Area: "IS"}}, chart.Values{3}
			s.Region, s.Transform = atlas.Europe, chart.Transform{X: -500, Scale: 3}
		}, "None of the countries on this map has a value."},
		{"two values of one country", func(s *chart.Spec) {
			s.Categories = append(s.Categories, chart.Category{Label: "Germany, West", Area: "DE"})
			s.Series[0].Values = append(s.Series[0].Values, 3)
		}, "Only the first of several values is shown: Germany, West."},
		{"numbers in millions", func(s *chart.Spec) {
			for i := range s.Series[0].Values {
				s.Series[0].Values[i] = 1e6 * float64(i+3)
			}
			s.ShowValues = true
		}, "Numbers on the map are in millions."},
		{"numbers in thousand millionths", func(s *chart.Spec) {
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
			notes := layoutcheck.Texts(sc, scene.Note)
			if c.want == "" {
				for _, it := range layoutcheck.Marks(sc, scene.Area) {
					if len(notes) == 0 || strings.Contains(notes[0], it.Tags().Name) || !strings.HasSuffix(notes[0], " areas with values.") {
						t.Fatalf("notes are %q", notes)
					}
				}
				return
			}
			if !slices.Contains(notes, c.want) {
				t.Errorf("notes are %q; want %q", notes, c.want)
			}
		})
	}
}

// showValues writes the numbers, each in its country or connected to it by a line.
func TestShowValuesOfMap(t *testing.T) {
	s := mapSpec(union, func(i int) float64 { return float64(i) + .5 })
	if n := len(layoutcheck.Marks(checkMap(t, s), scene.Value)); n != 0 {
		t.Errorf("%d numbers; want none", n)
	}
	s.ShowValues = true
	sc := checkMap(t, s)
	outlines := map[string]*scene.Outline{}
	for _, m := range layoutcheck.Marks(sc, scene.Area) {
		if p, ok := m.(*scene.Path); ok {
			outlines[p.Name] = p.Outline
		}
	}
	hasLeader := map[string]bool{}
	for _, m := range layoutcheck.Marks(sc, scene.Leader) {
		hasLeader[m.Tags().Name] = true
	}
	values := layoutcheck.Marks(sc, scene.Value)
	if len(values) < 20 {
		t.Errorf("only %d of 27 countries have a number", len(values))
	}
	for _, m := range values {
		text := m.(*scene.Text)
		b := text.Box()
		in := outlines[text.Name].Contains(b.X+b.W/2, b.Y+b.H/2)
		if in == hasLeader[text.Name] {
			t.Errorf("the number of %s: in the country %v, with a line to it %v", text.Name, in, hasLeader[text.Name])
		}
		if want := fmt.Sprintf("%d.5", slices.Index(union, text.Name)); text.Text != want {
			t.Errorf("%s has the number %s; want %s", text.Name, text.Text, want)
		}
	}
}

// mapLocation sets the region; without it, the areas with values determine it.
func TestMapLocation(t *testing.T) {
	for _, c := range []struct {
		areas   []string
		region  atlas.Region
		in, out string
	}{
		{union, atlas.World, "DE", "BR"}, // shows Europe by default
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
		fills, hatched := areaFills(checkMap(t, s))
		isVisible := func(area string) bool {
			_, ok := fills[area]
			return ok || slices.Contains(hatched, area)
		}
		if !isVisible(c.in) || isVisible(c.out) {
			t.Errorf("region %q with areas %.8q…: %s visible: %v, want true; %s visible: %v, want false", c.region, c.areas, c.in, isVisible(c.in), c.out, isVisible(c.out))
		}
	}
}

// mapTransform moves the map by pixels of the picture and scales it about the centre.
func TestMapTransform(t *testing.T) {
	place := func(tr chart.Transform) (x, y, width float64) {
		s := mapSpec(worldAreas(), func(i int) float64 { return float64(i) })
		s.Transform = tr
		sc := checkMap(t, s)
		for _, m := range layoutcheck.Marks(sc, scene.Area) {
			if p, ok := m.(*scene.Path); ok && p.Name == "NG" {
				box := layoutcheck.Extent(p)
				return (box.X + box.W/2) * sc.Scale, (box.Y + box.H/2) * sc.Scale, box.W * sc.Scale
			}
		}
		t.Fatalf("Nigeria is not on the map with the transform %v", tr)
		return 0, 0, 0
	}
	x, y, w := place(chart.Transform{})
	x1, y1, w1 := place(chart.Transform{X: 80, Y: -40, Scale: 1})
	if math.Abs(x1-x-80) > .7 || math.Abs(y1-y+40) > .7 || math.Abs(w1-w) > .7 {
		t.Errorf("moved by %.1f, %.1f pixels, want 80, -40; the width changed from %.1f to %.1f", x1-x, y1-y, w, w1)
	}
	if _, _, w2 := place(chart.Transform{Scale: 2}); math.Abs(w2-2*w) > 1.5 {
		t.Errorf("at scale 2 the width is %.1f, want %.1f", w2, 2*w)
	}
}

// additionalText is to the left of the map.
func TestAdditionalTextOfMap(t *testing.T) {
	for _, region := range regions {
		s := mapSpec(worldAreas(), func(i int) float64 { return float64(i) })
		s.Region = region
		s.Aside = "Where jobs are scarce. " + strings.Repeat("Many words follow. ", 40)
		sc := checkMap(t, s)
		aside := layoutcheck.Marks(sc, scene.Aside)
		if len(aside) < 5 {
			t.Fatalf("%q: %d lines of text, want at least 5", region, len(aside))
		}
		left, right := sc.Width, 0.0
		for _, m := range aside {
			b := m.(*scene.Text).Box()
			left, right = min(left, b.X), max(right, b.X+b.W)
		}
		if right-left > .25*sc.Width {
			t.Errorf("%q: the text is %.0f wide, want at most a quarter of %.0f", region, right-left, sc.Width)
		}
		for _, role := range []string{scene.Area, scene.NoData, scene.Land} {
			for _, m := range layoutcheck.Marks(sc, role) {
				if box := layoutcheck.Extent(m); box.W > 0 && box.X < right {
					t.Fatalf("%q: %s begins at %.1f, the text ends at %.1f", region, m.Tags().Name, box.X, right)
				}
			}
		}
	}
}

// seriesColors sets the colour of the highest class.
func TestSeriesColourOfMap(t *testing.T) {
	s := mapSpec(union, func(i int) float64 { return float64(i) })
	s.Series[0].Colour = "#800080"
	fills, _ := areaFills(checkMap(t, s))
	if want := (colour.RGB{R: 0x80, B: 0x80}); fills["SE"] != want || fills["BE"] == want {
		t.Errorf("the highest value is %s and the lowest %s; want %s and a lighter one", fills["SE"], fills["BE"], want)
	}
}

// A light colour chosen by the caller is that of the lowest class instead.
func TestLightSeriesColourOfMap(t *testing.T) {
	for _, own := range []string{"#ffa500", "#90ee90"} {
		s := mapSpec(union, func(i int) float64 { return float64(i) })
		s.Series[0].Colour = own
		fills, _ := areaFills(checkMap(t, s))
		if fills["BE"].String() != own || colour.Contrast(fills["BE"], fills["SE"]) < 4 {
			t.Errorf("%s: the lowest class is %s, the highest %s", own, fills["BE"], fills["SE"])
		}
	}
}

// Every class differs from the sea, whatever colour a caller chooses.
func TestClassesDifferFromTheSea(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		own := colour.RGB{R: rapid.Byte().Draw(t, "red"), G: rapid.Byte().Draw(t, "green"), B: rapid.Byte().Draw(t, "blue")}
		for i, fill := range ramp(own, 7) {
			if c := colour.Contrast(fill, colour.Sea); c < 1.15 {
				t.Fatalf("%s: class %d, %s, has a contrast of %.2f:1 to the sea", own, i, fill, c)
			}
		}
	})
}

// A note lists the numbers that do not fit, the highest and the lowest first.
func TestNoteListsNumbersThatDoNotFit(t *testing.T) {
	for _, size := range [][2]int{{1200, 675}, {640, 360}, {400, 300}} {
		s := mapSpec(worldAreas(), func(i int) float64 { return float64((i*37)%211) + .5 })
		s.Region, s.ShowValues, s.Width, s.Height = atlas.Europe, true, size[0], size[1]
		sc := checkMap(t, s)
		written := map[string]bool{}
		for _, m := range layoutcheck.Marks(sc, scene.Value) {
			written[m.Tags().Name] = true
		}
		fills, _ := areaFills(sc)
		low, high, lacking := "", "", 0
		value := func(area string) float64 { return s.Series[0].Values[slices.Index(worldAreas(), area)] }
		for area := range fills {
			if low == "" || value(area) < value(low) {
				low = area
			}
			if high == "" || value(area) > value(high) {
				high = area
			}
			if !written[area] {
				lacking++
			}
		}
		notes := strings.Join(layoutcheck.Texts(sc, scene.Note), " ")
		_, list, _ := strings.Cut(notes, "No room on the map for: ")
		for _, extreme := range []string{low, high} {
			label := s.Categories[slices.Index(worldAreas(), extreme)].Label
			if !written[extreme] && !strings.Contains(list, label+" ") {
				t.Errorf("%v: %s, the lowest or the highest, has no number; notes: %s", size, label, notes)
			}
		}
		named, rest := strings.Count(list, "%"), 0
		if _, more, ok := strings.Cut(list, " and "); ok {
			if _, err := fmt.Sscanf(more, "%d more", &rest); err != nil {
				t.Error(err)
			}
		}
		if named+rest != lacking {
			t.Errorf("%v: %d countries have no number; notes: %s", size, lacking, notes)
		}
	}
}

// A circle hides at most a part of another country.
func TestCirclesHideNoCountry(t *testing.T) {
	for _, region := range []atlas.Region{atlas.World, atlas.Europe} {
		s := mapSpec(worldAreas(), func(i int) float64 { return float64(i) })
		s.Region = region
		f := frame.New(s)
		c := newChoropleth(f)
		for i := range c.view.Shapes {
			shape := &c.view.Shapes[i]
			if shape.Extent < minVisibleArea {
				continue
			}
			for _, m := range c.markers {
				if .45*shape.Extent > math.Pi*m.r*m.r {
					continue // too large to be hidden
				}
				hidden := 0
				const steps = 20
				for k := range steps * steps {
					x, y := m.x+m.r*(float64(k%steps)/steps*2-1), m.y+m.r*(float64(k/steps)/steps*2-1)
					if math.Hypot(x-m.x, y-m.y) < m.r && shape.Outline.Contains(x, y) {
						hidden++
					}
				}
				if part := float64(hidden) * 4 * m.r * m.r / (steps * steps) / shape.Extent; part > .45 {
					t.Errorf("%q: the circle of %s hides %.0f %% of %s", region, m.area, 100*part, shape.Area)
				}
			}
		}
	}
}

func TestLayoutOfMapsIsDeterministic(t *testing.T) {
	draw := func() []byte {
		s := mapSpec(worldAreas(), func(i int) float64 { return float64(i) })
		s.ShowValues = true
		var b bytes.Buffer
		if err := render.SVG(&b, picture(s)); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if !bytes.Equal(draw(), draw()) {
		t.Error("two pictures of the same map differ")
	}
}
