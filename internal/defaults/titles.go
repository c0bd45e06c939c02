package defaults

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minTitleWord is the length in bytes from which a label in a title is no accident.
const minTitleWord = 4

// preferTitle prefers the code that the title of the dataset names: "Unemployment rate"
// among rates, 18–24 among ages of "Young people aged 18-24". Among several measures it is the
// rate or the amount per inhabitant, or else the one that the title names first; of several
// other codes, none: "by men and women" speaks of all.
func preferTitle(c *chooser) []int32 {
	title := c.title()
	if found := c.spansOf(title); len(found) == 1 {
		return found
	}
	var mentions []mention
	for _, i := range c.codes {
		label, _, _ := strings.Cut(labelOf(c.code(i)), " (")
		if at := wordAt(title, label); at >= 0 && len(label) >= minTitleWord && endsWord(title[at+len(label):]) {
			mentions = append(mentions, mention{i, at, len(label)})
		}
	}
	if len(mentions) == 0 || len(mentions) > 1 && !isMeasure(c.dimension) {
		return nil
	}
	if len(mentions) > 1 {
		for _, prefer := range []func(*chooser) []int32{preferRate, preferPerCapita} {
			if rates := c.among(mentions, prefer); rates != nil {
				return rates
			}
		}
	}
	best := slices.MinFunc(mentions, func(a, b mention) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return b.length - a.length
	})
	return []int32{best.code}
}

// mention is where a title names a code.
type mention struct {
	code       int32
	at, length int
}

// among applies a rule to the codes that a title names.
func (c *chooser) among(mentions []mention, prefer func(*chooser) []int32) []int32 {
	named := *c
	named.codes = nil
	for _, m := range mentions {
		named.codes = append(named.codes, m.code)
	}
	return prefer(&named)
}

// nameOfSurvey are words after a label that show that the title does not mean it: the labour
// force survey is about unemployment.
var nameOfSurvey = []string{" survey", " characteristics", " statistics", " balances"}

// endsWord reports whether a word can end before the rest of a text: "rate" before "rates",
// but not "sector" before "sectoral".
func endsWord(rest string) bool {
	if slices.ContainsFunc(nameOfSurvey, func(word string) bool { return strings.HasPrefix(rest, word) }) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(rest, "s"))
	return !unicode.IsLetter(first) || first >= 0x2E80
}

// wordAt returns where a word or phrase begins in a text, after something that is no
// letter; -1 if nowhere.
func wordAt(text, phrase string) int {
	for from := 0; phrase != ""; {
		at := strings.Index(text[from:], phrase)
		if at < 0 {
			return -1
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		first, size := utf8.DecodeRuneInString(phrase)
		if !unicode.IsLetter(before) || before >= 0x2E80 || !unicode.IsLetter(first) {
			return at
		}
		from = at + size
	}
	return -1
}
