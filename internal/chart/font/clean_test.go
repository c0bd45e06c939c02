package font

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"almanac/internal/stattest/property"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"clean text", "Employment rate, 15–64 years (%)", "Employment rate, 15–64 years (%)"},
		{"empty", "", ""},
		{"only spaces", " \t\u00a0\n", ""},
		{"white space", "  a \t\r\n b\u2003c\u3000 d ", "a b c d"},
		{"single no-break space", "10\u00a0%", "10\u00a0%"},
		{"single narrow no-break space", "1\u202f000", "1\u202f000"},
		{"no-break space next to a space", "10\u00a0 %", "10 %"},
		{"no-break space at the end", "10 %\u00a0", "10 %"},
		{"control characters", "a\x00b\x1b[31mc\u0085d", "ab[31mc d"},
		{"bidi overrides and isolates", "\u202eevil\u202c \u2066x\u2069\u200f", "evil x"},
		{"soft hyphen and zero width space", "Bevölke\u00adrung s\u200btatistics", "Bevölkerung statistics"},
		{"byte order mark", "\ufeffGDP", "GDP"},
		{"private use, unassigned, noncharacter", "a\ue000b\U000f0000c\u0378d\uffffe", "abcde"},
		{"invalid UTF-8", "caf\xe9 \xff\xfe\xfd x", "caf� � x"},
		{"replacement character", "caf�", "caf�"},
		{"half a surrogate pair", "a\xed\xa0\x80b", "a�b"},
		{"joiner that changes shapes", "ශ්\u200dරී ලංකාව", "ශ්\u200dරී ලංකාව"},
		{"non-joiner that changes shapes", "می\u200cخواهم", "می\u200cخواهم"},
		{"joiners without effect", "\u200dab\u200dc\u200c د\u200d", "abc د"},
		{"character after a joiner removed", "می\u200c\U0001F600خ", "می\u200cخ"},
		{"variation selectors", "☀\ufe0f 葛\U000e0100", "☀ 葛"},
		{"characters that no font has", "flag 🇩🇪 and 😀 smile", "flag and smile"},
		{"many marks on one letter", "a" + strings.Repeat("\u0301", 50) + "b", "a\u0301\u0301\u0301b"},
		{"mark without a letter", " \u0301abc", "abc"},
		{"mark after a space", "a \u0301b", "a b"},
		{"Greek letter with three marks", "α\u0313\u0300\u0345", "α\u0313\u0300\u0345"},
	} {
		if got := Clean(c.text); got != c.want {
			t.Errorf("%s: Clean(%+q) = %+q, want %+q", c.name, c.text, got, c.want)
		}
	}
}

// texts generates words in many scripts, numbers and harmful characters.
func texts() *rapid.Generator[string] {
	parts := []string{
		"a", "GDP", "unemployment", "(", ")", "/", "-", "–", "%", "10", "1,5", " ", "  ", "\u00a0", "\u202f", "\n", "…",
		"مصر", "می\u200cخواهم", "١٢٣", "ישראל", "中国", "日本語の統計", "한국", "ประเทศไทย", "ශ්\u200dරී", "भारत", "កម្ពុជា",
		"😀", "👩\u200d👩\u200d👧", "🇩🇪", "\u0301", "\u200d", "\u202e", "\u200b", "\xff", "\xe9", "\x00", "\ue000", "�", "W", "i",
	}
	return rapid.OneOf(
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 40), func(p []string) string { return strings.Join(p, "") }),
		rapid.String(),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 60), func(b []byte) string { return string(b) }),
	)
}

func TestCleanTextIsDrawable(t *testing.T) {
	property.Check(t, func(t *rapid.T) { checkClean(t, texts().Draw(t, "text")) })
}

func checkClean(t interface{ Fatalf(string, ...any) }, text string) {
	clean := Clean(text)
	switch {
	case !utf8.ValidString(clean):
		t.Fatalf("Clean(%+q) = %+q, which is not UTF-8", text, clean)
	case Clean(clean) != clean:
		t.Fatalf("Clean(%+q) = %+q, but Clean of that is %+q", text, clean, Clean(clean))
	case strings.Contains(clean, "  ") || strings.TrimFunc(clean, isSpace) != clean:
		t.Fatalf("Clean(%+q) = %+q, with double, leading or trailing spaces", text, clean)
	case Missing(clean) != nil:
		t.Fatalf("Clean(%+q) = %+q, but no font has %q", text, clean, Missing(clean))
	}
	for _, r := range clean {
		if !unicode.IsGraphic(r) && !isJoiner(r) {
			t.Fatalf("Clean(%+q) = %+q, with the invisible %U", text, clean, r)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "a b", "10\u00a0%", "ශ්\u200dරී", "\u202ex\xff😀", "a\u0301\u0301\u0301\u0301", " \u200d\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkClean(t, text) })
}
