package api_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/importer"
)

// accounts is a table with a hierarchy: P is below T, P1 below P, which has no data, P11 below P1
// and X, and T below P11, which is a mistake.
const accounts = `{"version": "2.0", "class": "dataset", "label": "Accounts", "source": "Invented office",
"id": ["item", "geo", "time"], "size": [7, 1, 2], "role": {"geo": ["geo"], "time": ["time"]},
"dimension": {
  "item": {"label": "Item", "category": {"index": ["T", "P", "P1", "P11", "P2", "X", "Y"],
    "label": {"T": "All", "P": "Production", "P1": "First part", "P11": "Part of the part", "P2": "Second part", "X": "Other", "Y": "Alone"},
    "child": {"T": ["P", "X"], "P": ["P1", "P2"], "P1": ["P11"], "X": ["P11"], "P11": ["T"]}}},
  "geo": {"label": "Area", "category": {"index": ["FR"], "label": {"FR": "France"}}},
  "time": {"label": "Time", "category": {"index": ["2020", "2021"]}}},
"value": [1, 2, null, null, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}`

// itemsOf returns the codes of dim1 in a response, in order.
func itemsOf(t *testing.T, address string) string {
	t.Helper()
	var got wideData
	readJSON(t, address, &got)
	var codes []string
	for _, block := range got.Data {
		codes = append(codes, block.Key["dim1_code"])
	}
	for _, n := range got.Notices {
		codes = append(codes, n.Parameter+": "+n.Message)
	}
	return strings.Join(codes, " ")
}

// docs/queries.md, Below: the parts of a code on all levels, without itself, also where a level has no data.
func TestBelow(t *testing.T) {
	s := newStore(t)
	load(t, s, "accounts.json", strings.NewReader(accounts))
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1"
	for query, want := range map[string]string{
		"below.dim1=T":   "P1 P11 P2 X",
		"below.dim1=All": "P1 P11 P2 X",
		"below.dim1=P1":  "T P11 P2 X", // through the mistake
		"below.dim1=X":   "T P1 P11 P2",
		"below.dim1=P2":  `below.dim1: nothing is below "Second part" in the office's hierarchy of Item`,
		"below.dim1=P2&below.dim1=P1&like.dim1=P*": `P11 P2 below.dim1: nothing is below "Second part" in the office's hierarchy of Item`,
		"below.dim1=T&not.dim1=X&dim1=X&dim1=P1":   "P1",
		"below.dim1=Q":                             `below.dim1: "Q" is not a label or code of Item in the dataset (labels are case-sensitive)`,
	} {
		if got := itemsOf(t, base+"/data?codes=true&"+query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	for query, want := range map[string]string{
		"below.country=FR": "parameter below.country cannot be used: the office states no hierarchy of Area; within selects the parts of an area",
		"below.dim2=FR":    "unknown parameter below.dim2: dataset 1 has below.dim1 only",
	} {
		if got := ask(t, "GET", base+"/data?"+query); got.StatusCode != 400 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %s, want %s", query, got.StatusCode, got.body, want)
		}
	}
	available := ask(t, "GET", base+"/availability?below.dim1=X&country=FR").body
	for _, part := range []string{`{"code":"P1","label":"First part","parents":["T"],`, `{"code":"P11","label":"Part of the part","parents":["P1","X"],`, `{"code":"Y","label":"Alone","series":1,`} {
		if !strings.Contains(available, part) {
			t.Errorf("the availability has no %s: %s", part, available)
		}
	}
}

// itemList is a code list of the SDMX versions 2.1 and 3.0 at once.
const itemList = `<m:Structure xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:s="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/structure" xmlns:c="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common">
<m:Header><m:ID>1</m:ID><m:Test>false</m:Test><m:Prepared>2026-01-01T00:00:00</m:Prepared><m:Sender id="ILO"/></m:Header>
<m:Structures><s:Codelists><s:Codelist id="CL_ITEM" agencyID="ILO" version="1.0"><c:Name xml:lang="en">Items</c:Name>
<s:Code id="T"><c:Name xml:lang="en">All</c:Name></s:Code>
<s:Code id="P"><c:Name xml:lang="en">Production</c:Name><s:Parent><Ref id="T"/></s:Parent></s:Code>
<s:Code id="P1"><c:Name xml:lang="en">First part</c:Name><s:Parent>P</s:Parent></s:Code>
<s:Code id="X"><c:Name xml:lang="en">Other</c:Name></s:Code>
</s:Codelist></s:Codelists></m:Structures></m:Structure>`

// The hierarchy of a code list that was imported before the data is that of the data, also where
// a level of it has no data.
func TestBelowInCodeLists(t *testing.T) {
	s := newStore(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, path := range []string{
		write("lists.xml", itemList),
		write("data.csv", "DATAFLOW,ITEM,REF_AREA,TIME_PERIOD,OBS_VALUE\nILO:F(1.0),T,FR,2020,1\nILO:F(1.0),P1,FR,2020,2\nILO:F(1.0),X,FR,2020,3\n"),
	} {
		im, err := importer.New(s, importer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(im.Import(t.Context(), path))
	}
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1"
	if got := itemsOf(t, base+"/data?codes=true&below.dim1=All"); got != "P1" {
		t.Errorf("below All: %s; %s", got, ask(t, "GET", base+"/availability").body)
	}
}

// docs/queries.md, Patterns: they match whole labels and codes, and a notice names what another case would match.
func TestLike(t *testing.T) {
	s := newStore(t)
	load(t, s, "accounts.json", strings.NewReader(accounts))
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1"
	for query, want := range map[string]string{
		"like.dim1=*PART*":          `like.dim1: no label and no code matches "*PART*"; patterns are case-sensitive`,
		"like.dim1=P?":              "P1 P2",
		"like.dim1=P*&last_n=1":     "P1 P11 P2",
		`like.dim1=\P2`:             "P2",
		"like.country=F*&dim1=T":    "T",
		"like.country=*ance&dim1=T": "T",
	} {
		if got := itemsOf(t, base+"/data?codes=true&"+strings.ReplaceAll(query, `\`, "%5C")); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	for query, want := range map[string]string{
		`like.dim1=P%5C`:                        "ends in a single backslash",
		"like.dim1=" + strings.Repeat("x", 201): "a pattern of 201 characters; at most 200",
		strings.Repeat("like.dim1=x&", 21):      "given 21 times; at most 20",
		"last_n=1&latest=true":                  "cannot be combined with latest",
		"first_n=0":                             "must be a decimal integer of 1 or more",
	} {
		if got := ask(t, "GET", base+"/data?"+query); got.StatusCode != 400 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %s, want %s", query, got.StatusCode, got.body, want)
		}
	}
}
