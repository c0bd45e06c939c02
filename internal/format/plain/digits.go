package plain

import (
	"slices"
	"strings"
	"unicode"

	"almanac/internal/stat"
)

// checkDigits returns an error if a table lacks periods or values because they are written with the
// decimal digits of another script, such as ١٩٦٠. Numbers are read in the digits 0 to 9 only.
func (g *guess) checkDigits(periodIsStated bool) error {
	lacksPeriods := !g.hasPeriods && !periodIsStated
	if !lacksPeriods && len(g.values) > 0 {
		return nil
	}
	const help = "write numbers and periods with the digits 0 to 9"
	where := stat.Position{Line: g.line}
	if i := slices.IndexFunc(g.headings, func(h string) bool { return hasOtherDigits(h) && isPeriod(asciiDigits(h)) }); i >= 0 && lacksPeriods {
		return stat.BadFile(where, "the headings are periods in the digits of another script (%s): "+help, clipped(g.headings[i:]))
	}
	for _, c := range g.columns {
		if c.isEmpty() || c.textual == 0 || !slices.ContainsFunc(c.cells, hasOtherDigits) {
			continue
		}
		isTime := !slices.ContainsFunc(c.cells, func(cell string) bool { return !isMissing(cell) && !isPeriod(asciiDigits(cell)) })
		switch {
		case isTime && lacksPeriods:
			return stat.BadFile(where, "the cells of the column %q are periods in the digits of another script (%s): "+help, c.name, clipped(c.cells[:min(len(c.cells), fewTexts)]))
		case len(g.values) == 0 && !isTime && !slices.ContainsFunc(c.cells, func(cell string) bool { return !isMissing(cell) && !isNumeral(cell) }):
			return stat.BadFile(where, "the cells of the column %q are numbers in the digits of another script (%s): "+help, c.name, clipped(c.cells[:min(len(c.cells), fewTexts)]))
		}
	}
	return nil
}

func isOtherDigit(r rune) bool { return r > unicode.MaxASCII && unicode.Is(unicode.Nd, r) }

func hasOtherDigits(text string) bool { return strings.ContainsFunc(text, isOtherDigit) }

// isNumeral reports whether a text has nothing but digits of any script and the signs of numbers.
func isNumeral(text string) bool {
	return text != "" && strings.Trim(asciiDigits(text), "0123456789.,٫٬-−+ ") == ""
}

// asciiDigits replaces the decimal digits of other scripts by 0 to 9. The digits of a script are ten
// consecutive characters, which begin with its zero. (Those of mathematics follow one another without a
// gap, so that all but the first ten become 9, which is a digit too.)
func asciiDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if !isOtherDigit(r) {
			return r
		}
		n := rune(0)
		for n < 9 && isOtherDigit(r-n-1) {
			n++
		}
		return '0' + n
	}, text)
}
