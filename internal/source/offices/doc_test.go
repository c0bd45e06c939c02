package offices_test

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/offices"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stattest"
)

// replayedResponses describes the real responses that the tests replay, by office ID. An
// office that is not listed has not been tested with its own responses.
var replayedResponses = map[string]string{
	"eurostat": "the table of contents, bulk TSV, code lists, the envelopes of asynchronous responses, faults",

	"worldbank": "an indicator of 10,000 records in pages, the list of countries",
	"who":       "two indicators, made from the real CSV; labels of countries",
	"dbnomics":  "a dataset of 1,000 series in pages",
	"cso":       "a table of quarterly accounts",

	"bis":         "derivatives as CSV and as both kinds of XML",
	"ecb":         "exchange rates as both kinds of XML, with the structure",
	"ilo":         "a dataflow without data",
	"imf":         "direction of trade, in SDMX 2.0",
	"insee":       "industrial production as both kinds of XML, with the structure",
	"istat":       "childcare as XML, with the structure",
	"oecd":        "main indicators as XML, with the structure; part-time employment as JSON",
	"statcan":     "the archive of housing starts",
	"boi":         "the list and exchange rates as XML",
	"norges-bank": "the list of dataflows and exchange rates as XML",
	"bundesbank":  "one series as XML",
	"unicef":      "child mortality as CSV, a list of countries",

	"bfs":     "one table",
	"nordic":  "one table",
	"scb":     "six tables, in both versions",
	"ssb":     "three tables, in both versions",
	"statfin": "two tables",
	"statgl":  "two tables",

	"ecb-rates": "all rates, zipped",
	"owid":      "one chart",
	"un-wpp":    "one file, packed",
}

// The markers around the tables.
const (
	officesBegin = "<!-- table of offices: written by go test ./internal/source/offices -run TestOfficesInDocs -update -->\n"
	officesEnd   = "<!-- end of the table -->\n"
)

// TestOfficesInDocs compares the tables in docs/sources.md with the built-in offices.
func TestOfficesInDocs(t *testing.T) {
	table := sourcetest.NewTable(t, fetch.Options{})
	for id := range replayedResponses {
		if _, ok := table.Office(id); !ok {
			t.Errorf("%s is replayed but is not an office", id)
		}
	}
	const path = "../../../docs/sources.md"
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(doc), officesBegin)
	_, after, ends := strings.Cut(rest, officesEnd)
	if !found || !ends {
		t.Fatalf("%s lacks the markers of the table of offices", path)
	}
	want := before + officesBegin + officesText(table.Offices()) + officesEnd + after
	switch {
	case want == string(doc):
	case !*stattest.Update:
		t.Errorf("the table in %s is outdated: run this test with -update", path)
	default:
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// officesText returns the tables of offices, one for each kind of server.
func officesText(rows []source.Office) string {
	var b strings.Builder
	for _, kind := range offices.Kinds() {
		fmt.Fprintf(&b, "\n### %s\n\n| office | name | address | check interval | limits | quirks | responses in tests |\n|---|---|---|---|---|---|---|\n", kind)
		for _, o := range rows {
			if o.Kind != kind {
				continue
			}
			version := ""
			if o.Version != "" {
				version = " (" + o.Version + ")"
			}
			check := time.Duration(cmp.Or(o.Check, source.Interval(24*time.Hour)))
			responses := cmp.Or(replayedResponses[o.ID], "–")
			if o.Untried {
				responses = "untried: no response of the server has been seen"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s%s | %s | %s | %s | %s |\n", o.ID, cell(o.Name), o.Address, version,
				formatInterval(check), cell(o.Limits), cell(o.Quirks), responses)
		}
	}
	return b.String() + "\n"
}

// formatInterval formats the interval between two checks.
func formatInterval(d time.Duration) string {
	if days := d.Hours() / 24; days > 1 {
		return fmt.Sprintf("%g days", days)
	}
	return fmt.Sprintf("%g hours", d.Hours())
}

// cell escapes a text for a cell of a table.
func cell(text string) string {
	return cmp.Or(strings.NewReplacer("|", `\|`, "\n", " ").Replace(text), "–")
}
