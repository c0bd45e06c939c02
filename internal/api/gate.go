package api

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"almanac/internal/access"
)

// The gate stands between a place and its routes: it says who the caller is,
// counts the request against the caller's limit, and, when the status of the
// answer is known, lets the count be or takes it back. What can be wrong is
// answered in this order: 403, 401, 404 where there is nothing, 405, 429. OPTIONS
// passes without.

// guard is what a route wants of its callers. The zero guard is the strictest
// that lets anonymous callers in.
type guard uint8

const (
	counted  guard = iota // a key that is given is right, and the caller's limit is not used up
	keyed                 // the same, and a key is given
	checked               // a key that is given is right; nothing is counted
	inviting              // the same, for anonymous callers too where they may ask for nothing else
	open                  // no key is looked at
)

// counts reports whether requests are counted.
func (g guard) counts() bool { return g == counted || g == keyed }

// What the gate says to those whom it does not let in.
var (
	errKey              = &refusal{http.StatusUnauthorized, "the API key is not valid; right is one valid key, in the header X-API-Key or as Authorization: Bearer, and not in both"}
	errNeedsKey         = &refusal{http.StatusUnauthorized, "this needs an API key, in the header X-API-Key or as Authorization: Bearer"}
	errNobody           = &refusal{http.StatusUnauthorized, "this service answers callers with an API key only; it goes into the header X-API-Key, or Authorization: Bearer"}
	errFollowedNeedsKey = &refusal{http.StatusUnauthorized, "followed=true needs the key of an organisation, in the header X-API-Key or as Authorization: Bearer; without one leave the parameter out"}
	errPlainKey         = &refusal{http.StatusForbidden, "the API key came over plain HTTP, where others can read it, and was not looked at; use https, and have the key replaced"}
	errPlainAccount     = &refusal{http.StatusForbidden, "a key would go to you over plain HTTP, where others can read it; use https"}
)

// identify finds out who asks.
func (x *exchange) identify(g guard) error {
	if g == open {
		return nil
	}
	key, given := keyOf(x.r.Header)
	if x.api.public && (given || g == inviting) && !x.encrypted() {
		if given {
			return errPlainKey
		}
		return errPlainAccount
	}
	switch {
	case given:
		var err error
		if x.caller, err = x.api.access.Verify(key); errors.Is(err, access.ErrKey) {
			return errKey
		}
		return err
	case g == keyed:
		return errNeedsKey
	case g != inviting && x.api.limits.Anonymous == 0:
		return errNobody
	}
	x.caller = x.api.access.Anonymous(x.address())
	return nil
}

// keyOf returns the key that a request carries, if it carries one. What cannot
// be a key, such as two of them, is returned as the empty key, which is nobody's:
// so it takes as long to refuse as any other.
func keyOf(h http.Header) (key string, given bool) {
	keys, lines := h["X-Api-Key"], h["Authorization"]
	if len(keys) == 1 {
		key = keys[0]
	}
	given = len(keys) > 0
	for _, line := range lines {
		token, ok := bearerToken(line)
		if !ok {
			continue
		}
		if given || len(lines) > 1 {
			return "", true
		}
		key, given = token, true
	}
	return key, given
}

// bearerToken reads a line of Authorization. ok is false for one of another
// scheme. A line that is empty, or a key without a scheme, is a malformed key.
func bearerToken(line string) (token string, ok bool) {
	scheme, token := line, ""
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		scheme, token = line[:i], strings.TrimLeft(line[i:], " \t")
	}
	switch {
	case strings.EqualFold(scheme, "Bearer"):
		return token, true
	case scheme == "" || strings.HasPrefix(scheme, access.KeyPrefix):
		return "", true
	}
	return "", false
}

// peer is the address at the other end of the connection.
func (x *exchange) peer() netip.Addr {
	peer, _ := netip.ParseAddrPort(x.r.RemoteAddr) // no address if it is none, as of a socket in the file system
	return peer.Addr()
}

// address is the address of the client.
func (x *exchange) address() netip.Addr {
	return x.api.proxies.Client(x.peer(), x.r.Header[x.api.addressHeader])
}

// encrypted reports whether nobody on the way could read the request: as the
// trusted proxy next to us says, else as the connection is.
func (x *exchange) encrypted() bool {
	lines := x.r.Header["X-Forwarded-Proto"]
	if len(lines) == 0 || !x.api.proxies.Trusts(x.peer()) {
		return x.r.TLS != nil
	}
	// A chain of proxies names each hop: one that was not https is enough to refuse.
	for _, line := range lines {
		for hop := range strings.SplitSeq(line, ",") {
			if !strings.EqualFold(strings.TrimSpace(hop), "https") {
				return false
			}
		}
	}
	return true
}

// admit lets a request in if the caller's limit is not used up. It is counted at
// once, but for one that may turn out not to count, because the caller may have
// the answer already or its body may be unfit: that one is counted as soon as
// it is known to.
func (x *exchange) admit(rt *route) error {
	x.admitting = rt
	h := x.r.Header
	conditional := rt.method == "" && (h["If-None-Match"] != nil || h["If-Modified-Since"] != nil)
	if rt.body == "" && !conditional {
		return x.count()
	}
	s, left, err := x.api.access.Leaves(x.r.Context(), x.caller)
	if err != nil || left {
		return err
	}
	x.ticket.Standing = s
	return x.refuse()
}

