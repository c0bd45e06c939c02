package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/internal/stat"
)

// item is a number or a word of a text that may be a period.
type item struct {
	kind      itemKind
	value     int // of numbers
	width     int // digits
	frequency stat.Frequency
	name      monthName
	before    string // the separators before it, without spaces; " " for spaces only
}

const (
	maxPeriodText  = 60 // bytes; longer texts are not periods
	maxPeriodItems = 12
	separators     = " .,-–—/:'’_\u00a0"
)

// splitPeriod splits a folded text into the items that a period may have. ok is false
// for a text with any other word or sign.
func splitPeriod(folded string) (items []item, ok bool) {
	before := ""
	for rest := folded; rest != ""; {
		if len(items) > maxPeriodItems {
			return nil, false
		}
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case strings.ContainsRune(separators, r) || unicode.IsSpace(r):
			before, rest = before+rest[:size], rest[size:]
			continue
		case r >= '0' && r <= '9':
			end := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
			if end < 3 && isCoded(items, folded[:len(folded)-len(rest)]) {
				return nil, false
			}
			items = append(items, numberItem(rest[:end]))
			rest = rest[end:]
		default:
			var found []item
			if found, rest = splitWord(rest); len(found) == 0 {
				return nil, false
			}
			items = append(items, found...)
		}
		added := &items[len(items)-1]
		if added.before = before; strings.TrimSpace(before) != "" {
			added.before = strings.Map(dropSpace, before)
		}
		before = ""
	}
	return items, strings.Trim(before, " .,") == ""
}

// isCoded reports whether a short number behind a text belongs to a single letter that is no part of a
// year, as in G7. Behind years, letters stand for these words: 2020y12m.
func isCoded(items []item, text string) bool {
	last := len(items) - 1
	if last < 0 || items[last].kind != itemAnnual && items[last].kind != itemFill || last > 0 && items[last-1].kind == itemYear {
		return false
	}
	isASCIILetter := func(at int) bool { return at >= 0 && text[at] >= 'a' && text[at] <= 'z' }
	return isASCIILetter(len(text)-1) && !isASCIILetter(len(text)-2)
}

func dropSpace(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return -1
	case r == '–' || r == '—':
		return '–'
	}
	return r
}

func numberItem(digits string) item {
	value, err := strconv.Atoi(digits)
	it := item{kind: itemDigits, value: value, width: len(digits)}
	switch {
	case err != nil:
		it.width = 99
	case len(digits) == 4:
		it.kind = itemYear
	case len(digits) <= 2:
		it.kind = itemNumber
	}
	return it
}

// splitWord splits the word or words at the beginning of text: letters, and spaces and
// dots within a name of several words.
func splitWord(text string) (found []item, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '॰' && r != '׳' && r != 'º'
	})
	if end < 0 {
		end = len(text)
	}
	if end == 0 {
		return nil, ""
	}
	word := text[:end]
	for _, gap := range []string{" ", ". "} { // "كانون الثاني"
		if next, isGap := strings.CutPrefix(text[end:], gap); isGap {
			more, _, _ := strings.Cut(next, " ")
			if name, isMonth := monthNames()[word+" "+more]; isMonth {
				return []item{{kind: itemMonth, name: name}}, next[len(more):]
			}
		}
	}
	rest = text[end:]
	if name, isMonth := monthNames()[word]; isMonth {
		return []item{{kind: itemMonth, name: name}}, rest
	}
	number, isRoman := romans[word]
	if means, isKnown := foldedWords()[word]; isKnown && (!isRoman || rest != "" && rest[0] >= '0' && rest[0] <= '9') {
		return means.items(), rest
	}
	if isRoman {
		return []item{{kind: itemRoman, value: number}}, rest
	}
	if number, isRoman = romans[word[1:]]; isRoman && strings.IndexByte("qtksh", word[0]) >= 0 { // TIV
		return append(foldedWords()[word[:1]].items(), item{kind: itemRoman, value: number}), rest
	}
	return splitLetters(word), rest
}

// splitLetters splits words that are written without spaces: 年第四季度.
func splitLetters(word string) (found []item) {
	for word != "" {
		size := 0
		var means periodWord
		for end := range word + "." {
			if w, isKnown := foldedWords()[word[:end]]; isKnown && end > 0 && word[0] >= utf8.RuneSelf {
				size, means = end, w
			}
		}
		if size == 0 {
			return nil
		}
		found = append(found, means.items()...)
		word = word[size:]
	}
	return found
}

func (w periodWord) items() []item {
	switch {
	case w.kind == itemPart && w.number > 0:
		return []item{{kind: itemPart, frequency: w.frequency}, {kind: itemNumber, value: w.number, width: 1}}
	case w.kind == itemNumber:
		return []item{{kind: itemNumber, value: w.number, width: 1}}
	}
	return []item{{kind: w.kind, frequency: w.frequency, value: w.era}}
}
