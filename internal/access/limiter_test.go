package access_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"almanac/internal/access"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/stattest/postgres"
	"almanac/internal/stattest/property"
)

// admit counts a request, which must not fail.
func admit(t testing.TB, a *access.Access, c access.Caller) access.Ticket {
	t.Helper()
	ticket, err := a.Admit(c)
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

// used returns the count of a caller in the register.
func used(t testing.TB, a *access.Access, c access.Caller) int64 {
	t.Helper()
	s, err := a.Standing(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return s.Used
}

// docs/api.md, Keys and limits: limits are per UTC day and reset at midnight; a
// clock that goes back finds the count of the old day.
func TestMidnight(t *testing.T) {
	now := newClock("2026-11-21T23:59:59.5Z")
	a := open(t, access.Options{Now: now.Now, Limits: access.Limits{Anonymous: 3, Essential: 2, Pro: 5000}})
	for _, c := range []struct {
		name   string
		caller access.Caller
		limit  int
	}{{"anonymous", a.Anonymous(netip.MustParseAddr("192.0.2.1")), 3}, {"essential", caller(t, a, "desk", access.Essential), 2}} {
		t.Run(c.name, func(t *testing.T) {
			now.set(time.Date(2026, 11, 21, 23, 59, 59, 5e8, time.UTC))
			midnight := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
			spend := func(day string, reset time.Time, left time.Duration) {
				t.Helper()
				for i := range c.limit + 1 {
					ticket := admit(t, a, c.caller)
					want := min(i+1, c.limit)
					if ticket.Admitted != (i < c.limit) || ticket.Used != int64(want) || ticket.Remaining() != int64(c.limit-want) || !ticket.Reset.Equal(reset) || ticket.Left != left {
						t.Errorf("%s, request %d: %+v", day, i+1, ticket)
					}
				}
			}
			spend("the day before", midnight, time.Second)
			now.step(500 * time.Millisecond)
			spend("at midnight", midnight.AddDate(0, 0, 1), 24*time.Hour)
			now.step(-time.Second)
			if ticket := admit(t, a, c.caller); ticket.Admitted || ticket.Used != int64(c.limit) || !ticket.Reset.Equal(midnight) {
				t.Errorf("after the clock went back to the day before: %+v", ticket)
			}
			now.step(time.Minute)
			if ticket := admit(t, a, c.caller); ticket.Admitted {
				t.Errorf("after the clock went forward again: %+v", ticket)
			}
		})
	}
}

// docs/api.md, Keys and limits: an anonymous caller is an IPv4 address or an IPv6 /64.
func TestAnonymousCallers(t *testing.T) {
	a := open(t, access.Options{Limits: access.Limits{Anonymous: 1, Essential: 1, Pro: 1}})
	for _, c := range []struct {
		address string
		first   bool // of its network
	}{
		{"192.0.2.1", true},
		{"192.0.2.1", false},
		{"::ffff:192.0.2.1", false},
		{"192.0.2.2", true},
		{"2001:db8:0:1::1", true},
		{"2001:db8:0:1:ffff:ffff:ffff:ffff", false},
		{"2001:db8:0:2::1", true},
	} {
		if ticket := admit(t, a, a.Anonymous(netip.MustParseAddr(c.address))); ticket.Admitted != c.first {
			t.Errorf("%s: admitted is %v", c.address, ticket.Admitted)
		}
	}
}

// docs/api.md, Keys and limits: a limit can be unlimited. Accounts are still counted,
// for the usage report; anonymous callers are not.
func TestUnlimited(t *testing.T) {
	a := open(t, access.Options{Limits: access.Limits{Anonymous: access.Unlimited, Essential: 10, Pro: access.Unlimited}})
	pro, anonymous := caller(t, a, "newsroom", access.Pro), a.Anonymous(netip.MustParseAddr("192.0.2.1"))
	for i := range 3000 {
		if ticket := admit(t, a, pro); !ticket.Admitted || ticket.Used != int64(i+1) {
			t.Fatalf("request %d: %+v", i+1, ticket)
		}
		if ticket := admit(t, a, anonymous); !ticket.Admitted || ticket.Used != 0 {
			t.Fatalf("anonymous request %d: %+v", i+1, ticket)
		}
	}
	if got := used(t, a, pro); got != 3000 {
		t.Errorf("%d requests of the account were counted", got)
	}
}

// docs/api.md, Keys and limits: counts survive a restart, and a regular stop gives back
// reservations.
func TestCountsSurviveRestart(t *testing.T) {
	dir := t.TempDir()
	limits := access.Limits{Anonymous: 3, Essential: 100, Pro: 5000}
	a := open(t, access.Options{Dir: dir, Limits: limits})
	key := newKey(t, a, "desk")
	if _, err := a.SetTier(context.Background(), "desk", access.Pro); err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, n := range []int64{1, 7, 400, 1000} {
		a := open(t, access.Options{Dir: dir, Limits: limits})
		c, err := a.Verify(key.Secret, netip.Addr{})
		if err != nil {
			t.Fatal(err)
		}
		for range n {
			admit(t, a, c)
		}
		total += n
		if got := used(t, a, c); got != total {
			t.Errorf("%d requests were counted, %d admitted", got, total)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	list, err := a.Usage(context.Background(), noon(), noon())
	if err != nil || len(list) != 1 || list[0].Requests != total || list[0].Account != "desk" {
		t.Errorf("usage is %+v, %v; %d requests were admitted", list, err, total)
	}
}

// After crashes, the count is at most a hundredth too high, and exact for limits below
// 1,000; no admitted request is lost. The crash is simulated by reading the database while
// the replicas hold their reservations.
func TestReservationBound(t *testing.T) {
	for _, c := range []struct {
		limit    access.Limit
		replicas int
	}{{999, 1}, {1000, 1}, {5000, 1}, {5000, 4}, {100000, 1}, {access.Unlimited, 3}} {
		t.Run(fmt.Sprint(c.limit, " on ", c.replicas), func(t *testing.T) {
			dir := t.TempDir()
			o := access.Options{Dir: dir, Limits: access.Limits{Anonymous: 3, Essential: 3, Pro: c.limit}}
			var replicas []*access.Access
			for range c.replicas {
				replicas = append(replicas, open(t, o))
			}
			desk := caller(t, replicas[0], "desk", access.Pro)
			after := open(t, access.Options{Dir: dir})
			most := int64(9000)
			if c.limit != access.Unlimited {
				most = min(most, int64(c.limit))
			}
			for n := int64(1); n <= most; n++ {
				if !admit(t, replicas[n/3%int64(c.replicas)], desk).Admitted {
					if c.replicas > 1 && n > most*99/100 {
						break // another replica reserved the last requests
					}
					t.Fatalf("request %d was refused", n)
				}
				if n%7 != 0 && n > 300 {
					continue
				}
				over := used(t, after, desk) - n
				if over < 0 || over > n/100 || !(c.limit == access.Unlimited || c.limit >= 1000) && over > 0 {
					t.Fatalf("after %d requests, a crash makes the count %d too high", n, over)
				}
			}
		})
	}
}

// CanAdmit does not count.
func TestCanAdmit(t *testing.T) {
	a := open(t, access.Options{Limits: access.Limits{Anonymous: 2, Essential: access.Unlimited, Pro: 1500}})
	for _, c := range []struct {
		caller access.Caller
		limit  int64
	}{{a.Anonymous(netip.MustParseAddr("192.0.2.1")), 2}, {caller(t, a, "newsroom", access.Pro), 1500}, {caller(t, a, "desk", access.Essential), 3000}} {
		for n := range c.limit {
			if _, left, err := a.CanAdmit(context.Background(), c.caller); err != nil || !left {
				t.Fatalf("%s: after %d of %d requests, nothing is left: %v", c.caller.Tier, n, c.limit, err)
			}
			admit(t, a, c.caller)
		}
		s, left, err := a.CanAdmit(context.Background(), c.caller)
		if unlimited := c.caller.Tier == access.Essential; err != nil || left != unlimited || !unlimited && s.Used != c.limit {
			t.Errorf("%s: after the last request: %+v, %v, %v", c.caller.Tier, s, left, err)
		}
	}
}

// docs/api.md, Keys and limits: the limit is never exceeded and can be used fully,
// with any number of replicas.
func TestReplicasShareTheLimit(t *testing.T) {
	for _, limit := range []access.Limit{100, 3000} {
		t.Run(limit.String(), func(t *testing.T) {
			dir := t.TempDir()
			limits := access.Limits{Anonymous: 3, Essential: 3, Pro: limit}
			replicas := []*access.Access{open(t, access.Options{Dir: dir, Limits: limits}), open(t, access.Options{Dir: dir, Limits: limits})}
			c := caller(t, replicas[0], "desk", access.Pro)
			var mu sync.Mutex
			admitted := 0
			var group sync.WaitGroup
			for i := range 2*int(limit) + 50 {
				group.Go(func() {
					ticket, err := replicas[i%2].Admit(c)
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						t.Error(err)
					}
					if ticket.Admitted {
						admitted++
					}
				})
			}
			group.Wait()
			if admitted != int(limit) {
				t.Errorf("%d requests were admitted", admitted)
			}
		})
	}
}

// breakCounting makes every count fail, as on a full disk, until mend is
// called.
func breakCounting(t testing.TB, dir string) (mend func()) {
	t.Helper()
	postgres.FilesOnly(t)
	db := postgres.Open(t, dir, "access")
	run := func(query string) {
		t.Helper()
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	run("PRAGMA busy_timeout = 10000")
	run("CREATE TRIGGER full_i BEFORE INSERT ON usage BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
	run("CREATE TRIGGER full_u BEFORE UPDATE ON usage BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
	return func() {
		run("DROP TRIGGER full_i")
		run("DROP TRIGGER full_u")
	}
}

// While counting fails, requests are refused as unavailable and refunds are kept; after
// that, the count is correct.
func TestCountingFails(t *testing.T) {
	dir := t.TempDir()
	a := open(t, access.Options{Dir: dir})
	c := caller(t, a, "desk", access.Essential)
	first, second := admit(t, a, c), admit(t, a, c)
	mend := breakCounting(t, dir)
	for range 3 {
		if ticket, err := a.Admit(c); stat.KindOf(err) != stat.Unavailable || ticket.Admitted {
			t.Fatalf("counting should fail: %+v, %v", ticket, err)
		}
	}
	if err := a.Ready(); stat.KindOf(err) != stat.Unavailable {
		t.Errorf("Ready returns %v while counting fails", err)
	}
	first.Refund()
	first.Refund() // a second call does nothing
	if got := used(t, a, c); got != 1 {
		t.Errorf("%d requests are counted while a refund waits", got)
	}
	mend()
	stattest.Eventually(t, a.Ready) // without a request
	if ticket := admit(t, a, c); ticket.Used != 2 {
		t.Errorf("the count is then %d", ticket.Used)
	}
	second.Refund()
	if got := used(t, a, c); got != 1 {
		t.Errorf("%d requests are counted in the end", got)
	}
}

// While another program locks the register, requests cannot be counted, also at the start
// of a day, when there is more to write. Afterwards, counting works again.
func TestLockedRegister(t *testing.T) {
	dir := t.TempDir()
	now := newClock("2026-11-21T12:00:00Z")
	a := open(t, access.Options{Dir: dir, Now: now.Now})
	c := caller(t, a, "desk", access.Essential)
	admit(t, a, c)
	admit(t, a, a.Anonymous(netip.MustParseAddr("192.0.2.1")))
	db := postgres.Open(t, dir, "access")
	db.SetMaxOpenConns(1)
	begin := "BEGIN IMMEDIATE"
	if postgres.At(t, dir).IsServer() {
		begin = "BEGIN; LOCK TABLE usage, key IN EXCLUSIVE MODE"
	}
	if _, err := db.Exec(begin); err != nil {
		t.Fatal(err)
	}
	now.step(3 * 24 * time.Hour)
	if _, err := a.Admit(c); stat.KindOf(err) != stat.Unavailable {
		t.Errorf("a request: %v", err)
	}
	if got := used(t, a, c); got != 0 {
		t.Errorf("the count is %d", got)
	}
	_, err := a.CreateKey(context.Background(), access.KeyRequest{Account: "desk"})
	wantKind(t, "a key", err, stat.Unavailable, "cannot be changed at the moment")
	if _, err := db.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	if ticket := admit(t, a, c); ticket.Used != 1 {
		t.Errorf("the count is then %d", ticket.Used)
	}
}

// A reservation is accounted for once, also if the limit changes.
func TestReservationAndTierChange(t *testing.T) {
	dir := t.TempDir()
	a := open(t, access.Options{Dir: dir, Limits: access.Limits{Anonymous: 3, Essential: 900, Pro: 100000}})
	pro := caller(t, a, "desk", access.Pro)
	for range 2000 {
		admit(t, a, pro)
	}
	essential := pro
	essential.Tier = access.Essential
	db := postgres.Open(t, dir, "access")
	var first, last int64
	for _, into := range []*int64{&first, &last, &last, &last} {
		if admit(t, a, essential).Admitted {
			t.Fatal("request 2001 was admitted under a limit of 900")
		}
		if err := db.QueryRow("SELECT spare FROM usage WHERE subject LIKE 'account:%'").Scan(into); err != nil {
			t.Fatal(err)
		}
	}
	if over := used(t, open(t, access.Options{Dir: dir}), pro) - 2000; last != first || first != over {
		t.Errorf("the database has %d, then %d requests in reserve, want %d", first, last, over)
	}
}

// In any order of requests, refunds, replicas, days and limits, the count is the number of
// requests admitted and not refunded, and a request is admitted if and only if the count is
// below the limit.
func TestLimiterModel(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		dir := t.TempDir()
		now := newClock("2026-11-21T12:00:00Z")
		limit := rapid.SampledFrom([]access.Limit{0, 1, 40, 1000}).Draw(r, "limit")
		o := access.Options{Dir: dir, Now: now.Now, Limits: access.Limits{Anonymous: limit, Essential: limit, Pro: limit + 1}}
		replicas := []*access.Access{open(t, o), open(t, o)}
		defer replicas[1].Close()
		defer replicas[0].Close()
		callers := []access.Caller{caller(t, replicas[0], "desk", access.Essential), replicas[0].Anonymous(netip.MustParseAddr("192.0.2.1"))}
		counted := map[string]int64{}
		type open struct {
			ticket access.Ticket
			bucket string
		}
		var tickets []open
		bucket := func(who int) string { return fmt.Sprint(who, " ", now.Now().Format(time.DateOnly)) }
		for range rapid.IntRange(1, 30).Draw(r, "steps") {
			who, at := rapid.IntRange(0, 1).Draw(r, "who"), rapid.IntRange(0, 1).Draw(r, "replica")
			switch rapid.SampledFrom([]string{"ask", "ask", "many", "refund", "day", "look"}).Draw(r, "do") {
			case "ask", "many":
				for range rapid.SampledFrom([]int{1, 1, 20, 250}).Draw(r, "times") {
					ticket := admit(t, replicas[at], callers[who])
					below := counted[bucket(who)] < int64(limit)
					// Near a large limit, the other replica may have reserved the last requests.
					if ticket.Admitted && !below || below && !ticket.Admitted && limit < 1000 {
						r.Fatalf("%s: counted %d of %d, admitted: %v", bucket(who), counted[bucket(who)], limit, ticket.Admitted)
					}
					if ticket.Admitted {
						counted[bucket(who)]++
						tickets = append(tickets, open{ticket, bucket(who)})
					}
				}
			case "refund":
				if len(tickets) > 0 {
					i := rapid.IntRange(0, len(tickets)-1).Draw(r, "which")
					tickets[i].ticket.Refund()
					counted[tickets[i].bucket]--
					tickets = append(tickets[:i], tickets[i+1:]...)
				}
			case "day":
				now.set(time.Date(2026, 11, rapid.IntRange(20, 22).Draw(r, "day of November"), 12, 0, 0, 0, time.UTC))
			case "look":
				got := used(t, replicas[at], callers[who])
				if over := got - counted[bucket(who)]; over < 0 || over > 0 && limit < 1000 || over > counted[bucket(who)]/100 {
					r.Fatalf("%s: %d are counted, should be %d", bucket(who), got, counted[bucket(who)])
				}
			}
		}
		if err := replicas[1].Close(); err != nil {
			t.Fatal(err)
		}
		for who := range callers {
			if got := used(t, replicas[0], callers[who]); got != counted[bucket(who)] {
				r.Fatalf("%s: in the end %d are counted, should be %d", bucket(who), got, counted[bucket(who)])
			}
		}
	})
}

// With concurrent requests and refunds, the count never exceeds the limit, and in the end
// the rest of the limit can be used.
func TestConcurrentRefunds(t *testing.T) {
	for _, limit := range []access.Limit{50, 2000} {
		a := open(t, access.Options{Limits: access.Limits{Anonymous: limit, Essential: limit, Pro: limit}})
		c := caller(t, a, "desk", access.Pro)
		var mu sync.Mutex
		kept := int64(0)
		var group sync.WaitGroup
		for i := range stattest.Rounds(t, 64, 512) {
			group.Go(func() {
				random := rand.New(rand.NewPCG(uint64(i), 1))
				for range 100 {
					ticket, err := a.Admit(c)
					if err != nil {
						t.Error(err)
					}
					if !ticket.Admitted {
						continue
					}
					if random.IntN(2) == 0 {
						ticket.Refund()
						continue
					}
					mu.Lock()
					kept++
					mu.Unlock()
				}
			})
		}
		group.Wait()
		for admit(t, a, c).Admitted {
			kept++
		}
		if kept != int64(limit) {
			t.Errorf("limit %d: %d requests were admitted and not refunded", limit, kept)
		}
	}
}

// The digests of anonymous callers are deleted when they are no longer needed. Their sum
// and the counts of accounts stay.
func TestAnonymousCallersAreForgotten(t *testing.T) {
	dir := t.TempDir()
	now := newClock("2026-11-21T12:00:00Z")
	a := open(t, access.Options{Dir: dir, Now: now.Now})
	desk := caller(t, a, "desk", access.Essential)
	for i := range 5 {
		admit(t, a, desk)
		admit(t, a, a.Anonymous(netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})))
	}
	from := now.Now()
	want, err := a.Usage(context.Background(), from, from)
	if err != nil || len(want) != 2 || want[0].Requests != 5 || want[1].Requests != 5 || want[1].Tier != access.Anonymous {
		t.Fatalf("usage of the day: %+v, %v", want, err)
	}
	now.step(3 * 24 * time.Hour)
	db := postgres.Open(t, dir, "access")
	stattest.Eventually(t, func() error {
		var left int
		err := db.QueryRow("SELECT count(*) FROM usage WHERE subject LIKE 'anonymous:%'").Scan(&left)
		if err == nil && left > 0 {
			err = fmt.Errorf("%d digests remain", left)
		}
		return err
	})
	got, err := a.Usage(context.Background(), from, from)
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("afterwards: %+v, %v", got, err)
	}
}
