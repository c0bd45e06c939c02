package access

import (
	"fmt"
	"strconv"
	"strings"

	"almanac/internal/access/register"
)

// Tier is a class of callers with the same daily limit.
type Tier = register.Tier

// The tiers.
const (
	Anonymous Tier = "anonymous" // without a key
	Essential Tier = "essential" // with the key of a free account
	Pro       Tier = "pro"
)

// Limit is a number of requests per UTC day, or [Unlimited].
type Limit int64

// Unlimited is the limit of callers without a limit.
const Unlimited Limit = -1

func (l Limit) String() string {
	if l == Unlimited {
		return "unlimited"
	}
	return strconv.FormatInt(int64(l), 10)
}

// Limits are the limits of the tiers.
type Limits struct{ Anonymous, Essential, Pro Limit }

// DefaultLimits are the limits of docs/api.md, Keys and limits.
var DefaultLimits = Limits{Anonymous: 3, Essential: 100, Pro: 5000}

// Of returns the limit of a tier.
func (l Limits) Of(t Tier) Limit {
	switch t {
	case Essential:
		return l.Essential
	case Pro:
		return l.Pro
	}
	return l.Anonymous
}

// UnmarshalText reads limits such as "anonymous=3,pro=unlimited". Tiers that are not
// named have the default limits.
func (l *Limits) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLimits(string(text), DefaultLimits)
	return err
}

// ParseLimits reads limits such as "anonymous=3,pro=unlimited". Tiers that are not named have the usual
// limits, also after an error.
func ParseLimits(text string, usual Limits) (Limits, error) {
	l := usual
	tiers := map[string]*Limit{string(Anonymous): &l.Anonymous, string(Essential): &l.Essential, string(Pro): &l.Pro}
	if strings.TrimSpace(text) == "" {
		return l, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, number, ok := strings.Cut(part, "=")
		name, number = strings.TrimSpace(name), strings.TrimSpace(number)
		if !ok {
			return usual, fmt.Errorf("invalid limit %q; it must be tier=number, as in anonymous=3,essential=100,pro=unlimited", part)
		}
		tier, known := tiers[name]
		if !known {
			return usual, fmt.Errorf("unknown or repeated tier %q; the tiers are anonymous, essential and pro", name)
		}
		delete(tiers, name)
		if number == Unlimited.String() {
			*tier = Unlimited
			continue
		}
		n, err := strconv.ParseUint(number, 10, 31) // digits alone: no sign
		if err != nil {
			return usual, fmt.Errorf("invalid limit %s=%q; it must be a whole number of requests, or unlimited", name, number)
		}
		*tier = Limit(n)
	}
	return l, nil
}
