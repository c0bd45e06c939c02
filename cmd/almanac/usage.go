package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"almanac/internal/access"
)

// usageCmd is `almanac usage`: requests by day and account.
type usageCmd struct {
	folder

	From moment `placeholder:"DAY" help:"The first UTC day, such as 2026-01-31; default: six days before --to."`
	To   moment `placeholder:"DAY" help:"The last UTC day; default: today."`
}

// daysShown is the number of days that are listed by default.
const daysShown = 7

func (c *usageCmd) Run(ctx context.Context, atExit *cleanups, p printer) error {
	from, to := c.span(time.Now())
	if to.Before(from) {
		return usageError{fmt.Errorf("--from %s is after --to %s", from.Format(time.DateOnly), to.Format(time.DateOnly))}
	}
	a, err := c.ProvideAccess(ctx, atExit)
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

// span returns the first and the last day to list.
func (c *usageCmd) span(now time.Time) (from, to time.Time) {
	day := func(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }
	from, to = day(c.From.Time), day(c.To.Time)
	if to.IsZero() {
		to = day(now)
	}
	if from.IsZero() {
		from = to.AddDate(0, 0, 1-daysShown)
	}
	return from, to
}
