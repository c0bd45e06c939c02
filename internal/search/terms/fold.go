package terms

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// special are letters that do not fall apart into a plain letter and an accent.
var special = map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i"}

// Words splits a text into its words: runs of letters and digits in lower case without
// accents. Other characters only separate: "R&D" has the words "r" and "d".
func Words(text string) []string {
	return strings.FieldsFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// fold converts to lower case, removes accents and replaces subscripts and superscripts
// by plain digits.
func fold(text string) string {
	if isPlain(text) {
		return strings.ToLower(text)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(text) {
		r = unicode.ToLower(r)
		switch {
		case unicode.Is(unicode.Mn, r):
		case special[r] != "":
			b.WriteString(special[r])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// umlauts spells German letters without dots: people type "Aerzte" and "Arzte".
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue")
