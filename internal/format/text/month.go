package text

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

//go:embed months.txt
var monthTable string

// monthName is what a name of a month means: usually one month, whatever the language.
// "listopad" is October in Croatian and November in Czech.
type monthName struct {
	months    [2]int8   // the second is 0 for nearly all names
	languages [2]uint64 // in which the name means the first, and the second; a bit each
}

// monthNames returns the names of months by their folded text.
var monthNames = sync.OnceValue(func() map[string]monthName {
	names := map[string]monthName{}
	language := uint64(0)
	for line := range strings.Lines(monthTable) {
		_, list, isLanguage := strings.Cut(strings.TrimSpace(line), ": ")
		if !isLanguage || strings.HasPrefix(line, "#") {
			continue
		}
		language = max(language<<1, 1)
		for i, month := range strings.Split(list, ", ") {
			for name := range strings.SplitSeq(month, "/") {
				folded := foldText(name)
				names[folded] = names[folded].with(int8(i+1), language)
			}
		}
	}
	return names
})

func (n monthName) with(month int8, language uint64) monthName {
	for i := range n.months {
		if n.months[i] == 0 || n.months[i] == month {
			n.months[i] = month
			n.languages[i] |= language
			break
		}
	}
	return n
}

// in returns the month in one of the languages, 0 if they do not decide it.
func (n monthName) in(languages uint64) int {
	if n.months[1] == 0 {
		return int(n.months[0])
	}
	first, second := n.languages[0]&languages != 0, n.languages[1]&languages != 0
	switch {
	case first && !second:
		return int(n.months[0])
	case second && !first:
		return int(n.months[1])
	}
	return 0
}

// foldText returns text in lower case, without accents and with one form for the same
// digits and letters: "１９９４ Août" is "1994 aout".
func foldText(text string) string {
	if isPlainASCII(text) {
		return strings.ToLower(text)
	}
	var folded strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(text)) {
		isAccent := r >= 0x300 && r <= 0x36f || r >= 0x653 && r <= 0x655 // the latter of Arabic
		if !isAccent {
			folded.WriteRune(r)
		}
	}
	return folded.String()
}

func isPlainASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
