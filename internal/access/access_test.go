package access_test

import (
	"context"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/access"
	"almanac/internal/stattest/postgres"
)

// clock is a clock that a test moves.
type clock struct{ nanos atomic.Int64 }

func TestMain(m *testing.M) { os.Exit(postgres.Run(m)) }

func newClock(text string) *clock {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	c := &clock{}
	c.set(at)
	return c
}

func (c *clock) set(t time.Time)      { c.nanos.Store(t.UnixNano()) }
func (c *clock) Now() time.Time       { return time.Unix(0, c.nanos.Load()).UTC() }
func (c *clock) step(d time.Duration) { c.nanos.Add(int64(d)) }

var someLimits = access.Limits{Anonymous: 3, Essential: 100, Pro: 5000}

// noon is the default clock of tests. It stands still, so that no day ends while requests
// are counted.
func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// open opens the register of a folder until the test ends.
func open(t testing.TB, o access.Options) *access.Access {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	if o.Limits == (access.Limits{}) {
		o.Limits = someLimits
	}
	if o.Now == nil {
		o.Now = noon
	}
	o.DatabaseURL = postgres.At(t, o.Dir).URL
	a, err := access.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// caller returns the caller of a new key.
func caller(t testing.TB, a *access.Access, account string, tier access.Tier) access.Caller {
	t.Helper()
	key, err := a.CreateKey(context.Background(), access.KeyRequest{Account: account, Tier: tier})
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.Verify(key.Secret, netip.Addr{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// docs/api.md, Keys and limits: the limit is never exceeded, however many requests run at
// once; all keys of one account share its count.
func TestExactlyTheLimitIsAdmitted(t *testing.T) {
	a := open(t, access.Options{Limits: access.Limits{Anonymous: 100, Essential: 100, Pro: 2500}})
	anonymous := a.Anonymous(netip.MustParseAddr("192.0.2.1"))
	one, two := caller(t, a, "desk", access.Essential), caller(t, a, "desk", access.Essential)
	for _, c := range []struct {
		name     string
		callers  []access.Caller
		limit    int64
		requests int
	}{
		{"anonymous", []access.Caller{anonymous}, 100, 1000},
		{"two keys of one account", []access.Caller{one, two}, 100, 1000},
		{"with a reserve", []access.Caller{caller(t, a, "newsroom", access.Pro)}, 2500, 4000},
	} {
		t.Run(c.name, func(t *testing.T) {
			var admitted, denied atomic.Int64
			var group sync.WaitGroup
			for i := range c.requests {
				group.Go(func() {
					ticket, err := a.Admit(c.callers[i%len(c.callers)])
					switch {
					case err != nil:
						t.Error(err)
					case ticket.Admitted:
						admitted.Add(1)
					default:
						denied.Add(1)
					}
				})
			}
			group.Wait()
			if admitted.Load() != c.limit || denied.Load() != int64(c.requests)-c.limit {
				t.Errorf("%d of %[3]d requests were admitted and %[2]d refused, limit %[4]d", admitted.Load(), denied.Load(), c.requests, c.limit)
			}
		})
	}
}
