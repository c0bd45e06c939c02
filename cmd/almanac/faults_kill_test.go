package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/stattest"
)

// docs/api.md, Keys and limits: a successful request stays counted through restarts and
// crashes, and the limit is never exceeded. The server is killed under load at random
// moments and started again, and its counts are compared with the responses that its
// callers received. A count may include requests that were under way when the server
// was killed and, for limits of 1,000 and more, be one in a hundred too high, however
// often it was killed.
func TestKilledUnderLoad(t *testing.T) {
	t.Parallel()
	const killsOfOneDay = 8 // then new accounts, whose limits are not yet used up
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for kills := 0; kills < stattest.Rounds(t, killsOfOneDay, 200); kills += killsOfOneDay {
		withinOneDay(t, func() error { return killedDay(t, random, killsOfOneDay) })
	}
}

// killedDay creates a store, kills its server several times, then uses up all limits
// and checks the counts once more.
func killedDay(t *testing.T, random *rand.Rand, kills int) error {
	t.Helper()
	dir := t.TempDir()
	importOne(t, dir, manyRows(t, 40))
	subjects, limits := killedSubjects(t, dir, random)
	s := startProgram(t, dir, "--limits", limits)
	for _, who := range subjects {
		if who.limit >= 1000 { // the more is counted, the more is reserved in advance
			if err := sendTimes(who, s.url, int(who.limit/2)); err != nil {
				return err
			}
		}
	}
	for kill := 1; kill <= kills; kill++ {
		if err := killUnderLoad(s, subjects, 1+random.Int64N(400)); err != nil {
			return err
		}
		counts := used(t, dir) // while no server runs
		s = startProgram(t, dir, "--limits", limits)
		if err := compare(s, subjects, counts); err != nil {
			return fmt.Errorf("after kill %d: %w", kill, err)
		}
	}
	if err := useUp(s, subjects); err != nil {
		return err
	}
	if err := compare(s, subjects, used(t, dir)); err != nil {
		return fmt.Errorf("with all limits used up: %w", err)
	}
	s.stop(t)
	return nil
}

// subject is an account or an address whose requests are counted together. The
// tallies are what its callers saw.
type subject struct {
	account string // empty: anonymous
	limit   int64
	callers []*caller

	succeeded   atomic.Int64 // completely, with 200
	interrupted atomic.Int64 // under way when the server was killed
}

// killedSubjects returns an account whose limit is too low for reservations and one
// whose limit is not, both with two keys, and two addresses without a key. One caller
// of each already has the response, so its requests are not counted.
func killedSubjects(t *testing.T, dir string, random *rand.Rand) (list []*subject, limits string) {
	t.Helper()
	const anonymous, essential = 30, 250
	pro := []int64{1000, 2300}[random.IntN(2)]
	for tier, limit := range map[string]int64{"essential": essential, "pro": pro} {
		who := &subject{account: "The " + tier, limit: limit}
		for range 2 {
			key := makeKey(t, dir, who.account, tier).Key
			who.callers = append(who.callers, newCaller(t, key, "127.0.0.1"), newCaller(t, key, "127.0.0.1"))
		}
		list = append(list, who)
	}
	for _, from := range []string{"127.0.0.2", "127.0.0.3"} {
		list = append(list, &subject{limit: anonymous, callers: []*caller{newCaller(t, "", from), newCaller(t, "", from), newCaller(t, "", from)}})
	}
	for _, who := range list {
		who.callers[0].etag = "*"
	}
	return list, fmt.Sprintf("anonymous=%d,essential=%d,pro=%d", anonymous, essential, pro)
}

// killUnderLoad lets all callers send requests concurrently. After the given number
// of responses, the server is killed while other callers wait.
func killUnderLoad(s *served, subjects []*subject, responses int64) error {
	var had atomic.Int64
	return runConcurrently(subjects, func(who *subject, c *caller) error {
		for {
			status, err := who.send(c, s.url)
			if err != nil || status == 0 {
				return err
			}
			if had.Add(1) == responses {
				s.kill()
				return nil
			}
		}
	})
}

