package crosstab

import (
	"strings"

	"almanac/internal/lazyregexp"
)

// A column of notes may hold only the signs of footnotes, which lines below the table explain:
//
//	Country,2022,2023,Note
//	Germany,1.5,1.6,a)
//	France,1.7,1.8,"1, 2"
//	a) April is not published.

var (
	// signForm matches the sign of a footnote without brackets.
	signForm = lazyregexp.New(`^(?:\pL|[0-9a-z]{1,2}|[ivx]{3,4}|[*†‡]{1,3}|[⁰¹²³⁴-⁹]{1,2})$`)
	// closing matches the bracket or the slash behind a sign.
	closing = lazyregexp.New(`[)\]/]`)
)

// ExplainSigns returns the texts of a note that consists only of signs of footnotes; other notes as they are. A sign
// without a text stays.
func ExplainSigns(note string, textOf func(sign string) string) (texts []string) {
	parts := strings.FieldsFunc(closing.ReplaceAllString(note, "$0 "), func(r rune) bool { return strings.ContainsRune(",; ", r) })
	areExplained := false
	for _, part := range parts {
		sign := strings.Trim(part, "()[]/.:")
		if !signForm.MatchString(sign) {
			return []string{note}
		}
		text := textOf(sign)
		switch isLetter := part == sign && strings.ToUpper(sign) != strings.ToLower(sign); {
		case text != "":
			areExplained = true
		case isLetter: // it may be a word
			return []string{note}
		default:
			text = part
		}
		texts = append(texts, text)
	}
	if !areExplained {
		return []string{note}
	}
	return texts
}
