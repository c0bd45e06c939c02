package fetch_test

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
)

func TestErrorText(t *testing.T) {
	for _, c := range []struct {
		err  fetch.Error
		want string
	}{
		{
			fetch.Error{Reason: fetch.Busy, Address: "https://a.org/d?x=1", Status: 503, Tries: 4, After: 90 * time.Second, Body: []byte(`{"error":  "try` + "\n" + `later"}`)},
			`https://a.org/d?x=1: the server is unavailable: status 503 Service Unavailable ("{\"error\": \"try later\"}"), after 4 attempts; the server asks to wait 1m30s`,
		},
		{
			fetch.Error{Reason: fetch.Missing, Address: "https://a.org/d", Status: 404, Tries: 1, Body: []byte("<html><head><title>Not found</title></head>")},
			`https://a.org/d: not found on the server: status 404 Not Found ("Not found")`,
		},
		{
			fetch.Error{Reason: fetch.Denied, Address: "https://a.org/d", Status: 499, Body: []byte("\x00\x01\x02\x03PNG")},
			`https://a.org/d: the server refused the request: status 499`,
		},
		{
			fetch.Error{Reason: fetch.Cut, Address: "https://a.org/d", Status: 200, Err: errors.New("it ended after 3 bytes")},
			`https://a.org/d: the response is damaged or incomplete: it ended after 3 bytes`,
		},
		{fetch.Error{Reason: "other", Address: "https://a.org/d"}, `https://a.org/d: other`},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	long := fetch.Error{Reason: fetch.Slow, Address: "https://a.org/" + strings.Repeat("ö", 1000), Body: []byte(strings.Repeat("<ü>", 1000))}
	if text := long.Error(); utf8.RuneCountInString(text) > 500 || !utf8.ValidString(text) || !strings.Contains(text, "…") {
		t.Errorf("got %d characters: %s", utf8.RuneCountInString(text), text)
	}
}

// Keys in an address are removed from errors, and so from logs and histories.
func TestNoSecrets(t *testing.T) {
	s := serve(t, replay.NewFiles(nil))
	s.Fault(replay.Fault{Match: "/from", To: "/to?token=hidden"})
	client, _ := newClient(t)
	_, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL + "/from?dataset=T&API_Key=hidden&year=2024"}, 100)
	failed := failure(t, err, fetch.Missing)
	want := s.URL + "/from?dataset=T&API_Key=…&year=2024 → " + s.URL + "/to?token=…"
	if failed.Address != want {
		t.Errorf("got address %s, want %s", failed.Address, want)
	}
}

func TestLooksLikeHTML(t *testing.T) {
	for text, want := range map[string]bool{
		"<!DOCTYPE html><html>": true, "<HTML lang=en>": true, "\ufeff\r\n\t<html>": true, "<!-- a --><!-- b -->\n<html>": true,
		`<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">`: true,
		`<?xml version="1.0"?><mes:Structure>`:                                           false, "": false, "<": false, "<!-- html": false, "<?xml": false,
		"geo\\time,<html>": false, `{"html": 1}`: false, "<htm": false, "<!doctype x><html>": false,
	} {
		if got := fetch.LooksLikeHTML([]byte(text)); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
