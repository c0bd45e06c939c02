package caption

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Label returns the label of a code as a picture shows it: the office's label without
// the code before it ("F Construction" is "Construction") and without the code that tells
// equal labels apart, so that labels of one dimension may be equal. A code without a label
// has the name that it has in the code lists of its office, by the ID of the dataset's source,
// or in those that offices share, if it is well known.
func Label(office, dimension string, code stat.Code) string {
	label := code.Label
	if code.SourceLabel != "" {
		label = code.SourceLabel
	}
	if name := betterName(office, dimension, code.ID); name != "" {
		return name
	}
	if label == "" || label == code.ID {
		if name := knownName(office, dimension, code.ID); name != "" {
			return name
		}
		if name := nameOfColumn(label); name != "" {
			return name
		}
	}
	if rest, ok := strings.CutPrefix(label, code.ID); ok {
		if name := strings.TrimLeft(rest, " :–-."); len(name) < len(rest) && hasWord(name) && !isFirstWord(code.ID, rest) {
			label = name
		}
	}
	return unbracketed(tidy(label))
}

// isFirstWord reports whether the code at the beginning of a label is the first word of a phrase:
// "IDA total" of IDA, but not "F construction" of F. rest is what follows the code.
func isFirstWord(code, rest string) bool {
	isWord := len(code) > 1 && !strings.ContainsFunc(code, func(r rune) bool { return !unicode.IsLetter(r) })
	next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(rest, " "))
	return isWord && rest[0] == ' ' && unicode.IsLower(next)
}

// prefixes are beginnings of labels that say nothing to readers, or say it in abbreviations.
var prefixes = []struct{ text, instead string }{
	{"Estimate: ", ""}, // of the American Community Survey
	{"X13 JDemetra+ ", ""},
	{"BV4.1 ", ""}, // like X13, a method of adjustment
	{"HS MFN - ", "Most-favoured-nation tariff: "},
}

var (
	footnote = lazyregexp.New(`\s+\d{1,2}/$`) // "Population (persons) 1/"
	// diseases matches the codes of the International Classification of Diseases after a cause of death.
	diseases = lazyregexp.New(`\s*\(\*?[A-Z]\d\d[A-Z0-9.,*\-–]*\)$`)
	aside    = lazyregexp.New(`\s*\((i\.e\.|e\.g\.)[^()]*\)$`) // "Unadjusted data (i.e. neither …)"
)

// tidy removes from a label what belongs to the table it comes from.
func tidy(label string) string {
	label = strings.TrimPrefix(strings.TrimSpace(strings.ReplaceAll(label, "!!", ": ")), ofCurrency)
	for _, prefix := range prefixes {
		if rest, ok := strings.CutPrefix(label, prefix.text); ok && rest != "" {
			label = prefix.instead + rest
			break
		}
	}
	label = strings.ReplaceAll(strings.TrimRight(label, " ;"), " ; ", "; ")
	if len(label) > 1 && label[0] == '#' {
		label = label[1:]
	}
	if strings.HasSuffix(label, "/") {
		label = footnote.ReplaceAllString(label, "")
	}
	if strings.HasSuffix(label, ")") {
		label = diseases.ReplaceAllString(aside.ReplaceAllString(label, ""), "")
	}
	if strings.Contains(label, pathSeparator) { // "Total manufacturing > Total manufacturing", of the OECD
		label = strings.Join(slices.Compact(strings.Split(label, pathSeparator)), pathSeparator)
	}
	return label
}

// unbracketed returns a label without the brackets that are around all of it:
// "(Percentage of GDP (excessive deficit procedure))", of AMECO.
func unbracketed(label string) string {
	depth := 0
	for i, r := range label {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth > 0 {
			continue
		}
		if i > 0 && i == len(label)-1 {
			return label[1:i]
		}
		break
	}
	return label
}

// pathSeparator is between the levels of a hierarchy in labels.
const pathSeparator = " > "

// headerRows matches a text of workbooks that tells programs where the headings are.
var headerRows = lazyregexp.New(`(?i)^table with (column|row) headers`)

// isCodeTitle reports whether a dataset has a code or the name of a file for a title.
func isCodeTitle(d *stat.Dataset) bool {
	name := strings.TrimSpace(d.Name)
	return name == "" || headerRows.MatchString(name) || structureName.MatchString(name) || IsCode(name) || name == d.Code && (!strings.Contains(name, " ") || stamp.MatchString(name)) || len([]rune(name)) == 1
}

// structureName matches the names of structures that stand for the title of a dataset.
var structureName = lazyregexp.New(`(?i)\bdata structure( definition)?$`)

// IsCode reports whether a text looks like a code: one word in capitals, or with figures
// or underscores.
func IsCode(text string) bool {
	hasLower, hasOther := false, false
	for _, r := range text {
		switch {
		case r > unicode.MaxASCII || r == ' ':
			return false
		case r >= 'a' && r <= 'z':
			hasLower = true
		case r == '_' || r >= '0' && r <= '9':
			hasOther = true
		}
	}
	return !hasLower || hasOther
}

// hasWord reports whether a text has a word, not only figures and signs.
func hasWord(text string) bool {
	return strings.ContainsFunc(text, unicode.IsLetter)
}

// fold returns the words, figures and signs of a text in lower case, each after a blank.
func fold(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 8)
	inWord := false
	for _, r := range text {
		isPart := unicode.IsLetter(r) || unicode.IsDigit(r)
		if isPart && !inWord || strings.ContainsRune("%$€£", r) {
			b.WriteByte(' ')
		}
		if isPart || strings.ContainsRune("%$€£", r) {
			b.WriteRune(unicode.ToLower(r))
		}
		inWord = isPart
	}
	return b.String()
}

// Contains reports whether a text contains the words of another, one after the other.
func Contains(text, words string) bool {
	key := fold(words)
	return key != "" && strings.Contains(fold(text)+" ", key+" ")
}

// seriesKey matches the IDs of dimensions whose codes are keys of series, which repeat the other
// dimensions.
var seriesKey = lazyregexp.New(`(?i)^series_?(name|code|key)$`)

// isKey reports whether the codes of a dimension only repeat what the other dimensions say. A text with
// words is no such code.
func (p *Picture) isKey(d *stat.Dimension) bool {
	return len(p.Dataset.Dimensions) > 1 && seriesKey.MatchString(d.ID) && d.Codes[0].Label == d.Codes[0].ID && !strings.Contains(d.Codes[0].Label, " ")
}

// variesInWords reports whether the drawn codes of a dimension other than the areas have names in words.
func (p *Picture) variesInWords() bool {
	return slices.ContainsFunc(p.Varies, func(axis int) bool {
		return axis < len(p.Dataset.Dimensions) && slices.ContainsFunc(p.Dataset.Dimensions[axis].Codes, func(c stat.Code) bool {
			return c.Label != "" && !IsCode(c.Label) && hasWord(c.Label)
		})
	})
}