// count counts the request, unless it is counted already or need not be.
func (x *exchange) count() error {
	if x.admitting == nil || x.ticket.Admitted {
		return nil
	}
	var err error
	if x.ticket, err = x.api.access.Admit(x.caller); err != nil || x.ticket.Admitted {
		return err
	}
	return x.refuse()
}

// refuse is the error for a caller whose limit is used up.
func (x *exchange) refuse() error {
	follows := x.admitting.follows
	x.admitting = nil
	if x.caller.Account == 0 && follows != nil && follows(x) {
		return errFollowedNeedsKey // more requests would not help
	}
	return x.tooMany(&x.ticket.Standing, x.api.allowanceOf(x.ticket.Tier), x.usedUp())
}

// tooMany is the error for what is used up, with the headers that say so.
func (x *exchange) tooMany(s *access.Standing, fixed *allowance, message string) error {
	x.setLimitHeaders(s, fixed)
	x.w.Header()["Retry-After"] = []string{strconv.FormatInt(int64(s.Left/time.Second), 10)}
	return &refusal{http.StatusTooManyRequests, message}
}

// settle ends what admit began, when the status of the answer is known.
func (x *exchange) settle(status int) {
	switch {
	case !x.ticket.Admitted:
	case countable(status):
		x.setLimitHeaders(&x.ticket.Standing, x.api.allowanceOf(x.ticket.Tier))
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
		x.ticket.Admitted = false
		x.admitting = nil
	}
}

// setLimitHeaders says how much of the caller's limit is left. Nobody else may
// keep the answer.
func (x *exchange) setLimitHeaders(s *access.Standing, fixed *allowance) {
	if s.Limit == access.Unlimited {
		return
	}
	// The three values that change are parts of one text, and remaining is a
	// part of RateLimit.
	var room [64]byte
	text := append(append(room[:0], fixed.name...), ";r="...)
	number := len(text)
	text = strconv.AppendInt(text, s.Remaining(), 10)
	numberEnd := len(text)
	text = strconv.AppendInt(append(text, ";t="...), int64(s.Left/time.Second), 10)
	reset := len(text)
	all := string(strconv.AppendInt(text, s.Reset.Unix(), 10))
	x.left = [3]string{all[:reset], all[number:numberEnd], all[reset:]}
	h := x.w.Header()
	// Written as the draft does, for readers that look at capitals.
	h["RateLimit-Policy"] = fixed.policy
	h["RateLimit"] = x.left[0:1:1]
	h["X-RateLimit-Limit"] = fixed.limit
	h["X-RateLimit-Remaining"] = x.left[1:2:2]
	h["X-RateLimit-Reset"] = x.left[2:3:3]
	if h["Cache-Control"] == nil {
		h["Cache-Control"] = privateNoCache
	}
}

// revalidate is the Cache-Control of answers that caches ask again for each
// time: only the caller's own may keep what says something of the caller.
func (x *exchange) revalidate() []string {
	if x.caller.Account != 0 || x.admitting != nil && x.api.limits.Of(x.caller.Tier) != access.Unlimited {
		return privateNoCache
	}
	return noCache
}

// allowance is what the headers of all answers under a limit say.
type allowance struct {
	name          string // of the policy, in its quotes
	policy, limit []string
}

func newAllowance(name string, limit access.Limit) allowance {
	return allowance{name: name, policy: []string{fmt.Sprintf("%s;q=%d;w=86400", name, limit)}, limit: []string{limit.String()}}
}

// allowances are those of the tiers, and that of making accounts.
type allowances struct{ anonymous, essential, pro, accounts allowance }

func newAllowances(l access.Limits, accounts access.Limit) allowances {
	return allowances{
		anonymous: newAllowance(`"daily"`, l.Anonymous), essential: newAllowance(`"daily"`, l.Essential), pro: newAllowance(`"daily"`, l.Pro),
		accounts: newAllowance(`"accounts"`, accounts),
	}
}

func (a *API) allowanceOf(t access.Tier) *allowance {
	switch t {
	case access.Essential:
		return &a.allowances.essential
	case access.Pro:
		return &a.allowances.pro
	}
	return &a.allowances.anonymous
}

// usedUp tells a caller that the limit is used up, and what has a greater one.
func (x *exchange) usedUp() string {
	s := &x.ticket.Standing
	limits, reset := x.api.limits, s.Reset.UTC().Format(time.RFC3339)
	said := func(tier string) string {
		return fmt.Sprintf("the daily limit of %s, %s, is used up; it resets at midnight UTC, %s", tier, requests(s.Limit), reset)
	}
	more := limits.Pro == access.Unlimited || limits.Pro > s.Limit
	switch {
	case s.Tier == access.Pro:
		return said("Pro accounts")
	case s.Tier == access.Essential && more:
		return said("Essential accounts") + "; for more, upgrade to Pro: it has " + requests(limits.Pro)
	case s.Tier == access.Essential:
		return said("Essential accounts")
	case !more:
		return said("anonymous callers") + "; for more, use the API key of an account"
	}
	free := "a free account (Essential)"
	if x.api.freeAccounts != 0 {
		free += ", which POST /api/accounts makes,"
	}
	return said("anonymous callers") + fmt.Sprintf("; for more, use the API key of an account: %s has %s, and upgrading to Pro gives %s", free, requests(limits.Essential), requests(limits.Pro))
}

// requests writes a limit for people.
func requests(l access.Limit) string {
	switch l {
	case access.Unlimited:
		return "no daily limit"
	case 1:
		return "1 request a day"
	}
	return l.String() + " requests a day"
}
