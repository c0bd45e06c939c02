// Package multiples has the words by which numbers are multiples, such as "thousands": it finds them
// in units, headings and labels.
package multiples

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// powers are the words by which a unit is a multiple, with their powers of ten, in English
// and the languages of charts. Words with two meanings are left out: a "billion" of French,
// the "mil" of Spanish, "miles".
var powers = map[string]int{
	"lakh": 5, "lakhs": 5, "crore": 7, "crores": 7,
	"thousand": 3, "thousands": 3, "thsd": 3, "tsd": 3, "tausend": 3, "millier": 3, "milliers": 3, "migliaia": 3, "ألف": 3, "آلاف": 3,
	"1000": 3, "1000s": 3, "000": 3, "000s": 3,
	"million": 6, "millions": 6, "mio": 6, "mln": 6, "mill": 6, "millionen": 6, "millón": 6, "millones": 6, "milione": 6, "milioni": 6, "مليون": 6, "ملايين": 6,
	"billion": 9, "billions": 9, "bn": 9, "mrd": 9, "milliarde": 9, "milliarden": 9, "milliard": 9, "milliards": 9, "mld": 9, "miliardo": 9, "miliardi": 9, "مليار": 9,
	"trillion": 12, "trillions": 12, "billionen": 12, "billones": 12,
}

var (
	// japaneseMultiple matches units such as 億円 and 千人.
	japaneseMultiple = regexp.MustCompile(`^[（(]?(十億|百万|千|万|億|兆)([^\d千万億兆（）()]{1,6})[）)]?$`)
	japanesePowers   = map[string]int{"千": 3, "万": 4, "百万": 6, "億": 8, "十億": 9, "兆": 12}
	// spacedThousand matches a thousand in figures with a separator.
	spacedThousand = regexp.MustCompile(`\b1[ ,.]000(s?)\b`)
	// denominator matches the text before a number that others are divided by, or that is a
	// number of its own.
	denominator = regexp.MustCompile(`(?i)(\b(per|je|pro|par|por|ogni|hundred|[a-z]*\d[\d.,]*|(per|je|pro|par|por|ogni) ([a-z]{0,3}\p{Sc}|eur|usd|gbp|chf))|لكل|[/=])\s*$`)
	rateWords   = regexp.MustCompile(`(?i)%|percent|per cent|per thousand|\bindex\b|\brate\b`)
	afterWord   = regexp.MustCompile(`^\.?\s*(of|de|di|d['’])\s*`)
	beforeEnd   = regexp.MustCompile(`(?i)(^|[\s(])(in|en|i)\s*$`)
)

// multiple is a word in a text that makes numbers multiples.
type multiple struct{ start, end, power int }

// find finds the words that make the numbers of a text multiples.
func find(text string) []multiple {
	var found []multiple
	for start := 0; start < len(text); {
		r, size := utf8.DecodeRuneInString(text[start:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			start += size
			continue
		}
		end := start + strings.IndexFunc(text[start:]+" ", func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if power := powers[strings.ToLower(text[start:end])]; power != 0 {
			found = append(found, multiple{start, end, power})
		}
		start = end
	}
	return found
}

// Has reports whether a text says that numbers are multiples: "thousands".
func Has(text string) bool {
	return len(find(spacedThousand.ReplaceAllString(spellMultiples(text), "1000$1"))) > 0 || japaneseMultiple.MatchString(text)
}

// Cut returns what a unit counts and the power of ten by which its numbers are to be multiplied:
// "US dollar" and 6 of "US dollar (millions)", nothing and 3 of "Thousand". If it is not certain
// that the unit is a multiple, it is returned with 0.
func Cut(unit string) (counted string, power int) {
	if m := japaneseMultiple.FindStringSubmatch(unit); m != nil {
		return m[2], japanesePowers[m[1]]
	}
	text := spacedThousand.ReplaceAllString(spellMultiples(unit), "1000$1")
	found := find(text)
	if len(found) != 1 || rateWords.MatchString(text) || denominator.MatchString(text[:found[0].start]) {
		return unit, 0
	}
	before, after := text[:found[0].start], text[found[0].end:]
	if of := afterWord.FindString(after); of != "" {
		after = " " + after[len(of):]
	} else {
		after = strings.TrimPrefix(after, ".")
		if rest := strings.TrimLeft(after, " "); rest == "" || strings.ContainsRune("),;", rune(rest[0])) || strings.TrimSpace(before) == "in" {
			before = beforeEnd.ReplaceAllString(before, "$1")
		}
	}
	return tidyCut(before, after), found[0].power
}

// tidyCut joins what stands before and after a word that was cut out.
func tidyCut(before, after string) string {
	before, after = strings.TrimRight(before, " "), strings.TrimLeft(after, " ")
	if strings.HasSuffix(before, "(") && strings.HasPrefix(after, ")") {
		before, after = strings.TrimRight(before[:len(before)-1], " "), strings.TrimLeft(after[1:], " ")
	}
	if after == "" || strings.ContainsRune("),;:", rune(after[0])) {
		before = strings.TrimRight(before, " ,;:-–")
	}
	if before != "" && after != "" && !strings.HasSuffix(before, "(") && !strings.ContainsRune("),;:", rune(after[0])) {
		before += " "
	}
	return strings.Trim(before+after, " ,;:")
}
