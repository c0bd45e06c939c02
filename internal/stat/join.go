package stat

import (
	"fmt"
	"slices"
	"strings"
)

// Join adds the codes of another part of the dimension that it lacks, and returns the
// positions of the part's codes in the dimension. A code that has another unit or label in
// the part is an error.
func (d *Dimension) Join(part *Dimension) ([]int32, error) {
	positions := d.Positions()
	at := make([]int32, 0, len(part.Codes))
	for _, c := range part.Codes {
		n, ok := positions[c.ID]
		if !ok {
			n = int32(len(d.Codes))
			d.Codes, positions[c.ID] = append(d.Codes, c), n
		}
		known := &d.Codes[n]
		switch {
		case known.Unit != c.Unit:
			return nil, fmt.Errorf("%s %s has the unit %q in one part and %q in another", d.ID, c.ID, known.Unit, c.Unit)
		case c.Label == "" || c.Label == c.ID || isSameLabel(known.Label, c.Label):
		case known.Label == "" || known.Label == c.ID:
			known.Label = c.Label
		default:
			return nil, fmt.Errorf("%s %s is %q in one part and %q in another", d.ID, c.ID, known.Label, c.Label)
		}
		at = append(at, n)
	}
	return at, nil
}

// isSameLabel compares labels without case and repeated spaces.
func isSameLabel(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

// JoinPeriods adds what another part of the dataset calls periods, and has in place of them.
func (d *Dataset) JoinPeriods(part *Dataset) {
	for period, label := range part.PeriodLabels {
		if d.PeriodLabels == nil {
			d.PeriodLabels = map[Period]string{}
		}
		d.PeriodLabels[period] = label
	}
	for _, mark := range part.Undated {
		if !slices.Contains(d.Undated, mark) {
			d.Undated = append(d.Undated, mark)
		}
	}
}
