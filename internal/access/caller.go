package access

import (
	"context"
	"crypto/hmac"
	"encoding/hex"
	"errors"
	"net/netip"
	"strconv"
	"sync/atomic"
	"time"

	"almanac/internal/access/register"
	"almanac/internal/stat"
)

// Caller is who asks. The zero Caller is nobody.
type Caller struct {
	Tier         Tier
	Account      int64  // 0: anonymous
	Organisation int64  // of the account; 0: anonymous
	Key          string // the public id of the key; empty: anonymous

	network netip.Prefix // of an anonymous caller
	subject string       // of the others
}

// Anonymous is the caller without a key at an address: all of an IPv6 /64 are
// one.
func (a *Access) Anonymous(address netip.Addr) Caller {
	return Caller{Tier: Anonymous, network: Network(address)}
}

// heldKey is a key in memory, with its account.
type heldKey struct {
	mac     mac
	caller  Caller
	revoked bool
	expires int64        // Unix seconds; 0: never
	used    atomic.Int64 // Unix seconds; 0: not since it was last written down
}

// hold takes a key's row into memory, over what is there.
func (a *Access) hold(k *register.Key) {
	held := &heldKey{revoked: !k.Revoked.IsZero()}
	copy(held.mac[:], k.MAC)
	if !k.Expires.IsZero() {
		held.expires = k.Expires.Unix()
	}
	held.caller = Caller{
		Tier: Tier(k.Account.Tier), Account: k.Account.ID, Organisation: k.Account.OrganisationID, Key: k.ID,
		subject: register.AccountSubject + strconv.FormatInt(k.Account.ID, 10),
	}
	if before := a.keys[k.ID]; before != nil {
		held.used.Store(before.used.Load())
	}
	a.keys[k.ID] = held
}

// ErrKey says that a key is malformed, unknown, revoked or expired; which of
// these is not told.
var ErrKey = errors.New("the key is not valid")

// Verify finds the caller of a key. The error is [ErrKey], found in the same
// time whatever the reason, or [stat.Unavailable] if for some time it could not
// be read which keys were revoked.
func (a *Access) Verify(key string) (Caller, error) {
	id, ok := publicID(key)
	if !ok {
		key = nobodysKey // as long as any
	}
	held := &nobodys
	if ok {
		a.mu.RLock()
		if found := a.keys[id]; found != nil {
			held = found
		}
		a.mu.RUnlock()
	}
	now := a.now().Unix()
	m := a.pepper.mac(key)
	if equal := hmac.Equal(m[:], held.mac[:]); !equal || held.revoked || held.expires != 0 && held.expires <= now {
		return Caller{}, ErrKey
	}
	if a.blind() {
		return Caller{}, stat.Errorf(stat.Unavailable, "keys cannot be checked at the moment; ask again in a few seconds")
	}
	if held.used.Load() != now {
		held.used.Store(now)
	}
	return held.caller, nil
}

// What a key is compared with that is none: no MAC is all zeros.
var (
	nobodys    = heldKey{revoked: true}
	nobodysKey = string(make([]byte, keyLength))
)

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

	meter  *meter
	bucket bucket
}

// Admit counts a request of a caller if it is below the limit. The count is on
// the disk when Admit returns. A request that the limit does not allow is
// not an error: its ticket is not admitted, and nothing was counted. The error
// is [stat.Unavailable] if it could not be counted: then it was not.
func (a *Access) Admit(c Caller) (Ticket, error) {
	limit, now := a.limits.Of(c.Tier), a.now()
	if limit == Unlimited && c.Account == 0 {
		return Ticket{Standing: standingAt(c.Tier, limit, 0, now), Admitted: true}, nil
	}
	return a.admit(c.Tier, limit, now, a.bucketOf(c, now))
}

// Leaves reports whether a caller's limit leaves any request, and counts none;
// if it does not, the standing says what is used. It is for a request of which
// it shows later whether it counts: one that does is then to be admitted.
func (a *Access) Leaves(ctx context.Context, c Caller) (s Standing, left bool, err error) {
	limit, now := a.limits.Of(c.Tier), a.now()
	if limit == Unlimited {
		return s, true, nil
	}
	used, left, err := a.meter.leaves(ctx, a.bucketOf(c, now), limit)
	return standingAt(c.Tier, limit, used, now), left, err
}

func (a *Access) admit(tier Tier, limit Limit, now time.Time, b bucket) (Ticket, error) {
	used, admitted, err := a.meter.add(b, limit)
	if err != nil {
		return Ticket{}, err
	}
	t := Ticket{Standing: standingAt(tier, limit, used, now), Admitted: admitted}
	if admitted {
		t.meter, t.bucket = a.meter, b
	}
	return t, nil
}

// bucketOf is what a caller's requests are counted in.
func (a *Access) bucketOf(c Caller, now time.Time) bucket {
	day := dayOf(now)
	if c.Account != 0 {
		return bucket{c.subject, day}
	}
	return a.networkBucket(register.AnonymousSubject, c.network, day)
}

// networkBucket is what requests from a network are counted in. The database
// learns a digest of the network that is another each day, and no address.
func (a *Access) networkBucket(kind string, n netip.Prefix, day int64) bucket {
	m := a.pepper.mac(kind, strconv.FormatInt(day, 10), n.String())
	return bucket{kind + hex.EncodeToString(m[:16]), day}
}

const secondsOfDay = 24 * 60 * 60

// dayOf is the UTC day of a time, counted from 1 January 1970.
func dayOf(t time.Time) int64 {
	seconds := t.Unix()
	day := seconds / secondsOfDay
	if seconds%secondsOfDay < 0 {
		day--
	}
	return day
}

// standingAt is a standing at a moment.
func standingAt(tier Tier, limit Limit, used int64, now time.Time) Standing {
	reset := time.Unix((dayOf(now)+1)*secondsOfDay, 0).UTC()
	left := (reset.Sub(now) + time.Second - 1).Truncate(time.Second)
	return Standing{Tier: tier, Limit: limit, Used: used, Reset: reset, Left: left}
}

// AdmitAccount counts the making of an account from an address against a limit
// of its own, as Admit does.
func (a *Access) AdmitAccount(address netip.Addr, limit Limit) (Ticket, error) {
	now := a.now()
	return a.admit(Anonymous, limit, now, a.networkBucket(register.SignUpSubject, Network(address), dayOf(now)))
}

// Refund takes an admitted request back that turned out not to count, such as
// one that failed by a fault of ours; it is written when Refund returns, so call
// it before the answer is sent where that can be. A second call does nothing.
func (t *Ticket) Refund() {
	if t.meter != nil {
		t.meter.refund(t.bucket)
		t.meter = nil
	}
}

// Standing looks how much of today's limit a caller has used, and counts nothing.
func (a *Access) Standing(ctx context.Context, c Caller) (Standing, error) {
	limit, now := a.limits.Of(c.Tier), a.now()
	if limit == Unlimited && c.Account == 0 {
		return standingAt(c.Tier, limit, 0, now), nil
	}
	used, err := a.meter.used(ctx, a.bucketOf(c, now))
	return standingAt(c.Tier, limit, used, now), err
}
