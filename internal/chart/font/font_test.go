package font

import (
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/go-text/typesetting/harfbuzz"

	"almanac/internal/chart/scene"
)

func TestCoverageAgreesWithTheFonts(t *testing.T) {
	for r := rune(0); int(r) < len(coverage); r++ {
		n := preferred(r)
		if n == none {
			for _, f := range faces {
				if f.has(r) {
					t.Errorf("%U is in %s, but coverage has no face for it", r, f.name)
				}
			}
			continue
		}
		if !faces[n].has(r) {
			t.Errorf("%U is not in %s, but coverage says so", r, faces[n].name)
		}
		if n == regular && !faces[bold].has(r) {
			t.Errorf("%U is not in %s", r, faces[bold].name)
		}
	}
}

// Every character that Clean keeps is visible, in both weights.
func TestEveryCharacterIsDrawn(t *testing.T) {
	count := 0
	for r := rune(0); int(r) < len(coverage); r++ {
		text := "a" + string(r)
		if preferred(r) == none || !isVisible(r) || Clean(text) != text {
			continue
		}
		count++
		weights := []scene.Weight{scene.Regular}
		if preferred(r) == regular {
			weights = append(weights, scene.Bold)
		}
		for _, w := range weights {
			if Glyphs(string(r), 10, w) == nil && len(Glyphs(text, 10, w)) < 2 {
				t.Errorf("%q (%U) of %s is not drawn", r, r, faces[preferred(r)].name)
			}
		}
	}
	if count < 15_000 {
		t.Errorf("%d characters were tested, want at least 15000", count)
	}
}

func TestFiguresOfRegularWeightHaveEqualWidths(t *testing.T) {
	for _, column := range [][2]string{{"1111", "0000"}, {"1,117.1", "8,948.6"}, {"−71.4", "−26.8"}} {
		a, b := Width(column[0], 12, scene.Regular), Width(column[1], 12, scene.Regular)
		if math.Abs(a-b) > 1e-9 {
			t.Errorf("%s is %g wide, %s %g", column[0], a, column[1], b)
		}
	}
	if a, b := Width("1111", 12, scene.Bold), Width("0000", 12, scene.Bold); a >= b {
		t.Errorf("figures of the bold weight have equal widths: 1111 is %g wide, 0000 %g", a, b)
	}
}

func TestLettersAreKerned(t *testing.T) {
	together := Width("AVATAR To", 20, scene.Regular)
	apart := 0.0
	for _, r := range "AVATAR To" {
		apart += Width(string(r), 20, scene.Regular)
	}
	if together > apart-2 {
		t.Errorf("AVATAR To is %g wide, its letters together %g", together, apart)
	}
}

func TestWidthGrowsWithSize(t *testing.T) {
	for _, text := range []string{"Unemployment", "مصر", "日本国", ""} {
		if a, b := Width(text, 10, scene.Regular), Width(text, 25, scene.Regular); math.Abs(a*2.5-b) > 1e-9 {
			t.Errorf("%q is %g wide at 10, %g at 25", text, a, b)
		}
	}
}

func TestGlyphsAreWithinTheWidth(t *testing.T) {
	for _, text := range []string{"Unemployment rate, 15–74 years", "المملكة العربية السعودية", "ประเทศไทย", "ශ්\u200dරී ලංකාව", "東京都（総数）", "Việt Nam"} {
		width := Width(text, 10, scene.Regular)
		glyphs := Glyphs(text, 10, scene.Regular)
		if len(glyphs) == 0 {
			t.Fatalf("%s: no glyphs", text)
		}
		for _, g := range glyphs {
			for _, p := range g.Outline.Points {
				x, y := g.X+10*p.X, g.Y+10*p.Y
				if x < -1 || x > width+1 || y < -12 || y > 5 {
					t.Errorf("%s: glyph %x has a point at %.1f, %.1f, outside the text, which is %.1f wide", text, g.ID, x, y, width)
					break
				}
			}
		}
	}
}

// visualOrder returns the characters of a text in visual order, from left to right.
func visualOrder(text string) string {
	s := &shaper{buffer: harfbuzz.NewBuffer()}
	s.begin(text)
	s.setLevels()
	for i := range s.text {
		s.runs = append(s.runs, run{start: i, end: i + 1, level: s.levels[i]})
	}
	reorder(s.runs)
	var visual strings.Builder
	for _, r := range s.runs {
		visual.WriteRune(s.text[r.start])
	}
	return visual.String()
}

func TestRightToLeftScriptIsReordered(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Austria (2024)", "Austria (2024)"},
		{"אבג", "גבא"},
		{"אב 12 גד", "דג 12 בא"},
		{"א (2020) ב", "ב )2020( א"}, // the brackets' shapes are mirrored: next test
		{"x אב 12 y", "x 12 בא y"},
		{"x אב 12% y", "x 12% בא y"},
		{"x מ 1,5 y", "x 1,5 מ y"},
		{"a ١٢ م", "a م ١٢"},
		{"x م 12% y", "x 12 م% y"}, // "%" does not belong to a number in Arabic
		{"אבג abc 12", "abc 12 גבא"},
	} {
		if got := visualOrder(c.text); got != c.want {
			t.Errorf("the visual order of %s is %s, want %s", c.text, got, c.want)
		}
	}
}

