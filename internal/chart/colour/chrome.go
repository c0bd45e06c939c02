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
