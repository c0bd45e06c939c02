package terms

import "strings"

// Breakdown says of which parts of a country a dataset is by its title.
type Breakdown struct {
	ByRegion, ByCity bool
	Level            int // of NUTS, if the title names it; 0: it does not
}

// maxBreakdown is how many words the longest entry of a breakdown has.
const maxBreakdown = 5

// Breakdown returns what the title or theme of a dataset says of the parts of a country that
// it has: "by NUTS 2 region", "Länder", "cities".
func (t *Table) Breakdown(text string) (b Breakdown) {
	t.breakdowns(Words(text), func(found Breakdown, _, _ int) { b.add(found) })
	return b
}

// RegionWords reports of each word of a text, folded, whether it only says that something is by region: "nach Kreisen", "by county".
func (t *Table) RegionWords(words []string) []bool {
	marked := make([]bool, len(words))
	t.breakdowns(words, func(found Breakdown, from, behind int) {
		for i := from; i < behind; i++ {
			marked[i] = !found.ByCity
		}
	})
	return marked
}

// breakdowns calls a function for what words say of the parts of a country, and which of the words say it.
func (t *Table) breakdowns(words []string, do func(found Breakdown, from, behind int)) {
	for i := 0; i < len(words); i++ {
		for n := min(maxBreakdown, len(words)-i); n > 0; n-- { // "metropolitan regions" are no regions
			found, ok := t.places.breakdowns[strings.Join(words[i:i+n], " ")]
			if ok {
				do(found, i, i+n)
				i += n - 1
				break
			}
		}
	}
}

func (b *Breakdown) add(other Breakdown) {
	b.ByRegion, b.ByCity = b.ByRegion || other.ByRegion, b.ByCity || other.ByCity
	b.Level = max(b.Level, other.Level)
}

// Join returns what two texts together say.
func (b Breakdown) Join(other Breakdown) Breakdown {
	b.add(other)
	return b
}

// breakdownHeads are the heads of lines with words of titles. The number is a level of NUTS.
var breakdownHeads = map[string]Breakdown{
	"by region": {ByRegion: true}, "by region 1": {ByRegion: true, Level: 1}, "by region 2": {ByRegion: true, Level: 2}, "by region 3": {ByRegion: true, Level: 3},
	"by city": {ByCity: true},
}

// isBreakdown notes the words of a line and reports whether it is one that lists words of titles.
func (p *placeNames) isBreakdown(head, list string) bool {
	b, ok := breakdownHeads[head]
	for text := range strings.SplitSeq(list, ",") {
		if key := strings.Join(Words(text), " "); ok {
			p.breakdowns[key] = p.breakdowns[key].Join(b)
		}
	}
	return ok
}
