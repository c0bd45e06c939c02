package portal_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"almanac/internal/importer"
	"almanac/internal/stattest"
)

// atom is what readers of feeds see of one.
type atom struct {
	Title   string `xml:"title"`
	ID      string `xml:"id"`
	Updated string `xml:"updated"`
	Entries []struct {
		ID      string `xml:"id"`
		Title   string `xml:"title"`
		Updated string `xml:"updated"`
		Content string `xml:"content"`
		Link    struct {
			Address string `xml:"href,attr"`
		} `xml:"link"`
	} `xml:"entry"`
}

// The feed of a dataset has an entry for each version, newest first, with the values that changed
// as the interface has them. Ids stay the same.
func TestFeedOfDataset(t *testing.T) {
	s := newStore(t)
	for _, rows := range []string{"DE,2021,795492\nFR,2021,742052\n", "DE,2021,795493\nFR,2021,742052\nFR,2022,726000\n", "DE,2021,795493\nFR,2022,726000\n"} {
		load(t, s, "births.csv", strings.NewReader("country,year,value\nDE,2020,773144\nFR,2020,735196\n"+rows))
	}
	base := serve(t, s, nil)
	got := ask(t, "GET", base+"/datasets/1/feed.atom")
	var feed atom
	if err := xml.Unmarshal([]byte(got.body), &feed); err != nil || got.StatusCode != http.StatusOK || got.Header.Get("Content-Type") != "application/atom+xml; charset=utf-8" {
		t.Fatalf("%d %s, %v: %.300s", got.StatusCode, got.Header.Get("Content-Type"), err, got.body)
	}
	want := []struct{ title, rows string }{
		{"version 1.2: 0 added, 0 revised, 1 removed", "France 2021 742 052 …"},
		{"version 1.1: 1 added, 1 revised, 0 removed", "Germany 2021 795 492 795 493 | France 2022 … 726 000"},
		{"version 1.0: 4 values, first version", ""},
	}
	if len(feed.Entries) != len(want) {
		t.Fatalf("the feed has %d entries, want %d:\n%s", len(feed.Entries), len(want), got.body)
	}
	for i, w := range want {
		e := feed.Entries[i]
		if rows := rowsOf(parse(t, e.Content)); !strings.HasSuffix(e.Title, w.title) || rows != w.rows {
			t.Errorf("entry %d is %q with the rows %q, want %q with %q", i, e.Title, rows, w.title, w.rows)
		}
		if page := ask(t, "GET", e.Link.Address); page.StatusCode >= http.StatusInternalServerError {
			t.Errorf("%s: %d", e.Link.Address, page.StatusCode)
		}
		if !strings.HasSuffix(e.ID, "/datasets/1#version-"+w.title[len("version "):len("version 1.0")]) {
			t.Errorf("entry %d has the id %s", i, e.ID)
		}
	}
	var asJSON struct {
		Version string
		Items   []struct{ ID, Title string }
	}
	got = ask(t, "GET", base+"/datasets/1/feed.json")
	if err := json.Unmarshal([]byte(got.body), &asJSON); err != nil || !strings.HasPrefix(asJSON.Version, "https://jsonfeed.org/version/1") || len(asJSON.Items) != len(want) {
		t.Errorf("the feed as JSON: %v: %.300s", err, got.body)
	}
	for i, item := range asJSON.Items {
		if item.ID != feed.Entries[i].ID || item.Title != feed.Entries[i].Title {
			t.Errorf("item %d of the JSON is %+v, in Atom %+v", i, item, feed.Entries[i])
		}
	}
}

// rowsOf returns the texts of the rows of a table, without its heading.
func rowsOf(root *html.Node) string {
	var rows []string
	for _, row := range elements(root, "tr") {
		if len(elements(row, "td")) > 0 {
			rows = append(rows, textOf(row))
		}
	}
	return strings.ReplaceAll(strings.Join(rows, " | "), "\u202f", " ")
}

// The feeds of a source and of all datasets have the current version of each; an unknown source
// has none.
func TestFeedsOfCatalogue(t *testing.T) {
	base := serve(t, sampleStore(t), nil)
	for address, want := range map[string]int{"/feed.atom": 2, "/sources/bls/feed.atom": 1} {
		got := ask(t, "GET", base+address)
		var feed atom
		if err := xml.Unmarshal([]byte(got.body), &feed); err != nil || len(feed.Entries) != want || feed.Updated == "" {
			t.Errorf("%s: %d entries, %v, want %d: %.300s", address, len(feed.Entries), err, want, got.body)
		}
	}
	if got := ask(t, "GET", base+"/sources/nobody/feed.atom"); got.StatusCode != http.StatusNotFound {
		t.Errorf("the feed of an unknown source: %d", got.StatusCode)
	}
}

// The feed of a source whose files name several publishers has none of them in its title.
func TestFeedOfSeveralPublishers(t *testing.T) {
	s := newStore(t)
	importFruit(t, s, strings.Replace(fruit(1, "Apples", "Pears"), "#source,nso,National office", "#source,local,Example Office", 1))
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	im.Import(context.Background(), filepath.Join(stattest.DataDir(t), "..", "data-more", "census-nst", "nst-est2019-alldata.csv"))
	got := ask(t, "GET", serve(t, s, nil)+"/sources/local/feed.atom")
	if want := "<title>Several publishers (local): newest versions</title>"; !strings.Contains(got.body, want) {
		t.Errorf("%.600s, want %s", got.body, want)
	}
}
