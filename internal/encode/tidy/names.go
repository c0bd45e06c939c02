package tidy

import (
	"almanac/internal/geo"
	"almanac/internal/store"
)

// names are the columns of the dimensions of a dataset.
type names struct {
	dimensions []dimension // with the fixed ones
	geography  dimension
}

type namesKey struct{}

// namesOf returns the columns of a vintage, derived once.
func namesOf(v *store.Vintage) *names {
	return v.Memo(namesKey{}, func() any {
		n := &names{}
		n.dimensions, n.geography = dimensionsOf(v.Dataset)
		return n
	}).(*names)
}

type alpha3Key struct{}

// Alpha3Of returns the ISO 3166-1 alpha-3 codes of the areas of a dataset, by position. It is
// empty for an area that has none.
func Alpha3Of(v *store.Vintage) []string {
	return v.Stored().Memo(alpha3Key{}, func() any {
		codes := make([]string, len(v.Dataset.Geography.Codes))
		for i, c := range v.Dataset.Geography.Codes {
			codes[i] = geo.AreaOf(v.Dataset.Source.ID, c.ID, c.Area).Alpha3
		}
		return codes
	}).([]string)
}
