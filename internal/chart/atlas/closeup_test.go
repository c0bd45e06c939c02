package atlas

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart/scene"
	"almanac/internal/stattest/property"
)

// Few countries have a map of their own if they are close together, more countries only if
// they take little of their region.
func TestCloseUp(t *testing.T) {
	for _, c := range []struct {
		areas string
		want  bool
	}{
		{"", false},
		{"EU27_2020", false},
		{"IE", true},
		{"LU", true},
		{"RU", true},
		{"US", true},
		{"FR AT", true},
		{"EE LV LT", true},
		{"DK SE NO FI IS", true},
		{"EG SA", true}, // of two regions
		{"CR GT HN NI PA SV", true},
		{"PT FI SE GR IE", false},
		{"US BR DE", false},
		{"NZ ES", false},
	} {
		if f, ok := CloseUp(strings.Fields(c.areas)); ok != c.want {
			t.Errorf("CloseUp(%s) = %+v, %t, want %t", c.areas, f, ok, c.want)
		}
	}
}

// A map of few countries shows all of them, and everything else is around them. It is
// never so close that neighbours cannot be recognised.
func TestPropertyCloseUp(t *testing.T) {
	var all []string
	for _, a := range theWorld().areas {
		all = append(all, a.id)
	}
	property.Check(t, func(t *rapid.T) {
		areas := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, 4, rapid.ID[string]).Draw(t, "areas")
		f, ok := CloseUp(areas)
		if !ok {
			return
		}
		if min(f.Box.W, f.Box.H) < minCloseUp*.999 {
			t.Fatalf("the map of %q is only %.0f km wide or high", areas, min(f.Box.W, f.Box.H)*earthRadius)
		}
		view := Layout(Request{Frame: f, Box: scene.Box{W: 900, H: 400}, Pixels: 1})
		shown := 0
		for i := range view.Shapes {
			if s := &view.Shapes[i]; !s.Around {
				shown++
			}
		}
		if shown != len(areas) {
			t.Fatalf("the map of %q shows %d of them", areas, shown)
		}
	})
}
