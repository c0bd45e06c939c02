package colour

// Sight is a kind of colour vision.
type Sight uint8

// The kinds of colour vision: full, without the pigment for green (deuteranopia), and
// without the pigment for red (protanopia). About one man in fifty has one of the
// latter two.
const (
	FullSight Sight = iota
	NoGreen
	NoRed
)

// matrices map linear RGB to how each kind of vision perceives it (Machado, Oliveira
// and Fernandes 2009, severity 1).
var matrices = [...][9]float64{
	FullSight: {1, 0, 0, 0, 1, 0, 0, 0, 1},
	NoGreen:   {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	NoRed:     {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
}

// Seen returns the colour that looks to FullSight as c looks to the given kind of
// vision.
func Seen(c RGB, by Sight) RGB {
	m := &matrices[by]
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	return RGB{R: channel(m[0]*r + m[1]*g + m[2]*b), G: channel(m[3]*r + m[4]*g + m[5]*b), B: channel(m[6]*r + m[7]*g + m[8]*b)}
}
