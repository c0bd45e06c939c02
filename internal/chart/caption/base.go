package caption

import (
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

var (
	isIndex = lazyregexp.New(`(?i)(?:^|\PL)(index|indices|indeks|indice|índice|indexpunkt|index point|index points|index numbers)\b|^I$|= ?100\b`)
	// hasBase matches texts that state the base of an index: "2015=100", "base year 2000 = 100".
	hasBase = lazyregexp.New(`(?i)\b((?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* |[\pL]+ de )?(?:19|20)\d\d(?:[-–/](?:(?:19|20)?\d\d))?(?:[-–]?[QM]\d{1,2})?)\s*=\s*100\b`)
	// hasBaseWord matches the same in words: "base 100 en 2015", "base year 2015".
	hasBaseWord = lazyregexp.New(`(?i)\b(?:base 100 (?:en|in) |base(?: year)?:? |basis(?:jahr)?:? |base \(?)((?:19|20)\d\d)\b`)
	// isOnlyChange matches labels that say how values change, but not of what.
	isOnlyChange = lazyregexp.New(`(?i)^(%|per ?cent|percentage|annual|year-on-year|quarterly|monthly)? ?(change|growth|variation)s? (from|over|on|since|to|of the) (the )?(corresponding|previous|same|preceding|period|year|quarter|month)\b`)
	// saysChange matches texts of values that are rates of change, which have no base.
	saysChange = lazyregexp.New(`(?i)%|per ?cent|porcentual|change|growth|veränderung|variation|variación|variação|taux|rate`)
)

// IsIndex reports whether a unit is that of an index, which has a base.
func IsIndex(unit string) bool { return isIndex.MatchString(unit) }

// withBase adds to the unit of an index the year of its base, if the label of its measure, the
// title or the description of the dataset states one. A series without a unit is an index if
// they state a base and do not speak of changes.
func withBase(d *stat.Dataset, key []int32, unit string) string {
	if hasBase.MatchString(unit) || unit != "" && !isIndex.MatchString(unit) || saysChange.MatchString(unit) {
		return unit
	}
	title, _ := titleOf(d)
	texts := []string{}
	for axis := range d.Dimensions {
		texts = append(texts, Label(d.Source.ID, d.Dimensions[axis].ID, d.Dimensions[axis].Codes[key[axis]]))
	}
	texts = append(texts, title, d.Unit)
	for _, text := range texts {
		if base := baseIn(text); base != "" {
			return indexOf(unit, base)
		}
	}
	if known := knownDataset(d).unit; strings.Contains(known, "=100") && indexOf(unit, "") == indexOf("", "") {
		return known
	}
	if saysChange.MatchString(strings.Join(texts, " ")) || unit == "" && saysChange.MatchString(d.Description) {
		return unit
	}
	if unit != "" && hasBaseWord.MatchString(d.Description) && len(hasBaseWord.FindAllString(d.Description, -1)) == 1 {
		return indexOf(unit, baseIn(d.Description))
	}
	if bases := hasBase.FindAllStringSubmatch(d.Description, -1); len(bases) > 0 && allAlike(bases) {
		return indexOf(unit, bases[0][1])
	}
	return unit
}

// baseIn returns the base that a text states; empty if there is none.
func baseIn(text string) string {
	if m := hasBase.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	if m := hasBaseWord.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// allAlike reports whether a description states one base only.
func allAlike(bases [][]string) bool {
	for _, base := range bases {
		if base[1] != bases[0][1] {
			return false
		}
	}
	return true
}

// placeholder matches what the unit of an index says about a base that it does not name.
var placeholder = lazyregexp.New(`(?i), ?base (year|period) ?= ?100$`)

// indexOf writes the unit of an index with its base.
func indexOf(unit, base string) string {
	unit = placeholder.ReplaceAllString(unit, "")
	switch strings.ToLower(unit) {
	case "", "index numbers", "index point", "index points", "i":
		unit = "Index"
	}
	return upperFirst(unit) + ", " + base + "=100"
}
