package crosstab

import (
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// rowRole is what a heading row says of its columns.
type rowRole uint8

const (
	roleHeading    rowRole = iota // a part of a dimension
	roleID                        // identifiers of series
	roleTitle                     // names of series
	roleUnit                      // units
	roleMultiplier                // what the numbers are to be multiplied by
	roleFrequency                 // frequencies
	roleUpdated                   // dates of the last update
	roleNextUpdate                // dates of the next update
	roleRemark                    // anything else that describes series
	roleParts                     // parts of the years in the stub
	roleTime                      // a heading of time above a period
	roleStatus                    // how final the numbers of the periods are
)

// rowKinds are the kinds of words that name heading rows: [assemble.Words].
var rowKinds = []struct {
	role rowRole
	kind string
}{
	{roleID, "series id"}, {roleTitle, "series title"}, {roleUnit, "unit"}, {roleMultiplier, "multiplier"}, {roleFrequency, "frequency"},
	{roleUpdated, "updated"}, {roleNextUpdate, "next update"}, {roleRemark, "series remark"},
}

// roleOf returns what a row with a name says. ok is false for names that are not known.
func roleOf(name string) (role rowRole, ok bool) {
	folded := strings.TrimRight(assemble.Fold(name), " :")
	short, _, _ := strings.Cut(folded, " (in ") // "Source (in english)"
	for _, row := range rowKinds {
		if assemble.Means(row.kind, folded) || assemble.Means(row.kind, short) {
			return row.role, true
		}
	}
	return roleHeading, false
}

// frequencyWords are the beginnings of names of frequencies, lower case.
var frequencyWords = []struct {
	word      string
	frequency stat.Frequency
}{
	{"ann", stat.Annual}, {"year", stat.Annual}, {"jähr", stat.Annual}, {"jahr", stat.Annual}, {"anu", stat.Annual}, {"p1y", stat.Annual},
	{"semi-ann", stat.HalfYear}, {"semiann", stat.HalfYear}, {"half", stat.HalfYear}, {"semest", stat.HalfYear}, {"halbj", stat.HalfYear}, {"p6m", stat.HalfYear},
	{"quart", stat.Quarter}, {"trimest", stat.Quarter}, {"viertelj", stat.Quarter}, {"p3m", stat.Quarter},
	{"month", stat.Month}, {"mens", stat.Month}, {"monat", stat.Month}, {"p1m", stat.Month},
	{"week", stat.Week}, {"hebdo", stat.Week}, {"wöch", stat.Week}, {"seman", stat.Week}, {"p7d", stat.Week}, {"p1w", stat.Week},
	{"dai", stat.Day}, {"day", stat.Day}, {"quotid", stat.Day}, {"journ", stat.Day}, {"täg", stat.Day}, {"diar", stat.Day}, {"diár", stat.Day}, {"business", stat.Day}, {"p1d", stat.Day},
}

// frequencyOf returns the frequency that a cell names, 0 if none.
func frequencyOf(cell string) stat.Frequency {
	folded := strings.ToLower(cell)
	if len(folded) == 1 {
		return map[string]stat.Frequency{"a": stat.Annual, "q": stat.Quarter, "m": stat.Month, "w": stat.Week, "d": stat.Day}[folded]
	}
	for _, f := range frequencyWords {
		if strings.HasPrefix(folded, f.word) {
			return f.frequency
		}
	}
	return 0
}

// one matches multipliers that change nothing.
var one = lazyregexp.New(`(?i)^(|0|1|ones?|eins|einheit|units?|unités?|unidad(es)?)( \([01]\))?$`)

// withMultiplier returns a unit with the multiplier that the file states for it.
func withMultiplier(unit, multiplier string) string {
	switch {
	case one.MatchString(multiplier):
		return unit
	case unit == "":
		return multiplier
	}
	return unit + " (" + multiplier + ")"
}

// unitLine matches a line of a title that states the unit of the whole table.
var unitLine = lazyregexp.New(`(?i)^\(?(?:units?|einheit|unités?|unidad(?:es)?(?: de medida)?|unidade|unità|eenheid|enhet|enhed|mértékegység|单位|単位|计量单位)\s*[:：]\s*(.+?)\)?$`)

// inBrackets matches a line of a title that has brackets, alone or behind other words, with years behind them at most.
var inBrackets = lazyregexp.New(`^(.*?)\s*[(\[]([^()\[\]]+)[)\]](?:[,:]? ?(?:in )?[12][0-9]{3}(?: ?(?:[-–/]|to|bis) ?[0-9]{2,4})?)?$`)

// multiplied matches the beginning of a unit in brackets that says by what the numbers are to be multiplied, or that they
// are percentages.
var multiplied = lazyregexp.New(`(?i)^(?:in |en |em )?(?:thousands?|millions?|billions?|trillions?|tausend|millionen|milliarden|milliers|milliards|miles|millones|milhares|milhões|per ?cent)\b`)

// unitInTitle returns the unit that stands in the brackets of a title, and the text before these; the unit is empty if there is none.
func unitInTitle(line string) (title, unit string) {
	m := inBrackets.FindStringSubmatch(line)
	if m == nil || !multiplied.MatchString(m[2]) && !isAmount(m[2]) {
		return line, ""
	}
	return m[1], m[2]
}

// isAreaWord reports whether a name is one of areas.
func isAreaWord(name string) bool {
	folded := assemble.Fold(name)
	return assemble.Means("area name", folded) || assemble.Means("area code", folded) || assemble.Means("place", folded) || office.IsCountyHeading(name)
}
