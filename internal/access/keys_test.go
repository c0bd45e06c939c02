package access_test

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math/big"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"almanac/internal/access"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/stattest/postgres"
	"almanac/internal/stattest/property"
)

// newKey creates a key of an account.
func newKey(t testing.TB, a *access.Access, account string) access.NewKey {
	t.Helper()
	key, err := a.CreateKey(context.Background(), access.KeyRequest{Account: account})
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// docs/api.md, Keys and limits: a key is alm_, 8 characters of public id, 32 of secret, 6
// of checksum: the CRC-32/IEEE of the first 44 characters, big-endian, base
// 62, padded with zeros, in the alphabet 0-9A-Za-z.
func TestKeyFormat(t *testing.T) {
	a := open(t, access.Options{})
	form := regexp.MustCompile(`^alm_([0-9A-Za-z]{8})[0-9A-Za-z]{32}[0-9A-Za-z]{6}$`)
	seen := map[string]bool{}
	for range 50 {
		key := newKey(t, a, "desk")
		found := form.FindStringSubmatch(key.Secret)
		if found == nil || found[1] != key.ID {
			t.Fatalf("the key %s with the public id %s has the wrong form", key.Secret, key.ID)
		}
		// big.Int uses the digits 0-9a-zA-Z.
		sum := new(big.Int).SetUint64(uint64(crc32.ChecksumIEEE([]byte(key.Secret[:44])))).Text(62)
		want := strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z':
				return r - 'a' + 'A'
			case r >= 'A' && r <= 'Z':
				return r - 'A' + 'a'
			}
			return r
		}, strings.Repeat("0", 6-len(sum))+sum)
		if key.Secret[44:] != want {
			t.Errorf("the checksum of %s should be %s", key.Secret, want)
		}
		if seen[key.Secret[4:44]] {
			t.Errorf("%s was created twice", key.Secret)
		}
		seen[key.Secret[4:44]] = true
	}
}

// docs/api.md, Keys and limits: a header that is malformed, unknown, revoked or expired is
// the same error.
func TestInvalidKeys(t *testing.T) {
	now := newClock("2026-11-21T12:00:00Z")
	a := open(t, access.Options{Now: now.Now})
	ctx := context.Background()
	good := newKey(t, a, "desk").Secret
	revoked := newKey(t, a, "desk")
	if _, err := a.RevokeKey(ctx, revoked.ID); err != nil {
		t.Fatal(err)
	}
	expiring, err := a.CreateKey(ctx, access.KeyRequest{Account: "desk", Expires: now.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Verify(expiring.Secret, netip.Addr{}); err != nil {
		t.Errorf("before it expires: %v", err)
	}
	now.step(time.Hour)
	unknown := newKey(t, open(t, access.Options{}), "desk").Secret
	other := newKey(t, a, "desk").Secret
	for name, key := range map[string]string{
		"empty":                                  "",
		"too short":                              good[:49],
		"too long":                               good + "0",
		"very long":                              strings.Repeat(good, 200),
		"another prefix":                         "alN_" + good[4:],
		"a wrong checksum":                       good[:49] + string(rune(good[49])^1),
		"a character outside the alphabet":       good[:20] + "-" + good[21:],
		"of another service":                     unknown,
		"the secret of another key":              withChecksum(good[:12] + other[12:44]),
		"revoked":                                revoked.Secret,
		"expired":                                expiring.Secret,
		"white space":                            " " + good,
		"two":                                    good + "," + good,
		"letters beyond ASCII":                   good[:20] + "é" + good[22:],
		"a correct checksum of other characters": withChecksum("alm_" + strings.Repeat("?", 40)),
	} {
		if c, err := a.Verify(key, netip.Addr{}); !errors.Is(err, access.ErrKey) || err.Error() != access.ErrKey.Error() || c != (access.Caller{}) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	if _, err := a.Verify(good, netip.Addr{}); err != nil {
		t.Errorf("the valid key: %v", err)
	}
}

// BenchmarkVerify checks keys. Each check should take less than 5 µs. A refusal of what may be a
// key waits for the database, so there is none here.
func BenchmarkVerify(b *testing.B) {
	a := open(b, access.Options{})
	good := newKey(b, a, "desk").Secret
	for name, key := range map[string]string{
		"valid":    good,
		"empty":    "",
		"long":     strings.Repeat(good, 200),
		"checksum": good[:49] + string(rune(good[49])^1),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := a.Verify(key, netip.Addr{}); (err == nil) != (key == good) {
					b.Fatal(err)
				}
			}
		})
	}
}

