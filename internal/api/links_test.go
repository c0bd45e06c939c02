package api_test

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
)

// A link is read without a key, counts against its account, and ends.
func TestLinks(t *testing.T) {
	now := published
	s := sampleStore(t)
	a := newAccess(t, access.Limits{Anonymous: 0, Essential: 5, Pro: 5000}, func() time.Time { return now })
	newKey(t, a, "sheet", access.Essential)
	base := serve(t, newAPI(t, api.Options{Store: s, Access: a, Now: func() time.Time { return now }}))
	create := func(form, query string) (address string, l access.Link) {
		if err := api.CheckLink(form, query); err != nil {
			t.Fatal(err)
		}
		token, l, err := a.CreateLink(t.Context(), access.LinkRequest{Account: "sheet", Dataset: 1, Form: form, Query: query, Expires: now.AddDate(0, 0, 90)})
		if err != nil {
			t.Fatal(err)
		}
		return base + api.LinkAddress(token, form), l
	}
	address, l := create("csv", "country=Germany&dim1=Life+expectancy&period=2005")
	got := ask(t, "GET", address)
	rows, err := csv.NewReader(strings.NewReader(got.body)).ReadAll()
	if err != nil || got.StatusCode != 200 || len(rows) != 2 || !strings.Contains(got.body, "79.64") {
		t.Fatalf("%d %v:\n%s", got.StatusCode, err, got.body)
	}
	if got.Header.Get("RateLimit") == "" || got.Header.Get("ETag") == "" || strings.Contains(got.body, "alm_") {
		t.Errorf("headers %v:\n%s", got.Header, got.body)
	}
	if again := ask(t, "GET", address, "If-None-Match: "+got.Header.Get("ETag")); again.StatusCode != 304 {
		t.Errorf("with its ETag: %d", again.StatusCode)
	}
	if asJSON, _ := create("json", "country=Germany"); ask(t, "GET", asJSON).StatusCode != 200 {
		t.Error("the link to JSON cannot be read")
	}
	for _, test := range []struct {
		address string
		status  int
		says    string
	}{
		{strings.Replace(address, "/data.csv", "/data.json", 1), 404, "ends in /data.csv"},
		{address + "?country=France", 400, "its selection is fixed"},
		{address[:len(address)-len("x/data.csv")] + "!/data.csv", 401, "copy all of it"},
		{base + "/l/alm_00000000" + strings.Repeat("0", 32) + "/data.csv", 401, "copy all of it"},
	} {
		if got := ask(t, "GET", test.address); got.StatusCode != test.status || !strings.Contains(got.body, test.says) {
			t.Errorf("%s: %d %s", test.address, got.StatusCode, got.body)
		}
	}
	if got := ask(t, "POST", address); got.StatusCode != 405 {
		t.Errorf("POST: %d", got.StatusCode)
	}
	list, err := a.Links(t.Context())
	if err != nil || len(list) != 2 || list[0].UsedToday+list[1].UsedToday != 3 {
		t.Errorf("links %+v, %v", list, err)
	}
	ask(t, "GET", address) // the fifth request that counts
	if got := ask(t, "GET", address); got.StatusCode != 429 {
		t.Errorf("above the limit of the account: %d", got.StatusCode)
	}
	now = now.AddDate(0, 0, 91)
	if got := ask(t, "GET", address); got.StatusCode != 410 || !strings.Contains(got.body, "expired at 2026-02-19") {
		t.Errorf("expired: %d %s", got.StatusCode, got.body)
	}
	if _, err := a.RevokeLink(t.Context(), l.ID); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, "GET", address); got.StatusCode != 410 || !strings.Contains(got.body, "was revoked") {
		t.Errorf("revoked: %d %s", got.StatusCode, got.body)
	}
}

// A link has the parameters of its form, and nothing of an organisation.
func TestCheckLink(t *testing.T) {
	for _, bad := range [][2]string{{"csv", "x=y"}, {"doc", ""}, {"csv", "followed=true"}, {"json", "sep=tab"}, {"csv", "version=x&as_of=y&country="}} {
		if err := api.CheckLink(bad[0], bad[1]); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
