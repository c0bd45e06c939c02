package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/offices"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stattest"
)

// kindCase is an office of one kind of server, with a number from its real files.
type kindCase struct {
	office string
	search string // words that find the dataset; empty: the office has no list
	under  string // where it is found
	code   string
	query  string // of the number, at the data endpoint
	number string // as written in JSON
	// edition is what the office publishes next: pairs of old and new texts in its
	// responses; other is the new number.
	edition []string
	other   string
}

// kindCases has an office of each kind.
var kindCases = []kindCase{
	{
		office: "eurostat", search: "real gdp per capita", code: "sdg_08_10", query: "country=AL&period=2000&dim2=CLV20_EUR_HAB", number: "2120",
		edition: []string{"\t2120 \t", "\t2121 \t", "16.08.2023", "17.08.2023"}, other: "2121",
	},
	{
		office: "worldbank", search: "gdp US$", code: "NY.GDP.MKTP.CD", query: "country=DE&period=2022", number: "4082469490797.68",
		edition: []string{"4082469490797.68", "4082469490797.69", `"lastupdated":"2024-03-28"`, `"lastupdated":"2024-06-28"`}, other: "4082469490797.69",
	},
	{
		office: "who", search: "life expectancy birth", code: "WHOSIS_000001", query: "country=SO&period=2008&dim1=SEX_MLE", number: "48.03754",
		edition: []string{"48.03754", "48.03755"}, other: "48.03755",
	},
	{
		office: "cso", search: "gross domestic product", code: "NQQ25", query: "period=1997-Q1&dim1=0&dim2=NQQ25C01", number: "19960",
		edition: []string{"19960", "19961", "2016-04-03T10:24:06", "2016-07-03T10:24:06"}, other: "19961",
	},
	{
		office: "dbnomics", search: "trade", under: "CEPII", code: "CEPII/CHELEM-TRADE-CHEL", query: "period=1967", number: "4.4180715605",
		edition: []string{"4.4180715605", "4.4180715606", "2023-06-08T14:45:21", "2023-09-08T14:45:21"}, other: "4.4180715606",
	},
	{
		office: "ecb", search: "exchange rates", code: "EXR", query: "period=2001", number: "0.895263095238095",
		edition: []string{"0.895263095238095", "0.895263095238096"}, other: "0.895263095238096",
	},
	{
		office: "statgl", search: "labour education", under: "SO", code: "SO/SO10/SOXATI4.px", query: "dim1=Total&dim2=Total&dim3=November", number: "55860",
		edition: []string{"55860", "55861", "20230207 09:00", "20230307 09:00", "2023-02-07T09:00:00", "2023-03-07T09:00:00"}, other: "55861",
	},
	{
		office: "owid", code: "co2-emissions-per-capita", query: "country=GB&period=1750", number: "1.0019121",
		edition: []string{"1.0019121", "1.0019122"}, other: "1.0019122",
	},
	{
		office: "dst", search: "population quarter", code: "FOLK1A", query: "period=2024-Q1", number: "101",
		edition: []string{"101 102", "901 102", "2026-11-11T08:00:00", "2026-11-12T08:00:00"}, other: "901",
	},
}

// keptKinds are kinds that need a key, or have addresses in their lists; package source tests
// them.
var keptKinds = []string{"genesis", "index", "odata4"}

// Each kind of server works from search to served JSON: the program finds a dataset in an
// office's real files, fetches it, and serves a number of it. After the office revises the
// number, the next sync fetches it.
func TestFromSearchToServedJSON(t *testing.T) {
	for _, c := range kindCases {
		t.Run(c.office, func(t *testing.T) {
			t.Parallel()
			office, row := replayOffice(t, c.office)
			dir := t.TempDir()
			if err := writeOffices(dir, row); err != nil {
				t.Fatal(err)
			}
			c.found(t, dir)
			ref := c.office + ":" + c.code
			must(t, "watch", "add", "--data", dir, "--networks", "127.0.0.1/32", ref)
			id := synced(t, dir, ref, "created")
			s := startProgram(t, dir, "--limits", "anonymous=unlimited")
			c.served(t, s.url, id, c.number)
			synced(t, dir, ref, "unchanged")
			office.publish(c.edition...)
			if again := synced(t, dir, ref, "updated"); again != id {
				t.Errorf("got dataset %d, want %d", again, id)
			}
			c.served(t, s.url, id, c.other)
			s.stop(t)
		})
	}
}

func TestAllKindsOfServersAreTested(t *testing.T) {
	tried := map[string]bool{}
	table := sourcetest.NewTable(t, fetch.Options{})
	for _, c := range kindCases {
		o, _ := table.Office(c.office)
		tried[o.Kind] = true
	}
	for _, kind := range offices.Kinds() {
		if !tried[kind] && !slices.Contains(keptKinds, kind) {
			t.Errorf("kindCases has no office of the kind %s", kind)
		}
	}
}

// found checks that searching finds the dataset.
func (c *kindCase) found(t *testing.T, dir string) {
	t.Helper()
	if c.search == "" {
		return
	}
	args := []string{"source", "datasets", "--data", dir, "--networks", "127.0.0.1/32", "--json", c.office, "--search", c.search}
	if c.under != "" {
		args = append(args, "--under", c.under)
	}
	listed := must(t, args...)
	for line := range strings.Lines(listed) {
		var e source.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Code == c.code {
			return
		}
	}
	t.Errorf("searching for %q does not find it:\n%s", c.search, listed)
}

// synced updates a dataset, which must have that status, and returns its ID in the
// store.
func synced(t *testing.T, dir, ref, status string) int {
	t.Helper()
	out := must(t, "sync", "--data", dir, "--networks", "127.0.0.1/32", "--json", ref)
	first, rest, _ := strings.Cut(out, "\n")
	var item struct {
		Ref, Status string
		ID          int
	}
	if err := json.Unmarshal([]byte(first), &item); err != nil || item.Ref != ref || item.Status != status {
		t.Fatalf("%s: want status %s: %v\n%s", ref, status, err, out)
	}
	if !strings.Contains(rest, `"items":1,`) || !strings.Contains(rest, fmt.Sprintf(`"%s":1,`, status)) {
		t.Errorf("the summary is %s", rest)
	}
	return item.ID
}

// waitForNumber waits until the server serves the number.
func (c *kindCase) served(t *testing.T, url string, id int, number string) {
	t.Helper()
	stattest.Eventually(t, func() error {
		body, err := bodyOf(fmt.Sprintf("%s/api/datasets/%d/data?%s", url, id, c.query))
		if err == nil && !strings.Contains(string(body), ":"+number+"}") && !strings.Contains(string(body), ":"+number+",") {
			err = fmt.Errorf("%s is not in the response to %s: %.600s", number, c.query, body)
		}
		return err
	})
}
