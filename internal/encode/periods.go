package encode

import (
	"time"

	"almanac/internal/store"
)

// Period is how forms write a period.
type Period struct {
	Text       string // as in JSON: Q1/2024
	ISO        string // as ISO 8601 and SDMX write it: 2024-Q1
	Start, End string // its first and last days: 2024-01-01
}

type periodsKey struct{}

// PeriodsOf returns the texts of the periods of a vintage, made once.
func PeriodsOf(v *store.Vintage) []Period {
	v = v.Stored()
	return v.Memo(periodsKey{}, func() any {
		list := make([]Period, len(v.Periods))
		for i, p := range v.Periods {
			list[i] = Period{Text: p.String(), ISO: p.SDMX(), Start: p.Start().Format(time.DateOnly), End: p.End().Format(time.DateOnly)}
		}
		return list
	}).([]Period)
}
