package records

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"almanac/internal/format/jsonscan"
)

// firstRecord finds out whether the first record holds the headings of the fields, as
// SIDRA of IBGE writes them: {"D1C":"Município (Código)","V":"Valor"},
// {"D1C":"3304557","V":"6211423"}. All its values are words, and at least two fields have
// numbers in all other records.
type firstRecord struct {
	texts   []string // its values
	isWords bool
	numeric []bool // for each field, whether all further values are numbers
	others  int    // further values
}

var numeric = regexp.MustCompile(`^[-+]?[0-9][0-9.,]*$`)

func (f *firstRecord) see(field int, value jsonscan.Token, isFirst bool) {
	content := strings.TrimSpace(string(value.Text))
	if isFirst {
		f.isWords = (f.isWords || field == 0) && value.Kind == jsonscan.String && strings.ContainsFunc(content, unicode.IsLetter)
		f.texts, f.numeric = append(f.texts, content), append(f.numeric, true)
		return
	}
	f.others++
	if field < len(f.numeric) && value.Kind != jsonscan.Number && !numeric.MatchString(content) {
		f.numeric[field] = false
	}
}

// headings returns the headings of so many fields; nil if the first record has none.
func (f *firstRecord) headings(fields int) []string {
	distinct := slices.Compact(slices.Sorted(slices.Values(f.texts)))
	count := 0
	for _, isNumeric := range f.numeric {
		if isNumeric {
			count++
		}
	}
	if !f.isWords || f.others == 0 || count < 2 || len(distinct) != fields {
		return nil
	}
	return f.texts
}
