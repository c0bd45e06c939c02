package colour

// categorical are the colours of series, in order.
var categorical = []RGB{
	{0x1f, 0x5f, 0xa8}, // blue
	{0xe0, 0x60, 0x1a}, // orange
	{0x1b, 0x8a, 0x7a}, // teal
	{0x80, 0x16, 0x50}, // plum
	{0x8f, 0x74, 0xc9}, // lavender
	{0x3d, 0x3d, 0x3d}, // charcoal
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
// two sides of those that are divided.
var (
	upwards = ramp{{0xd3, 0xe8, 0xb0}, {0x7f, 0xcd, 0xbb}, {0x35, 0x9f, 0xc0}, {0x22, 0x5e, 0xa8}, {0x0b, 0x1f, 0x5c}}
	below   = ramp{{0xf7, 0xd9, 0xa6}, {0xe0, 0x95, 0x3a}, {0xb3, 0x58, 0x06}, {0x6b, 0x30, 0x06}}
	above   = ramp{{0xb9, 0xdf, 0xe4}, {0x5f, 0xb0, 0xc8}, {0x22, 0x76, 0xae}, {0x0e, 0x3b, 0x73}}
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

// Diverging returns low colours for classes below the middle, from far to near,
// and high ones from near to far.
func Diverging(low, high int) []RGB {
	low, high = max(low, 0), max(high, 0)
	// The same distance from the middle is the same depth on both sides.
	depth := func(i int) float64 { return (float64(i) + .25) / (float64(max(low, high, 3)) - .75) }
	colours := make([]RGB, 0, low+high)
	for i := range low {
		colours = append(colours, below.at(min(1, depth(low-1-i))))
	}
	for i := range high {
		colours = append(colours, above.at(min(1, depth(i))))
	}
	return colours
}
