package font

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart/scene"
	"almanac/internal/stattest/property"
)

// The texts have size 10, at which a letter is about 6 units wide.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name, text string
		width      float64
		max        int
		want       string // lines, separated by |
		whole      bool
	}{
		{"one line", "Employment rate", 100, 1, "Employment rate", true},
		{"empty", "", 100, 2, "", true},
		{"at spaces", "Employment rate by age and sex", 85, 3, "Employment rate|by age and sex", true},
		{"exactly max lines", "one two three", 30, 3, "one|two|three", true},
		{"too many lines", "one two three four five", 30, 2, "one|two…", false},
		{"after hyphens", "Bosnia-Herzegovina", 70, 2, "Bosnia-|Herzegovina", true},
		{"after dashes", "production–consumption", 65, 2, "production–|consumption", true},
		{"after slashes", "industry/construction", 65, 2, "industry/|construction", true},
		{"not within ranges of years", "years 2010-2014", 60, 2, "years|2010-2014", true},
		{"not at no-break spaces", "rate of 10\u00a0% here", 54, 3, "rate of|10\u00a0% here", true},
		{"not at a space before %", "rate of 10 % here", 54, 3, "rate of|10 % here", true},
		{"a word too wide is broken", "Donaudampfschifffahrt", 50, 4, "Donauda|mpfschifff|ahrt", true},
		{"Chinese", "中华人民共和国国家统计局", 65, 3, "中华人民共和|国国家统计局", true},
		{"no line begins with a full stop", "中华人民共和国。国家", 65, 3, "中华人民共和|国。国家", true},
		{"Thai", "สำนักงานสถิติแห่งชาติ", 60, 3, "สำนักงานสถิติ|แห่งชาติ", true},
		{"Arabic", "المملكة العربية السعودية", 75, 2, "المملكة العربية|السعودية", true},
		{"nothing fits", "word", 3, 2, "", false},
		{"no width", "word", 0, 2, "", false},
		{"no lines", "word", 100, 0, "", false},
	} {
		lines, whole := Wrap(c.text, 10, scene.Regular, c.width, c.max)
		if got := strings.Join(lines, "|"); got != c.want || whole != c.whole {
			t.Errorf("%s: %q, %v; want %q, %v", c.name, got, whole, c.want, c.whole)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		width float64
		want  string
	}{
		{"Employment rate", 100, "Employment rate"},
		{"Employment rate", 60, "Employme…"},
		{"Employment rate", 68, "Employment…"},
		{"Men, women", 40, "Men…"},
		{"Men (total)", 35, "Men…"},
		{"x", 5, ""},
		{"x", 6, "x"},
		{"", 60, ""},
		{"Employment", 0, ""},
		{"日本国の人口", 45, "日本国…"},
	} {
		if got := Cut(c.text, 10, scene.Regular, c.width); got != c.want {
			t.Errorf("Cut(%q) to a width of %g = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestLinesAreWithinTheWidth(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		if rapid.Bool().Draw(t, "long") {
			text = strings.Repeat(text+" ", 2000/(len(text)+1)+1)
		}
		if rapid.Bool().Draw(t, "clean") {
			text = Clean(text)
		}
		size := rapid.Float64Range(1, 40).Draw(t, "size")
		width := rapid.OneOf(rapid.Float64Range(0, 30), rapid.Float64Range(0, 900)).Draw(t, "width")
		checkWrap(t, text, size, width, rapid.IntRange(0, 60).Draw(t, "max"))
	})
}

func checkWrap(t interface{ Fatalf(string, ...any) }, text string, size, width float64, max int) {
	lines, whole := Wrap(text, size, scene.Bold, width, max)
	if len(lines) > max {
		t.Fatalf("%d lines, want at most %d", len(lines), max)
	}
	for _, line := range lines {
		if line == "" || strings.TrimFunc(line, isSpace) != line {
			t.Fatalf("line %q is empty or has spaces at an end", line)
		}
		if got := Width(line, size, scene.Bold); got > width {
			t.Fatalf("%q is %g wide, more than %g", line, got, width)
		}
	}
	if again, _ := Wrap(text, size, scene.Bold, width, max); !reflect.DeepEqual(lines, again) {
		t.Fatalf("Wrap returned %q, then %q", lines, again)
	}
	last := len(lines) - 1
	switch {
	case whole && withoutSpaces(strings.Join(lines, "")) != withoutSpaces(text):
		t.Fatalf("Wrap(%+q) = %+q lacks letters, but whole is true", text, lines)
	case !whole && last >= 0 && !strings.HasSuffix(lines[last], ellipsis) && Width(ellipsis, size, scene.Bold) <= width:
		t.Fatalf("whole is false, but the last line %q does not end in %s", lines[last], ellipsis)
	}
}

// withoutSpaces returns a text without its spaces, as valid UTF-8.
func withoutSpaces(text string) string {
	return strings.Map(func(r rune) rune {
		if isSpace(r) {
			return -1
		}
		return r
	}, text)
}

func TestCutIsWithinTheWidth(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		text := Clean(texts().Draw(t, "text"))
		width := rapid.Float64Range(0, 300).Draw(t, "width")
		got := Cut(text, 12, scene.Regular, width)
		switch {
		case Width(got, 12, scene.Regular) > width:
			t.Fatalf("Cut(%q) = %q is wider than %g", text, got, width)
		case Width(text, 12, scene.Regular) <= width && got != text && width > 0:
			t.Fatalf("Cut(%q) = %q although the text fits", text, got)
		case got != text && got != "" && !strings.HasSuffix(got, ellipsis):
			t.Fatalf("Cut(%q) = %q, want %s at its end", text, got, ellipsis)
		}
	})
}

func FuzzWrap(f *testing.F) {
	f.Add("Employment rate by age and sex", 12.0, 85.0, 3)
	f.Add("می\u200cخواهم 10\u00a0% 日本語 ประเทศไทย", 12.0, 40.0, 5)
	f.Add("a\u0301\u202e\xff", -1.0, 0.0, -2)
	f.Fuzz(func(t *testing.T, text string, size, width float64, max int) {
		if max > 100 {
			max = 100
		}
		lines, _ := Wrap(text, size, scene.Regular, width, max)
		for _, line := range append(lines, Cut(text, size, scene.Bold, width)) {
			Glyphs(line, size, scene.Regular)
			if line == "" {
				continue
			}
		}
		if size > 0 && size < 1e6 && width >= 0 && max >= 0 {
			checkWrap(t, text, size, width, max)
		}
	})
}

// Korean lines break at the spaces between words. A text is cut between words unless
// little of it would remain.
func TestWordsAreKeptTogether(t *testing.T) {
	korean := "대한민국 실업률"
	width := Width("대한민국 실업", 20, scene.Regular)
	if lines, _ := Wrap(korean, 20, scene.Regular, width, 2); !slices.Equal(lines, strings.Fields(korean)) {
		t.Errorf("the lines of %q are %q, want one for each word", korean, lines)
	}
	for _, c := range []struct{ text, fits, want string }{
		{"the revision of the labour force survey", "the revision of the labour force surv", "the revision of the labour force…"},
		{"a Donaudampfschifffahrtsgesellschaft", "a Donaudampfschiff", "a Donaudampfsch…"},
	} {
		if got := Cut(c.text, 20, scene.Regular, Width(c.fits, 20, scene.Regular)); got != c.want {
			t.Errorf("%q is cut to %q; want %q", c.text, got, c.want)
		}
	}
}
