package colour

// The colours of everything except data, on a White background.
var (
	White = hex(0xffffff)
	Dark  = hex(0x1b1f24) // titles, values
	Text  = hex(0x3d444d) // subtitles, labels of categories
	Muted = hex(0x5f6770) // ticks, notes, source: 5.7:1 on White
	Rule  = hex(0xdfe3e8) // gridlines
	Base  = hex(0x3d444d) // the line at zero
	Quiet = hex(0x8c949e) // context series: 3:1 on White
	Pale  = hex(0xc3c9cf) // lines in the background of many others
	Alert = hex(0xc8102e) // the highlighted latest point
)

// The colours of a map apart from its classes.
var (
	Sea   = hex(0xf1f5f8)
	Coast = hex(0x848c95) // 3:1 on Sea, so that the palest land is visible
	Land  = hex(0xe3e6ea) // around the region of the map
	Blank = hex(0xf0eeea) // land without a value, with lines in Hatch
	Hatch = hex(0xcbc8c2)
)

// hex returns the colour 0xrrggbb.
func hex(n uint32) RGB { return RGB{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n)} }
