package terms

import (
	"slices"
	"strings"

	"almanac/internal/geo"
)

// regionNames has the names of the regions of some countries, from package geo.
type regionNames struct {
	regions   []string // countries whose regions of the first level are known by name
	provinces []string // countries whose parts of these are, too
	names     func() map[string]string
}

// isCountries notes the countries of a line and reports whether it is one of the two that
// list countries.
func (r *regionNames) isCountries(head, list string) bool {
	countries := strings.Split(strings.ReplaceAll(list, " ", ""), ",")
	switch head {
	case "regions":
		r.regions = append(r.regions, countries...)
	case "provinces":
		r.provinces = append(r.provinces, countries...)
	default:
		return false
	}
	return true
}

// minRegion is how many letters a name of a region has: shorter ones are words of some
// language, or are listed in the file.
const minRegion = 5

// read returns the IDs of the regions by their names. A name of regions of
// several countries is left out; of one country, the region of the higher level counts. Those
// that are listed with names in all languages go before the others.
func (r *regionNames) read() map[string]string {
	names := r.readEntries()
	for id, list := range geo.NamedRegions() {
		for _, name := range list {
			for _, spelt := range []string{name, umlauts.Replace(name)} {
				if key := strings.Join(Words(spelt), " "); key != "" {
					names[key] = id
				}
			}
		}
	}
	return names
}

func (r *regionNames) readEntries() map[string]string {
	names := map[string]string{}
	for _, e := range geo.Entries() {
		country, _, isRegion := strings.Cut(e.ID, "-")
		isFirst := e.Above == country && slices.Contains(r.regions, country)
		if !isRegion || !isFirst && !slices.Contains(r.provinces, country) {
			continue
		}
		for _, name := range e.Names() {
			for _, spelt := range []string{name, umlauts.Replace(name)} {
				key := strings.Join(Words(spelt), " ")
				switch other := names[key]; {
				case len(key) < minRegion:
				case other == "":
					names[key] = e.ID
				case !strings.HasPrefix(other, country+"-"):
					names[key] = noPlace
				case isFirst:
					names[key] = e.ID
				}
			}
		}
	}
	return names
}
