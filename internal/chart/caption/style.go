package caption

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Style is what the labels of a dimension have in common, and what a picture therefore need
// not repeat in each of them. The zero Style changes nothing. A shorter label can be equal to
// another one: then the caller keeps both labels of the office.
type Style struct {
	isNumbered bool     // "13 Madrid": the office numbers its labels
	isCapitals bool     // "EASTERN AFRICA"
	kindBefore string   // "Division" of "Division 1: New England"
	suffix     string   // ", NY"
	kinds      []string // ", Landkreis", ", kreisfreie Stadt": what most areas are
}

// maxSampled bounds the labels that a style is found in.
const maxSampled = 200

// StyleOf finds the style of the labels of a dimension.
func StyleOf(office string, d *stat.Dimension) Style {
	if !mayHaveStyle(d) {
		return Style{}
	}
	labels := sample(office, d)
	s := Style{isNumbered: areNumbered(labels) || isNumberOfOne(d), kindBefore: kindBefore(labels)}
	if d.Role == stat.RoleGeo {
		s.isCapitals = isShared(labels, isCapitals)
		if s.suffix = sharedSuffix(labels); s.suffix == "" {
			s.kinds = kindsOf(labels)
		}
	}
	return s
}

// mayHaveStyle reports whether any of ten labels looks as if it had a style, which spares most
// dimensions the comparison of their labels.
func mayHaveStyle(d *stat.Dimension) bool {
	for i := 0; i < len(d.Codes); i += 1 + len(d.Codes)/10 {
		label := d.Codes[i].Label
		_, _, isNumbered := cutNumber(label)
		_, _, hasKind := cutKind(label)
		if isNumbered || hasKind || d.Role == stat.RoleGeo && (strings.Contains(label, ", ") || isCapitals(label)) {
			return true
		}
	}
	return false
}

// OfOne returns the style for a picture of one area, which keeps what the others share.
func (s Style) OfOne() Style { return Style{isNumbered: s.isNumbered, isCapitals: s.isCapitals} }

// Shared returns the words that the picture says once instead of in each label: "NY".
func (s *Style) Shared() string { return strings.TrimPrefix(s.suffix, ", ") }

// Short returns a label without what it shares with the others.
func (s *Style) Short(label string) string {
	short := label
	if _, name, ok := cutNumber(short); ok && s.isNumbered {
		short = name
	}
	if s.kindBefore != "" {
		if kind, name, ok := cutKind(short); ok && kind == s.kindBefore {
			short = name
		}
	}
	if s.suffix != "" {
		short = strings.TrimSuffix(short, s.suffix)
	}
	if at := strings.LastIndex(short, ", "); at > 0 && slices.Contains(s.kinds, short[at:]) {
		short = short[:at]
	}
	if s.isCapitals {
		short = Capitalised(short)
	}
	return short
}

// sample returns labels of a dimension at even distances, without those that say nothing.
func sample(office string, d *stat.Dimension) []string {
	step := 1 + len(d.Codes)/maxSampled
	labels := make([]string, 0, min(len(d.Codes), maxSampled))
	for i := 0; i < len(d.Codes); i += step {
		if code := d.Codes[i]; !IsFiller(code.Label) && (code.Area == "" || len(code.Area) > 2 || len(d.Codes) == 1) {
			labels = append(labels, Label(office, d.ID, code)) // the country of an office stands beside its parts
		}
	}
	return labels
}

// isShared reports whether at least nine tenths of three or more labels have a property.
func isShared(labels []string, has func(string) bool) bool {
	count := 0
	for _, label := range labels {
		if has(label) {
			count++
		}
	}
	return count >= 3 && count*10 >= len(labels)*9
}

// areNumbered reports whether labels begin with different numbers, and say different things
// after them.
func areNumbered(labels []string) bool {
	numbers, names := map[string]bool{}, map[string]bool{}
	isNumbered := func(label string) bool {
		number, name, ok := cutNumber(label)
		if !ok || numbers[number] || names[name] {
			return false
		}
		numbers[number], names[name] = true, true
		return true
	}
	return isShared(labels, isNumbered)
}

// isNumberOfOne reports whether the only label of a dimension begins with the number that its
// code ends with: "06 Cantabria" of CA06.
func isNumberOfOne(d *stat.Dimension) bool {
	if len(d.Codes) != 1 {
		return false
	}
	number, _, ok := cutNumber(d.Codes[0].Label)
	return ok && strings.HasSuffix(d.Codes[0].ID, number)
}

// numbered matches a number or a range of them before a name: "13 Madrid", "30-32; Students".
var numbered = lazyregexp.New(`^(\d[\d.]*(?:-\d+)?);? (.*)$`)

// cutNumber cuts the number before a name. Years and amounts are no such numbers.
func cutNumber(label string) (number, name string, ok bool) {
	if label == "" || label[0] < '0' || label[0] > '9' {
		return "", "", false
	}
	m := numbered.FindStringSubmatch(label)
	if m == nil {
		return "", "", false
	}
	number, name = m[1], m[2]
	r, _ := utf8.DecodeRuneInString(name)
	isYear := len(number) == 4 && (number[:2] == "19" || number[:2] == "20")
	return number, name, unicode.IsUpper(r) && !isYear
}

// kindBefore returns the word that begins all labels before a number: "Division 1: New England".
func kindBefore(labels []string) string {
	for _, label := range labels[:min(len(labels), 2)] {
		if kind, _, ok := cutKind(label); ok && isShared(labels, func(other string) bool { same, _, ok := cutKind(other); return ok && same == kind }) {
			return kind
		}
	}
	return ""
}

// cutKind cuts a word with a number and a colon off the beginning of a label.
func cutKind(label string) (kind, name string, ok bool) {
	head, name, ok := strings.Cut(label, ": ")
	kind, number, isTwo := strings.Cut(head, " ")
	isNumber := number != "" && strings.Trim(number, "0123456789") == ""
	return kind, name, ok && isTwo && isNumber && name != ""
}

// sharedSuffix returns what all labels end with, from a comma on: ", Travis County, Texas".
func sharedSuffix(labels []string) string {
	for _, label := range labels[:min(len(labels), 2)] {
		for rest := label; ; {
			at := strings.Index(rest, ", ")
			if at < 0 {
				break
			}
			suffix := rest[at:]
			if isShared(labels, func(other string) bool { return len(other) > len(suffix) && strings.HasSuffix(other, suffix) }) {
				return suffix
			}
			rest = rest[at+2:]
		}
	}
	return ""
}

// kindsOf returns the few kinds of areas that most labels end with after a comma.
func kindsOf(labels []string) []string {
	count, sum := make(map[string]int), 0
	for _, label := range labels {
		if at := strings.LastIndex(label, ", "); at > 0 {
			count[label[at:]]++
		}
	}
	var kinds []string
	for kind, n := range count {
		if n >= 5 {
			kinds = append(kinds, kind)
			sum += n
		}
	}
	if len(kinds) > 5 || sum*3 < len(labels)*2 {
		return nil
	}
	return kinds
}
