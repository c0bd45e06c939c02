package defaults

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"almanac/internal/stat"
)

// span is a range of ages, sizes or letters of a classification, with both ends. An open
// end is +Inf.
type span struct{ lo, hi float64 }

func (s span) contains(t span) bool { return s.lo <= t.lo && t.hi <= s.hi }

// preferRange prefers the widest range where codes are ranges, if it contains another one
// or covers most of what all cover. Of ages in groups of five years, none is the widest.
func preferRange(c *chooser) []int32 {
	spans := map[int32]span{}
	hull := span{math.Inf(1), 0}
	for _, i := range c.codes {
		if s, ok := spanOf(c.code(i)); ok {
			spans[i] = s
			hull.lo = min(hull.lo, s.lo)
			for _, end := range []float64{s.lo, s.hi} {
				if !math.IsInf(end, 1) {
					hull.hi = max(hull.hi, end)
				}
			}
		}
	}
	if 2*len(spans) < len(c.codes) || len(spans) < 2 {
		return nil
	}
	if hull.hi <= maxAge {
		hull.hi = maxAge
	} else {
		hull.hi *= 2
	}
	width := func(i int32) float64 { return min(spans[i].hi, hull.hi) - spans[i].lo + 1 }
	var widest []int32
	for _, i := range c.codes {
		if _, ok := spans[i]; !ok {
			continue
		}
		if len(widest) > 0 && width(i) > width(widest[0]) {
			widest = nil
		}
		if len(widest) == 0 || width(i) == width(widest[0]) {
			widest = append(widest, i)
		}
	}
	if i, ok := c.firstYear(spans); ok {
		return []int32{i}
	}
	if working := c.workingAges(spans); working != nil {
		return working
	}
	best := spans[widest[0]]
	for i, s := range spans {
		if i != widest[0] && best.contains(s) && best != s {
			return widest
		}
	}
	if len(widest) == 1 && width(widest[0]) >= 0.4*(hull.hi-hull.lo) {
		return widest
	}
	return nil
}

// workingAges returns the ages for which rates of employment are published, where the title
// speaks of one: who is 70 seldom works.
func (c *chooser) workingAges(spans map[int32]span) []int32 {
	if !slices.ContainsFunc([]string{"employment rate", "activity rate", "inactivity rate", "participation rate"}, func(rate string) bool { return wordAt(c.title()+" "+c.measure, rate) >= 0 }) {
		return nil
	}
	for _, ages := range []span{{15, 64}, {16, 64}, {20, 64}} {
		for _, i := range c.codes {
			if spans[i] == ages {
				return []int32{i}
			}
		}
	}
	return nil
}

// manyYears is the number of single years of age from which a dimension is taken for one of
// ages.
const manyYears = 20

// maxYears is the greatest age in data of a population.
const maxYears = 130

// firstYear returns the first year of life, where codes are single years of age and no sum
// exists: those born in the last year are a number that readers know, unlike the people of
// 62.
func (c *chooser) firstYear(spans map[int32]span) (code int32, ok bool) {
	years := 0
	for i, s := range spans {
		if s.lo > maxYears {
			return 0, false
		}
		if s.lo == s.hi {
			years++
		}
		if s.lo == 0 && s.hi == 0 {
			code, ok = i, true
		}
	}
	return code, ok && years >= manyYears && 10*years >= 9*len(c.codes)
}

// maxAge is the end of an open range of ages when ranges are compared.
const maxAge = 100

// spansOf returns the candidates whose range a text names: 18–24 in "aged 18-24".
func (c *chooser) spansOf(text string) []int32 {
	var named []span
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) && !strings.ContainsRune("-–+", r) }) {
		if s, ok := parseSpan(word); ok && s.lo < s.hi {
			named = append(named, s)
		}
	}
	return c.filter(func(code stat.Code) bool {
		s, ok := spanOf(code)
		return ok && slices.Contains(named, s)
	})
}

// spanOf returns the range that a code or its label means: Y15-74, Y_GE15, Y_LT5, Y15T74,
// B-S, "From 15 to 74 years", "15 years and over", "Under 5".
func spanOf(code stat.Code) (span, bool) {
	if s, ok := parseSpan(strings.ToLower(code.ID)); ok {
		return s, true
	}
	return parseSpan(lastPart(labelOf(code)))
}

// RangeOf returns both ends of the range that a code or its label means, such as 15 and 24 for Y15-24; +Inf for an open one.
func RangeOf(code stat.Code) (from, to float64, ok bool) {
	s, ok := spanOf(code)
	return s.lo, s.hi, ok
}

// RangeStarts returns where the ranges begin that the labels of codes mean, such as ages,
// sizes of enterprises or quintiles; +Inf for a code that is none, such as "Unknown". ok is
// false if more than a fifth are none: such codes have no order by size.
func RangeStarts(codes []stat.Code) (starts []float64, ok bool) {
	const most = .2
	frames, none := map[string]bool{}, 0
	for _, code := range codes {
		label := lastPart(labelOf(code))
		start := math.Inf(1)
		if s, ok := parseSpan(label); ok && strings.ContainsFunc(label, isDigit) {
			start = s.lo
		} else {
			none++
		}
		starts = append(starts, start)
		frames[strings.Map(hideDigit, label)] = true
	}
	if len(codes) >= minRanges && len(frames) == 1 { // Quintile 1, Quintile 2 …
		for i, code := range codes {
			if numbers, _ := numbersIn(labelOf(code)); len(numbers) == 1 {
				starts[i] = numbers[0]
			} else {
				return nil, false
			}
		}
		return starts, true
	}
	return starts, len(codes) >= minRanges && float64(none) <= most*float64(len(codes))
}

