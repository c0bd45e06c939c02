package agent_test

import (
	"strings"
	"testing"

	"almanac/internal/importer"
)

// TestWordsOfTools checks that results name the series of a table that has several, and measures with similar names, and that errors
// are in the words of tools.
func TestWordsOfTools(t *testing.T) {
	s := newStoreOf(t, importer.Options{Country: "US"}, "../data-more/fred-unrate/UNRATE.csv", "imf/WEOOct2009all.xls", "../data-more/statcan-18100204/18100204-eng.zip", "../data-more/indec-ipc-div/serie_ipc_divisiones.csv")
	base, _ := serve(t, s, unlimited)
	session := connect(t, base, nil)
	const prices, outlook = `"dataset": "statcan:18100204"`, `"dataset": "imf:WEO"`
	for _, c := range []struct {
		name, tool, arguments string
		want, wantNot         string
	}{
		{"a part beside a total", "get_latest", `{` + prices + `}`, "the values are those of Electric power selling price over 5000kw only; the dataset also has Electric power selling price indexes, national total, of fewer areas", ""},
		{"a total", "get_latest", `{` + prices + `, "areas": "Canada"}`, "111.4", "the values are those of"},
		{"a measure of a similar name", "compare_sources", `{"measure": "inflation", "areas": ["Argentina"]}`, "another measure is Inflation, twelve months (Change in consumer prices on the same month or quarter of the year before), which is here from indec:serie_ipc_divisiones", ""},
		{"a file of an office", "compare_sources", `{"measure": "unemployment rate", "areas": ["US"]}`, `["local:unrate","United States",`, `"fred:UNRATE"`},
		{"several areas as one", "get_data", `{` + outlook + `, "areas": ["DE,FR"]}`, `areas is a list with one name each: ["DE", "FR"], not "DE,FR"`, "country="},
		{"parts of several areas as one", "get_latest", `{` + outlook + `, "within": "DE,FR"}`, `within is a list with one name each: ["DE", "FR"], not "DE,FR"`, "repeating"},
		{"parts of several areas", "get_latest", `{` + outlook + `, "within": ["DE", "FR"]}`, "France", "not a label"},
		{"parts of an area as a text", "get_latest", `{` + outlook + `, "within": "FR"}`, "France", "not a label"},
		{"several areas to compare", "compare_sources", `{"measure": "inflation", "areas": ["DE,FR"]}`, `areas is a list with one name each: ["DE", "FR"], not "DE,FR"`, ""},
		{"all areas to compare", "compare_sources", `{"measure": "inflation", "areas": ["*"]}`, "name up to 10, or a group with .members", "nearest"},
		{"several values as one", "get_data", `{` + prices + `, "dimensions": {"Index": "Electric power selling price over 5000kw,Electric power selling price under 5000kw"}}`, `takes a list with one value each: ["Electric power selling price over 5000kw", "Electric power selling price under 5000kw"]`, "repeating"},
		{"an area without a name", "get_latest", `{` + outlook + `, "areas": [""]}`, "a name in areas is empty", "parameter"},
		{"all areas", "get_latest", `{` + outlook + `, "areas": ["*"]}`, "leave areas out for all of them", "nearest"},
		{"a dataset without a name", "get_latest", `{"dataset": ""}`, "dataset is empty; call search_datasets", "/api/"},
		{"a description without a name", "describe_dataset", `{"dataset": ""}`, "dataset is empty; call search_datasets", "/api/"},
		{"a parameter with another name", "list_changes", `{"since": "20x"}`, "since must be a date", "updated_since"},
		{"what since goes by", "list_changes", `{"since": "2020-01-01"}`, "since goes by the office's time of update", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, _ := ask(t, session, c.tool, c.arguments)
			if !strings.Contains(text, c.want) || c.wantNot != "" && strings.Contains(text, c.wantNot) {
				t.Errorf("%s %s: %.3000s, want %q and not %q", c.tool, c.arguments, text, c.want, c.wantNot)
			}
		})
	}
}

// TestFirstColumn checks that a result says which column of a table of several it has.
func TestFirstColumn(t *testing.T) {
	base, _ := serve(t, newStoreOf(t, importer.Options{NoGeo: true}, "../data-more/wb-cmo/CMO-Historical-Data-Monthly.xlsx"), unlimited)
	text, _ := ask(t, connect(t, base, nil), "get_latest", `{"dataset": "worldbank:cmo-historical-data-monthly-monthly-indices"}`)
	if want := "the values are those of Energy [iENERGY] only, one of 15 values of SERIES"; !strings.Contains(text, want) {
		t.Errorf("%s, want %s", text, want)
	}
}
