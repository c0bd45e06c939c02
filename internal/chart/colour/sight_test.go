package colour

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/stattest/property"
)

// The pairs are from the test data of Sharma, Wu and Dalal's paper on implementing
// CIEDE2000: those for which common mistakes give wrong results.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		p, q lab
		want float64
	}{
		{lab{50, 2.6772, -79.7751}, lab{50, 0, -82.7485}, 2.0425},
		{lab{50, 3.1571, -77.2803}, lab{50, 0, -82.7485}, 2.8615},
		{lab{50, 2.8361, -74.0200}, lab{50, 0, -82.7485}, 3.4412},
		{lab{50, -1, 2}, lab{50, 0, 0}, 2.3669},
		{lab{50, 2.4900, -0.0010}, lab{50, -2.4900, 0.0009}, 7.1792},
		{lab{50, 2.4900, -0.0010}, lab{50, -2.4900, 0.0011}, 7.2195},
		{lab{50, 2.5, 0}, lab{73, 25, -18}, 27.1492},
		{lab{50, 2.5, 0}, lab{61, -5, 29}, 22.8977},
		{lab{60.2574, -34.0099, 36.2677}, lab{60.4626, -34.1751, 39.4387}, 1.2644},
		{lab{22.7233, 20.0904, -46.6940}, lab{23.0331, 14.9730, -42.5619}, 2.0373},
		{lab{2.0776, 0.0795, -1.1350}, lab{0.9033, -0.0636, -0.5514}, 0.9082},
	} {
		if got := distance(c.p, c.q); math.Abs(got-c.want) > .00005 {
			t.Errorf("distance(%v, %v) = %.4f, want %.4f", c.p, c.q, got, c.want)
		}
		if got := distance(c.q, c.p); math.Abs(got-c.want) > .00005 {
			t.Errorf("distance(%v, %v) = %.4f, want %.4f", c.q, c.p, got, c.want)
		}
	}
}

func TestLab(t *testing.T) {
	for c, want := range map[RGB]lab{{R: 255, G: 255, B: 255}: {100, 0, 0}, {}: {0, 0, 0}, {R: 255}: {53.24, 80.09, 67.20}, {B: 255}: {32.30, 79.19, -107.86}} {
		got := toLab(c)
		if math.Abs(got.L-want.L) > .02 || math.Abs(got.a-want.a) > .02 || math.Abs(got.b-want.b) > .02 {
			t.Errorf("%s is %.2f, want %.2f", c, got, want)
		}
	}
	property.Check(t, func(t *rapid.T) {
		c := RGB{R: rapid.Byte().Draw(t, "red"), G: rapid.Byte().Draw(t, "green"), B: rapid.Byte().Draw(t, "blue")}
		if back := toLab(c).rgb(); back != c {
			t.Fatalf("%s converted to lab and back is %s", c, back)
		}
	})
}

// Greys look the same with every kind of vision. Red and green look alike without one of
// the pigments.
func TestSeen(t *testing.T) {
	for sight := FullSight; sight <= NoRed; sight++ {
		for v := range 256 {
			grey := RGB{R: uint8(v), G: uint8(v), B: uint8(v)}
			if got := Seen(grey, sight); Distance(got, grey) > 1 {
				t.Errorf("Seen(%s, %d) = %s, want about the same grey", grey, sight, got)
			}
		}
	}
	red, green := RGB{R: 0xd0, G: 0x50, B: 0x40}, RGB{R: 0x80, G: 0x90, B: 0x30}
	full := Distance(red, green)
	for _, sight := range []Sight{NoGreen, NoRed} {
		if got := Distance(Seen(red, sight), Seen(green, sight)); got > full/2 {
			t.Errorf("with sight %d red and green are %.1f apart, with full sight %.1f; want at most half", sight, got, full)
		}
	}
	if c := (RGB{R: 12, G: 200, B: 99}); Seen(c, FullSight) != c {
		t.Errorf("Seen(%s, FullSight) = %s, want the same colour", c, Seen(c, FullSight))
	}
}
