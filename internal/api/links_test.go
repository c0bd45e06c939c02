package api_test

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/request"
)

// A link is read without a key, counts against its account, and ends.
func TestLinks(t *testing.T) {
	now := published
	s := sampleStore(t)
	a := newAccess(t, access.Limits{Anonymous: 0, Essential: 5, Pro: 5000}, func() time.Time { return now })
	newKey(t, a, "sheet", access.Essential)
	service := newAPI(t, api.Options{Store: s, Access: a, Now: func() time.Time { return now }})
	base := serve(t, service)
	create := func(form, query string) (address string, l access.Link) {
		if notices, err := service.CheckLink(t.Context(), 1, form, query); err != nil || notices != nil {
			t.Fatal(notices, err)
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

// A use of a link is a response with data, or that they have not changed.
func TestUsesOfLinks(t *testing.T) {
	s := sampleStore(t)
	a := newAccess(t, access.Limits{Essential: 10}, time.Now)
	newKey(t, a, "sheet", access.Essential)
	base := serve(t, newAPI(t, api.Options{Store: s, Access: a}))
	link := func(query string) string {
		token, _, err := a.CreateLink(t.Context(), access.LinkRequest{Account: "sheet", Dataset: 1, Form: "csv", Query: query})
		if err != nil {
			t.Fatal(err)
		}
		return base + api.LinkAddress(token, "csv")
	}
	good, bad, unknown := link("country=Germany"), link("dim9=x"), link("version=7.3")
	tag := ask(t, "GET", good).Header.Get("ETag")
	for _, c := range []struct {
		name, address string
		headers       []string
		status        int
		uses          int64
	}{
		{"the same data again", good, []string{"If-None-Match: " + tag}, 304, 2},
		{"parameters beside the link", good + "?dim1=x", nil, 400, 2},
		{"a selection that is refused", bad, nil, 400, 0},
		{"a version that is gone", unknown, nil, 404, 0},
		{"no coding that is accepted", good, []string{"Accept-Encoding: identity;q=0, *;q=0"}, 406, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := ask(t, "GET", c.address, c.headers...); got.StatusCode != c.status {
				t.Errorf("%d %s, want %d", got.StatusCode, got.body, c.status)
			}
			list, err := a.Links(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range list {
				if strings.Contains(c.address, l.ID) && l.UsedToday != c.uses {
					t.Errorf("%d uses, want %d", l.UsedToday, c.uses)
				}
			}
		})
	}
}

// What a reader of a link would be told instead of data, or beside them, is said when it is made.
func TestCheckLink(t *testing.T) {
	s := sampleStore(t)
	a := newAPI(t, api.Options{Store: s, Access: newAccess(t, access.Limits{}, time.Now)})
	for _, c := range []struct{ name, form, query, err, notice string }{
		{"all data", "csv", "", "", ""},
		{"all data as JSON", "json", "", "", ""},
		{"a parameter that is not there", "csv", "x=y", `unknown parameter "x"`, ""},
		{"a form that is not there", "doc", "", "a link has the form", ""},
		{"what an organisation follows", "csv", "followed=true", "its own", ""},
		{"a size instead of data", "csv", "dry_run=true", "dry_run=true cannot be in a link", ""},
		{"a parameter of another form", "json", "sep=tab", "sep", ""},
		{"two ways to choose a version", "csv", "version=1.0&as_of=2026-01-01", "version", ""},
		{"an unknown version", "csv", "version=9.9", "404", ""},
		{"a range that is none", "xlsx", "period_from=2020&period_to=2010", "is after period_to", ""},
		{"no amounts", "csv", "dim1=Life+expectancy&transform=per-capita", "400", ""},
		{"an unknown area", "csv", "country=Nirgendwo", "", `"Nirgendwo" is not a label`},
		{"an unknown value, as JSON", "json", "dim1=x", "", `"x" is not a label`},
		{"nothing matches", "parquet", "period=1700", "", "no period in this range"},
	} {
		t.Run(c.name, func(t *testing.T) {
			notices, err := a.CheckLink(t.Context(), 1, c.form, c.query)
			if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("the error is %v, want %q", err, c.err)
			}
			if got := request.JoinNotices(notices); (got != "") != (c.notice != "") || !strings.Contains(got, c.notice) {
				t.Errorf("the notices are %q, want %q", got, c.notice)
			}
		})
	}
}
