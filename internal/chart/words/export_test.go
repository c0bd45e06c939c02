package words

import (
	"maps"
	"slices"
)

// Translated returns the English texts that have a translation.
func Translated() []string { return slices.Sorted(maps.Keys(In("de").translated)) }

// Translation returns the translation of an English text.
func (l *Language) Translation(text string) string { return l.translated[text] }
