package geo

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// loadFAONumbers reads the table of FAO's own numbers at the first call.
var loadFAONumbers = sync.OnceValue(func() map[string]Area {
	t, numbers := loadTables(), map[string]Area{}
	for _, f := range lines("faonumbers") {
		p := cmp.Or(t.iso[alpha2][f[1]], t.former[alpha2][f[1]])
		for _, name := range officeOf("fao").own {
			if p == nil {
				p = t.own[name].codes[f[1]]
			}
		}
		numbers[f[0]] = p.from("fao")
	}
	return numbers
})

// useFAONumbers resolves numbers without names that are FAO's own: 68 is France there and Bolivia in
// M49. Their heading names FAO and not M49, or the table is FAO's and most of them mean nothing in M49.
func (c *column) useFAONumbers() bool {
	words := strings.Fields(foldName(c.words))
	has := func(names ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(names, w) })
	}
	isFAO := c.office.System == FAO
	if has("m49") || !isFAO && !has("fao", "faostat") {
		return false
	}
	hits, others := 0, 0
	for i := range c.items {
		it := &c.items[i]
		if it.isNamed() {
			return false // the names decide
		}
		if loadFAONumbers()[it.code].ID != "" {
			hits++
		}
		if _, ok := Resolve("fao", it.code); ok {
			others++
		}
	}
	if hits == 0 || 10*hits < 9*len(c.items) || !has("fao", "faostat") && 2*others >= hits {
		return false
	}
	c.use("area codes of FAO", func(it *item) (Area, bool) {
		a, ok := loadFAONumbers()[it.code]
		return a, ok
	})
	return true
}
