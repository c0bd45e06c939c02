package colour

// categorical are the colours of series, in order. Found by a search for eight
// hues whose nearest two are as far apart as can be to all sights, with 3:1 on
// White and well apart from Alert; then put in the order in which the first few
// are farthest apart and neighbours differ in hue and lightness.
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

// Categorical returns the colours of series, in order: told apart by eyes that
// see no red or no green, at least 3:1 on White. There are as many as a reader
// can keep apart.
func Categorical() []RGB { return append([]RGB(nil), categorical...) }

// ramp is a way through colours whose lightness falls from first to last.
type ramp []RGB

// at returns the colour of the ramp whose lightness is t of the way from that
// of the first to that of the last.
func (r ramp) at(t float64) RGB {
	first, last := toLab(r[0]).L, toLab(r[len(r)-1]).L
	want := first + t*(last-first)
	for i := range len(r) - 1 {
		from, to := toLab(r[i]), toLab(r[i+1])
		if want >= to.L || i == len(r)-2 {
			u := (from.L - want) / (from.L - to.L)
			return lab{from.L + u*(to.L-from.L), from.a + u*(to.a-from.a), from.b + u*(to.b-from.b)}.rgb()
		}
	}
	return r[len(r)-1]
}

// The ramps, light to dark: of maps whose values have one direction, and of the
// two sides of those that are divided. Lightness carries the order, so that it
// is the same to all sights and on paper without colour; hue helps to find a
// class in the legend.
//
// A class is told from its neighbours, not from the ground: classes at the light
// end cannot have the 3:1 of lines and bars, or there would be no room for six
// of them. They are at least 1.15:1 on White and on the pale sea of a map.
var (
	upwards = ramp{hex(0xc6e2a0), hex(0x7fcdbb), hex(0x359fc0), hex(0x225ea8), hex(0x0d2466)}
	under   = ramp{hex(0xf7d9a6), hex(0xe0953a), hex(0xb35806), hex(0x6b3006)}
	above   = ramp{hex(0xb9dfe4), hex(0x5fb0c8), hex(0x2276ae), hex(0x0e3b73)}
)

// Sequential returns n colours from light to dark for classes of one direction.
func Sequential(n int) []RGB {
	from, to := 0.0, 1.0
	switch n { // few classes need no extremes
	case 1:
		from, to = .55, .55
	case 2:
		from, to = .25, .75
	case 3:
		from, to = .1, .85
	}
	colours := make([]RGB, max(n, 0))
	for i := range colours {
		colours[i] = upwards.at(from + (to-from)*float64(i)/float64(max(n-1, 1)))
	}
	return colours
}

// Diverging returns a colour for each class on both sides of a middle, the lowest
// class first: those before the number of classes below it in oranges, the others
// in blues. The strength of a class says how far it is from the middle: 0 is
// palest, and equal strengths are equally light on both sides.
func Diverging(strengths []int, below int) []RGB {
	far := 2 // a few classes need no extremes
	for _, strength := range strengths {
		far = max(far, strength)
	}
	colours := make([]RGB, len(strengths))
	for i, strength := range strengths {
		side := above
		if i < below {
			side = under
		}
		colours[i] = side.at(.11 + .89*float64(strength)/float64(far))
	}
	return colours
}
