package font

// Missing returns the letters, marks, figures and signs of a text that no font has,
// each once, in order of first appearance. Clean removes them.
func Missing(text string) []rune {
	var missing []rune
	seen := map[rune]bool{}
	for _, r := range text {
		if preferred(r) == none && isVisible(r) && !seen[r] {
			seen[r] = true
			missing = append(missing, r)
		}
	}
	return missing
}
