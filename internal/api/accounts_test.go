package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
)

// docs/api.md, Free accounts: a free account yields a key. POST /api/accounts with a
// name creates an account and returns its Essential key, which is shown once.
func TestFreeAccount(t *testing.T) {
	callers := newAccess(t, access.Limits{Anonymous: 0, Essential: 2}, nil)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers, FreeAccounts: 3}))
	got := send(t, "POST", base+"/api/accounts", `{"name": "  Daily   News "}`, "Content-Type: application/json", "Accept-Encoding: identity;q=0")
	var created struct{ Key, ID, Account, Organisation, Tier string }
	if err := json.Unmarshal([]byte(got.body), &created); err != nil || got.StatusCode != 201 {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	if want := fmt.Sprintf(`{"key":"%s","id":"%s","account":"Daily News","organisation":"Daily News","tier":"essential"}`, created.Key, created.Key[4:12]); got.body != want {
		t.Errorf("%s, want %s", got.body, want)
	}
	if !strings.HasPrefix(created.Key, "alm_") || withChecksum(created.Key[:44]) != created.Key {
		t.Errorf("invalid key %s", created.Key)
	}
	if got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("Cache-Control is %q", got.Header.Get("Cache-Control"))
	}
	wantNoLimits(t, "an account", got)
	for i, want := range []int{200, 200, 429} {
		if got := ask(t, "GET", base+"/api/datasets", "X-API-Key: "+created.Key); got.StatusCode != want {
			t.Errorf("request %d with the key: %d %s", i, got.StatusCode, got.body)
		}
	}
	if got := ask(t, "GET", base+"/api/followed", "X-API-Key: "+created.Key); got.StatusCode != 429 {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
}

// Accounts are disabled by default, and limited per client address and day. Invalid
// requests do not count against that limit.
func TestFreeAccountLimits(t *testing.T) {
	s := sampleStore(t)
	now := clockAt(t, "2025-11-21T10:20:30Z")
	callers := newAccess(t, access.Limits{Anonymous: 1}, now.now)
	off := serve(t, newAPI(t, api.Options{Store: s, Access: callers}))
	got := send(t, "POST", off+"/api/accounts", `{"name": "one"}`)
	wantError(t, got, 403)
	if !strings.Contains(got.body, "does not offer free accounts") {
		t.Error(got.body)
	}
	base := serve(t, newAPI(t, api.Options{Store: s, Access: callers, FreeAccounts: 3}))
	for _, c := range []struct {
		body, headers string
		status        int
		message       string
	}{
		{`{"name": "x"}`, "X-API-Key: wrong", 401, "invalid API key"},
		{`{"name": "x"}`, "Content-Type: text/plain", 415, "application/json"},
		{strings.Repeat(" ", 5<<10), "", 413, "4 KiB"},
		{``, "", 400, "is empty"},
		{`[]`, "", 400, "is an array"},
		{`null`, "", 400, "is null"},
		{`{}`, "", 400, "no name"},
		{`{"name": ""}`, "", 400, "name"},
		{`{"name": " "}`, "", 400, "name"},
		{`{"name": 1}`, "", 400, "the number 1"},
		{`{"name": null}`, "", 400, "name must be a string, not null"},
		{`{"name": {"name": "x"}}`, "", 400, "an object"},
		{`{"name": "x", "name": "y"}`, "", 400, "twice"},
		{`{"name": "x", "tier": "pro"}`, "", 400, `\"tier\"`},
		{`{"Name": "x"}`, "", 400, `\"Name\"`},
		{`{"name": "x"`, "", 400, "ends unexpectedly"},
		{`{"name": "x"} {}`, "", 400, "text after its JSON object"},
		{`{"name": "x",}`, "", 400, "JSON"},
		{`{"name": "\ud800"}`, "", 400, "surrogate"},
		{"{\"name\": \"\xff\"}", "", 400, "UTF-8"},
		{`{"name": "` + strings.Repeat("x", 101) + `"}`, "", 400, "100"},
		{`{"name": "one"}`, "", 201, ""},
		{`{"name": "ONE"}`, "", 409, "ONE"},
		{`{"name": "two"}`, "", 201, ""}, // the request for the taken name counted as well
		{`{"name": "three"}`, "", 429, "2025-11-22T00:00:00Z"},
		{`{"name": ""}`, "", 429, "midnight UTC"},
		{`{"name": "three"}`, "X-API-Key: wrong", 401, ""},
	} {
		headers := "X-None: x"
		if c.headers != "" {
			headers = c.headers
		}
		got := send(t, "POST", base+"/api/accounts", c.body, headers)
		if got.StatusCode != c.status || !strings.Contains(got.body, c.message) {
			t.Errorf("%.60s: %d %s, want %d and %q", c.body, got.StatusCode, got.body, c.status, c.message)
		}
		if c.status != 201 {
			wantError(t, got, c.status)
		}
		if c.status == 429 {
			wantPolicy(t, got, `"accounts"`, 3, 0)
		} else {
			wantNoLimits(t, c.body, got)
		}
		if after := got.Header.Get("Retry-After"); (after != "") != (c.status == 429) || after != "" && after != "49170" {
			t.Errorf("%.60s, %d: Retry-After is %q", c.body, c.status, after)
		}
	}
	wantError(t, send(t, "POST", base+"/api/accounts?x=y", `{"name": "four"}`), 429)
	now.set(t, "2025-11-22T00:00:00Z")
	wantError(t, send(t, "POST", base+"/api/accounts?x=y", `{"name": "four"}`), 400)
	if got := send(t, "POST", base+"/api/accounts", `{"name": "four"}`); got.StatusCode != 201 {
		t.Errorf("on the next day: %d %s", got.StatusCode, got.body)
	}
	// None of these counted against the one request a day of the anonymous caller.
	if got := ask(t, "GET", base+"/api/datasets"); got.StatusCode != 200 {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
}
