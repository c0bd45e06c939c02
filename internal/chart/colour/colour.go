// Package colour defines the colours of charts: the colour names that callers can use,
// the palettes of series and map classes, and the colours of text and lines. It also
// measures how well colours can be told apart.
package colour

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/colornames"

	"almanac/internal/chart/scene"
)

// RGB is a colour as used in scenes.
type RGB = scene.RGB

// Parse reads a colour written by a caller: #rgb, #rrggbb or one of the 148 colour
// names of CSS, in any case. ok is false for everything else, including a colour with
// spaces around it.
func Parse(text string) (c RGB, ok bool) {
	if digits, ok := strings.CutPrefix(text, "#"); ok {
		return parseHex(digits)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		return RGB{}, false // strings.ToLower would turn the Kelvin sign into k
	}
	name := strings.ToLower(text)
	if name == "rebeccapurple" { // a CSS colour that is not in SVG 1.1 and therefore not in colornames
		return hex(0x663399), true
	}
	named, ok := colornames.Map[name]
	return RGB{R: named.R, G: named.G, B: named.B}, ok
}

// Names returns the names that [Parse] reads, in lower case and in order.
func Names() []string { return append(slices.Clone(colornames.Names), "rebeccapurple") }

func parseHex(digits string) (c RGB, ok bool) {
	if len(digits) != 3 && len(digits) != 6 {
		return RGB{}, false
	}
	n, err := strconv.ParseUint(digits, 16, 24)
	if err != nil {
		return RGB{}, false
	}
	if len(digits) == 3 { // #abc is #aabbcc
		return RGB{R: uint8(n>>8) * 17, G: uint8(n>>4&15) * 17, B: uint8(n&15) * 17}, true
	}
	return hex(uint32(n)), true
}

// Mix interpolates from a to b in sRGB: a at t = 0, b at t = 1. The result looks like b
// over a with opacity t.
func Mix(a, b RGB, t float64) RGB {
	if math.IsNaN(t) {
		t = 0
	}
	t = min(max(t, 0), 1)
	part := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + t*(float64(b)-float64(a)))) }
	return RGB{R: part(a.R, b.R), G: part(a.G, b.G), B: part(a.B, b.B)}
}

// Contrast returns the contrast ratio of WCAG 2, from 1 to 21.
func Contrast(a, b RGB) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + .05) / (min(la, lb) + .05)
}

// luminance returns the relative luminance of WCAG 2, from 0 to 1.
func luminance(c RGB) float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// linear returns the amount of light, from 0 to 1, of an sRGB channel.
func linear(channel uint8) float64 { return lights()[channel] }

// lights holds the amount of light of every channel: a picture of many lines asks often.
var lights = sync.OnceValue(func() *[256]float64 {
	var lights [256]float64
	for i := range lights {
		v := float64(i) / 255
		if lights[i] = v / 12.92; v > 0.04045 {
			lights[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return &lights
})

// channel is the inverse of linear.
func channel(light float64) uint8 {
	v := 12.92 * light
	if light > 0.0031308 {
		v = 1.055*math.Pow(light, 1/2.4) - 0.055
	}
	return uint8(math.Round(255 * min(max(v, 0), 1)))
}

// Minimum contrasts to the background, from WCAG 2.1 level AA.
const (
	TextContrast = 4.5 // of text
	MarkContrast = 3   // of lines, bars and symbols
)

// On returns a colour that is easy to read on a fill: Dark or White, or black on a fill
// of medium lightness where neither reaches [TextContrast]. Black or White always does.
func On(fill RGB) RGB {
	switch dark, white := Contrast(Dark, fill), Contrast(White, fill); {
	case dark >= TextContrast && dark >= white:
		return Dark
	case white >= TextContrast:
		return White
	case dark >= TextContrast:
		return Dark
	}
	return RGB{}
}

// Readable returns the colour, darkened if necessary for text on White.
func Readable(c RGB) RGB { return ReadableOn(c, White) }

// Visible returns the colour, darkened if necessary for lines and symbols on White.
func Visible(c RGB) RGB { return VisibleOn(c, White) }
