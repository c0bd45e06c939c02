// Package charset finds the encoding of text that is not UTF-8 by all of its words: each
// encoding of an office's language is tried, and how letters follow one another in that
// language (pairs.txt) tells which makes sense.
//
// A wrong encoding publishes wrong letters, so the answer must be clear: if two encodings
// give different words that are both plausible, or none does, there is no answer.
package charset

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// candidates are the encodings that offices use, in the order of preference among those
// that give the same text. The costs are of the assumption that a file is in a rare one.
var candidates = []struct {
	name     string
	encoding encoding.Encoding
	cost     float64
}{
	{"windows-1252", charmap.Windows1252, 0},
	{"windows-1250", charmap.Windows1250, 2},
	{"windows-1251", charmap.Windows1251, 2},
	{"windows-1253", charmap.Windows1253, 2},
	{"windows-1254", charmap.Windows1254, 2},
	{"windows-1257", charmap.Windows1257, 2},
	{"windows-1255", charmap.Windows1255, 2},
	{"windows-1256", charmap.Windows1256, 2},
	{"windows-874", charmap.Windows874, 2},
	{"shift_jis", japanese.ShiftJIS, 2},
	{"gb18030", simplifiedchinese.GB18030, 2},
	{"big5", traditionalchinese.Big5, 2},
	{"euc-kr", korean.EUCKR, 2},
	{"euc-jp", japanese.EUCJP, 2},
	{"iso-8859-15", charmap.ISO8859_15, 4},
	{"iso-8859-2", charmap.ISO8859_2, 4},
	{"iso-8859-5", charmap.ISO8859_5, 5},
	{"iso-8859-7", charmap.ISO8859_7, 5},
	{"iso-8859-6", charmap.ISO8859_6, 5},
	{"koi8-r", charmap.KOI8R, 5},
	{"koi8-u", charmap.KOI8U, 5},
	{"cp850", charmap.CodePage850, 5},
	{"cp852", charmap.CodePage852, 5},
	{"cp866", charmap.CodePage866, 5},
	{"cp437", charmap.CodePage437, 5},
	{"macintosh", charmap.Macintosh, 5},
}

// The answer must be this good, and better than any other by this much. Costs are like
// negative logarithms; see pairs.go.
const (
	maxCost   = 4.5 // by the byte above 127
	minMargin = 6.0
)

// Result says what the encoding of a text is.
type Result struct {
	Name     string            // empty if it is not clear
	Encoding encoding.Encoding // nil if it is not clear
	Likely   []string          // the best encodings, if it is not clear
}

// trial is what an encoding makes of a text.
type trial struct {
	Result
	text string
	cost float64
}

// Detect finds the encoding of the collected text.
func (c *Collector) Detect() Result {
	var trials []trial
	var words scorer
	for _, cand := range candidates {
		text, ok := c.decode(cand.encoding)
		isSame := func(t trial) bool { return t.text == text } // the first name stands for both
		if ok && !slices.ContainsFunc(trials, isSame) {
			trials = append(trials, trial{Result{Name: cand.name, Encoding: cand.encoding}, text, cand.cost + words.costOf(text)})
		}
	}
	slices.SortStableFunc(trials, func(a, b trial) int { return cmp.Compare(a.cost, b.cost) })
	var unclear Result
	for _, t := range trials[:min(2, len(trials))] {
		unclear.Likely = append(unclear.Likely, t.Name)
	}
	if len(trials) == 0 || trials[0].cost > maxCost*float64(c.high)+minMargin || len(trials) > 1 && trials[1].cost-trials[0].cost < minMargin {
		return unclear
	}
	return trials[0].Result
}

// decode returns the collected words in an encoding. ok is false if they cannot be in it.
func (c *Collector) decode(e encoding.Encoding) (text string, ok bool) {
	var all strings.Builder
	for _, word := range c.words {
		decoded, err := e.NewDecoder().String(word)
		if err != nil || !IsClean(decoded) {
			return "", false
		}
		all.WriteString(decoded)
		all.WriteByte('\n')
	}
	return all.String(), true
}

// IsClean reports whether decoded text has no replacement characters and no control
// characters that no text file has: those of bytes that the encoding does not define.
func IsClean(text string) bool {
	for _, r := range text {
		if IsBad(r) {
			return false
		}
	}
	return true
}

// IsBad reports whether a character shows that text was decoded wrongly.
func IsBad(r rune) bool {
	return r == utf8.RuneError || r >= 0x80 && r < 0xa0 && r != 0x85 || r >= 0xe000 && r < 0xf900
}
