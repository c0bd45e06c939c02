package sdmxml_test

import (
	"testing"

	"almanac/internal/format/formattest"
)

// lines counts the observations of a table by their text.
func lines(table formattest.Table) map[string]int {
	all := map[string]int{}
	for _, o := range table.All {
		all[formattest.Line(table.Dataset, o)]++
	}
	return all
}

// TestPairs checks that the same data in both forms give the same dataset, with and
// without the structure.
func TestPairs(t *testing.T) {
	for _, pair := range []struct {
		name, generic, specific, structure string
		equal, added                       int
	}{
		{"BIS_DER", "bis/BIS_DER-generic.xml", "bis/BIS_DER-structure-specific.xml", "", 1000, 0},
		{"IPI-2010-A21", "insee/insee-data-generic-2.1.xml", "insee/insee-data-specific-2.1.xml", "insee/insee-datastructure-2.1.xml", 3240, 0},
		{"ECB_EXR1", "ecb/ecb-data-generic-2.1.xml", "ecb/ecb-data-specific-2.1.xml", "ecb/ecb-datastructure-2.1.xml", 9195, 10},
	} {
		t.Run(pair.name, func(t *testing.T) {
			generic := formattest.Sample{Name: "generic.xml", Data: open(t, pair.generic)}
			specific := formattest.Sample{Name: "specific.xml", Data: open(t, pair.specific)}
			comparePair(t, readOne(t, generic), readOne(t, specific), [2]int{pair.equal, pair.added})
			if pair.structure == "" {
				return
			}
			f := real{source: readOne(t, generic).Dataset.Source.ID, structure: pair.structure}
			comparePair(t, readOne(t, f.with(t, generic)), readOne(t, f.with(t, specific)), [2]int{pair.equal, pair.added})
		})
	}
}

// comparePair checks that b has all observations of a, and how many more.
func comparePair(t *testing.T, a, b formattest.Table, want [2]int) {
	t.Helper()
	if a.Dataset.Code != b.Dataset.Code || a.Dataset.Source != b.Dataset.Source || dimsOf(a.Dataset) != dimsOf(b.Dataset) || !a.Dataset.Updated.Equal(b.Dataset.Updated) {
		t.Errorf("%s %s of %s, and %s %s of %s", a.Dataset.Code, dimsOf(a.Dataset), a.Dataset.Updated, b.Dataset.Code, dimsOf(b.Dataset), b.Dataset.Updated)
	}
	equal, added := 0, 0
	first, second := lines(a), lines(b)
	for line, n := range second {
		if first[line] == n {
			equal += n
			delete(first, line)
		} else {
			added += n
		}
	}
	for line := range first {
		t.Errorf("only in the first: %s", line)
	}
	if equal != want[0] || added != want[1] {
		t.Errorf("%d observations are equal and %d added; want %v", equal, added, want)
	}
}
