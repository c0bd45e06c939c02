package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/agent"
	"almanac/internal/api"
	"almanac/internal/stattest"
	"almanac/internal/watch"
)

// exampleRequests are the requests of the examples in the API reference, in the order in which
// they are sent: a job and a followed dataset are made before they are read. unshown are responses
// that the reference does not show, because they are not JSON or text, or too long.
var exampleRequests = []struct {
	operation, request, body string
	cut, unshown             bool
}{
	{operation: "listDatasets", request: "GET /api/datasets?q=employment&fields=source,code,periods"},
	{operation: "bringDataset", request: "POST /api/datasets", body: `{"reference":"bis:WS_CBPOL"}`},
	{operation: "readJob", request: "GET /api/jobs/1"},
	{operation: "readDataset", request: "GET /api/datasets/2", cut: true},
	{operation: "readMetadata", request: "GET /api/datasets/2/meta"},
	{operation: "readLatest", request: "GET /api/datasets/1/latest?dim1=Life+expectancy&country=Germany&country=Japan"},
	{operation: "readData", request: "GET /api/datasets/1/data?dim1=Life+expectancy&country=Germany&country=Japan&last_n=2"},
	{operation: "readDataCSV", request: "GET /api/datasets/1/data.csv?" + exampleSelection},
	{operation: "readDataNDJSON", request: "GET /api/datasets/1/data.ndjson?" + exampleSelection},
	{operation: "readDataJSONSTAT", request: "GET /api/datasets/1/data.jsonstat?" + exampleSelection},
	{operation: "readDataSDMXCSV", request: "GET /api/datasets/1/data.sdmx.csv?" + exampleSelection},
	{operation: "readDataSDMXJSON", request: "GET /api/datasets/1/data.sdmx.json?" + exampleSelection, unshown: true},
	{operation: "readDataSDMXXML", request: "GET /api/datasets/1/data.sdmx.xml?" + exampleSelection, unshown: true},
	{operation: "readDataPARQUET", request: "GET /api/datasets/1/data.parquet?" + exampleSelection, unshown: true},
	{operation: "readDataXLSX", request: "GET /api/datasets/1/data.xlsx?" + exampleSelection, unshown: true},
	{operation: "postData", request: "POST /api/datasets/1/data", body: `{"dim1":"Life expectancy","country":["Germany","Japan"],"last_n":2}`},
	{operation: "readSeveral", request: "GET /api/data?s=1:dim1%3DLife+expectancy%26country%3DGermany%26last_n%3D1&s=2:dim1%3DConstruction%26last_n%3D1"},
	{operation: "readAvailability", request: "GET /api/datasets/2/availability?dim1=Construction", cut: true},
	{operation: "readDatasetFile", request: "GET /api/datasets/1/dataset.parquet", unshown: true},
	{operation: "readDimensions", request: "GET /api/datasets/1/dimensions", cut: true},
	{operation: "listVersions", request: "GET /api/datasets/1/versions"},
	{operation: "listRevisions", request: "GET /api/datasets/1/revisions"},
	{operation: "listAreas", request: "GET /api/areas?q=guinea&limit=3"},
	{operation: "readArea", request: "GET /api/areas/EL", cut: true},
	{operation: "search", request: "GET /api/search?q=employment&limit=1"},
	{operation: "listConcepts", request: "GET /api/concepts"},
	{operation: "listTopics", request: "GET /api/topics", cut: true},
	{operation: "generateChart", request: "POST /api/charts/generate-png", body: `{"datasetId":1,"chartType":"line","selectedDimensions":{"dim1":"Life expectancy","country":["Germany","Japan"]},"width":320,"height":240}`},
	{operation: "drawChartPNG", request: "GET /api/datasets/1/chart.png?type=line&dim1=Life+expectancy&country=Germany", unshown: true},
	{operation: "drawChartJPEG", request: "GET /api/datasets/1/chart.jpeg?type=line&dim1=Life+expectancy&country=Germany", unshown: true},
	{operation: "drawChartJPG", request: "GET /api/datasets/1/chart.jpg?type=line&dim1=Life+expectancy&country=Germany", unshown: true},
	{operation: "drawChartSVG", request: "GET /api/datasets/1/chart.svg?type=line&dim1=Life+expectancy&country=Germany", unshown: true},
	{operation: "describeChart", request: "GET /api/datasets/1/chart.json?type=line&dim1=Life+expectancy&country=Germany&country=Japan"},
	{operation: "follow", request: "PUT /api/followed/1", body: `{"country":["Germany","Japan"]}`},
	{operation: "readFollowed", request: "GET /api/followed/1"},
	{operation: "listFollowed", request: "GET /api/followed"},
	{operation: "readLimits", request: "GET /api/limits"},
	{operation: "readStatus", request: "GET /api/status"},
	{operation: "createAccount", request: "POST /api/accounts", body: `{"name":"Example"}`},
	{operation: "callTool", request: "POST /mcp", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`},
	{operation: "readOverview", request: "GET /llms.txt", unshown: true},
	{operation: "readReference", request: "GET /openapi.json", unshown: true},
	{operation: "health", request: "GET /healthz"},
	{operation: "readiness", request: "GET /readyz"},
	{operation: "page", request: "GET /", unshown: true},
}

const exampleSelection = "dim1=Life+expectancy&country=Germany&last_n=2"

// withoutExample are operations whose responses have no body, or exist only after others.
var withoutExample = map[string]bool{"unfollow": true, "readChart": true}

// changing matches what differs from service to service: digests, pictures, ids of keys and times.
var changing = regexp.MustCompile(`iVBOR[0-9A-Za-z+/=]+|"id":"[0-9A-Za-z]{8}"|[0-9a-f]{64}|[0-9a-f]{32}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+]0000)`)

// keyForm matches a key.
var keyForm = regexp.MustCompile(`alm_[0-9A-Za-z]{8}[0-9A-Za-z]+`)

// Every operation has an example, which the API reference shows unless it is unshown, and which is what a service of the sample data
// responds, apart from what differs from service to service, and as its schema describes.
func TestResponseExamples(t *testing.T) {
	s := sampleStore(t)
	callers := newAccess(t, access.Limits{Anonymous: access.Unlimited, Essential: 100}, nil)
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Essential)
	agents := agent.New(agent.Options{CallerOf: func(ctx context.Context) agent.Caller { return api.AgentCallOf(ctx) }})
	base := serve(t, newAPI(t, api.Options{
		Store: s, Search: newSearch(t, s, nil), Access: callers, FreeAccounts: 3, Agents: agents.Handler(), Watches: runnerWatches(t),
		Bringing: api.Bringing{Sources: bringTable(t), Everyone: true, Limits: watch.JobLimits{Account: -1, Anonymous: -1, All: -1}},
		BaseURL:  "https://almanac.example",
	}))
	doc := readReference(t, base)
	got := map[string]api.Example{}
	for _, c := range exampleRequests {
		method, path, _ := strings.Cut(c.request, " ")
		response := send(t, method, base+path, c.body, key, "Content-Type: application/json")
		if response.StatusCode >= http.StatusMultipleChoices {
			t.Fatalf("%s: %s %s", c.request, response.Status, response.body)
		}
		doc.check(t, path, response)
		e := api.Example{Request: c.request, Status: response.StatusCode, Cut: c.cut}
		if c.body != "" {
			e.Body = json.RawMessage(c.body)
		}
		if !c.unshown {
			e.Value = exampleValueOf(t, response, c.cut)
		}
		got[c.operation] = e
	}
	for _, methods := range doc.Paths {
		for _, operation := range methods {
			if _, ok := got[operation.OperationID]; !ok && !withoutExample[operation.OperationID] {
				t.Errorf("operation %s has no example", operation.OperationID)
			}
		}
	}
	if *stattest.Update {
		writeExamples(t, got)
		return
	}
	for name, want := range api.StoredExamples() {
		wantText, gotText := withoutChanging(t, want), withoutChanging(t, got[name])
		if gotText != wantText {
			t.Errorf("the example of %s is\n%s\nthe service responds\n%s\n(go test ./internal/api -run Examples -update writes it)", name, wantText, gotText)
		}
	}
	if len(api.StoredExamples()) != len(got) {
		t.Errorf("there are %d examples, want %d", len(api.StoredExamples()), len(got))
	}
}

// exampleValueOf returns the value of an example: the JSON of a response, or its text as a text of JSON.
func exampleValueOf(t *testing.T, response answer, cut bool) json.RawMessage {
	t.Helper()
	response.body = keyForm.ReplaceAllString(response.body, "alm_"+strings.Repeat("x", 46))
	var value any = response.body
	if strings.Contains(response.Header.Get("Content-Type"), "json") && !strings.Contains(response.Header.Get("Content-Type"), "ndjson") {
		if !cut {
			return json.RawMessage(strings.TrimSpace(response.body))
		}
		if err := json.Unmarshal([]byte(response.body), &value); err != nil {
			t.Fatal(err)
		}
		value = firstThree(value)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// firstThree returns a value of JSON with at most three entries in each list.
func firstThree(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = firstThree(member)
		}
	case []any:
		v = v[:min(len(v), 3)]
		for i, entry := range v {
			v[i] = firstThree(entry)
		}
		return v
	}
	return value
}

// withoutChanging returns an example as text, with x in place of what differs.
func withoutChanging(t *testing.T, e api.Example) string {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return changing.ReplaceAllString(string(text), "x")
}

func writeExamples(t *testing.T, all map[string]api.Example) {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(all); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("examples.json", text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
