package access

import (
	"net/netip"
	"time"

	"almanac/internal/pace"
)

// sender is who sends requests: an account, or without one a network.
type sender struct {
	account int64
	network netip.Prefix
}

func newBursts(limits Limits) map[Tier]*pace.Paces[sender] {
	bursts := map[Tier]*pace.Paces[sender]{}
	for _, tier := range []Tier{Anonymous, Essential, Pro} {
		if limit := limits.Of(tier); limit > 0 {
			bursts[tier] = pace.New[sender](pace.Bound{Number: int(limit), Again: time.Minute})
		}
	}
	return bursts
}

// Burst counts a request of a caller against the limit a minute of the tier, in the memory of this process. If it is one too many, wait is
// how long it takes until the next is allowed.
func (a *Access) Burst(c Caller) (limit Limit, wait time.Duration) {
	paces := a.bursts[c.Tier]
	if paces == nil {
		return Unlimited, 0
	}
	return a.burstLimits.Of(c.Tier), paces.Take(sender{c.Account, c.network}, a.now())
}
