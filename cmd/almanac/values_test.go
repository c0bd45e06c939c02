package main

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/access"
)

// docs/operations.md, Rotate a key: an overlap is 0 to 7 days, in hours or days.
func TestOverlap(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "0h": 0, "0d": 0, "1h": time.Hour, "24h": 24 * time.Hour, "168h": 7 * 24 * time.Hour, "7d": 7 * 24 * time.Hour, "007d": 7 * 24 * time.Hour,
	} {
		var got overlap
		if err := got.UnmarshalText([]byte(text)); err != nil || time.Duration(got) != want {
			t.Errorf("%q: %s, %v; want %s", text, time.Duration(got), err, want)
		}
	}
	for _, text := range []string{"", "h", "d", "24", "00", "-1h", "+1h", "1.5h", "8d", "169h", "65535d", "65536h", "99999999999999999999d", "90m", "1d12h", "1 d", "1D", "dh", "5hd"} {
		var got overlap
		if err := got.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "24h or 7d") {
			t.Errorf("%q: %s, %v; want an error with a valid example", text, time.Duration(got), err)
		}
	}
}

// docs/operations.md, Links for spreadsheets: a link is valid for minutes, hours or days, or never ends.
func TestLifetime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"never": 0, "1m": time.Minute, "30m": 30 * time.Minute, "24h": 24 * time.Hour, "90d": 90 * 24 * time.Hour,
	} {
		var got lifetime
		if err := got.UnmarshalText([]byte(text)); err != nil || time.Duration(got) != want {
			t.Errorf("%q: %s, %v; want %s", text, time.Duration(got), err, want)
		}
	}
	for _, text := range []string{"", "m", "h", "24", "0m", "0d", "-1h", "+1h", "1.5h", "65536h", "30s", "1d12h", "1 d", "1D", "mh", "5hd", "Never"} {
		var got lifetime
		if err := got.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "30m, 24h or 90d") {
			t.Errorf("%q: %s, %v; want an error with a valid example", text, time.Duration(got), err)
		}
	}
}

func FuzzOverlap(f *testing.F) {
	for _, seed := range []string{"0", "24h", "7d", "-1h", "8d", "d", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got overlap
		if got.UnmarshalText([]byte(text)) == nil && (got < 0 || time.Duration(got) > access.MaxOverlap) {
			t.Errorf("%q: %s is outside of 0 to %s", text, time.Duration(got), access.MaxOverlap)
		}
	})
}

// usage lists the last seven UTC days, or the seven days up to --to.
func TestUsageSpan(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 30, 0, 0, time.FixedZone("", 3600)) // in UTC it is still February
	for _, c := range []struct{ from, to, wantFrom, wantTo string }{
		{"", "", "2026-02-22", "2026-02-28"},
		{"2026-01-01", "", "2026-01-01", "2026-02-28"},
		{"", "2024-03-03", "2024-02-26", "2024-03-03"},
		{"2024-03-03", "2024-03-03", "2024-03-03", "2024-03-03"},
	} {
		cmd := usageCmd{Days: 7}
		read := func(text string, into *moment) {
			if text == "" {
				return
			}
			if err := into.UnmarshalText([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		read(c.from, &cmd.From)
		read(c.to, &cmd.To)
		from, to := cmd.span(now)
		if f, l := from.Format(time.DateOnly), to.Format(time.DateOnly); f != c.wantFrom || l != c.wantTo {
			t.Errorf("--from %q --to %q: %s to %s, want %s to %s", c.from, c.to, f, l, c.wantFrom, c.wantTo)
		}
	}
}

// docs/operations.md, Behind a proxy: only proxies are trusted to state an address, so
// it is never read from a header that clients set for other purposes.
func TestHeaderName(t *testing.T) {
	for text, want := range map[string]headerName{
		"X-Forwarded-For": "X-Forwarded-For", "cf-connecting-ip": "Cf-Connecting-Ip", "forwarded": "Forwarded", "x_real.ip": "X_real.ip",
	} {
		var got headerName
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"X-API-Key", "x-api-key", "Authorization", "Host", "cookie", "User-Agent", "X-Forwarded-Proto"} {
		var got headerName
		if err := got.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "X-Forwarded-For") {
			t.Errorf("%q: %q, %v; want an error with a valid example", text, got, err)
		}
	}
	for _, text := range []string{"", " ", "X Forwarded", "X-Forwarded-For:", "X-Größe", "a\nb", "a\x00", "a,b", `"a"`} {
		var got headerName
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q: got %q, want an error", text, got)
		}
	}
}

