package terms

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed sources.txt
var sourcesText string

// Source is the name of sources that a text has.
type Source struct {
	IDs    []string // of the sources that the name means
	Places []int    // which of the text's Words name it
}

// sourceName is a name as it is compared.
type sourceName struct {
	ids        []string
	inCapitals bool // it is a word too
}

// loadSources returns the names by their words, joined by blanks.
var loadSources = sync.OnceValue(func() map[string]sourceName {
	names := map[string]sourceName{}
	for line := range strings.Lines(sourcesText) {
		id, list, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for name := range strings.SplitSeq(list, ",") {
			for _, spelt := range []string{name, umlauts.Replace(name)} {
				key := strings.Join(Words(spelt), " ")
				n := names[key]
				if !slices.Contains(n.ids, id) {
					n.ids = append(n.ids, id)
				}
				n.inCapitals = strings.HasSuffix(strings.TrimSpace(name), "!")
				names[key] = n
			}
		}
	}
	return names
})

// Sources returns the sources that a text names, in any language. Of names that overlap the
// longest counts.
func (t *Table) Sources(text string) (found []Source) {
	words, names := Words(text), loadSources()
	words = words[:min(len(words), maxWords)]
	for i := 0; i < len(words); {
		n := min(maxSourceWords, len(words)-i)
		for ; n > 0; n-- {
			key := strings.Join(words[i:i+n], " ")
			if name, ok := names[key]; ok && (!name.inCapitals || hasWord(text, strings.ToUpper(key))) {
				found = append(found, Source{name.ids, span(i, n)})
				break
			}
		}
		i += max(n, 1)
	}
	return found
}

// maxSourceWords is the number of words of the longest name of a source.
const maxSourceWords = 10
