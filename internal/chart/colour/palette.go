package colour

// categorical is the palette of series, in order. A search found eight hues whose
// closest pair is as far apart as possible in every kind of colour vision, with a
// contrast of 3:1 on White and well apart from Alert. They are ordered so that the
// first few are farthest apart and neighbours differ in hue and lightness.
var categorical = []RGB{
	hex(0x0b5cb4), // blue
	hex(0xe27614), // orange
	hex(0x39a092), // teal
	hex(0x930e5c), // plum
	hex(0x009ae6), // sky
	hex(0x926c2d), // brown
	hex(0x32363c), // charcoal
	hex(0xa571ab), // mauve
}

// Categorical returns the colours of series, in order. They can be told apart without
// seeing red or green and have a contrast of at least 3:1 on White. There are as many as
// readers can tell apart.
func Categorical() []RGB { return append([]RGB(nil), categorical...) }

// ramp is a sequence of colours whose lightness decreases from first to last, or
// increases for a dark background.
type ramp []RGB

// at returns the colour of the ramp whose lightness is the fraction t of the way from
// the lightness of the first colour to that of the last.
func (r ramp) at(t float64) RGB {
	first, last := toLab(r[0]).L, toLab(r[len(r)-1]).L
	want := first + t*(last-first)
	for i := range len(r) - 1 {
		from, to := toLab(r[i]), toLab(r[i+1])
		if (want-to.L)*(first-last) >= 0 || i == len(r)-2 {
			u := (from.L - want) / (from.L - to.L)
			return lab{from.L + u*(to.L-from.L), from.a + u*(to.a-from.a), from.b + u*(to.b-from.b)}.rgb()
		}
	}
	return r[len(r)-1]
}

// The ramps, light to dark: one for maps whose values have one direction, and one for
// each side of diverging maps. Lightness shows the order, so that it is visible with
// every kind of colour vision and in print without colour. Hue helps to find a class in
// the legend.
//
// Each class must differ from its neighbours, but need not stand out from the
// background. If light classes had the 3:1 of lines and bars, the rest of the range
// would be too small for six more classes. They have at least 1.15:1 on White and on the
// pale sea of a map.
var (
	upwards = ramp{hex(0xc6e2a0), hex(0x7fcdbb), hex(0x359fc0), hex(0x225ea8), hex(0x0d2466)}
	under   = ramp{hex(0xf7d9a6), hex(0xe0953a), hex(0xb35806), hex(0x6b3006)}
	above   = ramp{hex(0xb9dfe4), hex(0x5fb0c8), hex(0x2276ae), hex(0x0e3b73)}
)

// Sequential returns n colours from light to dark for classes of one direction.
func Sequential(n int) []RGB {
	colours := make([]RGB, max(n, 0))
	for i := range colours {
		colours[i] = upwards.at(shareOf(i, n))
	}
	return colours
}

// shareOf returns the position on a ramp of one of n classes. Few classes do not need the
// extremes.
func shareOf(i, n int) float64 {
	from, to := 0.0, 1.0
	switch n {
	case 1:
		from, to = .55, .55
	case 2:
		from, to = .25, .75
	case 3:
		from, to = .1, .85
	}
	return from + (to-from)*float64(i)/float64(max(n-1, 1))
}

// Diverging returns one colour for each class on both sides of a middle, the lowest
// class first. The first below classes are orange, the others blue. The strength of a
// class is its distance from the middle: 0 is palest, and equal strengths are equally
// light on both sides.
func Diverging(strengths []int, below int) []RGB {
	far := 2 // few classes do not need the extremes
	for _, strength := range strengths {
		far = max(far, strength)
	}
	colours := make([]RGB, len(strengths))
	for i, strength := range strengths {
		side := above
		if i < below {
			side = under
		}
		colours[i] = side.at(shareAway(strength, far))
	}
	return colours
}

// shareAway returns the position on a ramp of a class of a given strength out of the
// strongest.
func shareAway(strength, far int) float64 { return .11 + .89*float64(strength)/float64(far) }
