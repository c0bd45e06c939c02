package tidy

import (
	"almanac/internal/geo"
	"almanac/internal/store"
)

// prepared has the cells of the codes or periods that occur, one after another in one text, so
// that they need no memory each.
type prepared struct {
	at   []int32 // by code: the position in ends, plus one; 0 if it did not occur
	ends []int   // of the cells in text
	text []byte
}

func (p *prepared) has(code int32) bool { return p.at[code] > 0 }

// add says that text, which begins with p.text, ends with the cells of a code.
func (p *prepared) add(code int32, text []byte) {
	p.text, p.ends = text, append(p.ends, len(text))
	p.at[code] = int32(len(p.ends))
}

// of returns the cells of a code that occurred. They stay as they are when others are added.
func (p *prepared) of(code int32) []byte {
	at, start := p.at[code]-1, 0
	if at > 0 {
		start = p.ends[at-1]
	}
	end := p.ends[at]
	return p.text[start:end:end]
}

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
