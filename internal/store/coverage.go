package store

import (
	"iter"
	"math"

	"almanac/internal/stat"
)

// areaPeriods notes in which periods areas have values.
type areaPeriods struct {
	words int        // of an area
	has   [][]uint64 // by area, a bit for each period; nil: none
}

func newAreaPeriods(areas, periods int) *areaPeriods {
	return &areaPeriods{words: (periods + 63) / 64, has: make([][]uint64, areas)}
}

func (c *areaPeriods) add(area int32, periods iter.Seq[int32]) {
	has := c.has[area]
	if has == nil {
		has = make([]uint64, c.words)
		c.has[area] = has
	}
	for p := range periods {
		has[p/64] |= 1 << (p % 64)
	}
}

// periodsWithValue returns the positions of the periods that [columns.tallyIn] counts.
func (c *columns) periodsWithValue(s int32, sp span, flags bool) iter.Seq[int32] {
	r := c.within(s, sp)
	return func(yield func(int32) bool) {
		for i := r.first; i < r.end; i++ {
			p := c.periodIn(r, i)
			if (flags || !math.IsNaN(c.value[i])) && sp.has(p) && !yield(p) {
				return
			}
		}
	}
}

// spans returns the spans of each area. A period of another frequency between two periods does not
// separate them, but years that the dataset does not have do.
func (c *areaPeriods) spans(periods []stat.Period) [][]PeriodSpan {
	all := make([][]PeriodSpan, len(c.has))
	for area, has := range c.has {
		if has == nil {
			continue
		}
		var isOpen [math.MaxUint8 + 1]int // by frequency, one more than the index of the span that may go on
		for i, p := range periods {
			f := p.Frequency()
			switch open := isOpen[f]; {
			case has[i/64]>>(i%64)&1 == 0:
				isOpen[f] = 0
			case open == 0, f != stat.Day && p.StartDay() > all[area][open-1].Last.EndDay()+1: // days may lack the weekends
				all[area] = append(all[area], PeriodSpan{p, p})
				isOpen[f] = len(all[area])
			default:
				all[area][open-1].Last = p
			}
		}
	}
	return all
}
