package colour_test

import (
	"math"
	"strings"
	"testing"

	"golang.org/x/image/colornames"
	"pgregory.net/rapid"

	"almanac/internal/chart/colour"
	"almanac/internal/stattest/property"
)

// Colours are #rgb, #rrggbb and CSS names; anything else is rejected.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"#000": "#000000", "#fff": "#ffffff", "#FFF": "#ffffff", "#1aF": "#11aaff",
		"#0064c8": "#0064c8", "#ABCDEF": "#abcdef", "#aBcDeF": "#abcdef",
		"red": "#ff0000", "Red": "#ff0000", "REBECCAPURPLE": "#663399", "grey": "#808080", "gray": "#808080",
		"LightGoldenrodYellow": "#fafad2", "cyan": "#00ffff", "black": "#000000",
	} {
		if c, ok := colour.Parse(text); !ok || c.String() != want {
			t.Errorf("Parse(%q) = %s, %t; want %s", text, c, ok, want)
		}
	}
	for _, text := range []string{
		"", "#", "#f", "#ff", "#ffff", "#fffff", "#fffffff", "#ffffffff", "#ggg", "#+12", "#1_2", "#-12345", "# fff", "#fff ", " red", "red ", "light blue",
		"transparent", "currentcolor", "inherit", "none", "rgb(0,0,0)", "rgba(0,0,0,1)", "hsl(0,0%,0%)", "fff", "0064c8", "##ffffff",
		"blac\u212a", "rеd", "\x00red", "ｒｅｄ",
	} {
		if c, ok := colour.Parse(text); ok {
			t.Errorf("Parse(%q) = %s; want an error", text, c)
		}
	}
}

// All 148 colour names of CSS Color 4 are accepted, in upper and lower case.
func TestParseNames(t *testing.T) {
	names := append([]string{"rebeccapurple"}, colornames.Names...)
	if len(names) != 148 {
		t.Errorf("%d names, want 148", len(names))
	}
	for _, name := range names {
		c, ok := colour.Parse(name)
		upper, okUpper := colour.Parse(strings.ToUpper(name))
		if !ok || !okUpper || c != upper {
			t.Errorf("Parse(%s) = %s, %t, but in capitals %s, %t", name, c, ok, upper, okUpper)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"#abc", "#a1b2c3", "navy", "", "#", "rgb(1,2,3)", "İ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, ok := colour.Parse(text)
		if !ok {
			if c != (colour.RGB{}) {
				t.Errorf("Parse(%q) = %s, false; want black", text, c)
			}
			return
		}
		if again, ok := colour.Parse(c.String()); !ok || again != c {
			t.Errorf("Parse(%q) = %s, but Parse of that is %s, %t", text, c, again, ok)
		}
	})
}

func drawColour(t *rapid.T, label string) colour.RGB {
	return colour.RGB{R: rapid.Byte().Draw(t, label+" red"), G: rapid.Byte().Draw(t, label+" green"), B: rapid.Byte().Draw(t, label+" blue")}
}

// The expected values are from WCAG's examples and common contrast checkers.
func TestContrast(t *testing.T) {
	white := colour.White
	for text, want := range map[string]float64{"#000": 21, "#fff": 1, "#777": 4.48, "#767676": 4.54, "#f00": 4.00, "#00f": 8.59, "#0f0": 1.37} {
		c, _ := colour.Parse(text)
		if got := colour.Contrast(c, white); math.Abs(got-want) > .005 {
			t.Errorf("contrast of %s on white is %.3f, want %.2f", text, got, want)
		}
		if a, b := colour.Contrast(c, white), colour.Contrast(white, c); a != b {
			t.Errorf("contrast of %s depends on the order: %v, %v", text, a, b)
		}
	}
}

// Text has a contrast of 4.5:1 on any fill and in any colour that a caller chooses.
func TestTextContrast(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		c := drawColour(t, "colour")
		if got := colour.Contrast(colour.On(c), c); got < 4.5 {
			t.Fatalf("On(%s) = %s has a contrast of %.2f:1", c, colour.On(c), got)
		}
		readable, visible := colour.Readable(c), colour.Visible(c)
		if got := colour.Contrast(readable, colour.White); got < 4.5 {
			t.Fatalf("Readable(%s) = %s has a contrast of %.2f:1", c, readable, got)
		}
		if got := colour.Contrast(visible, colour.White); got < 3 {
			t.Fatalf("Visible(%s) = %s has a contrast of %.2f:1", c, visible, got)
		}
		if colour.Contrast(c, colour.White) >= 4.5 && (readable != c || visible != c) {
			t.Fatalf("%s is dark enough, but Readable is %s and Visible %s", c, readable, visible)
		}
		if colour.Readable(readable) != readable || colour.Visible(visible) != visible {
			t.Fatalf("%s is darkened again the second time", c)
		}
	})
	for _, fill := range []colour.RGB{colour.White, {R: 0xff, G: 0xff}, {R: 0x80, G: 0x80, B: 0x80}, {B: 0xff}, {}} {
		if got := colour.Contrast(colour.On(fill), fill); got < 4.5 {
			t.Errorf("On(%s) = %s has a contrast of %.2f:1", fill, colour.On(fill), got)
		}
	}
}

// Colours of text have a contrast of 4.5:1 to White, those of lines 3:1.
func TestChrome(t *testing.T) {
	for name, c := range map[string]colour.RGB{"Dark": colour.Dark, "Text": colour.Text, "Muted": colour.Muted, "Alert": colour.Alert} {
		if got := colour.Contrast(c, colour.White); got < colour.TextContrast {
			t.Errorf("%s %s is %.2f:1 on White", name, c, got)
		}
	}
	for name, c := range map[string]colour.RGB{"Base": colour.Base, "Quiet": colour.Quiet} {
		if got := colour.Contrast(c, colour.White); got < colour.MarkContrast {
			t.Errorf("%s %s is %.2f:1 on White", name, c, got)
		}
	}
	// This holds for full colour vision only: without the pigment for green, teal looks
	// grey, so context series are also thinner.
	for i, c := range colour.Categorical() {
		if got := colour.Distance(c, colour.Quiet); got < 15 {
			t.Errorf("colour %d %s is only %.1f from Quiet", i, c, got)
		}
	}
	if c := colour.Contrast(colour.Rule, colour.White); c > 1.5 {
		t.Errorf("gridlines are %.2f:1 on White, want at most 1.5 so that they do not compete with the data", c)
	}
}

func TestMix(t *testing.T) {
	a, b := colour.RGB{R: 10, G: 200}, colour.RGB{R: 20, G: 100, B: 255}
	for at, want := range map[float64]colour.RGB{0: a, 1: b, -3: a, 7: b, .5: {R: 15, G: 150, B: 128}} {
		if got := colour.Mix(a, b, at); got != want {
			t.Errorf("Mix at %v = %s, want %s", at, got, want)
		}
	}
	if got := colour.Mix(a, b, math.NaN()); got != a {
		t.Errorf("Mix at NaN = %s, want %s", got, a)
	}
}
