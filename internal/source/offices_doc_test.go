package source_test

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stattest"
)

// answersServed says which real answers the tests of a kind serve, by the ID of the
// office that they are of. An office that is missing here is a row that nobody
// has tried against answers of its own.
var answersServed = map[string]string{
	"eurostat": "the table of contents, bulk TSV, code lists, the envelopes of answers that are made later, faults",

	"worldbank": "an indicator of 10,000 records in pages, the list of countries",
	"who":       "two indicators, made of the real CSV; labels of countries",
	"dbnomics":  "a dataset of 1,000 series in pages",
	"cso":       "a table of quarterly accounts",

	"bis":     "derivatives as CSV and as both kinds of XML",
	"ecb":     "exchange rates as both kinds of XML, with the structure",
	"ilo":     "a dataflow without data",
	"imf":     "direction of trade, in the version 2.0 of SDMX",
	"insee":   "industrial production as both kinds of XML, with the structure",
	"istat":   "day-care for infancy as XML, with the structure",
	"oecd":    "main indicators as XML, with the structure; part-time employment as JSON",
	"statcan": "the archive of housing starts",
	"unicef":  "child mortality as CSV, a list of countries",

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

// The lines between which the tables stand.
const (
	officesBegin = "<!-- table of offices: written by go test ./internal/source -run TestOfficesInDocs -update -->\n"
	officesEnd   = "<!-- end of the table -->\n"
)

// docs/sources.md says of each office what the table knows.
func TestOfficesInDocs(t *testing.T) {
	client, err := fetch.New(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := source.NewTable(client, nil)
	if err != nil {
		t.Fatal(err)
	}
	for id := range answersServed {
		if _, ok := table.Office(id); !ok {
			t.Errorf("%s is replayed, but no office", id)
		}
	}
	const path = "../../docs/sources.md"
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(doc), officesBegin)
	_, after, ends := strings.Cut(rest, officesEnd)
	if !found || !ends {
		t.Fatalf("%s has no place for the table of offices", path)
	}
	want := before + officesBegin + officesText(table.Offices()) + officesEnd + after
	switch {
	case want == string(doc):
	case !*stattest.Update:
		t.Errorf("the table of %s is not what the offices are: run this test with -update", path)
	default:
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// officesText are the tables of offices, one for each kind of server.
func officesText(offices []source.Office) string {
	var b strings.Builder
	for _, kind := range source.Kinds() {
		fmt.Fprintf(&b, "\n### %s\n\n| office | name | address | asked every | limits | quirks | replayed |\n|---|---|---|---|---|---|---|\n", kind)
		for _, o := range offices {
			if o.Kind != kind {
				continue
			}
			version := ""
			if o.Version != "" {
				version = " (" + o.Version + ")"
			}
			check := time.Duration(cmp.Or(o.Check, source.Every(24*time.Hour)))
			fmt.Fprintf(&b, "| `%s` | %s | %s%s | %s | %s | %s | %s |\n", o.ID, cell(o.Name), o.Address, version,
				span(check), cell(o.Limits), cell(o.Quirks), cmp.Or(answersServed[o.ID], "–"))
		}
	}
	return b.String() + "\n"
}

// span writes how often an office is asked.
func span(d time.Duration) string {
	if days := d.Hours() / 24; days > 1 {
		return fmt.Sprintf("%g days", days)
	}
	return fmt.Sprintf("%g hours", d.Hours())
}

// cell is a text in a table.
func cell(text string) string {
	return cmp.Or(strings.NewReplacer("|", `\|`, "\n", " ").Replace(text), "–")
}
