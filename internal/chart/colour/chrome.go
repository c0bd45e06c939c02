package colour

// The colours of everything that is not data, on White ground.
var (
	White = RGB{0xff, 0xff, 0xff}
	Ink   = RGB{0x1b, 0x1f, 0x24} // titles, values
	Text  = RGB{0x3d, 0x44, 0x4d} // subtitles, labels of categories
	Muted = RGB{0x5f, 0x67, 0x70} // ticks, notes, source: 5.7:1 on White
	Rule  = RGB{0xdf, 0xe3, 0xe8} // gridlines
	Base  = RGB{0x3d, 0x44, 0x4d} // the line at zero
	Quiet = RGB{0x8c, 0x94, 0x9e} // series that are only context: 3:1 on White
	Alert = RGB{0xc8, 0x10, 0x2e} // the highlighted latest point
	Aside = RGB{0x7a, 0x5a, 0x12} // bars of groups of countries among countries
)

// Categorical returns the colours of series, in order: told apart by eyes that
// see no red or no green, at least 3:1 on White. There are as many as a reader
// can keep apart.
func Categorical() []RGB { return nil }

// Sequential returns n colours from light to dark for classes of one direction.
func Sequential(n int) []RGB { return nil }

// Diverging returns low colours for classes below the middle, from far to near,
// and high ones from near to far.
func Diverging(low, high int) []RGB { return nil }

// Parse reads a colour as callers write it: #rgb, #rrggbb or a CSS name in any
// case; ok is false for anything else.
func Parse(text string) (c RGB, ok bool) { return RGB{}, false }

// String writes the colour as #rrggbb.
func (c RGB) String() string { return "" }

// Contrast returns the contrast ratio of WCAG 2, 1 to 21.
func Contrast(a, b RGB) float64 { return 1 }

// On returns Ink or White, whichever is easier to read on a fill.
func On(fill RGB) RGB { return Ink }
