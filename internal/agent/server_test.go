package agent_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/access"
	"almanac/internal/agent"
	"almanac/internal/api"
	"almanac/internal/importer"
	"almanac/internal/search"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// files are those of the tests, of seven offices.
var files = []string{
	"eurostat/tsv-old/une_rt_a.tsv.gz", "eurostat/tsv-old/demo_r_mwk_ts.tsv", "eurostat/tsv-old/earn_mw_cur.tsv",
	"eurostat/tsv-old/nama_10r_2gdp.tsv.gz", "eurostat/tsv-new/sdg_08_10.tsv", "eurostat/tsv-new/estat_nrg_ind_ren.tsv",
	"worldbank/csv/API_SP.DYN.TFRT.IN_DS2_en_csv_v2.csv", "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "worldbank/api-v2/NY.GDP.MKTP.CD.json",
	"who/HWF_0001-gho-export.csv", "imf/WEOOct2009all.xls", "un/SYB63_230_202009_GDP and GDP Per Capita.csv", "un/WPP2019_Period_Indicators_Medium.csv",
	"owid/co2-emissions-per-capita.csv", "ecb/ecb-data-generic-2.1.xml", "ecb/ecb-data-specific-2.1.xml", // two versions of one dataset
	"px/ssb/03024-WeeklyStatisticsWithTwoContent.px", "px/ine/27067.px",
}

// newStore imports files of the tests.
func newStore(t testing.TB, files ...string) *store.Store {
	t.Helper()
	return newStoreOf(t, importer.Options{}, files...)
}

// newStoreOf is [newStore] for files of which the options state an area, or that there is none.
func newStoreOf(t testing.TB, o importer.Options, files ...string) *store.Store {
	t.Helper()
	dir := stattest.DataDir(t)
	s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	o.Labels = filepath.Join(dir, "eurostat", "dic")
	im, err := importer.New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, file := range files {
		paths = append(paths, filepath.Join(dir, file))
	}
	for _, o := range im.Import(context.Background(), paths...) {
		if o.Status == importer.Refused {
			t.Errorf("%s is refused: %s", o.File, o.Error)
		}
	}
	return s
}

// serve serves a store with its tools and returns the address.
func serve(t testing.TB, s *store.Store, limits access.Limits) (base string, callers *access.Access) {
	t.Helper()
	callers, err := access.Open(context.Background(), access.Options{Dir: t.TempDir(), Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { callers.Close() })
	index := search.New(search.Options{Store: s})
	if err := index.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	const address = "https://statistics.example.org"
	a, err := api.New(api.Options{
		Store: s, Access: callers, Search: index, SearchWait: time.Minute, BaseURL: address,
		Agents: agent.New(agent.Options{CallerOf: func(ctx context.Context) agent.Caller { return api.AgentCallOf(ctx) }, BaseURL: address}).Handler(),
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	return server.URL, callers
}

var unlimited = access.Limits{Anonymous: access.Unlimited, Essential: access.Unlimited, Pro: access.Unlimited}

// connect returns a session of the SDK's client.
func connect(t testing.TB, base string, client *http.Client) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := c.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: base + "/mcp", HTTPClient: client}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// withKey sends a key with each request.
type withKey string

func (k withKey) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-API-Key", string(k))
	return http.DefaultTransport.RoundTrip(r)
}

// ask calls a tool and returns the texts of the result.
func ask(t testing.TB, session *mcp.ClientSession, tool, arguments string) (text string, result *mcp.CallToolResult) {
	t.Helper()
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	for _, c := range result.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			text += c.Text
		}
	}
	return text, result
}

func TestTools(t *testing.T) {
	base, _ := serve(t, newStore(t, files...), unlimited)
	session := connect(t, base, http.DefaultClient)
	list, err := session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if !tool.Annotations.ReadOnlyHint || tool.OutputSchema == nil || tool.Description == "" {
			t.Errorf("%s: annotations %+v", tool.Name, tool.Annotations)
		}
	}
	if got, want := strings.Join(names, " "), "compare_sources describe_dataset get_data get_latest list_changes render_chart resolve_area search_datasets"; got != want {
		t.Errorf("tools %s, want %s", got, want)
	}
	t.Run("values are those of the interface", func(t *testing.T) { checkValues(t, base, session) })
	t.Run("errors name the next call", func(t *testing.T) { checkErrors(t, session) })
	t.Run("earlier versions", func(t *testing.T) { checkVersions(t, session) })
	t.Run("tables are capped and say so", func(t *testing.T) { checkCaps(t, session) })
	t.Run("a value of several years", func(t *testing.T) {
		if text, _ := ask(t, session, "search_datasets", `{"query": "infant mortality Chad"}`); !strings.Contains(text, "Chad 2015-2020: 74.5 ") {
			t.Errorf("%s\nwant the office's text of the period", text)
		}
	})
	t.Run("tasks", func(t *testing.T) { checkTasks(t, session) })
}

// checkValues compares a table with the data of the interface, cell by cell.
func checkValues(t *testing.T, base string, session *mcp.ClientSession) {
	_, result := ask(t, session, "get_data", `{"dataset": "eurostat:sdg_08_10", "areas": ["FR", "EL"], "dimensions": {"unit": "*"}, "max_rows": 500}`)
	var table struct {
		Columns []string `json:"columns"`
		Rows    [][]any  `json:"rows"`
		Total   int      `json:"total_rows"`
		Address string   `json:"address"`
	}
	decode(t, result.StructuredContent, &table)
	_, query, _ := strings.Cut(table.Address, "?")
	response, err := http.Get(base + "/api/datasets/eurostat:sdg_08_10/data?" + query)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var data struct {
		Data []struct {
			Rows []struct {
				Period string
				Values map[string]float64
				Unit   string
			}
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&data); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{}
	for _, b := range data.Data {
		for _, row := range b.Rows {
			for area, value := range row.Values {
				want[row.Unit+area+row.Period] = value
			}
		}
	}
	got := map[string]float64{}
	at := func(row []any, name string) any {
		for i, column := range table.Columns {
			if column == name {
				return row[i]
			}
		}
		return ""
	}
	for _, row := range table.Rows {
		if value, ok := at(row, "value").(float64); ok {
			unit := row[0].(string) // with the code in brackets if it has a label
			if _, code, ok := strings.Cut(unit, " ["); ok {
				unit = strings.TrimSuffix(code, "]")
			}
			got[unit+at(row, "area").(string)+at(row, "period").(string)] = value
		}
	}
	if len(got) != len(want) || len(want) < 50 {
		t.Fatalf("%d values, want %d of %v", len(got), len(want), table.Columns)
	}
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s: %v, want %v", key, got[key], value)
		}
	}
}

func decode(t testing.TB, from, into any) {
	t.Helper()
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func checkErrors(t *testing.T, session *mcp.ClientSession) {
	for _, c := range []struct{ name, tool, arguments, want string }{
		{"unknown dataset", "get_data", `{"dataset": "eurostat:une_rt_x"}`, `call search_datasets with {"query": "une rt x"}`},
		{"unknown number", "describe_dataset", `{"dataset": 9999}`, `call search_datasets`},
		{"unknown dimension", "get_data", `{"dataset": "eurostat:une_rt_a", "dimensions": {"gender": "F"}}`, "it has freq (freq), age (Age class)"},
		{"unknown value", "get_data", `{"dataset": "eurostat:une_rt_a", "dimensions": {"sex": "girls"}}`, "F = Females"},
		{"unknown area", "get_latest", `{"dataset": "eurostat:une_rt_a", "areas": "Germny"}`, "nearest: Germany"},
		{"unknown area of no list", "resolve_area", `{"area": "Grmany"}`, "nearest: Germany"},
		{"unknown parameter", "get_data", `{"dataset": "eurostat:une_rt_a", "country": "DE"}`, "parameters of get_data: dataset, areas"},
		{"malformed transform", "get_data", `{"dataset": "eurostat:une_rt_a", "transform": "index"}`, "transform must be"},
		{"unknown measure", "compare_sources", `{"measure": "number of unicorns", "areas": "DE"}`, "no measure"},
		{"measure that is part of another", "compare_sources", `{"measure": "births", "areas": "DE"}`, "call compare_sources with one of these if it is meant: Crude birth rate"},
		{"measure of a part", "compare_sources", `{"measure": "female unemployment", "areas": "DE"}`, "Unemployment rate"},
		{"unknown area of a comparison", "compare_sources", `{"measure": "population", "areas": ["Narnia"]}`, "call compare_sources with one of these, or resolve_area"},
		{"unknown area beside another without values", "compare_sources", `{"measure": "population", "areas": ["AQ", "Narnia.members"]}`, "Narnia"},
		{"no areas", "compare_sources", `{"measure": "population", "areas": []}`, "areas must have 1 to 10 areas"},
		{"chart of an unknown value", "render_chart", `{"dataset": "eurostat:une_rt_a", "type": "line", "dimensions": {"sex": "girls"}}`, "describe_dataset"},
		{"malformed day", "list_changes", `{"since": "yesterday"}`, "list_changes with a date"},
		{"unknown version", "get_data", `{"dataset": "eurostat:une_rt_a", "version": "7.0"}`, "version"},
		{"day before the first version", "get_latest", `{"dataset": "eurostat:une_rt_a", "as_of": "1999-01-01"}`, "its first one"},
		{"path in a dataset", "get_data", `{"dataset": "../accounts"}`, "call search_datasets"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, result := ask(t, session, c.tool, c.arguments)
			if !result.IsError || !strings.Contains(text, c.want) {
				t.Errorf("%s, want an error with %s", text, c.want)
			}
		})
	}
}

// checkVersions reads the version before the current one, which has ten values fewer.
func checkVersions(t *testing.T, session *mcp.ClientSession) {
	count := func(arguments string) (n int, address string) {
		_, result := ask(t, session, "get_data", arguments)
		var table struct {
			Total   int    `json:"total_rows"`
			Address string `json:"address"`
		}
		decode(t, result.StructuredContent, &table)
		return table.Total, table.Address
	}
	before, address := count(`{"dataset": "ecb:ECB_EXR1", "version": "1.0", "dimensions": {"FREQ": "*", "CURRENCY": "*"}}`)
	after, _ := count(`{"dataset": "ecb:ECB_EXR1", "dimensions": {"FREQ": "*", "CURRENCY": "*"}}`)
	if after != before+10 || !strings.Contains(address, "version=1.0") {
		t.Errorf("%d values before at %s, %d after", before, address, after)
	}
	text, _ := ask(t, session, "list_changes", `{"dataset": "ecb:ECB_EXR1", "kind": "added", "limit": 2}`)
	if !strings.Contains(text, `"between":"1.0 and 1.1"`) || !strings.Contains(text, "showing 2 of 10 changes") || !strings.Contains(text, "Argentine peso · Euro · Spot rate") {
		t.Errorf("changes %s", text)
	}
}

func checkCaps(t *testing.T, session *mcp.ClientSession) {
	for _, c := range []struct{ name, tool, arguments, want string }{
		{"rows", "get_data", `{"dataset": "eurostat:une_rt_a", "dimensions": {"sex": "*"}}`, "showing the 100 most recent of"},
		{"bytes", "get_data", `{"dataset": "imf:WEO", "areas": ["DE", "FR"], "dimensions": {"WEO Subject Code": "*"}, "max_rows": 500}`, "name areas"},
		{"latest", "get_latest", `{"dataset": "worldbank:SP.POP.TOTL", "limit": 2}`, "showing 2 of"},
		{"nothing in the periods", "get_data", `{"dataset": "eurostat:une_rt_a", "areas": "RS", "period_to": 1999}`, "why_empty"},
		{"period outside", "get_data", `{"dataset": "eurostat:une_rt_a", "period": 2050}`, "it covers 1992 to 2019"},
		{"values", "describe_dataset", `{"dataset": "worldbank:SP.POP.TOTL"}`, `"left_out"`},
		{"whole dataset", "get_data", `{"dataset": "unpd:wpp_period_indicators_medium", "dimensions": {"INDICATOR": "*"}}`, `to narrow`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, result := ask(t, session, c.tool, c.arguments)
			if result.IsError || !strings.Contains(text, c.want) || len(text) > 30<<10 {
				t.Errorf("%d bytes %.3000s, want %s", len(text), text, c.want)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	few := newStore(t, "eurostat/tsv-old/une_rt_a.tsv.gz", "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv")
	base, callers := serve(t, few, access.Limits{Anonymous: 3, Essential: 5, Pro: access.Unlimited})
	left := func(client *http.Client) int {
		response, err := client.Get(base + "/api/limits")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		var limits struct{ Remaining int }
		if err := json.NewDecoder(response.Body).Decode(&limits); err != nil {
			t.Fatal(err)
		}
		return limits.Remaining
	}
	key, err := callers.CreateKey(context.Background(), access.KeyRequest{Account: "desk", Tier: access.Essential})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		client *http.Client
		limit  int
	}{{http.DefaultClient, 3}, {&http.Client{Transport: withKey(key.Secret)}, 5}} {
		session := connect(t, base, c.client)
		for range 3 { // does not count
			if _, err := session.ListTools(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
		}
		for i := range c.limit {
			text, result := ask(t, session, "compare_sources", `{"measure": "population", "areas": "FR"}`) // many requests inside
			if result.IsError {
				t.Fatalf("call %d of %d: %s", i+1, c.limit, text)
			}
		}
		if n := left(c.client); n != 0 {
			t.Errorf("%d requests left, want 0", n)
		}
		text, result := ask(t, session, "get_latest", `{"dataset": "eurostat:une_rt_a"}`)
		if !result.IsError || !strings.Contains(text, "resets at midnight UTC") || !strings.Contains(text, "upgrade to Pro") && !strings.Contains(text, "an upgrade to Pro") {
			t.Errorf("after the limit: %s", text)
		}
	}
	bad := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	if _, err := bad.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: base + "/mcp", HTTPClient: &http.Client{Transport: withKey("alm_nothing")}}, nil); err == nil {
		t.Error("an invalid key is accepted")
	}
}
