package caption

import (
	"cmp"
	"strings"
	"unicode"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

var (
	extension = lazyregexp.New(`(?i)\.(csv|tsv|txt|xlsx?|ods|xml|json|px|zip|gz)$`)
	stamp     = lazyregexp.New(`[_ -]*(\d{4}-\d{2}-\d{2}t?\d*|\d{2}[_-]\d{2}[_-]\d{4}([ _-]\d{2})*|\d{6,})`)
	// wordAndYear matches a word and a year without a blank: unemployment1948.
	wordAndYear = lazyregexp.New(`(\pL{5,})((?:18|19|20)\d\d)\b`)
	brackets    = lazyregexp.New(`\s*\(\d+\)`) // of a file that was saved twice
	// exported are words of programs that make files, which say nothing of what is in them.
	exported = setOf("export|exporta|download|typeddataset|dataset|data|selection|ctab|tidy|alldata|flat|pred|webstat|undata|un|series|tradedata|serie|en|fr|de|es|statistics|full|all|current|table|overlays|with|file|csv|final|clean|timeseries|time|complete|raw|feh|fredgraph|graph")
)

// nameOfFile returns the words of a dataset's code or of the name of its file, "Children per
// woman" of children-per-woman; empty if it has none.
func nameOfFile(name string) string {
	if !strings.ContainsFunc(name, unicode.IsLower) && strings.Contains(name, "_") {
		return "" // the code of a table
	}
	name = stamp.ReplaceAllString(brackets.ReplaceAllString(extension.ReplaceAllString(name, ""), ""), "")
	name = wordAndYear.ReplaceAllString(strings.ReplaceAll(name, "_-_", " – "), "$1 $2")
	split := func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == '.' }
	var words []string
	for _, word := range strings.FieldsFunc(spaced(name), split) {
		lower := strings.ToLower(word)
		switch known := abbreviations[lower]; {
		case lower == "gdppc":
			words = append(words, "GDP per capita")
		case known != "" && lower != "all":
			words = append(words, known)
		default:
			words = append(words, lower)
		}
	}
	for len(words) > 1 && exported[strings.ToLower(words[0])] {
		words = words[1:]
	}
	for len(words) > 1 && exported[strings.ToLower(words[len(words)-1])] {
		words = words[:len(words)-1]
	}
	if !isWords(words) {
		return ""
	}
	return upperFirst(strings.Join(words, " "))
}

// saysNothing reports whether a name is only a number, or the name of a file that a program made.
func saysNothing(name string) bool {
	split := func(r rune) bool { return !unicode.IsLetter(r) }
	for _, word := range strings.FieldsFunc(strings.ToLower(name), split) {
		if !exported[word] && len(word) > 3 {
			return false
		}
	}
	return stamp.MatchString(name) || !IsCode(name) || strings.Trim(name, "0123456789") == ""
}

// spaced puts a blank before capitals inside words: "TotaleOppervlakte" is "Totale Oppervlakte".
func spaced(name string) string {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// isWords reports whether there is a word that a reader knows: an abbreviation, or one
// without figures and with vowels. Half of the words at least are of this kind.
func isWords(words []string) bool {
	good := 0
	for _, word := range words {
		if strings.ContainsFunc(word, unicode.IsDigit) && strings.ContainsFunc(word, unicode.IsLetter) && word != abbreviations["co2"] {
			return false // "rv021"
		}
		isKnown := strings.Contains(word, " ") || abbreviations[strings.ToLower(word)] != "" || word == abbreviations["co2"]
		if isKnown || len(word) > 2 && !strings.ContainsFunc(word, unicode.IsDigit) && hasVowels(word) && !exported[word] {
			good++
		}
	}
	if len(words) == 1 && len(words[0]) < 4 && abbreviations[strings.ToLower(words[0])] == "" {
		return false
	}
	return good > 0 && 2*good >= len(words)
}

// hasVowels reports whether a word has a vowel in each four letters, as words that can be
// spoken do; scripts without vowels always do.
func hasVowels(word string) bool {
	run := 0
	for _, r := range strings.ToLower(word) {
		if r > 'z' || strings.ContainsRune("aeiouy", r) {
			run = 0
		} else if run++; run > 4 {
			return false
		}
	}
	return strings.ContainsFunc(strings.ToLower(word), func(r rune) bool { return r > 'z' || strings.ContainsRune("aeiouy", r) })
}

// column matches headings of columns that programs write: TotaleOppervlakte_1, gdp_per_capita.
var column = lazyregexp.New(`^[A-Za-z]+([A-Z_][A-Za-z]+)+(_\d+)?$`)

// DimensionName returns the name of a dimension as a picture shows it: a heading of a column in
// words.
func DimensionName(d *stat.Dimension) string {
	return cmp.Or(nameOfColumn(d.Label), d.Label)
}

// nameOfColumn returns the words of the heading of a column; empty if it is written as labels
// are.
func nameOfColumn(heading string) string {
	if !strings.ContainsFunc(heading, unicode.IsLower) || !strings.ContainsRune(spaced(heading), ' ') && !strings.Contains(heading, "_") || !column.MatchString(heading) {
		return ""
	}
	return nameOfFile(strings.TrimRight(heading, "_0123456789"))
}
