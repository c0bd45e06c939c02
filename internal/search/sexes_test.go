package search

import (
	"strings"
	"testing"
)

// labelsOfBoth are labels for both sexes.
const labelsOfBoth = `
Mehed ja naised
men and women
Women and men
males and females
Männer und Frauen
hommes et femmes
hombres y mujeres
maschi e femmine
muži a ženy
férfiak és nők
mannen en vrouwen
mężczyźni i kobiety
miehet ja naiset
män och kvinnor
`

// labelsOfOne are labels for one sex or none.
const labelsOfOne = `
Naised
Women, total
Men, no children
Total
Nők
persons
`

// TestJoinsSexes checks which labels are of both sexes, so that they are no answer for women or men.
func TestJoinsSexes(t *testing.T) {
	for _, text := range []string{"women", "Männer", "femmes", "naised"} {
		a := AskedOf(text)
		for label := range strings.Lines(strings.TrimSpace(labelsOfBoth)) {
			if !a.JoinsSexes(label) {
				t.Errorf("%s: %q is taken for a label of one sex", text, label)
			}
		}
		for label := range strings.Lines(strings.TrimSpace(labelsOfOne)) {
			if a.JoinsSexes(label) {
				t.Errorf("%s: %q is taken for a label of both sexes", text, label)
			}
		}
	}
}
