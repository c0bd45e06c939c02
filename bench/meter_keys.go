package main

import (
	"bufio"
	"context"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"almanac/internal/access"
)

// check is what it took to tell whether a key of some kind is valid.
type check struct {
	kind    string
	valid   bool
	took    []float64       // nanoseconds of access.Verify, by rounds
	allocs  float64         // of one call
	refusal []time.Duration // from asking with it until the 401 was read, sorted
}

// exampleKey is a key with what is needed to ask with it.
type exampleKey struct {
	kind    string
	valid   bool
	key     string
	headers string // instead of the key alone
}

// exampleKeys are keys of all kinds, made by create; revoke and expire make one
// of these invalid.
func exampleKeys(create func() (key, id string, err error), revoke, expire func(id string) error) ([]exampleKey, error) {
	var keys, ids [3]string
	for i := range keys {
		var err error
		if keys[i], ids[i], err = create(); err != nil {
			return nil, err
		}
	}
	if err := revoke(ids[1]); err != nil {
		return nil, err
	}
	if err := expire(ids[2]); err != nil {
		return nil, err
	}
	good := keys[0]
	other := "0"
	if strings.HasSuffix(good, other) {
		other = "1"
	}
	const secret = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
	return []exampleKey{
		{kind: "valid", valid: true, key: good},
		{kind: "empty"},
		{kind: "10 KB long", key: strings.Repeat(good, 10<<10/len(good))},
		{kind: "wrong checksum", key: good[:len(good)-1] + other},
		{kind: "unknown id", key: forge("Aa0Bb1Cc", secret)},
		{kind: "right id, wrong secret", key: forge(ids[0], secret)},
		{kind: "revoked", key: keys[1]},
		{kind: "expired", key: keys[2]},
		{kind: "doubled", headers: fmt.Sprintf("X-API-Key: %s\r\nX-API-Key: %[1]s\r\n", good)},
	}, nil
}

// forge makes a key with the right checksum.
func forge(id, secret string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	key := "alm_" + id + secret
	sum := crc32.ChecksumIEEE([]byte(key))
	var text [6]byte
	for i := range text {
		text[len(text)-1-i] = digits[sum%62]
		sum /= 62
	}
	return key + string(text[:])
}

// keyChecks measures how long it takes to check a key: by itself, and as a
// caller may measure it from outside who looks for keys.
func (h *harness) keyChecks(ctx context.Context, s *stores, r *meterReport) error {
	fmt.Fprintln(h.log, "checks of keys")
	if err := h.verifyChecks(ctx, r); err != nil {
		return err
	}
	defer h.forgetCallers(s.Main)
	keys, err := exampleKeys(func() (string, string, error) {
		made, err := h.makeKey(ctx, s.Main)
		return made.Key, made.ID, err
	}, func(id string) error {
		_, err := h.keyCommand(ctx, "revoke", "--data", s.Main, "--json", id)
		return err
	}, func(id string) error {
		_, err := h.keyCommand(ctx, "rotate", "--data", s.Main, "--overlap", "0", "--json", id)
		return err
	})
	if err != nil {
		return err
	}
	p, err := h.serve(ctx, s.Main)
	if err != nil {
		return err
	}
	defer func() { _ = p.stop() }()
	return h.refusals(p, keys, r)
}

// verifyChecks measures access.Verify in this process.
func (h *harness) verifyChecks(ctx context.Context, r *meterReport) error {
	dir, err := os.MkdirTemp(h.o.dir, "callers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	a, err := access.Open(ctx, access.Options{Dir: dir, Limits: access.DefaultLimits})
	if err != nil {
		return err
	}
	defer a.Close()
	keys, err := exampleKeys(func() (string, string, error) {
		made, err := a.CreateKey(ctx, access.KeyRequest{Account: "bench"})
		return made.Secret, made.ID, err
	}, func(id string) error {
		_, err := a.RevokeKey(ctx, id)
		return err
	}, func(id string) error {
		_, _, err := a.RotateKey(ctx, id, 0, time.Time{})
		return err
	})
	if err != nil {
		return err
	}
	for _, k := range keys {
		r.checks = append(r.checks, check{kind: k.kind, valid: k.valid})
	}
	for range h.o.rounds {
		for i, k := range keys {
			if k.headers != "" {
				continue // two keys are none: that is found out before
			}
			c := &r.checks[i]
			took, allocs, err := verifyOften(a, k, h.o.requests)
			if err != nil {
				return err
			}
			c.took, c.allocs = append(c.took, took), allocs
		}
	}
	return nil
}

// verifyOften checks a key n times and returns nanoseconds and allocations of
// one check.
func verifyOften(a *access.Access, k exampleKey, n int) (ns, allocs float64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	for range n {
		if _, err := a.Verify(k.key); (err == nil) != k.valid {
			return 0, 0, fmt.Errorf("checking a key that is %s: %w", k.kind, err)
		}
	}
	took := time.Since(begin)
	runtime.ReadMemStats(&after)
	return float64(took) / float64(n), float64(after.Mallocs-before.Mallocs) / float64(n), nil
}

// refusals asks with each invalid key in turn, over one connection, in another
// order each time.
func (h *harness) refusals(p *process, keys []exampleKey, r *meterReport) error {
	address := strings.TrimPrefix(p.url, "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	reader := bufio.NewReader(conn)
	random := rand.New(rand.NewPCG(h.o.seed, 4))
	var body []byte
	turns := h.o.requests / 10
	for turn := range turns + turns/10 {
		for _, i := range random.Perm(len(keys)) {
			k := keys[i]
			if k.valid {
				continue
			}
			headers := k.headers
			if headers == "" {
				headers = "X-API-Key: " + k.key + "\r\n"
			}
			request := []byte("GET /api/limits HTTP/1.1\r\nHost: " + address + "\r\n" + headers + "\r\n")
			begin := time.Now()
			if _, err := conn.Write(request); err != nil {
				return err
			}
			var status int
			if status, body, err = readAnswer(reader, body[:0]); err != nil || status != http.StatusUnauthorized {
				return fmt.Errorf("a key that is %s is answered %d %s: %w", k.kind, status, body, err)
			}
			if turn >= turns/10 { // those before warm up
				r.checks[i].refusal = append(r.checks[i].refusal, time.Since(begin))
			}
		}
	}
	for i := range r.checks {
		slices.Sort(r.checks[i].refusal)
	}
	return nil
}
