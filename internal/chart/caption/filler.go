package caption

import (
	"cmp"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
	"almanac/internal/totals"
)

// fillers are labels that say nothing without their dimension, besides totals, in lower
// case: words for a value, and for "no breakdown".
var fillers = setOf("_z|_x|all values|value|values|observed value|observation value|obs value|estimate|estimates|" +
	"no breakdown|not applicable|none|not available|n/a|na|n.a.|-|–|.|sans objet|so|category|calendar month or year|national|nacional|hm|whole country|nivel general|" +
	"average or standardised measure for given frequency")

// qualifiedFiller matches labels of the ILO and of codes in which a filler follows the name
// of its classification: "Area type: National", "Sex: Total".
var qualifiedFiller = lazyregexp.New(`^[\pL ]+: `)

// totalOf matches totals with the abbreviation of their classification: "TOTAL MOT".
var totalOf = lazyregexp.New(`^TOTAL [A-Z]{2,4}$`)

// IsFiller reports whether a label says nothing: that no choice was made in its dimension.
func IsFiller(label string) bool {
	if isTotal(label) {
		return true
	}
	text := strings.ToLower(strings.TrimSpace(label))
	return strings.Contains(text, ": ") && isTotal(qualifiedFiller.ReplaceAllString(text, ""))
}

// isTotal reports whether a label itself, without a classification, says nothing.
func isTotal(label string) bool {
	text := strings.ToLower(strings.TrimSpace(label))
	if head, rest, ok := strings.Cut(text, " - "); ok && len(head) <= 4 && totals.Is(rest) {
		return true // "TT - Total"
	}
	return text == "" || strings.HasPrefix(label, "TOTAL ") && totalOf.MatchString(label) || fillers[text] || totals.Is(text)
}

// fillerUnits are units that only say that the values are numbers.
var fillerUnits = setOf("number|numbers|nr|no|no.|number of|anzahl|antal|antall|amount|count|counts|unit|units|unité|unités|einheit|einheiten|unidad|unidades|unità|value|pure number|dimensionless|nombre|número|numero|" +
	"aantal|lukumäärä|liczba|počet|darab|fő|人|unitless|currency|jew. me|not applicable|sans objet|so|_z|_t|total|n/a|na|-|" +
	"not_reported|not reported|not stated|not specified|unspecified")

// unstatedUnits are units that say that the office states none.
var unstatedUnits = setOf("|not_reported|not reported|not stated|not specified|unspecified")

// IsFillerUnit reports whether a unit only says that the values are numbers.
func IsFillerUnit(unit string) bool {
	return fillerUnits[strings.ToLower(strings.TrimSpace(unit))]
}

// frequencies are labels and codes of frequencies. The periods of a picture show them.
var frequencies = setOf("a|s|h|q|m|w|b|d|n|annual|annually|yearly|half-yearly|half-yearly, semester|semi-annual|biannual|quarterly|monthly|weekly|" +
	"daily|daily - businessweek|business daily|business day|one value a year|annuelle|annuel|trimestrielle|trimestriel|mensuelle|mensuel|" +
	"jährlich|vierteljährlich|monatlich|anual|trimestral|mensual|annuale|trimestrale|mensile")

func isFrequency(label string) bool {
	text := strings.ToLower(label)
	return frequencies[text] || !hasWord(label)
}

// isEmpty reports whether a fact says nothing.
func (f *fact) isEmpty(role stat.Role, code stat.Code) bool {
	if areFrequencies(f.others) {
		return true
	}
	if f.isCalled { // "Population: Total" is a measure
		return isTotal(f.label) || isTotal(code.ID)
	}
	if saysLittle[strings.ToLower(f.id)] {
		return true
	}
	if _, rest, ok := strings.Cut(f.label, " - "); ok && strings.HasPrefix(fold(f.label), fold(f.id)) && IsFiller(rest) {
		return true // Geschlecht - Total
	}
	return IsFiller(f.label) || IsFiller(code.ID) || role == stat.RoleFrequency && isFrequency(f.label)
}

// areFrequencies reports whether codes tell only how often values appear: months beside "Annual". Letters
// alone may be men and women.
func areFrequencies(codes []stat.Code) bool {
	isWord := false
	for _, c := range codes {
		label := strings.ToLower(cmp.Or(c.Label, c.ID))
		if !frequencies[label] {
			return false
		}
		isWord = isWord || len(label) > 1
	}
	return isWord
}

// setOf returns the set of the texts between vertical bars.
func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for text := range strings.SplitSeq(list, "|") {
		set[text] = true
	}
	return set
}
