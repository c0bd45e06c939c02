package api

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/access"
)

// limitError returns the error for a caller whose limit is used up.
func (x *exchange) limitError() error {
	if x.caller.Organisation == 0 && x.route.wantsFollowed != nil && x.route.wantsFollowed(x) {
		return errFollowedNeedsKey // more requests would not help
	}
	return x.tooMany(&x.ticket.Standing, x.api.policies[x.ticket.Tier], x.usedUpMessage())
}

// tooMany returns the error for a limit that is used up, and sets its headers.
func (x *exchange) tooMany(s *access.Standing, policy *limitPolicy, message string) error {
	x.setLimitHeaders(s, policy)
	if t := x.api.tallies[s.Tier]; t != nil {
		t.refused.Add(1)
	}
	x.w.Header()["Retry-After"] = []string{secondsOf(s.Left)}
	return &refusal{http.StatusTooManyRequests, message}
}

// admitBurst refuses a caller who sends more requests a minute than the tier allows.
func (x *exchange) admitBurst() error {
	limit, wait := x.api.opts.Access.Burst(x.caller)
	if wait == 0 {
		return nil
	}
	if t := x.api.tallies[x.caller.Tier]; t != nil {
		t.refused.Add(1)
	}
	standing, _, err := x.api.opts.Access.CanAdmit(x.r.Context(), x.caller)
	if err != nil {
		return err
	}
	x.setLimitHeaders(&standing, x.api.policies[standing.Tier])
	h := x.w.Header()
	h["RateLimit-Policy"] = appendPolicy(h["RateLimit-Policy"], newLimitPolicy("burst", limit, minuteLong).policy[0])
	h["RateLimit"] = appendPolicy(h["RateLimit"], `"burst";r=0;t=`+secondsOf(wait))
	return x.slowDown(wait, fmt.Sprintf("too many requests at once: at most %d a minute", limit))
}

// appendPolicy returns the value of a header with the members before and one more.
func appendPolicy(before []string, member string) []string {
	return []string{strings.Join(append(slices.Clone(before), member), ", ")}
}

// limitPolicy has the header values of all responses under a limit.
type limitPolicy struct {
	name          string // quoted
	policy, limit []string
}

// Lengths of the time of a limit, in seconds.
const (
	dayLong    = 86400
	minuteLong = 60
)

func newLimitPolicy(name string, limit access.Limit, long int) *limitPolicy {
	return &limitPolicy{name: strconv.Quote(name), policy: []string{fmt.Sprintf("%q;q=%d;w=%d", name, limit, long)}, limit: []string{limit.String()}}
}

// secondsOf writes a time to wait, rounded up to seconds.
func secondsOf(d time.Duration) string {
	return strconv.FormatInt(int64(math.Ceil(d.Seconds())), 10)
}

// setLimitHeaders sets the headers that say how much of a limit is left. Shared caches
// must not store such a response. The names have the capitals of the IETF draft, for
// clients that compare case.
func (x *exchange) setLimitHeaders(s *access.Standing, policy *limitPolicy) {
	if s.Limit == access.Unlimited {
		return
	}
	remaining := strconv.FormatInt(s.Remaining(), 10)
	seconds := secondsOf(s.Left)
	h := x.w.Header()
	h["RateLimit-Policy"] = policy.policy
	h["RateLimit"] = []string{policy.name + ";r=" + remaining + ";t=" + seconds}
	h["X-RateLimit-Limit"] = policy.limit
	h["X-RateLimit-Remaining"] = []string{remaining}
	h["X-RateLimit-Reset"] = []string{strconv.FormatInt(s.Reset.Unix(), 10)}
	if h["Cache-Control"] == nil {
		h["Cache-Control"] = privateNoCache
	}
}

// revalidate returns the Cache-Control of responses that caches revalidate each time.
// Only the caller's own cache may store what reveals something about the caller.
func (x *exchange) revalidate() []string {
	if x.caller.Account != 0 || x.route.counted && x.api.limits.Of(x.caller.Tier) != access.Unlimited {
		return privateNoCache
	}
	return noCache
}

// usedUpMessage says that the limit is used up and which tiers have a higher one.
func (x *exchange) usedUpMessage() string {
	s, limits := &x.ticket.Standing, x.api.limits
	usedUp := func(tier string) string {
		return fmt.Sprintf("the daily limit of %s (%s) is used up; it resets at midnight UTC, %s", tier, describeLimit(s.Limit), s.Reset.UTC().Format(time.RFC3339))
	}
	proHasMore := limits.Pro == access.Unlimited || limits.Pro > s.Limit
	switch {
	case s.Tier == access.Pro:
		return usedUp("Pro accounts")
	case s.Tier == access.Essential && proHasMore:
		return usedUp("Essential accounts") + "; for more, upgrade to Pro, which has " + describeLimit(limits.Pro)
	case s.Tier == access.Essential:
		return usedUp("Essential accounts")
	case !proHasMore:
		return usedUp("anonymous callers") + "; for more, use the API key of an account"
	}
	free := "a free account (Essential)"
	if x.api.opts.FreeAccounts != 0 {
		free += ", created with POST /api/accounts,"
	}
	return usedUp("anonymous callers") + fmt.Sprintf("; for more, use the API key of an account: %s has %s, and an upgrade to Pro gives %s", free, describeLimit(limits.Essential), describeLimit(limits.Pro))
}

func describeLimit(l access.Limit) string {
	switch l {
	case access.Unlimited:
		return "no daily limit"
	case 1:
		return "1 request a day"
	}
	return l.String() + " requests a day"
}
