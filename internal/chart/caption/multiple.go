package caption

import (
	"unicode"
	"unicode/utf8"

	"almanac/internal/multiples"
)

// CutMultiple is [multiples.Cut] of a unit as a picture shows it.
func CutMultiple(unit string) (counted string, power int) {
	text := tidy(unit)
	if head, last := cutBracket(text); multiples.Has(head) && multiples.Has(last) {
		text = head // "thousand square meters (thsd. sq.m)"
	}
	if counted, power = multiples.Cut(text); power == 0 {
		return unit, 0
	}
	if r, _ := utf8.DecodeRuneInString(text); unicode.IsUpper(r) {
		counted = upperFirst(counted)
	}
	return counted, power
}

// InFull returns the caption of numbers that are written in full instead of as multiples:
// no text of it says "thousands". counted is what the unit of the picture counts. ok is false
// if a text says another multiple, or the caller's title says one.
func (c Caption) InFull(p *Picture) (full Caption, ok bool) {
	counted, power := CutMultiple(p.Unit)
	if power == 0 || multiples.Has(p.Title) {
		return c, false
	}
	cut := func(text string) string {
		rest, n := CutMultiple(text)
		if n != 0 && n == power {
			return rest
		}
		ok = ok && !multiples.Has(text)
		return text
	}
	full, ok = c, true
	full.Title, full.Parts = cut(c.Title), nil
	for _, part := range c.Parts {
		if rest := cut(part); rest == part || rest != "" && !isAmount.MatchString(rest) && !IsFillerUnit(rest) {
			full.Parts = append(full.Parts, rest)
		}
	}
	if c.Unit != "" {
		full.Unit = counted
		if IsFillerUnit(counted) || counted == "" || saysUnit(full.Title, counted) {
			full.Unit = ""
		}
	}
	return full, ok && full.Title != ""
}
