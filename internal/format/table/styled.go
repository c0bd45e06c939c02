package table

import (
	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
)

// NewStyledPeriods returns the periods of a column of which the style is known. It keeps
// texts that say more than the period as labels.
func NewStyledPeriods(t *assemble.Table, style text.PeriodStyle) *Periods {
	return newPeriods(t, style.Read)
}