// Parts of a line do not change the order of their neighbours, and keep the width of the line.
func TestIsolate(t *testing.T) {
	for _, c := range []struct {
		line        string
		rightToLeft bool
		want        string
	}{
		{"Rate · אב % · 1994–2019", true, "2019–1994 · % בא · Rate"},
		{"Rate · % אב · 1994–2019", true, "2019–1994 · בא % · Rate"},
		{"Rate · אב % · 1994–2019", false, "Rate · % בא · 1994–2019"},
		{"% أب · 2024", true, "2024 · بأ %"},
		{"Ages 15 to 74 · % م · دين", true, "نيد · م % · Ages 15 to 74"},
	} {
		line := Isolate(c.line, " · ", c.rightToLeft)
		if got := WithoutIsolates(visualOrder(line)); got != c.want {
			t.Errorf("%q, right to left %t: the visual order is %q, want %q", c.line, c.rightToLeft, got, c.want)
		}
		if WithoutIsolates(line) != c.line || RightToLeft(line) != c.rightToLeft {
			t.Errorf("Isolate(%q) is %q", c.line, line)
		}
	}
}

func TestBracketsAreMirrored(t *testing.T) {
	left, right := Glyphs("(", 10, scene.Regular)[0].ID, Glyphs(")", 10, scene.Regular)[0].ID
	glyphs := Glyphs("(א)", 10, scene.Regular)
	if len(glyphs) != 3 || glyphs[0].ID != left || glyphs[2].ID != right {
		t.Errorf("(א) is drawn as %v, want %x first and %x last", glyphs, left, right)
	}
}

// A letter with a mark that Inter lacks is drawn in another face together with the mark,
// so that the mark is below its letter and not next to it.
func TestMarksAreAtTheirLetters(t *testing.T) {
	for _, text := range []string{"x\u0331", "s\u0331", "k\u0332"} {
		g := Glyphs(text, 10, scene.Regular)
		if len(g) == 1 {
			continue // composed
		}
		if len(g) != 2 || g[0].ID>>16 != g[1].ID>>16 || math.Abs(Width(text, 10, 0)-Width(text[:1], 10, 0)) > .5 {
			t.Errorf("%q has the glyphs %v, want both of one face, with the mark at the letter", text, g)
		}
	}
}

func TestOneOutlinePerID(t *testing.T) {
	outlines := map[uint32]*scene.Outline{}
	var mu sync.Mutex
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for _, text := range []string{"Latvia", "Lietuva", "भारत", "مصر", "한국", "12.5 %"} {
				for _, g := range Glyphs(text+strings.Repeat("i", i), 10+float64(i), scene.Weight(i%2)) {
					mu.Lock()
					if o := outlines[g.ID]; o != nil && o != g.Outline {
						t.Errorf("two outlines for glyph %x", g.ID)
					}
					outlines[g.ID] = g.Outline
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	if len(outlines) < 20 {
		t.Errorf("%d glyphs, want at least 20", len(outlines))
	}
}

func TestCacheDropsOldTexts(t *testing.T) {
	var c lines
	l := &line{glyphs: make([]Glyph, 100)}
	for i := range 3 * maxGeneration / 100 {
		c.put(key{text: string(rune('a' + i))}, l)
		if held := (len(c.young) + len(c.old)) * 101; held > 2*maxGeneration+300 {
			t.Fatalf("%d glyphs are cached after %d texts", held, i)
		}
		if c.find(string(rune('a'+i)), scene.Regular) != l {
			t.Fatal("a new text is not in the cache")
		}
	}
	if c.find("a", scene.Regular) != nil {
		t.Error("the oldest text is still in the cache")
	}
}

func TestMissingCharactersAreNotDrawn(t *testing.T) {
	text := "a😀\U0001F1E9\U0001F1EAb"
	if g := Glyphs(text, 10, scene.Regular); len(g) != 2 {
		t.Errorf("%q is drawn with %d glyphs, want 2", text, len(g))
	}
	if Width(text, 10, scene.Regular) != Width("a", 10, scene.Regular)+Width("b", 10, scene.Regular) {
		t.Error("characters that are not drawn have a width")
	}
	if m := string(Missing(text + "😀")); m != "😀\U0001F1E9\U0001F1EA" {
		t.Errorf("Missing = %q, want 😀 and the flag", m)
	}
	if Missing("Österreich مصر 日本\u200b\u202e\n") != nil {
		t.Error("Missing reports characters of a text that can be drawn")
	}
}
