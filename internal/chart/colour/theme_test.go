package colour

import (
	"fmt"
	"math"
	"testing"
)

var themes = map[string]*Theme{"plain": Plain, "paper": Paper, "night": Night, "print": Print}

// least returns the smallest distance between two of the colours for a kind of vision;
// with neighbours, only between neighbours.
func least(colours []RGB, s Sight, neighbours bool) float64 {
	d := math.Inf(1)
	for i := range colours {
		for j := range i {
			if j == i-1 || !neighbours {
				d = min(d, Distance(Seen(colours[i], s), Seen(colours[j], s)))
			}
		}
	}
	return d
}

// The series of every theme have 3:1 on its ground and are as far apart as those on
// white.
func TestThemeSeries(t *testing.T) {
	for name, th := range themes {
		if len(th.Series) != len(categorical) {
			t.Errorf("%s has %d colours, want %d", name, len(th.Series), len(categorical))
		}
		for i, c := range th.Series {
			if got := Contrast(c, th.Ground); got < MarkContrast {
				t.Errorf("%s: colour %d %s is %.2f:1 on the ground", name, i, c, got)
			}
			if got := Distance(c, th.Alert); got < 18 {
				t.Errorf("%s: colour %d %s is only %.1f from Alert", name, i, c, got)
			}
			if got := Distance(c, th.Quiet); got < 15 {
				t.Errorf("%s: colour %d %s is only %.1f from Quiet", name, i, c, got)
			}
		}
		for s := FullSight; s <= NoRed; s++ {
			for n, want := range map[int]float64{len(th.Series): 10.5, 5: 17, 3: 24} {
				if s == FullSight {
					want *= 1.25
				}
				if got := least(th.Series[:n], s, false); got < want {
					t.Errorf("%s, sight %d: two of the first %d are only %.1f apart, want %.1f", name, s, n, got, want)
				}
			}
		}
	}
}

// Texts have 4.5:1, lines 3:1 on the ground of every theme. Gridlines do not compete with
// the data.
func TestThemeChrome(t *testing.T) {
	for name, th := range themes {
		for what, c := range map[string]RGB{"Dark": th.Dark, "Text": th.Text, "Muted": th.Muted, "Alert": th.Alert} {
			if got := Contrast(c, th.Ground); got < TextContrast {
				t.Errorf("%s: %s %s is %.2f:1", name, what, c, got)
			}
		}
		for what, c := range map[string]RGB{"Base": th.Base, "Quiet": th.Quiet} {
			if got := Contrast(c, th.Ground); got < MarkContrast {
				t.Errorf("%s: %s %s is %.2f:1", name, what, c, got)
			}
		}
		if got := Contrast(th.Coast, th.Sea); got < MarkContrast {
			t.Errorf("%s: Coast is %.2f:1 on Sea", name, got)
		}
		if got := Contrast(th.Rule, th.Ground); got > 1.9 || got < 1.2 {
			t.Errorf("%s: Rule is %.2f:1", name, got)
		}
		if got := Distance(th.Pale, th.Ground); got < 12 {
			t.Errorf("%s: Pale is only %.1f from the ground", name, got)
		}
	}
}

// classesOf returns the classes of a map in a theme: of one direction, and of two with
// the same number on both sides, the palest in the middle.
func classesOf(th *Theme, n int) (one, below, above []RGB) {
	for _, c := range Sequential(n) {
		counterpart, ok := th.Counterpart(c)
		if !ok {
			panic(fmt.Sprintf("class %s has no counterpart", c))
		}
		one = append(one, counterpart)
	}
	strengths := make([]int, 2*n)
	for i := range n {
		strengths[i], strengths[n+i] = i, i
	}
	for i, c := range Diverging(strengths, n) {
		counterpart, ok := th.Counterpart(c)
		if !ok {
			panic(fmt.Sprintf("class %s has no counterpart", c))
		}
		if i < n {
			below = append(below, counterpart)
		} else {
			above = append(above, counterpart)
		}
	}
	return one, below, above
}

// The classes of maps of every theme are ordered by their contrast to the ground for
// every kind of vision, stand out from ground and sea, and can be told apart.
func TestThemeClasses(t *testing.T) {
	for name, th := range themes {
		for n := 1; n <= 8; n++ {
			one, below, above := classesOf(th, n)
			for side, colours := range map[string][]RGB{"one direction": one, "below": below, "above": above} {
				for i, c := range colours {
					for _, ground := range []RGB{th.Ground, th.Sea} {
						if got := Contrast(c, ground); got < 1.15 {
							t.Errorf("%s, %s: class %d of %d %s is %.2f:1 on %s", name, side, i, n, c, got, ground)
						}
					}
					for s := FullSight; s <= NoRed; s++ {
						if i > 0 && Contrast(Seen(c, s), th.Ground) <= Contrast(Seen(colours[i-1], s), th.Ground) {
							t.Errorf("%s, %s, sight %d: class %d of %d %s is not farther from the ground than the one before", name, side, s, i, n, c)
						}
					}
				}
			}
			want, wantBoth := 8.5, 10.0
			if n > 7 {
				want = 6
			}
			if n > 5 {
				wantBoth = 5.5
			}
			for s := FullSight; s <= NoRed; s++ {
				if got := least(one, s, true); got < want {
					t.Errorf("%s, sight %d: neighbours of %d classes are only %.1f apart, want %.1f", name, s, n, got, want)
				}
				if got := least(append(below, above...), s, false); got < wantBoth {
					t.Errorf("%s, sight %d: two of %d classes on either side are only %.1f apart, want %.1f", name, s, n, got, wantBoth)
				}
			}
			for i := range below {
				if a, b := Contrast(below[i], th.Ground), Contrast(above[i], th.Ground); math.Abs(math.Log(a/b)) > .3 {
					t.Errorf("%s: class %d of %d is %.2f:1 below and %.2f:1 above", name, i, n, a, b)
				}
			}
		}
	}
}

// Different colours of Plain stay different where they stand side by side, and Plain is
// its own counterpart.
func TestCounterpart(t *testing.T) {
	for c := range Plain.counterparts() {
		if got, _ := Plain.Counterpart(c); got != c && Visible(c) != Visible(got) && c != (RGB{}) {
			t.Errorf("%s becomes %s in its own theme", c, got)
		}
	}
	if c, ok := Night.Counterpart(hex(0x123456)); ok {
		t.Errorf("a caller's colour becomes %s", c)
	}
}
