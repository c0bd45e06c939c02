package api_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/store"
)

// Servers of one store have the same links: each counts the uses of all, against one limit, and a
// link that is revoked on one ends on the others. A link to a version that was deleted says so.
func TestLinksOnSeveralServers(t *testing.T) {
	storeDir, accessDir := t.TempDir(), t.TempDir()
	var accesses []*access.Access
	var stores []*store.Store
	var bases []string
	for range 2 {
		s, err := store.Open(context.Background(), store.Options{Dir: storeDir})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		a, err := access.Open(context.Background(), access.Options{Dir: accessDir, Limits: access.Limits{Anonymous: 0, Essential: 60, Pro: 5000}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Close() })
		stores, accesses = append(stores, s), append(accesses, a)
		bases = append(bases, serve(t, newAPI(t, api.Options{Store: s, Access: a, Now: time.Now})))
	}
	load(t, stores[0], "changing.csv", strings.NewReader(changingTable))
	load(t, stores[0], "changing.csv", strings.NewReader(strings.Replace(changingTable, ",6,", ",7,", 1)))
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) { // until the other server knows
		if v, err := stores[1].Vintage(t.Context(), 1); err == nil && v.Version == "1.1" {
			break
		} else if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	newKey(t, accesses[0], "sheet", access.Essential)
	link := func(query string) (path, id string) {
		token, l, err := accesses[0].CreateLink(t.Context(), access.LinkRequest{Account: "sheet", Dataset: 1, Form: "csv", Query: query})
		if err != nil {
			t.Fatal(err)
		}
		return api.LinkAddress(token, "csv"), l.ID
	}
	// until reads a link on a server until the server knows what another one did.
	until := func(base, path string, status int) answer {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
			if got := ask(t, "GET", base+path); got.StatusCode == status || time.Now().After(deadline) {
				if got.StatusCode != status {
					t.Fatalf("%d %s, want %d", got.StatusCode, got.body, status)
				}
				return got
			}
		}
	}
	current, id := link("country=France&dim1=B")
	first, _ := link("country=France&dim1=B&version=1.0")
	if got := until(bases[1], current, 200); !strings.Contains(got.body, ",7,") {
		t.Errorf("the link on the other server:\n%s", got.body)
	}
	if got := until(bases[1], first, 200); !strings.Contains(got.body, ",6,") {
		t.Errorf("the link to the first version:\n%s", got.body)
	}
	for _, base := range bases {
		until(base, current, 200)
	}
	list, err := accesses[0].Links(t.Context())
	if err != nil || len(list) != 2 || list[0].UsedToday+list[1].UsedToday != 4 {
		t.Errorf("%+v, %v; want 4 uses on both servers", list, err)
	}
	if _, err := stores[0].Prune(t.Context(), 1, 1); err != nil {
		t.Fatal(err)
	}
	if got := until(bases[1], first, 404); !strings.Contains(got.body, "version 1.0 of dataset 1 was deleted; it has 1.1") {
		t.Errorf("a link to a deleted version: %s", got.body)
	}
	for range 35 { // up to the limit of the account, on both
		ask(t, "GET", bases[0]+current)
		ask(t, "GET", bases[1]+current)
	}
	until(bases[0], current, 429)
	until(bases[1], current, 429)
	if _, err := accesses[1].RevokeLink(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	until(bases[0], current, 410)
}
