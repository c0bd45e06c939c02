package api

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"almanac/internal/access"
)

// admit lets a request in if the caller's limit is not used up. Most requests
// are counted at once. One that may turn out not to count, because the caller may
// have the answer already or its body may be unfit, is counted as soon as it is
// known to.
func (x *exchange) admit() error {
	if !x.counts {
		return nil
	}
	h := x.r.Header
	isConditional := x.route.method == "" && (h["If-None-Match"] != nil || h["If-Modified-Since"] != nil)
	if x.route.body == "" && !isConditional {
		return x.count()
	}
	standing, hasLeft, err := x.api.opts.Access.CanAdmit(x.r.Context(), x.caller)
	if err != nil || hasLeft {
		return err
	}
	x.ticket.Standing = standing
	return x.limitError()
}

// count counts the request, unless it is counted already or need not be.
func (x *exchange) count() error {
	if !x.counts || x.ticket.Admitted {
		return nil
	}
	var err error
	if x.ticket, err = x.api.opts.Access.Admit(x.caller); err != nil || x.ticket.Admitted {
		return err
	}
	return x.limitError()
}

// settle ends what admit began, when the status of the answer is known.
func (x *exchange) settle(status int) {
	switch {
	case !x.ticket.Admitted:
	case countable(status):
		x.setLimitHeaders(&x.ticket.Standing, x.api.policies[x.ticket.Tier])
	default:
		x.refund()
	}
}

// countable reports whether an answer with a status counts.
func countable(status int) bool {
	return status >= 200 && status < 300 || status == http.StatusBadRequest || status == http.StatusNotFound
}

// refund takes the request back, if it is counted.
func (x *exchange) refund() {
	if x.ticket.Admitted {
		x.ticket.Refund()
		x.ticket.Admitted, x.counts = false, false
	}
}

// limitError is the error for a caller whose limit is used up.
func (x *exchange) limitError() error {
	x.counts = false
	if x.caller.Account == 0 && x.route.wantsFollowed != nil && x.route.wantsFollowed(x) {
		return errFollowedNeedsKey // more requests would not help
	}
	return x.tooMany(&x.ticket.Standing, x.api.policies[x.ticket.Tier], x.usedUpMessage())
}

// tooMany is the error for any limit that is used up. It sets the headers that say so.
func (x *exchange) tooMany(s *access.Standing, policy *limitPolicy, message string) error {
	x.setLimitHeaders(s, policy)
	x.w.Header()["Retry-After"] = []string{strconv.FormatInt(int64(s.Left/time.Second), 10)}
	return &refusal{http.StatusTooManyRequests, message}
}

// limitPolicy is what the headers of all answers under a limit say.
type limitPolicy struct {
	name          string // in its quotes
	policy, limit []string
}

func newLimitPolicy(name string, limit access.Limit) *limitPolicy {
	return &limitPolicy{name: strconv.Quote(name), policy: []string{fmt.Sprintf("%q;q=%d;w=86400", name, limit)}, limit: []string{limit.String()}}
}

// setLimitHeaders says how much of a limit is left. Nobody but the caller may
// keep the answer. The names are written as the draft of the IETF writes them,
// for readers that look at capitals.
func (x *exchange) setLimitHeaders(s *access.Standing, policy *limitPolicy) {
	if s.Limit == access.Unlimited {
		return
	}
	remaining := strconv.FormatInt(s.Remaining(), 10)
	seconds := strconv.FormatInt(int64(s.Left/time.Second), 10)
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

// revalidate is the Cache-Control of answers that caches check each time: only
// the caller's own cache may keep what says something of the caller.
func (x *exchange) revalidate() []string {
	if x.caller.Account != 0 || x.counts && x.api.limits.Of(x.caller.Tier) != access.Unlimited {
		return privateNoCache
	}
	return noCache
}

// usedUpMessage tells a caller that the limit is used up, and what has a greater one.
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
