package main

import (
	"regexp"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// docs/api.md, Keys and limits: an invalid key never counts as anonymous. Whether it is
// empty, doubled, malformed, unknown, revoked or expired, every endpoint returns the same
// 401. Every byte of the response is compared, except its date and the ID of the request.
func TestAllBadKeysGetTheSameResponse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	importOne(t, dir, manyRows(t, 40))
	s := startProgram(t, dir, "--limits", "anonymous=unlimited")
	refused := badKeys(t, dir)
	// A server that knows the last key also knows what was revoked before it.
	last := makeKey(t, dir, "newsroom", "pro")
	stattest.Eventually(t, func() error {
		_, err := newCaller(t, last.Key, "127.0.0.1").getLimits(s.url)
		return err
	})
	var first, firstOf string
	for _, at := range []string{
		"GET /api/datasets", "HEAD /api/datasets/1", "GET /api/datasets/1/meta", "GET /api/datasets/1/latest", "GET /api/datasets/1/data?followed=true",
		"GET /api/datasets/1/dimensions", "GET /api/datasets/none", "GET /api/datasets/77", "POST /api/charts/generate-png", "GET /api/datasets/1/chart.svg?type=line",
		"GET /api/limits", "GET /api/followed", "PUT /api/followed/1", "POST /api/accounts", "GET /api/nothing", "DELETE /api/datasets",
	} {
		for kind, headers := range refused {
			response := withoutVariableLines(raw(t, s, at+" HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n"+headers+"\r\n"))
			if strings.HasPrefix(at, "HEAD") {
				response += body(first)
			}
			if first == "" {
				first, firstOf = response, kind+" at "+at
			}
			if !strings.HasPrefix(response, "HTTP/1.1 401 Unauthorized\r\n") || response != first {
				t.Errorf("%s at %s:\n%s\nbut %s:\n%s", kind, at, response, firstOf, first)
			}
		}
	}
	for _, headers := range []string{"", "Authorization: Basic dXNlcjpwYXNz\r\n", "X-API-Key: " + last.Key + "\r\n"} {
		response := raw(t, s, "GET /api/datasets HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n"+headers+"\r\n")
		if !strings.HasPrefix(response, "HTTP/1.1 200 OK\r\n") {
			t.Errorf("%q: %s", headers, response)
		}
	}
}

// badKeys returns header lines without a valid key.
func badKeys(t *testing.T, dir string) map[string]string {
	t.Helper()
	good, revoked, rotated := makeKey(t, dir, "newsroom", "pro"), makeKey(t, dir, "newsroom", "pro"), makeKey(t, dir, "newsroom", "pro")
	if again := forge(good.ID, good.Key[12:44]); again != good.Key {
		t.Fatalf("the checksum of %s differs from the one in docs/decisions: %s", good.Key, again)
	}
	must(t, "key", "revoke", "--data", dir, revoked.ID)
	must(t, "key", "rotate", "--data", dir, "--overlap", "0", rotated.ID)
	last := good.Key[49:]
	other := string(base62[(strings.Index(base62, last)+1)%62])
	secret := "0123456789abcdefghijABCDEFGHIJ01"
	lines := map[string]string{
		"twice":         "X-API-Key: " + good.Key + "\r\nX-API-Key: " + good.Key + "\r\n",
		"in both":       "X-API-Key: " + good.Key + "\r\nAuthorization: Bearer " + good.Key + "\r\n",
		"bearer, empty": "Authorization: Bearer \r\n",
		"bearer, twice": "Authorization: Bearer " + good.Key + "\r\nAuthorization: Bearer " + good.Key + "\r\n",
	}
	for kind, key := range map[string]string{
		"empty": "", "10 KB long": strings.Repeat(good.Key, 10<<10/50), "10 KB of one letter": strings.Repeat("a", 10<<10),
		"two keys in one header": good.Key + ", " + good.Key, "too short": good.Key[:49], "too long": good.Key + "0", "in quotation marks": `"` + good.Key + `"`,
		"of another service": "sk_live_" + good.Key[8:], "in upper case": strings.ToUpper(good.Key), "with wrong checksum": good.Key[:49] + other,
		"with an unknown id": forge("Aa0Bb1Cc", secret), "with the right id and a wrong secret": forge(good.ID, secret),
		"revoked": revoked.Key, "expired": rotated.Key, "with an invalid character": good.Key[:20] + "é" + good.Key[22:],
	} {
		lines[kind] = "X-API-Key: " + key + "\r\n"
		lines[kind+", as bearer"] = "Authorization: bearer " + key + "\r\n"
	}
	return lines
}

var variableLines = regexp.MustCompile(`(?m)^(Date|X-Request-Id): .*\r\n`)

// withoutVariableLines removes the headers that differ in every response.
func withoutVariableLines(response string) string {
	return variableLines.ReplaceAllString(response, "")
}

func body(response string) string {
	_, body, _ := strings.Cut(response, "\r\n\r\n")
	return body
}
