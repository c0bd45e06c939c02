package colour

import "sync"

// Theme is a set of colours for one background. Each colour has the same place as in
// [Plain], so that a picture drawn in the colours of one theme can be shown in those of
// another.
type Theme struct {
	Ground                                            RGB
	Dark, Text, Muted, Rule, Base, Quiet, Pale, Alert RGB
	Sea, Coast, Land, Blank, Hatch                    RGB
	Series                                            []RGB
	upwards, under, above                             ramp
	counterparts                                      func() map[RGB]RGB
}

// The themes. On Night, the classes of maps become lighter as values grow, because there
// the palest colour stands out most. Tests hold all of them to the limits of the palette.
var (
	Plain = newTheme(Theme{
		Ground: White, Dark: Dark, Text: Text, Muted: Muted, Rule: Rule, Base: Base, Quiet: Quiet, Pale: Pale, Alert: Alert,
		Sea: Sea, Coast: Coast, Land: Land, Blank: Blank, Hatch: Hatch,
		Series: categorical, upwards: upwards, under: under, above: above,
	})
	// Paper is for pages on a warm white.
	Paper = newTheme(Theme{
		Ground: hex(0xfaf8f3), Dark: hex(0x1b1a17), Text: hex(0x45423c), Muted: hex(0x6c675d), Rule: hex(0xdcd6c9), Base: hex(0x45423c),
		Quiet: hex(0x8b8578), Pale: hex(0xcac4b6), Alert: Alert,
		Sea: hex(0xf1ede3), Coast: hex(0x857f72), Land: hex(0xe4dfd3), Blank: hex(0xf5f2ea), Hatch: hex(0xcbc5b7),
		Series:  []RGB{hex(0x0b5cb4), hex(0xda6800), hex(0x389e90), hex(0x95005a), hex(0x0097e2), hex(0x815a1c), hex(0x2d3034), hex(0x8a71a3)},
		upwards: upwards, under: under, above: above,
	})
	// Night is for pages on near black.
	Night = newTheme(Theme{
		Ground: hex(0x171613), Dark: hex(0xece8de), Text: hex(0xd3cdc0), Muted: hex(0xa9a396), Rule: hex(0x38342d), Base: hex(0xb9b3a6),
		Quiet: hex(0x7d776b), Pale: hex(0x4b473f), Alert: hex(0xff6b5e),
		Sea: hex(0x1e2124), Coast: hex(0x79807f), Land: hex(0x2b2a27), Blank: hex(0x25231f), Hatch: hex(0x55514a),
		Series:  []RGB{hex(0x6dabff), hex(0xffa22d), hex(0x2e8d75), hex(0xea8eac), hex(0x96eafe), hex(0xcfad74), hex(0xece8de), hex(0xb086c0)},
		upwards: ramp{hex(0x2b3f63), hex(0x2264a0), hex(0x2f97b4), hex(0x74c9b0), hex(0xdcf5ac)},
		under:   ramp{hex(0x523414), hex(0x9a5a12), hex(0xe0953a), hex(0xffe1b0)},
		above:   ramp{hex(0x17405a), hex(0x1f70a0), hex(0x5fb4d0), hex(0xc9f0f5)},
	})
	// Print is for paper: pure white, black text, and greys that a printer renders.
	Print = newTheme(Theme{
		Ground: White, Dark: RGB{}, Text: RGB{}, Muted: hex(0x262626), Rule: hex(0xbfbfbf), Base: RGB{},
		Quiet: hex(0x7f7f7f), Pale: hex(0xb3b3b3), Alert: Alert,
		Sea: White, Coast: hex(0x737373), Land: hex(0xe0e0e0), Blank: White, Hatch: hex(0xa6a6a6),
		Series: categorical, upwards: upwards, under: under, above: above,
	})
)

func newTheme(t Theme) *Theme {
	t.counterparts = sync.OnceValue(t.mapping)
	return &t
}

// Counterpart returns the colour that stands in this theme for a colour of [Plain]. ok is
// false for others, which are a caller's.
func (t *Theme) Counterpart(c RGB) (counterpart RGB, ok bool) {
	counterpart, ok = t.counterparts()[c]
	return counterpart, ok
}

// maxClasses is the largest number of classes whose colours have counterparts.
const maxClasses = 9

// mapping returns the counterparts of all colours of Plain, and of the readable shades of
// its series.
func (t *Theme) mapping() map[RGB]RGB {
	to := map[RGB]RGB{}
	for n := range maxClasses + 1 {
		for i, c := range Sequential(n) {
			to[c] = t.upwards.at(shareOf(i, n))
		}
	}
	for far := range maxClasses {
		for strength := range far + 1 {
			share := shareAway(strength, max(far, 2))
			to[under.at(share)], to[above.at(share)] = t.under.at(share), t.above.at(share)
		}
	}
	for i, c := range categorical {
		to[Visible(c)], to[Readable(c)] = t.Series[i], ReadableOn(t.Series[i], t.Ground)
		to[c] = t.Series[i]
	}
	from := [...]RGB{White, Dark, Text, Muted, Rule, Base, Quiet, Pale, Alert, Sea, Coast, Land, Blank, Hatch, {}}
	for i, c := range [...]RGB{t.Ground, t.Dark, t.Text, t.Muted, t.Rule, t.Base, t.Quiet, t.Pale, t.Alert, t.Sea, t.Coast, t.Land, t.Blank, t.Hatch, t.Dark} {
		to[from[i]] = c
	}
	return to
}

// ReadableOn returns the colour, made darker or lighter if necessary for text on a ground
// ([TextContrast]).
func ReadableOn(c, ground RGB) RGB { return Contrasting(c, ground, TextContrast) }

// VisibleOn returns the colour, made darker or lighter if necessary for lines and symbols
// on a ground ([MarkContrast]).
func VisibleOn(c, ground RGB) RGB { return Contrasting(c, ground, MarkContrast) }

// Contrasting mixes a colour with black or white, whichever stands out more, until it has
// a contrast to the ground.
func Contrasting(c, ground RGB, contrast float64) RGB {
	end := RGB{}
	if Contrast(White, ground) > Contrast(end, ground) {
		end = White
	}
	const steps = 100
	for i := range steps {
		if shade := Mix(c, end, float64(i)/steps); Contrast(shade, ground) >= contrast {
			return shade
		}
	}
	return end
}

// Pair is a colour of a picture in one theme, and the colour in its place in another.
type Pair struct{ From, To RGB }

// PairsTo returns the colours of pictures in this theme with those that stand in their place in
// another one: of the ground, of texts and lines, and of series, also in the shades in which their
// names are written. Each colour is there once. Those of maps are not there.
func (t *Theme) PairsTo(other *Theme) []Pair {
	from := append([]RGB{t.Ground, t.Dark, t.Text, t.Muted, t.Rule, t.Base, t.Quiet, t.Pale, t.Alert}, t.Series...)
	to := append([]RGB{other.Ground, other.Dark, other.Text, other.Muted, other.Rule, other.Base, other.Quiet, other.Pale, other.Alert}, other.Series...)
	var pairs []Pair
	isKnown := map[RGB]bool{}
	add := func(from, to RGB) {
		if !isKnown[from] {
			isKnown[from] = true
			pairs = append(pairs, Pair{from, to})
		}
	}
	for i := range from {
		add(from[i], to[i])
	}
	for i := 1; i < len(from); i++ { // not the ground
		add(ReadableOn(from[i], t.Ground), ReadableOn(to[i], other.Ground))
		add(VisibleOn(from[i], t.Ground), VisibleOn(to[i], other.Ground))
	}
	return pairs
}
