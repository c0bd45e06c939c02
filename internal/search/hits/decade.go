package hits

import (
	"fmt"
	"strconv"
	"strings"

	"almanac/internal/lazyregexp"
)

// decadeForms match the decades of a question in its languages, as four figures or as two of the last century: "the 1990s", "the 90s".
// The first group is the phrase, the second the decade without its last figure.
var decadeForms = []*lazyregexp.Regexp{
	lazyregexp.New(`(?i)(?:^|\s)((?:the (?:early |mid[- ]?|late )?)?((?:1[5-9]|20)\d)0['’]?s)\b`),
	lazyregexp.New(`(?i)(?:^|\s)(the (?:early |mid[- ]?|late )?['’]?([3-9])0['’]?s)\b`),
	lazyregexp.New(`(?i)(?:^|\s)((?:den |der |die )?((?:1[5-9]|20)\d)0ern?(?:[ -]?jahren?)?)\b`),
	lazyregexp.New(`(?i)(?:^|\s)((?:den |der |die )?([3-9])0er[ -]?jahren?)\b`),
	lazyregexp.New(`(?i)(?:^|\s)((?:(?:les|los|gli|negli) )?(?:années|annees|años|anni) ['’]?((?:(?:1[5-9]|20)\d)|[3-9])0)\b`),
	lazyregexp.New(`(?i)(?:^|\s)((?:la )?d[ée]cada de (?:los )?(?:años )?['’]?((?:(?:1[5-9]|20)\d)|[3-9])0)\b`),
}

// readDecades returns a question with the years of the decades that it names: "1990-1999" in place of "the 1990s". notices say so.
func readDecades(question string) (text string, notices []Notice) {
	text = question
	for _, form := range decadeForms {
		m := form.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		decade, _ := strconv.Atoi(text[m[4]:m[5]]) // figures
		if decade < 10 {
			decade += 190
		}
		phrase, years := text[m[2]:m[3]], decadeOf(decade)
		text = strings.TrimSpace(text[:m[2]] + years + text[m[3]:])
		notices = append(notices, Notice{"q", phrase, fmt.Sprintf("%q is read as %s", phrase, years), []string{}})
	}
	return text, notices
}

// decadeOf returns the years of a decade, the 199th is 1990-1999.
func decadeOf(decade int) string { return fmt.Sprintf("%d-%d", decade*10, decade*10+9) }
