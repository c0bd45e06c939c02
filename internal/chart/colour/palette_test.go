package colour_test

import (
	"math"
	"testing"

	"almanac/internal/chart/colour"
)

var sights = map[colour.Sight]string{colour.FullSight: "full sight", colour.NoGreen: "no green", colour.NoRed: "no red"}

// seaTint is close to the background of maps.
var seaTint = colour.RGB{R: 0xee, G: 0xf3, B: 0xf7}

// nearest returns the smallest distance between two of the colours for a kind of
// vision; with neighbours, only between neighbours.
func nearest(colours []colour.RGB, sight colour.Sight, neighbours bool) float64 {
	least := math.Inf(1)
	for i := range colours {
		for j := range i {
			if j == i-1 || !neighbours {
				least = min(least, colour.Distance(colour.Seen(colours[i], sight), colour.Seen(colours[j], sight)))
			}
		}
	}
	return least
}

// The colours of series can be told apart with every kind of vision, have at least 3:1 on
// White, and do not look like the red of a highlight. The first few are far apart.
func TestCategorical(t *testing.T) {
	colours := colour.Categorical()
	for i, c := range colours {
		if got := colour.Contrast(c, colour.White); got < colour.MarkContrast {
			t.Errorf("colour %d %s is %.2f:1 on White", i, c, got)
		}
		if got := colour.Distance(c, colour.Alert); got < 18 {
			t.Errorf("colour %d %s is only %.1f from Alert", i, c, got)
		}
	}
	for sight, name := range sights {
		for n, want := range map[int]float64{len(colours): 10.5, 5: 17, 3: 24} {
			if sight == colour.FullSight {
				want *= 1.25
			}
			if got := nearest(colours[:n], sight, false); got < want {
				t.Errorf("%s: two of the first %d are only %.1f apart, want %.1f", name, n, got, want)
			}
		}
	}
	colours[0] = colour.RGB{}
	if colour.Categorical()[0] == colours[0] {
		t.Error("a caller can change the palette")
	}
}

// Classes are ordered by lightness for every kind of vision, and neighbours can be told
// apart.
func TestSequential(t *testing.T) {
	for n := range 10 {
		colours := colour.Sequential(n)
		if len(colours) != n {
			t.Fatalf("Sequential(%d) has %d colours", n, len(colours))
		}
		checkRamp(t, colours)
		want := 8.5
		if n > 7 {
			want = 6
		}
		for sight, name := range sights {
			if got := nearest(colours, sight, true); got < want {
				t.Errorf("%s: two neighbours of %d are only %.1f apart", name, n, got)
			}
		}
	}
	if got := colour.Sequential(-1); len(got) != 0 {
		t.Errorf("Sequential(-1) has %d colours", len(got))
	}
}

// checkRamp fails if colours do not become darker, or the lightest is not visible on
// White and on the sea.
func checkRamp(t *testing.T, colours []colour.RGB) {
	t.Helper()
	for i, c := range colours {
		for _, ground := range []colour.RGB{colour.White, seaTint} {
			if got := colour.Contrast(c, ground); got < 1.15 {
				t.Errorf("class %d %s is %.2f:1 on %s", i, c, got, ground)
			}
		}
		for sight, name := range sights {
			if i > 0 && colour.Contrast(colour.Seen(c, sight), colour.White) <= colour.Contrast(colour.Seen(colours[i-1], sight), colour.White) {
				t.Errorf("%s: class %d %s of %d is not darker than the one before", name, i, c, len(colours))
			}
		}
	}
}

// Both sides become equally darker away from the middle, and all classes can be told
// apart.
func TestDiverging(t *testing.T) {
	for low := range 9 {
		for high := range 9 - low {
			colours := diverging(low, high)
			if len(colours) != low+high {
				t.Fatalf("Diverging(%d, %d) has %d colours", low, high, len(colours))
			}
			below, above := colours[:low], colours[low:]
			mirrored := make([]colour.RGB, low)
			for i, c := range below {
				mirrored[low-1-i] = c
			}
			checkRamp(t, mirrored)
			checkRamp(t, above)
			for i := range min(low, high) {
				if a, b := colour.Contrast(mirrored[i], colour.White), colour.Contrast(above[i], colour.White); math.Abs(math.Log(a/b)) > .3 {
					t.Errorf("Diverging(%d, %d): %d classes from the middle, %s is %.2f:1 and %s is %.2f:1", low, high, i, mirrored[i], a, above[i], b)
				}
			}
			want := 10.0
			if max(low, high) > 5 {
				want = 5.5
			}
			for sight, name := range sights {
				if got := nearest(colours, sight, false); got < want {
					t.Errorf("Diverging(%d, %d), %s: two classes are only %.1f apart", low, high, name, got)
				}
			}
		}
	}
}

// diverging returns the colours of low classes below zero and high classes above it.
func diverging(low, high int) []colour.RGB {
	var strengths []int
	for i := range low {
		strengths = append(strengths, low-1-i)
	}
	for i := range high {
		strengths = append(strengths, i)
	}
	return colour.Diverging(strengths, low)
}
