package maps

import (
	"math"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
)

// Even in a small picture, the map takes a good part of the height or the full width,
// and there is a legend: notes and other texts are left out first.
func TestMapComesBeforeItsNotes(t *testing.T) {
	for _, region := range []atlas.Region{atlas.World, atlas.Europe} {
		for _, size := range [][2]int{{300, 169}, {300, 200}, {400, 300}, {480, 270}, {640, 360}, {200, 400}} {
			s := mapSpec(union, func(i int) float64 { return 2 + float64(i)/3 })
			s.Width, s.Height, s.Region, s.ShowValues = size[0], size[1], region, true
			s.Title = "Unemployment rate, annual average, by sex and age groups (%), 2019"
			s.Subtitle = "From 15 to 24 years · Total · Percentage of total population"
			s.Source = "Eurostat, dataset une_rt_a"
			s.Notes = []string{"Not shown: 1 region that is part of a country; 2 other compositions of groups of countries."}
			addGroup(s, "EU27_2020", "European Union - 27 countries (from 2020)", 6)
			f := frame.New(s)
			c := newChoropleth(f)
			width := c.box.W
			if region == atlas.World {
				width = min(width, worldAspect*c.box.H)
			}
			if c.box.H < .38*f.Scene.Height && width < .9*(c.Plot.W-c.side) {
				t.Errorf("%q at %d × %d: the map takes only %.0f × %.0f of %.0f × %.0f", region, size[0], size[1], c.box.W, c.box.H, f.Scene.Width, f.Scene.Height)
			}
			if c.key == nil {
				t.Errorf("%q at %d × %d has no legend", region, size[0], size[1])
			}
			checkMap(t, s)
		}
	}
}

// The legend of a very low map has both ends, in one text if two do not fit above one another.
func TestLegendOfLowMap(t *testing.T) {
	s := mapSpec(union, func(i int) float64 { return 2 + float64(i)/3 })
	s.Width, s.Height, s.Region = 1600, 100, atlas.Europe
	sc := checkMap(t, s)
	if texts := layoutcheck.Texts(sc, scene.LegendText); !strings.Contains(strings.Join(texts, " "), "–") && len(texts) < 3 {
		t.Errorf("the legend has only %q", texts)
	}
}

// French Guiana has France's value, unless the data list it or another overseas
// department separately. On a map of South America it does not have France's value.
func TestPartsOfCountries(t *testing.T) {
	fills := func(areas string, region atlas.Region) map[string]colour.RGB {
		s := mapSpec(strings.Fields(areas), func(i int) float64 { return float64(10 * i) })
		s.Width, s.Height, s.Region = 1200, 675, region
		sc := checkMap(t, s)
		for _, m := range layoutcheck.Marks(sc, scene.Note) {
			if text := m.(*scene.Text).Text; strings.Contains(text, "GF") {
				t.Errorf("%s: French Guiana is on the map, but %q", areas, text)
			}
		}
		found, _ := areaFills(sc)
		return found
	}
	if f := fills("BR FR CN US", atlas.World); f["GF"] != f["FR"] || f["FR"] == (colour.RGB{}) {
		t.Errorf("French Guiana is %s, France %s", f["GF"], f["FR"])
	}
	if f := fills("BR FR CN GF", atlas.World); f["GF"] == f["FR"] {
		t.Errorf("French Guiana is %s like France although it has a value of its own", f["GF"])
	}
	if f := fills("BR FR CN RE", atlas.World); f["GF"] == f["FR"] {
		t.Error("French Guiana has France's colour although the data list Réunion separately")
	}
	if f := fills("BR FR AR CO", atlas.SouthAmerica); f["GF"] != (colour.RGB{}) {
		t.Errorf("on a map of South America French Guiana has a colour, %s", f["GF"])
	}
}

// The farther a class is from zero, the darker it is, whatever its sign.
func TestDarkerIsFartherFromZero(t *testing.T) {
	for _, values := range [][]float64{
		{-170, 170, 120, 49, 93, 3},
		{-1.5, -.5, -1, 1, 2, 3, 4, 5, 8, 9, 10, 11, 14, 15, 16, 17, 19, 22, 23, 24, 3, 2, 4, 5, 7, 8, 9},
		{-40, 2, 3, 5, 1},
	} {
		c := newChoropleth(frame.New(mapSpec(union[:len(values)], func(i int) float64 { return values[i] })))
		type class struct{ size, lightness float64 }
		var classes []class
		for i, fill := range c.fills {
			size := math.Abs(c.classes.Edges[i]+c.classes.Edges[i+1]) / 2
			if c.classes.Values != nil {
				size = math.Abs(c.classes.Values[i])
			}
			classes = append(classes, class{size, colour.Contrast(fill, colour.RGB{})})
		}
		for _, a := range classes {
			for _, b := range classes {
				if a.size > 1.6*b.size && a.lightness >= b.lightness {
					t.Errorf("%v: the class %.3g from zero is not darker than the one %.3g from zero", values, a.size, b.size)
				}
			}
		}
	}
}

