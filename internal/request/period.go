package request

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// setPeriods puts the wanted periods into a query. All three must be periods
// where they are given; if Period is, the range is ignored.
func setPeriods(q *stat.Query, v *store.Vintage, p Data) error {
	for _, bound := range []struct {
		name, value string
		into        *stat.Period
	}{
		{"period", p.Period, &q.Within},
		{"period_from", p.PeriodFrom, &q.From},
		{"period_to", p.PeriodTo, &q.To},
	} {
		if bound.value == "" {
			continue
		}
		parsed, err := stat.ParsePeriod(bound.value)
		if err != nil {
			return stat.Errorf(stat.Invalid, "parameter %s is %q, which is no period; periods of dataset %d are written %s", bound.name, bound.value, v.Dataset.ID, formats(v))
		}
		*bound.into = parsed
	}
	if !q.Within.IsZero() {
		q.From, q.To = stat.Period{}, stat.Period{}
		return nil
	}
	if !q.From.IsZero() && !q.To.IsZero() && q.From.Start().After(q.To.End()) {
		return stat.Errorf(stat.Invalid, "parameter period_from (%s) is after period_to (%s); give the earlier period first", q.From, q.To)
	}
	return nil
}

// formats says how the periods of a dataset are written, each frequency with
// its newest period as the example: "Qn/YYYY, such as Q4/2023".
func formats(v *store.Vintage) string {
	var said []string
	var seen []stat.Frequency
	for _, p := range slices.Backward(v.Periods) {
		if f := p.Frequency(); !slices.Contains(seen, f) {
			seen = append(seen, f)
			said = append(said, fmt.Sprintf("%s, such as %s", f.Format(), p))
		}
	}
	if len(said) == 0 {
		return fmt.Sprintf("%s, such as %s", stat.Annual.Format(), stat.Annual.Example())
	}
	return strings.Join(said, ", or ")
}
