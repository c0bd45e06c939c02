package fetch_test

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

func TestOptions(t *testing.T) {
	if _, err := fetch.New(fetch.Options{}); err != nil {
		t.Errorf("zero options: %v", err)
	}
	_, err := fetch.New(fetch.Options{
		Agent: "a\r\nHost: b",
		Hosts: []string{"ec.europa.eu", ".europa.eu", "10.0.0.1", "::1", "https://ec.europa.eu", "ec.europa.eu:443", "", ".", "a..b", "ö.example"},
		Networks: []netip.Prefix{
			netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::ffff:10.0.0.0/104"), {},
		},
		Bytes: -2, Time: -3, Stall: -4, Tries: -5, LongWait: -6,
	})
	if stat.KindOf(err) != stat.Invalid {
		t.Fatalf("got %v, want an error of the kind Invalid", err)
	}
	for _, want := range []string{
		"user agent", `host "https://ec.europa.eu"`, `host "ec.europa.eu:443"`, `host ""`, `host "."`, `host "a..b"`, `host "ö.example"`,
		"0.0.0.0/0", "::ffff:10.0.0.0/104", "invalid Prefix", "bytes per response: must not be negative, not -2",
		"time per attempt: must not be negative, not -3", "stall time: must not be negative, not -4", "attempts: must not be negative, not -5", "longest wait: must not be negative, not -6",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant it to contain %q", err, want)
		}
	}
	if n := strings.Count(err.Error(), "\n") + 1; n != 15 {
		t.Errorf("%v\ngot %d errors, want 15", err, n)
	}
	if _, err := fetch.New(fetch.Options{Agent: strings.Repeat("a", 1000)}); err == nil {
		t.Error("a user agent of 1000 bytes was accepted")
	}
}

// Without a test clock, Wait takes real time and ends with its context.
func TestWait(t *testing.T) {
	client, err := fetch.New(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Wait(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := client.Wait(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the error of the context", err)
	}
}