// A number is closer to the circle of its country than to any other circle.
func TestNumbersAreAtTheirOwnCircle(t *testing.T) {
	for _, region := range []atlas.Region{atlas.World, atlas.NorthAmerica, atlas.Oceania} {
		s := mapSpec(worldAreas(), func(i int) float64 { return float64((i*37)%211) / 3 })
		s.Width, s.Height, s.Region, s.ShowValues = 1200, 675, region, true
		s.Title, s.Subtitle, s.Source = "", "", ""
		c := newChoropleth(frame.New(s))
		for _, text := range c.mapNumbers.texts {
			at := slices.IndexFunc(c.markers, func(m marker) bool { return m.area == text.Name })
			if at < 0 {
				continue
			}
			own := distance(text.Box(), c.markers[at].x, c.markers[at].y) - c.markers[at].r
			for _, m := range c.markers {
				if far := distance(text.Box(), m.x, m.y) - m.r; m.area != text.Name && far < min(own, nearest)-1 {
					t.Errorf("%q: the number of %s is %.1f from its circle and %.1f from that of %s", region, text.Name, own, far, m.area)
				}
			}
		}
	}
}

// additionalText keeps its line breaks.
func TestAdditionalTextKeepsItsLines(t *testing.T) {
	s := mapSpec(union, func(i int) float64 { return float64(i) })
	s.Width, s.Height, s.Aside = 1200, 675, "Best: Malta\nWorst: Spain\r\n\nSince 2020"
	var lines []string
	for _, m := range layoutcheck.Marks(checkMap(t, s), scene.Aside) {
		lines = append(lines, m.(*scene.Text).Text)
	}
	if want := []string{"Best: Malta", "Worst: Spain", "Since 2020"}; !slices.Equal(lines, want) {
		t.Errorf("lines %q, want %q", lines, want)
	}
	if got, want := wrapLines("Best: Malta\nWorst: Spain\nSince 2020", 200, 2), []string{"Best: Malta", "Worst: Spain …"}; !slices.Equal(got, want) {
		t.Errorf("wrapLines to two lines gives %q, want %q", got, want)
	}
}

// If the second line of the subtitle is removed to make space, additionalText moves up
// with the map.
func TestTextAboveASmallMap(t *testing.T) {
	for width := 100; width <= 260; width += 40 {
		s := mapSpec(worldAreas(), func(i int) float64 { return float64(i) })
		s.Width, s.Height, s.Region, s.ShowValues = width, 130, atlas.Asia, true
		s.Title, s.Subtitle, s.Aside = "", "A subtitle of so many words that it takes two lines of text", "A few words beside the map"
		checkMap(t, s)
	}
}

// The highest value is on the map even if its leader has to cross part of a neighbour.
func TestHighestValueIsOnASmallMap(t *testing.T) {
	areas := append([]string{"MK", "RS", "ME", "TR", "NO", "CH", "IS", "GB"}, union...)
	s := mapSpec(areas, func(i int) float64 { return map[bool]float64{true: 30.5, false: 2 + float64(i)/2}[i == 0] })
	s.Width, s.Height, s.Region, s.ShowValues = 480, 270, atlas.Europe, true
	if texts := layoutcheck.Texts(checkMap(t, s), scene.Value); !slices.Contains(texts, "30.5") {
		t.Errorf("the numbers are %q, want the highest, 30.5, among them", texts)
	}
}

// The numbers on a map, including zero, have no unit. The legend of a small picture
// keeps the zero between its two hues.
func TestZeroOnAMap(t *testing.T) {
	s := mapSpec(union, func(i int) float64 { return float64(i) - 9 })
	s.Width, s.Height, s.ShowValues = 1200, 675, true
	for _, text := range layoutcheck.Texts(checkMap(t, s), scene.Value) {
		if strings.Contains(text, "%") {
			t.Errorf("the number %s has a unit", text)
		}
	}
	s.Width, s.Height = 300, 169
	s.Title, s.Subtitle = "Unemployment rate, annual average, by sex and age groups, 2019", "From 15 to 24 years · Total"
	if texts := layoutcheck.Texts(checkMap(t, s), scene.LegendText); !slices.Contains(texts, "0%") {
		t.Errorf("the legend %q has no zero", texts)
	}
}
