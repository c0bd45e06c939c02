package geo

import "testing"

// TestNumberings checks that the words of headings are as they are compared, and that all
// areas of the table exist.
func TestNumberings(t *testing.T) {
	for _, n := range loadNumberings() {
		for _, word := range append(n.words, n.weak...) {
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
