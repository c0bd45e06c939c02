package main

import (
	"flag"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/access"
)

// The connections of many clients at once, and how many times as many requests
// they send in a round as the cases do, so that a round takes long enough.
const (
	manyConnections = 256
	longerRound     = 3
)

// measureMeter measures the cost of keys and of counting requests. The main store
// gets an account database for it, which is removed afterwards.
func (h *harness) measureMeter() string {
	s := h.mainStore()
	keyed, callers, checks := newTable("case", "queries", "ratio"), newTable("callers"), newTable("key")
	forgetCallers := func() {
		for _, name := range must(filepath.Glob(filepath.Join(s.dir, "access.*"))) {
			check(os.Remove(name))
		}
	}
	defer forgetCallers()
	h.keyedReads(s, keyed, callers)
	forgetCallers()
	h.newCallerReads(s, callers)
	forgetCallers()
	h.keyChecks(s.dir, checks)
	return fmt.Sprintf("The same server serves the same requests in turn without a key, when anonymous callers have no limit and nothing is counted, and with the key of an account whose requests are counted. "+
		"Ratio: CPU time without a key ÷ with one.\n\n%s\nMetadata from %d connections at once; the load generator runs on the same cores. Each request is counted on the disk before it is served. "+
		"In the last line each request has another caller, so each needs its own row and none can be counted in advance.\n\n%s\n"+
		"The check of a key alone (`access.Verify`), and the time until the client has read the 401, over one connection, for all kinds in turn. "+
		"A key of 10 KB takes longer to send; the times of the others should not differ.\n\n%s", keyed, manyConnections, callers, checks)
}

// keyedReads measures the cases (a), (b) and (c) in turn with a key and without
// one, when nothing is counted; and then both over many connections.
func (h *harness) keyedReads(s *mainStore, keyed, callers *table) {
	key := h.createKey(s.dir)
	withKey := func(w workload) workload {
		w.list = slices.Clone(w.list)
		for i := range w.list {
			w.list[i].Lines = keyHeader + key.Key + "\r\n"
		}
		return w
	}
	h.withServer(s.dir, func(p *process) {
		cases := h.smallCases(s, rand.New(rand.NewPCG(seed, 1)))
		for _, w := range cases {
			w.name, w.goal = w.name+", with a key", 0.8
			h.capture(p, w)
			h.compare(keyed, w.on(p, "without: "), withKey(w.on(p, "with: ")))
		}
		without := cases[len(cases)-1].on(p, "")
		without.name, without.connections, without.requests = "without a key, nothing counted", manyConnections, longerRound*h.requests
		with := withKey(without)
		with.name = "one key, limit of a billion"
		h.alternate(callers, without, with)
		callers.add(with.name, "requests/s").atLeast = 20_000
	}, "--limits", "anonymous=unlimited,pro=1000000000")
}

// newCallerReads measures the worst case of counting: each request is the first of
// its caller, so it adds a row to the database.
func (h *harness) newCallerReads(s *mainStore, callers *table) {
	h.withServer(s.dir, func(p *process) {
		// One caller cannot capture many responses with a limit of a hundred.
		w := h.workload("a new caller with each request, limit of 100", 0, s.everyDataset("/api/datasets/%d/meta")[:min(50, len(s.small))]...)
		h.capture(p, w)
		w.connections, w.requests, w.newAddresses = manyConnections, longerRound*h.requests, true
		h.alternate(callers, w.on(p, ""))
	}, "--limits", "anonymous=100", "--trusted-proxies", "127.0.0.1/32")
}

// key is a line of `almanac key create --json` with the kind of the key.
type key struct{ Key, ID, kind string }

const (
	keyHeader = "X-API-Key: " // begins the line of a request that has the key
	doubled   = "doubled"     // the kind in two lines
)

// createKey creates a key of a pro account.
func (h *harness) createKey(dir string) (k key) {
	h.command(&k, h.binary, "key", "create", "--data", dir, "--account", "bench", "--tier", "pro", "--json")
	return k
}

// createKeys creates keys of all kinds; only the first is valid.
func (h *harness) createKeys(dir string) []key {
	valid, revoked, expired := h.createKey(dir), h.createKey(dir), h.createKey(dir)
	h.command(nil, h.binary, "key", "revoke", "--data", dir, "--json", revoked.ID)
	h.command(nil, h.binary, "key", "rotate", "--data", dir, "--overlap", "0", "--json", expired.ID)
	other := "0"
	if strings.HasSuffix(valid.Key, other) {
		other = "1"
	}
	const secret = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
	return []key{
		{kind: "valid", Key: valid.Key},
		{kind: "empty"},
		{kind: "10 KB long", Key: strings.Repeat(valid.Key, 10<<10/len(valid.Key))},
		{kind: "wrong checksum", Key: valid.Key[:len(valid.Key)-1] + other},
		{kind: "unknown id", Key: forgeKey("Aa0Bb1Cc", secret)},
		{kind: "right id, wrong secret", Key: forgeKey(valid.ID, secret)},
		{kind: "revoked", Key: revoked.Key},
		{kind: "expired", Key: expired.Key},
		{kind: doubled, Key: valid.Key + "\r\n" + keyHeader + valid.Key},
	}
}

// forgeKey makes a key with the right checksum.
func forgeKey(id, secret string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	key := access.KeyPrefix + id + secret
	sum := crc32.ChecksumIEEE([]byte(key))
	var text [6]byte
	for i := range text {
		text[len(text)-1-i] = digits[sum%62]
		sum /= 62
	}
	return key + string(text[:])
}

// keyChecks measures how long the check of a key takes: in memory, and from outside
// as a caller who guesses keys could measure it.
func (h *harness) keyChecks(dir string, t *table) {
	fmt.Fprintln(h.log, "checks of keys")
	keys := h.createKeys(dir)
	register := must(access.Open(h.ctx, access.Options{Dir: dir, Limits: access.DefaultLimits}))
	defer register.Close()
	if testing.Init(); h.quick {
		check(flag.Set("test.benchtime", "10ms"))
	}
	for i, k := range keys {
		if k.kind == doubled {
			continue // it is refused before its check
		}
		r := testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				if _, err := register.Verify(k.Key); (err == nil) != (i == 0) {
					b.FailNow()
				}
			}
		})
		if r.N == 0 {
			check(fmt.Errorf("the check of the %s key gave a wrong result", k.kind))
		}
		t.add(k.kind, "ns", float64(r.NsPerOp())).atMost = 5000
		t.add(k.kind, "allocations", float64(r.AllocsPerOp()))
	}
	h.withServer(dir, func(p *process) { h.refusals(p, keys[1:], t) })
}

// refusals sends requests with each invalid key in turn, over one connection, in
// a random order each time.
func (h *harness) refusals(p *process, keys []key, t *table) {
	c := dial(h.ctx, p)
	defer c.Close()
	random := rand.New(rand.NewPCG(seed, 4))
	times := make([][]float64, len(keys))
	turns := h.requests / 10
	for turn := range turns + turns/10 {
		for _, i := range random.Perm(len(keys)) {
			c.exchange(&exchange{URI: "/api/limits", Lines: keyHeader + keys[i].Key + "\r\n"}, "", http.StatusUnauthorized, false)
			if turn >= turns/10 { // earlier turns warm up
				times[i] = append(times[i], milliseconds(c.whole)*1e3)
			}
		}
	}
	for i, k := range keys {
		t.add(k.kind, "401: median µs", median(times[i]))
		t.add(k.kind, "a quarter below", quantile(times[i], 25))
		t.add(k.kind, "a quarter above", quantile(times[i], 75))
	}
}