// useUp lets all callers send requests until each is refused.
func useUp(s *served, subjects []*subject) error {
	err := runConcurrently(subjects, func(who *subject, c *caller) error {
		for c.etag == "" {
			status, err := who.send(c, s.url)
			if err != nil || status == http.StatusTooManyRequests {
				return err
			}
			if status == 0 {
				return fmt.Errorf("a running server does not respond:\n%s", s.output.String())
			}
		}
		return nil
	})
	for _, who := range subjects {
		now, failed := who.callers[0].getLimits(s.url)
		if failed == nil && now.Used != who.limit {
			failed = fmt.Errorf("account %q is refused when %d of %d are used", who.account, now.Used, who.limit)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// runConcurrently runs work for all callers concurrently and waits for them.
func runConcurrently(subjects []*subject, work func(*subject, *caller) error) error {
	var group errgroup.Group
	for _, who := range subjects {
		for _, c := range who.callers {
			group.Go(func() error { return work(who, c) })
		}
	}
	return group.Wait()
}

// send sends one request and updates the tally. The status is 0 if there was no response.
func (who *subject) send(c *caller, url string) (status int, err error) {
	a, err := c.get(url + "/api/datasets/1/meta")
	if err != nil {
		who.interrupted.Add(1)
		return 0, nil
	}
	switch a.status {
	case http.StatusNotModified:
		return a.status, nil
	case http.StatusOK:
		who.succeeded.Add(1)
	case http.StatusTooManyRequests:
	default:
		return a.status, fmt.Errorf("a request under load: %s", a)
	}
	if got := a.header.Get("X-RateLimit-Limit"); got != strconv.FormatInt(who.limit, 10) {
		return a.status, fmt.Errorf("the limit is %d, but the headers are %s", who.limit, a)
	}
	return a.status, nil
}

// sendTimes sends requests one after another. All must succeed.
func sendTimes(who *subject, url string, times int) error {
	for range times {
		if status, err := who.send(who.callers[len(who.callers)-1], url); err != nil || status != http.StatusOK {
			return fmt.Errorf("a request without load: status %d: %w", status, err)
		}
	}
	return nil
}

// compare compares the counts of the server and of the command line with what the
// callers saw.
func compare(s *served, subjects []*subject, counts map[string]int64) error {
	var errs []error
	reported := map[string]int64{}
	for i, who := range subjects {
		now, err := who.callers[0].getLimits(s.url)
		if err != nil {
			return err
		}
		reported[who.account] += now.Used
		succeeded, most := who.succeeded.Load(), who.succeeded.Load()+who.interrupted.Load()
		if who.limit >= 1000 {
			most += most / 100 // whatever the number of crashes
		}
		fail := func(what string) {
			errs = append(errs, fmt.Errorf("subject %d (%q, limit %d, %s): %s: %d succeeded, %d interrupted, %d counted",
				i, who.account, who.limit, now.Tier, what, succeeded, who.interrupted.Load(), now.Used))
		}
		if succeeded > who.limit {
			fail("more requests were admitted than the limit allows")
		}
		if now.Used < succeeded {
			fail("an admitted request is not counted")
		}
		if now.Used > min(most, who.limit) {
			fail("more requests are counted than were sent")
		}
		if now.Limit != who.limit || now.Remaining != who.limit-now.Used {
			fail(fmt.Sprintf("/api/limits says limit %d, remaining %d", now.Limit, now.Remaining))
		}
	}
	for account, n := range reported {
		if counts[account] != n {
			errs = append(errs, fmt.Errorf("usage of account %q is %d, but /api/limits says %d", account, counts[account], n))
		}
	}
	return errors.Join(errs...)
}

// docs/api.md, Keys and limits: the limit is never exceeded, however many requests run
// concurrently and however many replicas serve. Two servers of one store receive a
// thousand concurrent requests; a hundred are allowed.
func TestServersShareTheLimits(t *testing.T) {
	t.Parallel()
	withinOneDay(t, func() error {
		dir := t.TempDir()
		importOne(t, dir, manyRows(t, 40))
		key := makeKey(t, dir, "newsroom", "essential")
		other := makeKey(t, dir, "newsroom", "essential")
		const limits = "anonymous=100,essential=100"
		servers := []*served{startProgram(t, dir, "--limits", limits), startProgram(t, dir, "--limits", limits)}
		for what, keys := range map[string][]string{"two keys of an account": {key.Key, other.Key}, "an address": {"", ""}} {
			admitted, err := rush(t, servers, keys, 1000)
			if err != nil {
				return err
			}
			if admitted != 100 {
				return fmt.Errorf("of 1000 requests of %s, %d were admitted, want 100", what, admitted)
			}
		}
		for _, s := range servers {
			now, err := newCaller(t, key.Key, "127.0.0.1").getLimits(s.url)
			if err != nil {
				return err
			}
			if now.Used != 100 || now.Remaining != 0 {
				return fmt.Errorf("after 100 of 100 requests, /api/limits says %+v", now)
			}
		}
		return nil
	})
}

// rush sends concurrent requests to each server with each key in turn, and returns how
// many were admitted. All others must be refused with 429.
func rush(t *testing.T, servers []*served, keys []string, requests int) (admitted int64, err error) {
	t.Helper()
	var passed atomic.Int64
	var group errgroup.Group
	start := make(chan struct{})
	var callers []*caller
	for _, key := range keys {
		callers = append(callers, newCaller(t, key, "127.0.0.1"))
	}
	for i := range requests {
		url := servers[i%len(servers)].url
		c := callers[i/len(servers)%len(callers)]
		group.Go(func() error {
			<-start
			a, err := c.get(url + "/api/datasets/1/meta")
			switch {
			case err != nil:
				return err
			case a.status == http.StatusOK:
				passed.Add(1)
			case a.status != http.StatusTooManyRequests:
				return fmt.Errorf("want 200 or 429, got %s", a)
			}
			return nil
		})
	}
	close(start)
	err = group.Wait()
	return passed.Load(), err
}

// docs/api.md, Keys and limits: every replica refuses a revoked key and accepts a new
// one. How soon is tested in internal/access.
func TestEveryServerRefusesARevokedKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	importOne(t, dir, manyRows(t, 40))
	const limits = "pro=unlimited"
	servers := []*served{startProgram(t, dir, "--limits", limits), startProgram(t, dir, "--limits", limits)}
	key := makeKey(t, dir, "newsroom", "pro")
	waitForStatus(t, servers, key.Key, http.StatusOK)
	must(t, "key", "revoke", "--data", dir, key.ID)
	waitForStatus(t, servers, key.Key, http.StatusUnauthorized)
}

// waitForStatus waits until each server responds with the status.
func waitForStatus(t *testing.T, servers []*served, key string, status int) {
	t.Helper()
	c := newCaller(t, key, "127.0.0.1")
	for _, s := range servers {
		stattest.Eventually(t, func() error {
			a, err := c.get(s.url + "/api/datasets/1/meta")
			if err == nil && a.status != status {
				err = fmt.Errorf("after a key was changed: got %s, want %d", a, status)
			}
			return err
		})
	}
}
