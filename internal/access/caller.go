package access

import (
	"context"
	"errors"
	"net/netip"
	"time"
)

// Caller is who asks. The zero Caller is nobody.
type Caller struct {
	Tier         Tier
	Account      int64  // 0: anonymous
	Organisation int64  // of the account; 0: anonymous
	Key          string // the public id of the key; empty: anonymous

	network netip.Prefix // of an anonymous caller
}

// Anonymous is the caller without a key at an address: all of an IPv6 /64 are
// one.
func (a *Access) Anonymous(address netip.Addr) Caller { panic("not yet") }

// ErrKey says that a key is malformed, unknown, revoked or expired; which of
// these is not told.
var ErrKey = errors.New("the key is not valid")

// Verify finds the caller of a key. The error is [ErrKey], found in the same
// time whatever the reason, or [stat.Unavailable] if for ten seconds it could
// not be read which keys were revoked.
func (a *Access) Verify(key string) (Caller, error) { panic("not yet") }

// Standing is how much of a day's limit is used.
type Standing struct {
	Tier  Tier
	Limit Limit
	Used  int64         // counted since midnight UTC; of an anonymous caller without limit 0: those are not counted
	Reset time.Time     // the next midnight UTC
	Left  time.Duration // until Reset, rounded up to seconds
}

// Remaining is how many more requests the day has; it means nothing if the
// limit is [Unlimited].
func (s *Standing) Remaining() int64 { return max(int64(s.Limit)-s.Used, 0) }

// Ticket is the admission of one request.
type Ticket struct {
	Standing // with this request counted
	Admitted bool

	settle func()
}

// Admit counts a request of a caller if it is below the limit. The count is on
// the disk when Admit returns. A request that the limit does not allow is
// not an error: its ticket is not admitted, and nothing was counted. The error
// is [stat.Unavailable] if it could not be counted: then it was not.
func (a *Access) Admit(ctx context.Context, c Caller) (Ticket, error) { panic("not yet") }

// AdmitAccount counts the making of an account from an address against a limit
// of its own, as Admit does.
func (a *Access) AdmitAccount(ctx context.Context, address netip.Addr, limit Limit) (Ticket, error) {
	panic("not yet")
}

// Refund takes an admitted request back that turned out not to count: it was
// answered 304, or failed by a fault of ours. Call it at most once, before the
// answer is sent.
func (t *Ticket) Refund() { panic("not yet") }

// Standing looks how much of today's limit a caller has used, and counts nothing.
func (a *Access) Standing(ctx context.Context, c Caller) (Standing, error) { panic("not yet") }
