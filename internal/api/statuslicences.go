package api

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/licence"
	"almanac/internal/store"
)

// statedLicence is a licence of datasets of a source, and how many have it.
type statedLicence struct {
	Name     string `json:"name,omitempty"`
	URL      string `json:"url,omitempty"`
	Datasets int    `json:"datasets"`
}

// licencesOf returns the licences of the datasets of each source by its ID, that of most datasets first. Datasets of which no licence
// is known are not counted.
func licencesOf(c *store.Catalog) map[string][]statedLicence {
	type terms struct{ source, stated string }
	count := map[terms]int{}
	for i := range c.Entries {
		count[terms{c.Entries[i].Source, c.Entries[i].Licence}]++
	}
	all := map[string][]statedLicence{}
	for t, n := range count {
		l, ok := licence.For(licence.Dataset{Source: t.source, Licence: t.stated})
		if !ok || l.Name == "" && l.URL == "" {
			continue
		}
		list := all[t.source]
		at := slices.IndexFunc(list, func(one statedLicence) bool { return one.Name == l.Name && one.URL == l.URL })
		if at < 0 {
			at, list = len(list), append(list, statedLicence{Name: l.Name, URL: l.URL})
		}
		list[at].Datasets += n
		all[t.source] = list
	}
	for _, list := range all {
		slices.SortFunc(list, func(a, b statedLicence) int {
			return cmp.Or(b.Datasets-a.Datasets, strings.Compare(a.Name, b.Name), strings.Compare(a.URL, b.URL))
		})
	}
	return all
}