// withChecksum appends the correct checksum to 44 characters.
func withChecksum(body string) string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	sum := crc32.ChecksumIEEE([]byte(body))
	var text [6]byte
	for i := 5; i >= 0; i-- {
		text[i] = alphabet[sum%62]
		sum /= 62
	}
	return body + string(text[:])
}

// Verify never panics, and accepts only keys that were created.
func FuzzVerify(f *testing.F) {
	a := open(f, access.Options{})
	good := newKey(f, a, "desk").Secret
	for _, text := range []string{"", good, good[:49], "alm_", strings.Repeat("0", 50), withChecksum(strings.Repeat("0", 44))} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := a.Verify(text, netip.Addr{}); (err == nil) != (text == good) {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// Redact removes the whole secret of a key anywhere in a text. The public id stays, so that
// the key can be identified.
func TestRedact(t *testing.T) {
	a := open(t, access.Options{})
	key := newKey(t, a, "desk")
	property.Check(t, func(t *rapid.T) {
		before, after := rapid.String().Draw(t, "before"), rapid.StringMatching(`[^0-9A-Za-z].*|`).Draw(t, "after")
		sent := key.Secret[:rapid.IntRange(13, 50).Draw(t, "length")]
		got := access.Redact(before + sent + after)
		if strings.Contains(got, key.ID+key.Secret[12:13]) || !strings.Contains(got, "alm_"+key.ID) {
			t.Errorf("%q became %q", before+sent+after, got)
		}
	})
	for _, escaped := range []string{"%5F", "%5f", "%255F"} {
		got := access.Redact("/api?key=" + strings.Replace(key.Secret, "_", escaped, 1))
		if strings.Contains(got, key.Secret[12:20]) || !strings.Contains(got, key.ID) {
			t.Errorf("escaped: %q", got)
		}
	}
	for _, text := range []string{"", "no key", "alm_", "alm_short", "alm_12345678"} {
		if got := access.Redact(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// docs/operations.md, Files and backup: the pepper is not in the database, is created by the
// first command that needs it, and has mode 0600. The database has no secret.
func TestPepper(t *testing.T) {
	dir := t.TempDir()
	a := open(t, access.Options{Dir: dir})
	key := newKey(t, a, "desk")
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "access.pepper")
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() != 32 {
		t.Fatalf("the pepper: %v, %v", info, err)
	}
	pepper, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "access.db*"))
	if err != nil || len(files) == 0 && !postgres.At(t, dir).IsServer() {
		t.Fatal("there is no database")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for what, secret := range map[string]string{"the pepper": string(pepper), "the key": key.Secret, "the secret part of the key": key.Secret[12:44]} {
			if strings.Contains(string(text), secret) {
				t.Errorf("%s contains %s", name, what)
			}
		}
	}
	again := open(t, access.Options{Dir: dir})
	if _, err := again.Verify(key.Secret, netip.Addr{}); err != nil {
		t.Errorf("after reopening: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		change  func() error
		message string
	}{
		"another file":       {func() error { return os.WriteFile(file, []byte(strings.Repeat("x", 32)), 0o600) }, "is not the pepper"},
		"cut off":            {func() error { return os.WriteFile(file, pepper[:31], 0o600) }, "32 bytes, not 31"},
		"missing":            {func() error { return os.Remove(file) }, "is missing"},
		"restored":           {func() error { return os.WriteFile(file, pepper, 0o600) }, ""},
		"not a regular file": {func() error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o700)) }, "pepper"},
	} {
		if err := c.change(); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		opened, err := access.Open(context.Background(), access.Options{Dir: dir, DatabaseURL: postgres.At(t, dir).URL})
		if err == nil {
			err = opened.Close()
		}
		if c.message == "" && err != nil || c.message != "" && (err == nil || !strings.Contains(err.Error(), c.message) || strings.Contains(err.Error(), string(pepper))) {
			t.Errorf("%s: %v, want an error that contains %q", what, err, c.message)
		}
		_ = os.Remove(file)
		if err := os.WriteFile(file, pepper, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Several processes that open a new folder concurrently use the same pepper.
func TestConcurrentOpen(t *testing.T) {
	dir := t.TempDir()
	opened := make(chan *access.Access, 8)
	for range cap(opened) {
		go func() {
			a, err := access.Open(context.Background(), access.Options{Dir: dir, DatabaseURL: postgres.At(t, dir).URL, Limits: someLimits})
			if err != nil {
				t.Error(err)
			}
			opened <- a
		}()
	}
	var all []*access.Access
	for range cap(opened) {
		if a := <-opened; a != nil {
			all = append(all, a)
			defer a.Close()
		}
	}
	key := newKey(t, all[0], "desk")
	for i, a := range all {
		stattest.Eventually(t, func() error {
			if _, err := a.Verify(key.Secret, netip.Addr{}); err != nil {
				return fmt.Errorf("process %d rejects the key: %w", i, err)
			}
			return nil
		})
	}
}

// docs/api.md, Keys and limits: every replica knows a new key or link at once, and within a
// second of a revoked key and a new tier. The test runs on the fake clock of synctest, so a busy machine
// does not delay it.
func TestChangesReachEveryReplica(t *testing.T) {
	synctest.Test(t, changesReachEveryReplica)
}

func changesReachEveryReplica(t *testing.T) {
	withinASecond := func(what string, try func() error) {
		t.Helper()
		changed := time.Now()
		for err := try(); err != nil; err = try() {
			if time.Since(changed) >= time.Second {
				t.Errorf("after a second, it is still not true that %s: %v", what, err)
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	dir := t.TempDir()
	one, other := open(t, access.Options{Dir: dir}), open(t, access.Options{Dir: dir})
	ctx := context.Background()
	key := newKey(t, one, "desk")
	if _, err := other.Verify(key.Secret, netip.Addr{}); err != nil {
		t.Errorf("a key that another process has just created: %v", err)
	}
	token, _, err := one.CreateLink(ctx, access.LinkRequest{Account: "desk", Dataset: 1, Form: "csv"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := other.VerifyLink(token); err != nil {
		t.Errorf("a link that another process has just created: %v", err)
	}
	if _, err := one.SetTier(ctx, "Desk", access.Pro); err != nil {
		t.Fatal(err)
	}
	withinASecond("the tier is known", func() error {
		c, err := other.Verify(key.Secret, netip.Addr{})
		if err == nil && c.Tier != access.Pro {
			err = errors.New("it is " + string(c.Tier))
		}
		return err
	})
	if _, err := one.RevokeKey(ctx, key.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := one.Verify(key.Secret, netip.Addr{}); !errors.Is(err, access.ErrKey) {
		t.Errorf("the revoked key is valid in the process that revoked it: %v", err)
	}
	withinASecond("the key is revoked", func() error {
		if _, err := other.Verify(key.Secret, netip.Addr{}); !errors.Is(err, access.ErrKey) {
			return errors.New("it is valid")
		}
		return nil
	})
}

// The database is read before a key or link is refused, but not more often than every ten
// milliseconds, however many are guessed. Texts that cannot be one are refused at once.
func TestGuessesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := open(t, access.Options{})
		key := newKey(t, a, "desk").Secret
		for _, c := range []struct {
			name, text string
			verify     func(string) error
			invalid    error
			isRead     bool
		}{
			{"an unknown key", withChecksum("alm_00000000" + key[12:44]), func(s string) error { _, err := a.Verify(s, netip.Addr{}); return err }, access.ErrKey, true},
			{"a wrong secret", withChecksum(key[:12] + strings.Repeat("0", 32)), func(s string) error { _, err := a.Verify(s, netip.Addr{}); return err }, access.ErrKey, true},
			{"a wrong checksum", "alm_00000000" + key[12:44] + "000000", func(s string) error { _, err := a.Verify(s, netip.Addr{}); return err }, access.ErrKey, false},
			{"an unknown link", "alm_00000000" + key[12:44], func(s string) error { _, _, err := a.VerifyLink(s); return err }, access.ErrLink, true},
			{"a short link", "alm_00000000", func(s string) error { _, _, err := a.VerifyLink(s); return err }, access.ErrLink, false},
		} {
			start := time.Now()
			for range 101 {
				if err := c.verify(c.text); !errors.Is(err, c.invalid) {
					t.Errorf("%s: %v", c.name, err)
				}
			}
			if took := time.Since(start); (took >= time.Second) != c.isRead {
				t.Errorf("%s: 101 guesses took %s", c.name, took)
			}
		}
	})
}

// wantKind fails unless an error has a kind and contains a text.
func wantKind(t testing.TB, what string, err error, kind stat.Kind, message string) {
	t.Helper()
	if err == nil || stat.KindOf(err) != kind || !strings.Contains(err.Error(), message) {
		t.Errorf("%s: %v", what, err)
	}
}
