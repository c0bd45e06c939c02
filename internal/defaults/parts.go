package defaults

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/totals"
)

// Parts are the values of a dimension that a picture shows beside one another, because none
// of them stands for all.
type Parts struct {
	Axis  int
	Codes []int32
	// Ordered is whether the codes are ranges, such as ages, of which a single one says
	// little and all together have a shape.
	Ordered bool
}

// FindParts returns the dimensions of a default series whose chosen value is only an example:
// it was chosen because it is the largest, the best covered or in the middle, or it is a
// single year of age. So is the value of a dimension that the dataset is about: the total of
// persons in a dataset of labour force status. rules are those of the series.
func FindParts(d *stat.Dataset, key []int32, rules []string) []Parts {
	var all []Parts
	for axis := range d.Dimensions {
		dim := &d.Dimensions[axis]
		if dim.Role != stat.RoleOther || isMeasure(dim) || hasOwnUnits(dim) || IsCurrency(dim) || isAdjustment(dim) || !isNamed(dim) {
			continue
		}
		if !isExample(dim.Codes[key[axis]], Rule(rules[axis])) && !isSubject(d, dim) {
			continue
		}
		if codes := partsOf(dim); len(codes) > 1 {
			all = append(all, Parts{axis, codes, areRanges(dim, codes)})
		}
	}
	return all
}

// isExample reports whether a code that a rule decided for does not stand for the others.
func isExample(code stat.Code, rule Rule) bool {
	switch rule {
	case Largest, Middle, MostAreas:
		return true
	case Range:
		return IsSingle(code)
	}
	return false
}

// IsSingle reports whether a code is a single year of age, or another range of one.
func IsSingle(code stat.Code) bool {
	s, ok := spanOf(code)
	return ok && s.lo == s.hi
}

// IsPart reports whether the value of a dimension that a rule decided for is one of several of which none is known to
// stand for all: the largest, the best covered, the one in the middle, a single year of age, a range that leaves others out,
// the root of the codes that the dataset has, unless its label says that it is a total,
// or one of the goods that the table of well-known datasets states.
// Measures, units, currencies and adjustments have no total.
func IsPart(d *stat.Dimension, code int32, rule Rule) bool {
	if d.Role != stat.RoleOther || isMeasure(d) || hasOwnUnits(d) || IsCurrency(d) || isAdjustment(d) {
		return false
	}
	if rule == Only && isOfBranches(d) && len(d.Codes) == 1 {
		return !IsWhole(d.Codes[code])
	}
	if rule == Table && goodsWords.MatchString(d.Label) {
		return !IsWhole(d.Codes[code])
	}
	if rule == Root { // of codes that are only a part of a classification: 01 is food, and no total
		return !IsTotal(d.Codes[code])
	}
	if rule != Range {
		return rule == MostValues || isExample(d.Codes[code], rule)
	}
	chosen, ok := spanOf(d.Codes[code])
	return ok && slices.ContainsFunc(d.Codes, func(c stat.Code) bool {
		other, ok := spanOf(c)
		return ok && !chosen.contains(other)
	})
}

// branchWords match names of dimensions of which one value alone is a part of an economy, or of deaths by their risks and causes.
var branchWords = regexp.MustCompile(`(?i)\b(industry|industries|economic activity|economic activities|branche|wirtschaftszweig\w*|nace\w*|occupations?|risks?|risk factors?|rei|causes?|causes? of death)\b`)

// goodsWords match names of dimensions of goods, of which the table of well-known datasets may state one: wheat.
var goodsWords = regexp.MustCompile(`(?i)\b(items?|products?|commodit(y|ies)|crops?|goods|erzeugnisse?|produits?|productos?|prodott[oi])\b`)

// IsWhole reports whether a code stands for all others, by its label or ID.
func IsWhole(c stat.Code) bool {
	return isTotalLabel(labelOf(c)) || isAllLabel(labelOf(c)) || isTotalCode(c)
}

// IsTotal reports whether a code stands for all others, also by the end of its label: "Selling prices, national total".
func IsTotal(c stat.Code) bool { return IsWhole(c) || totals.Ends(labelOf(c)) }

func isOfBranches(d *stat.Dimension) bool { return branchWords.MatchString(d.Label) }

// isSubject reports whether the title of a dataset begins with the name of a dimension and
// ends there or goes on with other dimensions: "Labour force status by education level".
func isSubject(d *stat.Dataset, dim *stat.Dimension) bool {
	label := strings.ToLower(dim.Label)
	rest, ok := strings.CutPrefix(strings.ToLower(d.Name), label)
	if !ok || len(label) < minTitleWord {
		return false
	}
	return rest == "" || strings.HasPrefix(rest, " by ") || strings.HasPrefix(rest, ", ") || strings.HasPrefix(rest, " (") || strings.HasPrefix(rest, " [")
}

// isNamed reports whether the codes of a dimension mean something to readers: they have
// labels, or are words or numbers. DTCTL_N.M is a code of a series.
func isNamed(d *stat.Dimension) bool {
	n := 0
	for _, c := range d.Codes {
		isCode := labelOf(c) == strings.ToLower(c.ID) && strings.ContainsAny(c.ID, "_@%.") && strings.ContainsFunc(c.ID, unicode.IsUpper)
		if !isCode {
			n++
		}
	}
	return 2*n > len(d.Codes)
}

// areRanges reports whether codes have an order by size.
func areRanges(d *stat.Dimension, codes []int32) bool {
	var list []stat.Code
	for _, i := range codes {
		list = append(list, d.Codes[i])
	}
	_, ok := RangeStarts(list)
	return ok && len(codes) >= minOrdered
}

// minOrdered is the number of ranges from which they have a shape that readers look for, as
// the ages of a population have.
const minOrdered = 8

// Whole returns the area that contains all others of a dataset: the only one, the only
// country beside its parts, the world, or a total. ok is false if there is none.
func Whole(d *stat.Dataset) (area int32, ok bool) {
	codes := d.Geography.Codes
	if len(codes) == 1 {
		return 0, true
	}
	for _, isWhole := range []func(stat.Code) bool{
		func(c stat.Code) bool { return totals.Is(labelOf(c)) },
		func(c stat.Code) bool {
			a, ok := geo.Find(c.Area)
			class, _ := geo.ClassOf(a.Name)
			return ok && class == geo.World
		},
		func(c stat.Code) bool {
			a, ok := geo.Find(c.Area)
			return ok && a.Kind == geo.Country && a.ID == c.Area
		},
	} {
		found := -1
		for i, c := range codes {
			if isWhole(c) {
				if found >= 0 {
					found = -2
					break
				}
				found = i
			}
		}
		if found == -2 {
			return 0, false
		}
		if found >= 0 {
			return int32(found), true
		}
	}
	return 0, false
}
