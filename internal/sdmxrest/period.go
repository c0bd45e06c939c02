package sdmxrest

import (
	"slices"
	"time"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// PeriodCondition compares the periods of data with one.
type PeriodCondition struct {
	Operator string
	Period   stat.Period
}

// holds reports whether a period is equal to that of the condition or inside it (eq, ne), or overlaps what
// begins (ge) or ends (le) with it, or what is after (gt) or before it (lt).
func (c PeriodCondition) holds(p stat.Period) bool {
	switch from, to := c.span(); c.Operator {
	case "eq":
		return p.Within(c.Period)
	case "ne":
		return !p.Within(c.Period)
	default:
		return p.OverlapsSpan(from, to)
	}
}

// span returns the span of the operators ge, gt, le and lt, which is open on one side.
func (c PeriodCondition) span() (from, to stat.Period) {
	switch c.Operator {
	case "ge":
		from = c.Period
	case "gt":
		next := c.Period.End().AddDate(0, 0, 1)
		from = stat.NewDay(next.Year(), int(next.Month()), next.Day())
	case "le":
		to = c.Period
	case "lt":
		before := c.Period.Start().AddDate(0, 0, -1)
		to = stat.NewDay(before.Year(), int(before.Month()), before.Day())
	}
	return from, to
}

var periodOperators = []string{"eq", "ne", "ge", "gt", "le", "lt"}

// selectPeriods selects the periods that a filter accepts: by the query if they are one period or one span.
func (s *Selection) selectPeriods(f *Filter) error {
	for _, conditions := range f.Alternatives {
		var all []PeriodCondition
		for _, c := range conditions {
			p, err := ParsePeriod("c[TIME_PERIOD]", c.Value)
			if err != nil {
				return err
			}
			if !slices.Contains(periodOperators, c.Operator) {
				return stat.Errorf(stat.Invalid, "parameter c[TIME_PERIOD] has the operators %s, not %s", stat.JoinWords(periodOperators), c.Operator)
			}
			all = append(all, PeriodCondition{c.Operator, p})
		}
		s.Periods = append(s.Periods, all)
	}
	if len(s.Periods) == 1 && s.setSpan(s.Periods[0]) {
		s.Periods = nil
	}
	return nil
}

// setSpan sets the periods of the query, if the conditions are one period or one span.
func (s *Selection) setSpan(all []PeriodCondition) bool {
	q := s.Query
	for _, c := range all {
		from, to := c.span()
		switch {
		case c.Operator == "eq" && len(all) == 1:
			q.Within = c.Period
		case !from.IsZero() && q.From.IsZero():
			q.From = from
		case !to.IsZero() && q.To.IsZero():
			q.To = to
		default:
			return false
		}
	}
	s.Query = q
	return true
}

// selectSpan selects the periods of the parameters startPeriod and endPeriod.
func (s *Selection) selectSpan(part Part) (err error) {
	if part.Start == "" && part.End == "" {
		return nil
	}
	if slices.ContainsFunc(part.Filters, func(f Filter) bool { return f.Component == sdmx.TimePeriod }) {
		return stat.Errorf(stat.Invalid, "parameters startPeriod and endPeriod exclude c[TIME_PERIOD]; give only one of them, such as c[TIME_PERIOD]=ge:2020+le:2024")
	}
	if part.Start != "" {
		if s.From, err = ParsePeriod("startPeriod", part.Start); err != nil {
			return err
		}
	}
	if part.End != "" {
		if s.To, err = ParsePeriod("endPeriod", part.End); err != nil {
			return err
		}
	}
	if part.Start != "" && part.End != "" && s.From.Start().After(s.To.End()) {
		return stat.Errorf(stat.Invalid, "parameter startPeriod (%.60s) is after endPeriod (%.60s); give the earlier period first", part.Start, part.End)
	}
	return nil
}

// IsNarrower reports whether the selection keeps less than its query selects; see [Selection.Of].
func (s *Selection) IsNarrower() bool { return s.Periods != nil || s.Keys != nil }

// Of returns the extract of the selection's query with only the periods and keys that are selected.
func (s *Selection) Of(x *stat.Extract) *stat.Extract {
	if !s.IsNarrower() {
		return x
	}
	keep := make([]bool, len(x.Periods))
	for i, p := range x.Periods {
		keep[i] = s.Periods == nil || slices.ContainsFunc(s.Periods, func(all []PeriodCondition) bool {
			return !slices.ContainsFunc(all, func(c PeriodCondition) bool { return !c.holds(p) })
		})
	}
	blocks := x.Blocks
	x.Blocks = func(yield func(*stat.Block, error) bool) {
		for b, err := range blocks {
			if err == nil {
				if b.KeepPeriods(keep); s.Keys != nil {
					s.keepKeys(b)
				}
				if len(b.Value) == 0 {
					continue
				}
			}
			if !yield(b, err) {
				return
			}
		}
	}
	return x
}

// ParsePeriod reads a period as SDMX writes it, or an instant, which means its day. The error is
// [stat.Invalid] and names the parameter.
func ParsePeriod(parameter, text string) (stat.Period, error) {
	p, err := stat.ParsePeriod(text)
	if err == nil {
		return p, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02Z07:00"} {
		if at, err := time.Parse(layout, text); err == nil {
			return stat.NewDay(at.Year(), int(at.Month()), at.Day()), nil
		}
	}
	return p, stat.Errorf(stat.Invalid, "parameter %s must be a period such as 2024, 2024-S1, 2024-Q1, 2024-01, 2024-W05, 2024-01-31 or 2024-01-31T00:00:00, not %.60q", parameter, text)
}

// ParseInstant reads a time; without a zone it is in UTC, and a date is its first moment. The error
// is [stat.Invalid] and names the parameter.
func ParseInstant(parameter, text string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, stat.Errorf(stat.Invalid, "parameter %s must be a time such as 2026-05-01T12:00:00Z or a date, not %.60q; a plus in an address is written %%2B", parameter, text)
}