// minRanges is the number of codes from which they have an order by size.
const minRanges = 3

func hideDigit(r rune) rune {
	if isDigit(r) {
		return -1
	}
	return r
}

// Words for open ranges and between the ends of closed ones, in the languages of the
// offices.
var (
	overWords   = []string{"+", "plus", "over", "older", "more", "above", "und älter", "und mehr", "y más", "et plus", "e più", "e oltre", "eller äldre", "og eldre", "og ældre", "och äldre", "i więcej", "歳以上", "以上", "-plus"}
	fromWords   = []string{"ge", "yge", "over", "from"}
	underWords  = []string{"under", "less than", "below", "lt", "ylt", "younger than", "fewer than", "menos de", "menores de", "unter", "moins de", "meno di", "mindre än", "poniżej", "alle"}
	toWords     = []string{"-", "–", "—", "~", "〜", "to", "t", "a", "à", "bis", "til", "till", "do", "unter", "tot"}
	ageWords    = []string{"", "y", "from", "age", "ages", "aged", "de", "von", "da", "od", "fra", "från", "entre", "mellan"}
	singleWords = []string{"", "y", "age", "aged", "alter", "edad", "âge", "ålder"}
	yearWords   = []string{"", "year", "years", "år", "jahre", "años", "ans", "歳"}
)

// parseSpan reads a range in lower case.
func parseSpan(text string) (span, bool) {
	if s, ok := letterSpan(text); ok {
		return s, true
	}
	numbers, between := numbersIn(text)
	switch len(numbers) {
	case 1:
		return openSpan(numbers[0], between)
	case 2:
		if slices.Contains(toWords, lastField(between[1])) && numbers[0] <= numbers[1] && isPlain(between[0]) {
			return span{numbers[0], numbers[1]}, true
		}
	}
	return span{}, false
}

// openSpan returns the range that a single number means with the text around it.
func openSpan(n float64, around []string) (span, bool) {
	before, after := strings.Trim(around[0], " _"), strings.Trim(around[1], " _.")
	endsWith := func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool {
			return before == word || strings.HasSuffix(before, " "+word) || strings.HasSuffix(before, "_"+word)
		})
	}
	isOver := slices.ContainsFunc(overWords, func(word string) bool { return after == word || strings.Contains(" "+after, " "+word) })
	switch {
	case endsWith(underWords):
		return span{0, n - 1}, true
	case isOver, endsWith(fromWords):
		return span{n, math.Inf(1)}, true
	case (slices.Contains(singleWords, before) || strings.HasSuffix(before, "_years")) && slices.Contains(yearWords, after):
		return span{n, n}, true
	}
	return span{}, false
}

// isPlain reports whether the text before a closed range is one that ranges have.
func isPlain(before string) bool {
	before = strings.Trim(before, " _")
	return slices.Contains(ageWords, before) || strings.HasSuffix(before, "_y") || strings.HasSuffix(before, "_years") // AGE_YTHADULT_Y15-24, AGEGROUP_YEARS15-24
}

// lastField returns the last word of a text.
func lastField(text string) string {
	fields := strings.Fields(strings.ReplaceAll(text, "_", " "))
	if len(fields) == 0 {
		return ""
	}
	return fields[len(fields)-1]
}

// numbersIn returns up to three whole numbers of a text, and the texts before, between and
// after them.
func numbersIn(text string) (numbers []float64, between []string) {
	for len(numbers) < 3 {
		i := strings.IndexFunc(text, isDigit)
		if i < 0 {
			break
		}
		between = append(between, text[:i])
		text = text[i:]
		end := strings.IndexFunc(text, func(r rune) bool { return !isDigit(r) })
		if end < 0 {
			end = len(text)
		}
		n, err := strconv.ParseFloat(text[:end], 64)
		if err != nil {
			return nil, nil
		}
		numbers, text = append(numbers, n), text[end:]
	}
	return numbers, append(between, text)
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// letterSpan reads a range of the letters and divisions of an industrial classification:
// B-S, A_TO_F, B-S_X_K642, B-E36, I551-I553. Letters count as ones, divisions as parts.
func letterSpan(text string) (span, bool) {
	text = strings.Replace(text, "_to_", "-", 1)
	if head, _, _ := strings.Cut(text, "_"); strings.Contains(head, "-") {
		text = head
	}
	from, to, isRange := strings.Cut(text, "-")
	if !isRange {
		to = from
	}
	lo, ok := division(from)
	hi, isToo := division(to)
	return span{lo, hi}, ok && isToo && (lo < hi || !isRange)
}

// division returns the position of a section or division of industry: 2 of C, 2.1 of C10.
// Y15 is an age.
func division(code string) (float64, bool) {
	if code == "" || code[0] < 'a' || code[0] > 'z' || len(code) > 5 {
		return 0, false
	}
	section := float64(code[0] - 'a')
	if len(code) == 1 {
		return section, true
	}
	part, err := strconv.ParseUint(code[1:], 10, 16)
	if err != nil || code[0] > 'u' {
		return 0, false
	}
	return section + float64(part)/math.Pow10(len(code)-1), true
}
