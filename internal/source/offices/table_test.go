package offices_test

import (
	"strings"
	"testing"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/offices"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stat"
)

func TestParseRef(t *testing.T) {
	t.Parallel()
	table := sourcetest.NewTable(t, fetch.Options{}, source.Office{ID: "north", Name: "Office of the North", Kind: "pxweb", Address: "https://north.example/api"})
	for text, want := range map[string]offices.Ref{
		"eurostat:une_rt_m":            {Office: "eurostat", Code: "une_rt_m"},
		"Eurostat:UNE_RT_M":            {Office: "eurostat", Code: "UNE_RT_M"},
		"north:BE/BE0101/A":            {Office: "north", Code: "BE/BE0101/A"},
		"pxweb:north/BE/BE0101/A":      {Office: "north", Code: "BE/BE0101/A"},
		"jsonstat:CSO/NQQ25":           {Office: "cso", Code: "NQQ25"},
		"eurostat:theme/na10":          {Office: "eurostat", Code: "theme/na10"},
		"cso:https://x.example/a.json": {Office: "cso", Code: "https://x.example/a.json"},
		"ecb:ECB,EXR":                  {Office: "ecb", Code: "EXR"},
		"sdmx:ecb/ecb,EXR/D.USD+GBP":   {Office: "ecb", Code: "EXR/D.USD+GBP"},
		"ecb:ECB,EXR,1.0":              {Office: "ecb", Code: "ECB,EXR,1.0"}, // a version is another dataset
		"ecb:ECB,*":                    {Office: "ecb", Code: "*"},
		"ecb:theme/all":                {Office: "ecb", Code: "theme/all"},
		"oecd:OECD.ELS,PART2":          {Office: "oecd", Code: "OECD.ELS,PART2"},
		"statcan:34100158":             {Office: "statcan", Code: "34100158"},
		"https://x.example/a.csv?b=c":  {Code: "https://x.example/a.csv?b=c"},
		"HTTP://x.example/a.csv":       {Code: "HTTP://x.example/a.csv"},
	} {
		got, err := table.ParseRef(text)
		if err != nil || got != want {
			t.Errorf("%q: got %+v (%v), want %+v", text, got, err, want)
		}
		if again, err := table.ParseRef(got.String()); err != nil || again != got {
			t.Errorf("%q: String returns %q, which parses as %+v (%v)", text, got, again, err)
		}
	}
}

func TestParseRefErrors(t *testing.T) {
	t.Parallel()
	table := sourcetest.NewTable(t, fetch.Options{})
	for text, want := range map[string]struct {
		kind    stat.Kind
		message string
	}{
		"euro:une_rt_m":               {stat.NotFound, "eurostat is Eurostat"},
		"nowhere:x":                   {stat.NotFound, "almanac source list"},
		"eurostat:":                   {stat.Invalid, "eurostat:CODE"},
		"eurostat":                    {stat.Invalid, "eurostat:CODE"},
		"pxweb:nowhere/x":             {stat.NotFound, `"nowhere"`},
		"pxweb:":                      {stat.NotFound, "almanac source list"},
		":x":                          {stat.NotFound, "almanac source list"},
		"":                            {stat.NotFound, "almanac source list"},
		"https://":                    {stat.Invalid, "address"},
		"https://me:pw@x.example/a":   {stat.Invalid, "address"},
		"ftp://x.example/a.csv":       {stat.NotFound, `"ftp"`},
		"file:///etc/passwd":          {stat.NotFound, `"file"`},
		"https://x.example/%zz/a.csv": {stat.Invalid, "address"},
	} {
		ref, err := table.ParseRef(text)
		if err == nil || stat.KindOf(err) != want.kind || !strings.Contains(err.Error(), want.message) {
			t.Errorf("%q: got %+v and %v, want an error of kind %v with %q", text, ref, err, want.kind, want.message)
		}
	}
}

func TestReadOffices(t *testing.T) {
	t.Parallel()
	rows, err := offices.ReadOffices("sources.json", strings.NewReader(
		`{"offices": [{"id": "north", "name": "North", "kind": "files", "address": "https://north.example", "data": "https://north.example/{code}.csv", "check": "6h", "pause": "500ms"}]}`))
	if err != nil || len(rows) != 1 || time.Duration(rows[0].Check) != 6*time.Hour || time.Duration(rows[0].Pause) != 500*time.Millisecond {
		t.Fatalf("%+v, %v", rows, err)
	}
	for text, message := range map[string]string{
		``:                                   `must be {"offices"`,
		`{"offices": [`:                      `must be {"offices"`,
		`{"offices": {}}`:                    `must be {"offices"`,
		`{"offices": [{"id": 5}]}`:           `must be {"offices"`,
		`{"offices": [{"adress": "x"}]}`:     "adress",
		`{"offices": [{"check": "often"}]}`:  "6h",
		`{"offices": [{"check": -5}]}`:       "6h",
		`{"offices": []} {}`:                 "unexpected content after the offices",
		`[]`:                                 `must be {"offices"`,
		`<html>`:                             `must be {"offices"`,
		`{"offices": [], "offices2": []}`:    "offices2",
		strings.Repeat(`{"offices":`, 20000): `must be {"offices"`,
	} {
		if got, err := offices.ReadOffices("sources.json", strings.NewReader(text)); stat.KindOf(err) != stat.Invalid || !strings.Contains(err.Error(), "sources.json") || !strings.Contains(err.Error(), message) {
			t.Errorf("%.60q: got %+v and error %v, want it to contain %q", text, got, err, message)
		}
	}
}

func TestOwnOfficesAreCheckedTogether(t *testing.T) {
	t.Parallel()
	client, err := fetch.New(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = offices.NewTable(client, []source.Office{
		{ID: "North", Name: "North", Kind: "files", Address: "https://north.example"},
		{ID: "sdmx", Name: "", Kind: "paper", Address: "ftp://x.example"},
		{ID: "b", Name: "B", Kind: "files", Address: "https://u:p@x.example", Data: "/{code}"},
	})
	for _, message := range []string{`id "North"`, `id "sdmx" is the name of a kind`, "missing name", `kind "paper"`, "ftp://", "an address must not contain a user name or password", `"/{code}"`} {
		if stat.KindOf(err) != stat.Invalid || !strings.Contains(err.Error(), message) {
			t.Errorf("got error %v, want it to contain %q", err, message)
		}
	}
}

// An installation's own office replaces the built-in one with the same ID.
func TestOwnOfficeReplaces(t *testing.T) {
	t.Parallel()
	before := sourcetest.NewTable(t, fetch.Options{})
	table := sourcetest.NewTable(t, fetch.Options{}, source.Office{ID: "eurostat", Name: "Mirror", Kind: "eurostat", Address: "https://mirror.example"})
	if o, ok := table.Office("eurostat"); !ok || o.Name != "Mirror" || len(table.Offices()) != len(before.Offices()) {
		t.Errorf("got office %+v among %d", o, len(table.Offices()))
	}
}

// Every built-in office has a usable address and a website.
func TestBuiltInOffices(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, o := range sourcetest.NewTable(t, fetch.Options{}).Offices() {
		if seen[o.ID] {
			t.Errorf("%s is in the table twice", o.ID)
		}
		seen[o.ID] = true
		if !strings.HasPrefix(o.Address, "https://") || strings.HasSuffix(o.Address, "/") {
			t.Errorf("%s: %q must begin with https:// and not end with a slash", o.ID, o.Address)
		}
		if o.Website == "" {
			t.Errorf("%s has no website", o.ID)
		}
	}
}