// A server listens on all addresses only if that is requested.
func TestListenAddress(t *testing.T) {
	for _, text := range []string{
		"127.0.0.1:8080", "127.0.0.1:0", ":8080", "0.0.0.0:65535", "localhost:80", "my-host_1.example.org:80", "[::1]:80", "[::]:0", "[fe80::1%eth0]:80",
	} {
		var got listenAddress
		if err := got.UnmarshalText([]byte(text)); err != nil || string(got) != text {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"", " ", ":", "127.0.0.1", "8080", "localhost", "localhost:", "::1", "::1:80", "[::1]", "[::1:80", ":99999", ":65536", ":-1", ":+1", ":http", ": 80",
		" :80", "a b:80", "http://127.0.0.1:80", "127.0.0.1:80/", "/run/almanac:80", "127.0.0.1:80,127.0.0.2:80", "user@host:80", "a\nb:80",
	} {
		var got listenAddress
		if err := got.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "127.0.0.1:8080") {
			t.Errorf("%q: %q, %v; want an error with a valid example", text, got, err)
		}
	}
}

// Limits in several flags add up to those of one flag with commas, valid or not.
func TestLimitsInSeveralFlagsAddUp(t *testing.T) {
	parts := []string{"anonymous=5", "essential=unlimited", "pro=7", "pro=8", "gold=1", "essential=10,anonymous=0"}
	var check func(flags []string)
	check = func(flags []string) {
		if len(flags) > 0 {
			checkLimitFlags(t, flags)
		}
		if len(flags) == 4 {
			return
		}
		for _, part := range parts {
			check(append(slices.Clip(flags), part))
		}
	}
	check(nil)
}

func checkLimitFlags(t *testing.T, flags []string) {
	t.Helper()
	var want access.Limits
	wrong := want.UnmarshalText([]byte(strings.Join(flags, ",")))
	var got dailyLimits
	var err error
	for _, text := range flags {
		if err = got.UnmarshalText([]byte(text)); err != nil {
			break
		}
	}
	if (err != nil) != (wrong != nil) || err == nil && got.Limits != want {
		t.Fatalf("%q: %+v, %v; want %+v, %v", flags, got.Limits, err, want, wrong)
	}
}

// A shell reads a quoted word as the original text.
func TestShellWordSurvivesTheShell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	for _, text := range []string{"", "/data/almanac", "my data", "it's", "$HOME", "a;b", "`id`", "a\\b", "a\nb", "~", "*", "Süd", "-n", "-my data"} {
		got, err := exec.Command("sh", "-c", "printf %s. "+shellWord(text)).Output()
		if want := text + "."; err != nil || string(got) != want {
			t.Errorf("%q, quoted as %s: the shell reads %q, %v", text, shellWord(text), got, err)
		}
		got, err = exec.Command("sh", "-c", `printf '%s|' `+flagText("--data", text)).Output()
		want := "--data|" + text + "|"
		if strings.HasPrefix(text, "-") { // by itself it would be another flag
			want = "--data=" + text + "|"
		}
		if err != nil || string(got) != want {
			t.Errorf("%q: the shell reads %q from %s, %v", text, got, flagText("--data", text), err)
		}
	}
}

// A log contains no key, whichever part of a record had it.
func TestLogsHaveNoKeys(t *testing.T) {
	const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	places := map[string]func(*slog.Logger, string){
		"message": func(log *slog.Logger, text string) { log.Info(text) },
		"text":    func(log *slog.Logger, text string) { log.Warn("x", "key", text) },
		"name":    func(log *slog.Logger, text string) { log.Warn("x", text, 1) },
		"error": func(log *slog.Logger, text string) {
			log.Error("x", "error", fmt.Errorf("reading: %w", errors.New(text)))
		},
		"group": func(log *slog.Logger, text string) {
			log.WithGroup("request").Error("x", slog.Group("header", "X-API-Key", text))
		},
		"bytes": func(log *slog.Logger, text string) { log.Error("x", "body", []byte(text)) },
		"any": func(log *slog.Logger, text string) {
			log.Error("x", "header", map[string][]string{"X-Api-Key": {text}})
		},
		"with": func(log *slog.Logger, text string) {
			slog.NewLogLogger(log.With("key", text).Handler(), slog.LevelWarn).Print(text)
		},
	}
	for range 20 {
		var secret [38]byte
		for i := range secret {
			secret[i] = letters[rand.IntN(len(letters))]
		}
		for place, write := range places {
			for _, before := range []string{"", " ", "key ", "alm_", "ä\"", "\x00", "\xff", "\n\t", "日本"} {
				for _, after := range []string{"", " ", "\n", "\"", "/x", "…"} {
					var written bytes.Buffer
					write(slog.New(slog.NewTextHandler(redacted{&written}, nil)), before+"alm_PublicId"+string(secret[:])+after)
					if got := written.String(); strings.Contains(got, string(secret[:])) || !strings.Contains(got, "alm_PublicId…") {
						t.Fatalf("%s, between %q and %q: the log contains a key: %s", place, before, after, got)
					}
				}
			}
		}
	}
}
