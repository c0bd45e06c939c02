package api_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"almanac/internal/api"
	"almanac/internal/store"
)

// clockStore returns a store whose imports have times of their own.
func clockStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// addressIn returns the address that a file states of itself, relative to the service.
func addressIn(t *testing.T, form string, file answer) string {
	t.Helper()
	if file.StatusCode != 200 {
		t.Fatalf("%s: %d %s", form, file.StatusCode, file.body)
	}
	if form == "jsonstat" {
		var cube struct{ Href string }
		if err := json.Unmarshal([]byte(file.body), &cube); err != nil {
			t.Fatal(err)
		}
		return cube.Href
	}
	read, err := parquet.OpenFile(strings.NewReader(file.body), int64(len(file.body)))
	if err != nil {
		t.Fatal(err)
	}
	address, _ := read.Lookup("almanac.address")
	return address
}

// TestAddressInFile checks that the address in a file is one of the same bytes, also after new versions
// of the dataset and of the population that its values are divided by.
func TestAddressInFile(t *testing.T) {
	accounts, pjan := perCapitaFiles[0], perCapitaFiles[1]
	change := func(text, old, new string) string { return strings.Replace(text, old, new, 1) }
	for _, c := range []struct {
		name, query string
		first       []string // imported before the file is read, in this order
	}{
		{"the office's values", "", []string{accounts}},
		{"a chosen version", "&version=1.0", []string{accounts, change(accounts, "134", "135")}},
		{"per capita", "&transform=per-capita", []string{accounts, pjan}},
		{"population first", "&transform=per-capita", []string{pjan, accounts}},
		{"per capita of a named dataset", "&transform=per-capita:worldbank:SP.POP.TOTL", perCapitaFiles},
		{"a time to come", "&transform=per-capita&as_of=2999-01-01", []string{accounts, pjan, change(accounts, "134", "135")}},
		{"a version before any population", "&transform=per-capita&version=1.0", []string{accounts, change(accounts, "134", "135"), pjan}},
		{"a population between two versions", "&transform=per-capita&version=1.1", []string{accounts, pjan, change(accounts, "134", "135"), change(pjan, "67000000", "68000000")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := clockStore(t)
			for _, text := range c.first {
				load(t, s, "a.csv", strings.NewReader(text))
			}
			base := serve(t, newAPI(t, api.Options{Store: s}))
			files := map[string]answer{}
			for _, form := range []string{"jsonstat", "parquet"} {
				files[form] = ask(t, "GET", base+"/api/datasets/eurostat:accounts/data."+form+"?dim1=MIO_EUR&country=FR"+c.query)
			}
			for _, text := range append([]string{change(accounts, "134", "200"), change(pjan, "67000000", "33500000")}, perCapitaFiles[2]) {
				load(t, s, "b.csv", strings.NewReader(text))
			}
			for form, file := range files {
				address := addressIn(t, form, file)
				if again := ask(t, "GET", base+address); again.StatusCode != 200 || again.body != file.body {
					t.Errorf("%s: %d %s\nbefore: %s", address, again.StatusCode, again.body, file.body)
				}
			}
		})
	}
}

// TestAddressOfPost checks that a file of a selection in a body states the address of this selection, unless the
// address would be too long.
func TestAddressOfPost(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for length, want := range map[int]bool{1: true, 10_000: false} {
		body, _ := json.Marshal(map[string]any{"dim1": "Population", "country": []string{"Germany", strings.Repeat("x", length)}})
		file := send(t, "POST", base+"/api/datasets/1/data", string(body), "Content-Type: application/json", "Accept: application/vnd.json-stat+json")
		address := addressIn(t, "jsonstat", file)
		if (address != "") != want {
			t.Errorf("%d characters: the address is %.100q", length, address)
		}
		if address == "" {
			continue
		}
		if again := ask(t, "GET", base+address); again.body != file.body || !strings.Contains(address, "country=Germany") {
			t.Errorf("%s: %d %s\nbefore: %s", address, again.StatusCode, again.body, file.body)
		}
	}
}

// TestAddressHasLanguage checks that the address in a file has the language that Accept-Language chose.
func TestAddressHasLanguage(t *testing.T) {
	s := newStore(t)
	for i, text := range []string{fileIn("sv", "Folkmängd", "region", "Sverige", "Norge", "slag"), fileIn("en", "Population", "area", "Sweden", "Norway", "kind")} {
		load(t, s, []string{"a.px", "b.px"}[i], strings.NewReader(text))
	}
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for _, language := range []string{"sv", "en", ""} {
		file := ask(t, "GET", base+"/api/datasets/1/data.jsonstat?dim1="+url.QueryEscape("X"), "Accept-Language: "+language)
		address := addressIn(t, "jsonstat", file)
		for _, other := range []string{"sv", "en"} {
			if again := ask(t, "GET", base+address, "Accept-Language: "+other); again.body != file.body {
				t.Errorf("%q: %s in %s is %s\nbefore: %s", language, address, other, again.body, file.body)
			}
		}
	}
}
