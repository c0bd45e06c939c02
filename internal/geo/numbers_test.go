package geo

import "testing"

// TestNumberings checks that each word of a heading declares the numbers of one country,
// and that all areas of the table exist.
func TestNumberings(t *testing.T) {
	country := map[string]string{}
	for _, n := range loadNumberings() {
		for _, word := range append(n.words, n.weak...) {
			if other := country[word]; other != "" {
				t.Errorf("the word %q declares numbers of %s and %s", word, other, n.country)
			}
			country[word] = n.country
			if word != foldName(word) {
				t.Errorf("the word %q is not as headings are compared", word)
			}
		}
		for number, a := range n.areas {
			if a.ID == "" {
				t.Errorf("%s: the number %q has no area", n.country, number)
			}
		}
	}
}
