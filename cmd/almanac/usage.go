package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"almanac/internal/access"
)

// usageCmd is `almanac usage`: what was counted, by account and day.
type usageCmd struct {
	folder

	From day `placeholder:"DAY" help:"The first UTC day, such as 2026-01-31; six days before the last if not given."`
	To   day `placeholder:"DAY" help:"The last UTC day; today if not given."`
}

// daysShown is how many days of usage are listed if nothing is asked for.
const daysShown = 7

// Run lists the usage.
func (c *usageCmd) Run(ctx context.Context, open *closers, p printer) error {
	from, to := c.span(time.Now())
	if to.Before(from) {
		return usageError{fmt.Errorf("--from %s is after --to %s", from.Format(time.DateOnly), to.Format(time.DateOnly))}
	}
	a, err := c.ProvideAccess(ctx, open)
	if err != nil {
		return err
	}
	used, err := a.Usage(ctx, from, to)
	if err != nil {
		return err
	}
	return printList(p, "DAY\tACCOUNT\tORGANISATION\tTIER\tREQUESTS", used, func(u access.Usage) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%d", u.Day, cmp.Or(u.Account, "-"), cmp.Or(u.Organisation, "-"), u.Tier, u.Requests)
	})
}

// span is the days that are asked for.
func (c *usageCmd) span(now time.Time) (from, to time.Time) {
	from, to = c.From.Time, c.To.Time
	if to.IsZero() {
		to = now.UTC().Truncate(24 * time.Hour)
	}
	if from.IsZero() {
		from = to.AddDate(0, 0, 1-daysShown)
	}
	return from, to
}
