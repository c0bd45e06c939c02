package access_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/access"
	"almanac/internal/stattest/property"
)

// docs/api.md, Keys and limits: the limits of all tiers are configurable,
// with defaults; unlimited is a limit.
func TestParseLimits(t *testing.T) {
	const none = access.Unlimited
	for text, want := range map[string]access.Limits{
		"":                             {Anonymous: 3, Essential: 100, Pro: 5000},
		"  ":                           {Anonymous: 3, Essential: 100, Pro: 5000},
		"essential=10,pro=unlimited":   {Anonymous: 3, Essential: 10, Pro: none},
		"anonymous=0":                  {Anonymous: 0, Essential: 100, Pro: 5000},
		" pro = 7 , anonymous = 1":     {Anonymous: 1, Essential: 100, Pro: 7},
		"anonymous=unlimited":          {Anonymous: none, Essential: 100, Pro: 5000},
		"essential=2147483647,pro=007": {Anonymous: 3, Essential: 2147483647, Pro: 7},
	} {
		got := access.Limits{Anonymous: 9, Essential: 9, Pro: 9} // earlier limits do not stay
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestInvalidLimits(t *testing.T) {
	for text, message := range map[string]string{
		"anonymous":         `invalid limit "anonymous"; it must be tier=number`,
		"pro=1,":            `invalid limit ""; it must be tier=number`,
		"gold=3":            "the tiers are anonymous, essential and pro",
		"Pro=3":             `unknown or repeated tier "Pro"`,
		"pro=3,pro=4":       `unknown or repeated tier "pro"`,
		"pro=":              "a whole number of requests, or unlimited",
		"anonymous=-1":      "a whole number",
		"anonymous=+1":      "a whole number",
		"essential=1.5":     "a whole number",
		"essential=1e3":     "a whole number",
		"essential=many":    "a whole number",
		"pro=2147483648":    "a whole number", // larger than 31 bits
		"pro=Unlimited":     "or unlimited",
		"pro=unlimited=yes": "or unlimited",
	} {
		var got access.Limits
		err := got.UnmarshalText([]byte(text))
		if err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%q: %v; want an error that contains %q", text, err, message)
		}
	}
}

// Printed limits read back as the same limits, in any order.
func TestLimitsRoundTrip(t *testing.T) {
	limit := rapid.OneOf(rapid.Just(access.Unlimited), rapid.Map(rapid.Int64Range(0, 1<<31-1), func(n int64) access.Limit { return access.Limit(n) }))
	property.Check(t, func(t *rapid.T) {
		want := access.Limits{Anonymous: limit.Draw(t, "anonymous"), Essential: limit.Draw(t, "essential"), Pro: limit.Draw(t, "pro")}
		tiers := rapid.Permutation([]access.Tier{access.Anonymous, access.Essential, access.Pro}).Draw(t, "order")
		var parts []string
		for _, tier := range tiers {
			parts = append(parts, fmt.Sprintf("%s=%s", tier, want.Of(tier)))
		}
		var got access.Limits
		if err := got.UnmarshalText([]byte(strings.Join(parts, ","))); err != nil || got != want {
			t.Fatalf("%v: %+v, %v; want %+v", parts, got, err, want)
		}
	})
}

// No text gives a negative limit other than unlimited, and none panics.
func FuzzLimits(f *testing.F) {
	for _, seed := range []string{"", "anonymous=3", "essential=10,pro=unlimited", "pro=-1", "a=b,,=", "pro=99999999999999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got access.Limits
		if got.UnmarshalText([]byte(text)) != nil {
			return
		}
		for _, tier := range []access.Tier{access.Anonymous, access.Essential, access.Pro} {
			if l := got.Of(tier); l < 0 && l != access.Unlimited {
				t.Errorf("%q: the limit of %s is %d", text, tier, l)
			}
			if got.Of(tier) != access.DefaultLimits.Of(tier) && !strings.Contains(text, string(tier)) {
				t.Errorf("%q: %s is not named but has the limit %s", text, tier, got.Of(tier))
			}
		}
	})
}
