package table

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"almanac/internal/multiples"
	"almanac/internal/stat"
)

// multiplierIn returns the power of ten by which a heading says that the values below it are to be
// multiplied: "3" for "Value (thousands)". It is empty if it says none.
func (p *plan) multiplierIn(heading string) string {
	if !p.HasMultiples {
		return ""
	}
	for _, found := range unitInHeading.FindAllStringSubmatch(heading, -1) {
		for part := range strings.SplitSeq(cmp.Or(found[1:]...), ",") {
			part = strings.TrimPrefix(strings.TrimSpace(part), "in ")
			counted, power := multiples.Cut(part)
			// deaths in 1000 births, unlike in 1000 Euro
			isRate := found[1] == "" && part != "" && part[0] == '1' && strings.ToLower(counted) == counted && counted != ""
			if power != 0 && !isRate && !strings.Contains(part, "=") && (strings.HasSuffix(part, counted) || isMoney.MatchString(counted)) {
				return strconv.Itoa(power)
			}
		}
	}
	return ""
}

var (
	// unitInHeading matches where a heading states a unit: in brackets, behind a comma or "in", or
	// as its last word. "Change per 1000 inhabitants" states none, in any language.
	unitInHeading = regexp.MustCompile(`[(\[]([^()\[\]]+)[)\]]|, *([^()\[\]]+)$|\bin ([^()\[\]]+)$|[ _-]((?i:thousands|millions|billions|trillions))$`)
	isMoney       = regexp.MustCompile(`^\p{Sc}|^[A-Z]{3}$|\p{Sc}$`)
)

// noMultiple matches units that are no multiples, and those that are one in a code or in words of
// other languages.
var noMultiple = regexp.MustCompile(`(?i)%|‰|\b(per ?cent|prozent|pourcentage|porcentaje|ind(ex|ices|ice)|índice)|^THS_` +
	`|(^|[^\pL])(tys|tis|tusen|duizend|mil|miles|milh(ares|ões|ão)|milj\pL+|тыс|млн|млрд)([^\pL]|$)`)

// multiplied returns a unit with the multiplier that a heading states, unless it has one of its own
// or none.
func multiplied(unit, multiplier string) string {
	if unit == "" || multiplier == "" || multiples.Has(unit) || noMultiple.MatchString(unit) {
		return unit
	}
	return stat.UnitText(unit, multiplier)
}
