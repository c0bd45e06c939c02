package colour

import "math"

// lab is a colour in CIELAB under daylight (D65). L is lightness, from 0 to 100.
type lab struct{ L, a, b float64 }

// The white point of D65.
const whiteX, whiteZ = 0.95047, 1.08883

func toLab(c RGB) lab {
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	root := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := root((0.4124564*r + 0.3575761*g + 0.1804375*b) / whiteX)
	y := root(0.2126729*r + 0.7151522*g + 0.0721750*b)
	z := root((0.0193339*r + 0.1191920*g + 0.9503041*b) / whiteZ)
	return lab{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// rgb returns the nearest sRGB colour, clamping each channel.
func (c lab) rgb() RGB {
	cube := func(t float64) float64 {
		if t > 6.0/29 {
			return t * t * t
		}
		return (116*t - 16) * 27 / 24389
	}
	fy := (c.L + 16) / 116
	x, y, z := whiteX*cube(fy+c.a/500), cube(fy), whiteZ*cube(fy-c.b/200)
	return RGB{
		R: channel(3.2404542*x - 1.5371385*y - 0.4985314*z),
		G: channel(-0.9692660*x + 1.8760108*y + 0.0415560*z),
		B: channel(0.0556434*x - 0.2040259*y + 1.0572252*z),
	}
}

// Distance returns the perceived difference of two colours (CIEDE2000). Side by side, 1
// is just noticeable; about 10 is needed to find a colour in a legend.
func Distance(a, b RGB) float64 { return distance(toLab(a), toLab(b)) }

// distance follows the notation of Sharma, Wu and Dalal (2005).
func distance(p, q lab) float64 {
	grey := func(c float64) float64 { return math.Sqrt(math.Pow(c, 7) / (math.Pow(c, 7) + math.Pow(25, 7))) }
	g := .5 * (1 - grey((math.Hypot(p.a, p.b)+math.Hypot(q.a, q.b))/2))
	pa, qa := (1+g)*p.a, (1+g)*q.a
	pc, qc := math.Hypot(pa, p.b), math.Hypot(qa, q.b)
	ph, qh := hue(pa, p.b), hue(qa, q.b)

	turn, mean := qh-ph, (ph+qh)/2
	switch {
	case pc*qc == 0:
		turn, mean = 0, ph+qh
	case turn > 180:
		turn, mean = turn-360, mean+180
	case turn < -180:
		turn, mean = turn+360, mean+180
	}
	dL, dC, dH := q.L-p.L, qc-pc, 2*math.Sqrt(pc*qc)*sin(turn/2)

	l, c := (p.L+q.L)/2, (pc+qc)/2
	t := 1 - .17*cos(mean-30) + .24*cos(2*mean) + .32*cos(3*mean+6) - .20*cos(4*mean-63)
	sL := 1 + .015*(l-50)*(l-50)/math.Sqrt(20+(l-50)*(l-50))
	sC, sH := 1+.045*c, 1+.015*c*t
	blue := (math.Mod(mean, 360) - 275) / 25
	rT := -2 * grey(c) * sin(60*math.Exp(-blue*blue))
	dL, dC, dH = dL/sL, dC/sC, dH/sH
	return math.Sqrt(max(0, dL*dL+dC*dC+dH*dH+rT*dC*dH))
}

// hue returns the angle of a colour in degrees, from 0 to 360, or 0 for grey.
func hue(a, b float64) float64 {
	h := math.Atan2(b, a) * 180 / math.Pi
	if h < 0 {
		h += 360
	}
	return h
}

func sin(degrees float64) float64 { return math.Sin(degrees * math.Pi / 180) }
func cos(degrees float64) float64 { return math.Cos(degrees * math.Pi / 180) }
