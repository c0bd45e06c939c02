package access

import (
	"context"
	"encoding/hex"
	"net/netip"
	"strconv"
	"time"

	"almanac/internal/access/register"
)

// Standing describes how much of a daily limit is used.
type Standing struct {
	Tier  Tier
	Limit Limit
	Used  int64         // counted since midnight UTC; 0 for unlimited anonymous callers, who are not counted
	Reset time.Time     // the next midnight UTC
	Left  time.Duration // until Reset, rounded up to seconds
}

func standingAt(tier Tier, limit Limit, used int64, now time.Time) Standing {
	reset := midnight(now).AddDate(0, 0, 1)
	left := (reset.Sub(now) + time.Second - 1).Truncate(time.Second)
	return Standing{Tier: tier, Limit: limit, Used: used, Reset: reset, Left: left}
}

// Remaining returns the number of requests left today, unless the limit is [Unlimited].
func (s *Standing) Remaining() int64 { return max(int64(s.Limit)-s.Used, 0) }

// Ticket is the admission of one request.
type Ticket struct {
	Standing // with this request counted
	Admitted bool

	limiter *limiter // nil: nothing to refund
	counter counter
}

// Admit counts a request of a caller if the limit allows it. The count is on disk when
// Admit returns. If the limit is used up, the ticket is not admitted and the error is nil.
// If counting fails, the error is [stat.Unavailable] and nothing is counted.
func (a *Access) Admit(c Caller) (Ticket, error) {
	limit, now := a.limits.Of(c.Tier), a.now()
	if limit == Unlimited && c.Account == 0 {
		return Ticket{Standing: standingAt(c.Tier, limit, 0, now), Admitted: true}, nil
	}
	return a.admit(c.Tier, limit, now, a.counterOf(c, now))
}

// AdmitAccount counts a request for a new account from an address against a limit
// of its own, like Admit.
func (a *Access) AdmitAccount(address netip.Addr, limit Limit) (Ticket, error) {
	now := a.now()
	return a.admit(Anonymous, limit, now, a.networkCounter(register.SignUpSubject, Network(address), now))
}

func (a *Access) admit(tier Tier, limit Limit, now time.Time, c counter) (Ticket, error) {
	used, isAdmitted, err := a.limiter.admit(c, limit)
	if err != nil {
		return Ticket{}, err
	}
	t := Ticket{Standing: standingAt(tier, limit, used, now), Admitted: isAdmitted}
	if isAdmitted {
		t.limiter, t.counter = a.limiter, c
	}
	return t, nil
}

// Refund takes back the count of an admitted request that turns out not to count. The
// refund is on disk when Refund returns, so call it before the response is sent if
// possible. A second call does nothing.
func (t *Ticket) Refund() {
	if t.limiter != nil {
		t.limiter.refund(t.counter)
		t.limiter = nil
	}
}

// CanAdmit reports whether a caller's limit allows another request, without counting one;
// if not, the standing says what is used. A request that counts must still be admitted.
func (a *Access) CanAdmit(ctx context.Context, c Caller) (s Standing, ok bool, err error) {
	limit, now := a.limits.Of(c.Tier), a.now()
	if limit == Unlimited {
		return s, true, nil
	}
	used, ok, err := a.limiter.canAdmit(ctx, a.counterOf(c, now), limit)
	return standingAt(c.Tier, limit, used, now), ok, err
}

// Standing returns how much of today's limit a caller has used, without counting.
func (a *Access) Standing(ctx context.Context, c Caller) (Standing, error) {
	limit, now := a.limits.Of(c.Tier), a.now()
	if limit == Unlimited && c.Account == 0 {
		return standingAt(c.Tier, limit, 0, now), nil
	}
	used, err := a.limiter.used(ctx, a.counterOf(c, now))
	return standingAt(c.Tier, limit, used, now), err
}

func (a *Access) counterOf(c Caller, now time.Time) counter {
	if c.Account != 0 {
		return counter{c.subject, dayOf(now)}
	}
	return a.networkCounter(register.AnonymousSubject, c.network, now)
}

// networkCounter returns the counter of requests from a network. The database
// stores no address, only a digest of the network that is different each day.
func (a *Access) networkCounter(kind string, n netip.Prefix, now time.Time) counter {
	day := dayOf(now)
	m := a.pepper.mac(kind, strconv.FormatInt(day, 10), n.String())
	return counter{kind + hex.EncodeToString(m[:16]), day}
}

const secondsOfDay = 24 * 60 * 60

// dayOf returns the UTC day of a time, counted from 1 January 1970.
func dayOf(t time.Time) int64 { return midnight(t).Unix() / secondsOfDay }

// midnight returns the beginning of the UTC day of a time.
func midnight(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }
