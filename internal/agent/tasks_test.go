package agent_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var update = flag.Bool("update-agents", false, "write the calls and tokens of the tasks into docs/agents.md")

// task is a question, the calls by which an agent answers it that knows nothing but the
// descriptions of the tools, and what the last result must contain.
type task struct {
	question string
	calls    []step
	answer   string
}

type step struct{ tool, arguments string }

var tasks = []task{
	{"Where in Europe is youth unemployment highest?", []step{
		{"search_datasets", `{"query": "youth unemployment"}`},
		{"get_latest", `{"dataset": "eurostat:une_rt_a", "dimensions": {"age": "Y15-24"}, "order": "highest", "limit": 5}`},
	}, `["North Macedonia",35.6]`},
	{"How did GDP per head in France and Italy develop since 2018?", []step{
		{"search_datasets", `{"query": "GDP per capita France Italy", "limit": 3}`},
		{"get_data", `{"dataset": "eurostat:sdg_08_10", "areas": ["FR", "IT"], "period_from": 2018}`},
	}, `["Italy","2018",30470,""]`},
	{"How many people live in Korea?", []step{
		{"search_datasets", `{"query": "population of Korea", "limit": 2}`},
		{"get_latest", `{"dataset": "worldbank:SP.POP.TOTL", "areas": "Korea"}`},
	}, `Korea, Rep. [KOR]`},
	{"Population of Congo (of which?)", []step{
		{"search_datasets", `{"query": "population of Congo", "limit": 3}`},
		{"get_latest", `{"dataset": "worldbank:SP.POP.TOTL", "areas": "Congo"}`},
		{"get_latest", `{"dataset": "worldbank:SP.POP.TOTL", "areas": ["COD", "COG"]}`},
	}, `Congo, Dem. Rep.`},
	{"Unemployment of women in Germany in 2015 (by another word)", []step{
		{"search_datasets", `{"query": "unemployment of women in Germany", "limit": 3}`},
		{"get_data", `{"dataset": "eurostat:une_rt_a", "areas": "Germany", "dimensions": {"sex": "women"}, "period": 2015}`},
	}, `Females [F]`},
	{"Do Eurostat and the IMF agree on German unemployment in 2008?", []step{
		{"compare_sources", `{"measure": "unemployment rate", "areas": "DE", "period": 2008}`},
	}, `"imf:WEO","Germany","2008",7.404`},
	{"A map of fertility in Africa", []step{
		{"search_datasets", `{"query": "fertility rate", "limit": 3}`},
		{"render_chart", `{"dataset": "worldbank:SP.DYN.TFRT.IN", "type": "map", "map_region": "africa"}`},
	}, `Map: Fertility rate`},
	{"A line chart of CO2 per person in China and the USA since 1970", []step{
		{"search_datasets", `{"query": "CO2 per person China USA"}`},
		{"render_chart", `{"dataset": "owid:co2-emissions-per-capita", "type": "line", "areas": ["China", "USA"], "period_from": 1970}`},
	}, `In 2023 the highest is United States`},
	{"By how many per cent did Brazil's GDP in dollars change each year since 2018?", []step{
		{"search_datasets", `{"query": "GDP of Brazil in dollars", "limit": 3}`},
		{"get_data", `{"dataset": "worldbank:NY.GDP.MKTP.CD", "areas": "BR", "transform": "percent", "period_from": 2018}`},
	}, `% change on previous year`},
	{"Real GDP per head in Spain and Germany, 2010 = 100", []step{
		{"search_datasets", `{"query": "real GDP per capita Spain Germany", "limit": 3}`},
		{"get_data", `{"dataset": "eurostat:sdg_08_10", "areas": ["ES", "DE"], "transform": "index:2010", "period_from": 2010}`},
	}, `2010 = 100`},
	{"Which German region has the highest GDP per inhabitant?", []step{
		{"search_datasets", `{"query": "GDP per inhabitant German regions", "limit": 3}`},
		{"get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "within": "Germany", "order": "highest", "limit": 3}`},
	}, `Hamburg [DE6]`},
	{"GDP of Bavaria in million euro", []step{
		{"search_datasets", `{"query": "GDP of Bavaria", "limit": 3}`},
		{"describe_dataset", `{"dataset": "eurostat:nama_10r_2gdp", "dimension": "unit"}`},
		{"get_latest", `{"dataset": "eurostat:nama_10r_2gdp", "areas": "Bavaria", "dimensions": {"unit": "MIO_EUR"}}`},
	}, `Bayern [DE2]`},
	{"Deaths per week in Sweden in March 2020", []step{
		{"search_datasets", `{"query": "deaths per week Sweden"}`},
		{"get_data", `{"dataset": "eurostat:demo_r_mwk_ts", "areas": "SE", "period": "03/2020"}`},
	}, `"W10/2020"`},
	{"Which three countries have the most doctors for their people, each in its last year?", []step{
		{"search_datasets", `{"query": "doctors per inhabitants", "limit": 3}`},
		{"get_latest", `{"dataset": "who:HWF_0001", "mode": "area", "order": "highest", "limit": 3}`},
	}, `["Cuba","2018",84.2]`},
	{"The minimum wage in Poland in euro, zloty and purchasing power", []step{
		{"search_datasets", `{"query": "minimum wage Poland"}`},
		{"get_latest", `{"dataset": "eurostat:earn_mw_cur", "areas": "PL", "dimensions": {"currency": "*"}}`},
	}, `["Purchasing power standard [PPS]",1084.27,"E"]`},
	{"The unemployment rate of the EU, and its members with the highest", []step{
		{"search_datasets", `{"query": "unemployment rate EU", "limit": 3}`},
		{"get_latest", `{"dataset": "eurostat:une_rt_a", "areas": ["EU27_2020", "EU27_2020.members"], "order": "highest", "limit": 40}`},
	}, `European Union - 27 countries (from 2020)`},
	{"What did the IMF expect of Japan's inflation in 2010?", []step{
		{"search_datasets", `{"query": "inflation Japan IMF"}`},
		{"describe_dataset", `{"dataset": "imf:WEO", "dimension": "WEO Subject Code", "find": "inflation"}`},
		{"get_data", `{"dataset": "imf:WEO", "areas": "JP", "dimensions": {"WEO Subject Code": "PCPIPCH"}, "period_from": 2008, "period_to": 2010}`},
	}, `"E":"forecast: `},
	{"Which countries have the lowest share of renewable energy?", []step{
		{"search_datasets", `{"query": "share of renewable energy", "limit": 3}`},
		{"get_latest", `{"dataset": "eurostat:nrg_ind_ren", "order": "lowest", "limit": 3}`},
	}, `["Belgium",14.336]`},
	{"Fertility in France in 2010 by several sources", []step{
		{"compare_sources", `{"measure": "fertility rate", "areas": "France", "period": 2010}`},
	}, `averages of five years`},
	{"Is Georgia in the data of the World Bank the country or the state?", []step{
		{"resolve_area", `{"area": "Georgia", "dataset": "worldbank:SP.POP.TOTL"}`},
	}, `"code":"US-GA"`},
	{"Brazil's GDP per inhabitant in dollars, though only GDP is here", []step{
		{"search_datasets", `{"query": "GDP of Brazil in dollars", "limit": 3}`},
		{"get_data", `{"dataset": "worldbank:NY.GDP.MKTP.CD", "areas": "BR", "transform": "per-capita", "period_from": 2010}`},
	}, `divided by the population of the same area`},
	{"What did the last update of the ECB's exchange rates change?", []step{
		{"search_datasets", `{"query": "ECB exchange rates", "limit": 3}`},
		{"list_changes", `{"dataset": "ecb:ECB_EXR1", "limit": 5}`},
	}, `10 added, 0 revised, 0 removed`},
	{"What was updated of Eurostat's data?", []step{
		{"list_changes", `{"source": "eurostat", "limit": 5}`},
	}, `eurostat:`},
}

// checkTasks solves the tasks, and compares calls and tokens with docs/agents.md.
func checkTasks(t *testing.T, session *mcp.ClientSession) {
	var rows strings.Builder
	for _, task := range tasks {
		tokens, last := 0, ""
		for _, s := range task.calls {
			last, _ = ask(t, session, s.tool, s.arguments)
			tokens += (len(s.tool) + len(s.arguments) + len(last)) / 4
		}
		if !strings.Contains(last, task.answer) {
			t.Errorf("%s: %.3000s, want %s", task.question, last, task.answer)
		}
		if len(task.calls) > 4 {
			t.Errorf("%s: %d calls, want 4 or fewer", task.question, len(task.calls))
		}
		var names []string
		for _, s := range task.calls {
			names = append(names, s.tool)
		}
		fmt.Fprintf(&rows, "| %s | %s | %d |\n", task.question, strings.Join(names, ", "), tokens)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(list)
	t.Logf("the list of tools has about %d tokens\n%s", len(text)/4, rows.String())
	compareTasks(t, rows.String())
}

const (
	tasksBegin = "| task | calls | tokens |\n|---|---|---|\n"
	docsPage   = "../../docs/agents.md"
)

var tokensOfRow = regexp.MustCompile(` \| (\d+) \|$`)

// compareTasks compares the table in the docs with rows. Tokens may differ by a fifth.
func compareTasks(t *testing.T, rows string) {
	page, err := os.ReadFile(filepath.FromSlash(docsPage))
	if err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(string(page), tasksBegin)
	if !ok {
		t.Fatalf("%s has no table of tasks", docsPage)
	}
	table, rest, _ := strings.Cut("\n"+after, "\n\n")
	if *update {
		if err := os.WriteFile(docsPage, []byte(before+tasksBegin+rows+"\n"+rest), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, got := strings.Split(strings.TrimPrefix(table, "\n"), "\n"), strings.Split(strings.TrimSuffix(rows, "\n"), "\n")
	if len(want) != len(got) {
		t.Fatalf("%s has %d tasks, want %d; run go test ./internal/agent -update-agents", docsPage, len(want), len(got))
	}
	for i := range got {
		if tokensOfRow.ReplaceAllString(got[i], "") != tokensOfRow.ReplaceAllString(want[i], "") || !isNear(tokensIn(got[i]), tokensIn(want[i])) {
			t.Errorf("%s has %q, want %q; run go test ./internal/agent -update-agents", docsPage, want[i], got[i])
		}
	}
}

func tokensIn(row string) int {
	found := tokensOfRow.FindStringSubmatch(row)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(found[1])
	return n
}

func isNear(a, b int) bool { return 5*max(a-b, b-a) <= max(a, b) }
