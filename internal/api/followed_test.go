package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/store"
)

// fruit is a small dataset with two items, three countries, two years.
const fruit = `#almanac-tidy,1
#source,nso,National office
#dataset,fruit,Fruit
#updated,2024-01-01
#dimension,item,Item
#code,a,Apples
#code,p,Pears
#geography,geo,Area
#code,DE,Germany
#code,FR,France
#code,IT,Italy
item,geo,TIME_PERIOD,OBS_VALUE
a,DE,2020,1
a,FR,2020,2
a,IT,2020,3
p,DE,2020,4
p,FR,2020,5
p,IT,2020,6
a,DE,2021,7
a,FR,2021,8
p,DE,2021,9
`

// newsrooms serves the dataset fruit, twice, to two organisations, each with a
// key.
func newsrooms(t testing.TB) (base, one, two string, s *store.Store) {
	s = newStore(t)
	load(t, s, "fruit.csv", strings.NewReader(fruit))
	load(t, s, "veg.csv", strings.NewReader(strings.Replace(fruit, "#dataset,fruit,Fruit", "#dataset,veg,Vegetables", 1)))
	callers := newAccess(t, access.Limits{Anonymous: access.Unlimited, Essential: 1000}, nil)
	base = serve(t, newAPI(t, api.Options{Store: s, Access: callers, CacheDir: t.TempDir()}))
	return base, "X-API-Key: " + newKey(t, callers, "one", access.Essential), "X-API-Key: " + newKey(t, callers, "two", access.Essential), s
}

// follow makes the organisation of a key follow a part of a dataset.
func follow(t testing.TB, base, key string, id int, selection string) answer {
	t.Helper()
	got := send(t, "PUT", fmt.Sprintf("%s/api/followed/%d", base, id), selection, key, "Content-Type: application/json")
	if got.StatusCode != 200 {
		t.Fatalf("following %s: %d %s", selection, got.StatusCode, got.body)
	}
	return got
}

// valuesIn returns the values of a data response as "label country period value".
func valuesIn(t testing.TB, got answer) string {
	t.Helper()
	var body struct {
		Data []struct {
			SeriesKey map[string]string `json:"series_key"`
			Countries []string
			Rows      []struct {
				Period string
				Values map[string]float64
			}
		}
	}
	if err := json.Unmarshal([]byte(got.body), &body); err != nil || got.StatusCode != 200 {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	var found []string
	for _, block := range body.Data {
		for _, row := range block.Rows {
			for _, country := range block.Countries {
				if value, ok := row.Values[country]; ok {
					found = append(found, fmt.Sprintf("%s %s %s %g", block.SeriesKey["dim1_value"], country, row.Period, value))
				}
			}
		}
	}
	return strings.Join(found, ", ")
}

// PUT validates against the dataset, stores codes and returns the entry; GET reads it;
// DELETE removes it; since does not change.
func TestFollow(t *testing.T) {
	base, one, two, _ := newsrooms(t)
	const whole = `{"datasetId":1,"dataset_name":"Fruit","selection":{},"labels":{},"since":"2025-11-21T10:20:30Z"}`
	const part = `{"datasetId":1,"dataset_name":"Fruit","selection":{"dim1":["a"],"country":["DE","FR"]},"labels":{"dim1":["Apples"],"country":["Germany","France"]},"since":"2025-11-21T10:20:30Z"}`
	for selection, want := range map[string]string{
		`{}`: whole,
		`{"country": ["FR", "DEU"], "dim1": "Apples"}`:           part,
		`{"dim1": ["a", "Apples"], "country": ["276", "FR"]}`:    part,
		" \n{\"dim1\": [\"a\"], \"country\": [\"DE\", \"FR\"]} ": part,
	} {
		got := follow(t, base, one, 1, selection)
		if got.body != want || got.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("PUT %s: %s %s\nwant %s", selection, got.Header.Get("Cache-Control"), got.body, want)
		}
		read := ask(t, "GET", base+"/api/followed/1", one)
		if read.body != want || read.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("GET after PUT %s: %s %s\nwant %s", selection, read.Header.Get("Cache-Control"), read.body, want)
		}
	}
	wantError(t, ask(t, "GET", base+"/api/followed/1", two), 404) // another organisation
	if got := ask(t, "DELETE", base+"/api/followed/1", one, "Accept-Encoding: identity;q=0"); got.StatusCode != 204 || got.body != "" || got.Header.Get("Content-Type") != "" {
		t.Errorf("DELETE: %d %q %v", got.StatusCode, got.body, got.Header)
	}
	wantError(t, ask(t, "DELETE", base+"/api/followed/1", one), 404)
	wantError(t, ask(t, "GET", base+"/api/followed/1", one), 404)
	for _, method := range []string{"GET", "PUT", "DELETE"} {
		wantError(t, send(t, method, base+"/api/followed/1", "{}"), 401)
		wantError(t, send(t, method, base+"/api/followed/1", "{}", "X-API-Key: x"), 401)
	}
	wantError(t, ask(t, "GET", base+"/api/followed"), 401)
}

// A 400 names the unknown value. An invalid selection changes nothing.
func TestFollowErrors(t *testing.T) {
	base, one, _, _ := newsrooms(t)
	follow(t, base, one, 1, `{"country": "DE"}`)
	for selection, message := range map[string]string{
		``:                                "empty",
		`[]`:                              "an array",
		`{"country": ["Atlantis"]}`:       "Atlantis",
		`{"country": ["DE", "Atlantis"]}`: "Atlantis",
		`{"dim1": ["Aples"]}`:             "Apples",
		`{"dim2": ["Apples"]}`:            "dim2",
		`{"period": "2020"}`:              "period",
		`{"dim1": []}`:                    "dim1",
		`{"dim1": null}`:                  "null",
		`{"dim1": [1]}`:                   "the number 1",
		`{"dim1": "a", "dim1": "p"}`:      "twice",
		`{"dim1": "a"} {}`:                "text after its JSON object",
	} {
		got := send(t, "PUT", base+"/api/followed/1", selection, one)
		wantError(t, got, 400)
		if !strings.Contains(got.body, message) {
			t.Errorf("PUT %s: %s does not contain %q", selection, got.body, message)
		}
	}
	wantError(t, send(t, "PUT", base+"/api/followed/77", "{}", one), 404)
	wantError(t, send(t, "PUT", base+"/api/followed/1?x=y", "{}", one), 400)
	if got := ask(t, "GET", base+"/api/followed/1", one); !strings.Contains(got.body, `"selection":{"country":["DE"]}`) {
		t.Errorf("after the invalid selections: %s", got.body)
	}
}

// The list of the caller's organisation has pages, with data and pagination.
func TestListFollowed(t *testing.T) {
	base, one, two, _ := newsrooms(t)
	if got := ask(t, "GET", base+"/api/followed", one); got.body != `{"data":[],"pagination":{"page":0,"limit":100,"total":0,"hasMore":false}}` {
		t.Errorf("before anything is followed: %s", got.body)
	}
	follow(t, base, one, 2, `{"dim1": "Pears"}`)
	follow(t, base, one, 1, `{}`)
	const first = `{"datasetId":1,"dataset_name":"Fruit","selection":{},"labels":{},"since":"2025-11-21T10:20:30Z"}`
	const second = `{"datasetId":2,"dataset_name":"Vegetables","selection":{"dim1":["p"]},"labels":{"dim1":["Pears"]},"since":"2025-11-21T10:20:30Z"}`
	for query, want := range map[string]string{
		"":                           `{"data":[` + first + `,` + second + `],"pagination":{"page":0,"limit":100,"total":2,"hasMore":false}}`,
		"?limit=1":                   `{"data":[` + first + `],"pagination":{"page":0,"limit":1,"total":2,"hasMore":true}}`,
		"?limit=1&page=1":            `{"data":[` + second + `],"pagination":{"page":1,"limit":1,"total":2,"hasMore":false}}`,
		"?page=1":                    `{"data":[],"pagination":{"page":1,"limit":100,"total":2,"hasMore":false}}`,
		"?page=1000000000":           `{"data":[],"pagination":{"page":1000000000,"limit":100,"total":2,"hasMore":false}}`,
		"?page=429496729&limit=5000": `{"data":[],"pagination":{"page":429496729,"limit":5000,"total":2,"hasMore":false}}`,
		"?page=2&limit=1":            `{"data":[],"pagination":{"page":2,"limit":1,"total":2,"hasMore":false}}`,
		"?limit=5000":                `{"data":[` + first + `,` + second + `],"pagination":{"page":0,"limit":5000,"total":2,"hasMore":false}}`,
	} {
		got := ask(t, "GET", base+"/api/followed"+query, one)
		if got.body != want || got.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: %s %s\nwant %s", query, got.Header.Get("Cache-Control"), got.body, want)
		}
	}
	for _, query := range []string{"?limit=0", "?limit=5001", "?page=-1", "?country=DE"} {
		wantError(t, ask(t, "GET", base+"/api/followed"+query, one), 400)
	}
	if got := ask(t, "GET", base+"/api/followed", two); !strings.Contains(got.body, `"total":0`) {
		t.Errorf("another organisation: %s", got.body)
	}
}

// The accounts of an organisation share what it follows.
func TestAccountsShareFollowed(t *testing.T) {
	callers := newAccess(t, access.DefaultLimits, nil)
	var keys []string
	for _, account := range []string{"desk", "archive"} {
		key, err := callers.CreateKey(t.Context(), access.KeyRequest{Account: account, Organisation: "desk"})
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, "X-API-Key: "+key.Secret)
	}
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers}))
	set := follow(t, base, keys[0], 1, `{"country": "Germany"}`)
	if got := ask(t, "GET", base+"/api/followed/1", keys[1]); got.body != set.body {
		t.Errorf("one account follows %s, the other %s", set.body, got.body)
	}
}

// docs/api.md, What an organisation follows: followed=true restricts data to the values and
// countries that the organisation follows, and combines with every other filter.
func TestFollowedData(t *testing.T) {
	base, one, _, _ := newsrooms(t)
	follow(t, base, one, 1, `{"dim1": "Apples", "country": ["Germany", "IT"]}`)
	follow(t, base, one, 2, `{}`)
	for query, want := range map[string]string{
		"1/data?followed=true":                                   "Apples Germany 2020 1, Apples Italy 2020 3, Apples Germany 2021 7",
		"1/data?followed=1&country=DE":                           "Apples Germany 2020 1, Apples Germany 2021 7",
		"1/data?followed=true&country=DE&country=FR":             "Apples Germany 2020 1, Apples Germany 2021 7",
		"1/data?followed=true&period=2020":                       "Apples Germany 2020 1, Apples Italy 2020 3",
		"1/data?followed=true&period_from=2021":                  "Apples Germany 2021 7",
		"1/data?followed=true&period_to=2020&dim1=a":             "Apples Germany 2020 1, Apples Italy 2020 3",
		"1/data?followed=true&latest=true":                       "Apples Germany 2021 7",
		"1/data?followed=true&latest=true&country=IT&flags=true": "Apples Italy 2020 3",
		"1/data?followed=true&country=FR":                        "",
		"1/data?followed=true&dim1=Pears":                        "",
		"1/data?followed=false&dim1=Pears&country=FR":            "Pears France 2020 5",
		"2/data?followed=true&country=FR&dim1=p":                 "Pears France 2020 5",
	} {
		got := ask(t, "GET", base+"/api/datasets/"+query, one)
		if values := valuesIn(t, got); values != want {
			t.Errorf("%s: %s, want %s", query, values, want)
		}
		if (want == "") != strings.Contains(got.body, `"notices":[`) {
			t.Errorf("%s: %s", query, got.body)
		}
	}
	if all, followed := ask(t, "GET", base+"/api/datasets/2/data", one), ask(t, "GET", base+"/api/datasets/2/data?followed=true", one); all.body != followed.body {
		t.Error("a dataset that is followed as a whole differs from the dataset")
	}
}

// docs/api.md, Filters: followed=true without a key is 401. If the organisation does not
// follow the dataset, it selects nothing.
func TestNotFollowed(t *testing.T) {
	base, one, _, _ := newsrooms(t)
	wantError(t, ask(t, "GET", base+"/api/datasets/1/data?followed=true"), 401)
	for _, query := range []string{"?followed=true", "?followed=true&country=DE", "?followed=true&latest=true"} {
		got := ask(t, "GET", base+"/api/datasets/1/data"+query, one)
		if valuesIn(t, got) != "" || !strings.Contains(got.body, `"data":[]`) || !strings.Contains(got.body, "does not follow dataset 1") || !strings.Contains(got.body, `"meta":{"id":1`) {
			t.Errorf("%s: %s", query, got.body)
		}
	}
	wantError(t, ask(t, "GET", base+"/api/datasets/77/data?followed=true", one), 404)
	// docs/api.md, Charts: a selection without data is 400.
	const chart = `{"datasetId": 1, "chartType": "bar", "width": 200, "height": 200, "dimensions_query": "followed=true"}`
	for _, got := range []answer{post(t, base, chart, one), ask(t, "GET", base+"/api/datasets/1/chart.svg?type=bar&followed=true", one)} {
		wantError(t, got, 400)
		if !strings.Contains(got.body, "the selection has no data") || !strings.Contains(got.body, "does not follow dataset 1") {
			t.Error(got.body)
		}
	}
	for _, got := range []answer{post(t, base, chart), ask(t, "GET", base+"/api/datasets/1/chart.svg?type=bar&followed=true")} {
		wantError(t, got, 401)
	}
}

// followed=true restricts charts as well.
func TestFollowedCharts(t *testing.T) {
	base, one, _, _ := newsrooms(t)
	follow(t, base, one, 1, `{"country": "Germany"}`)
	const chart = `{"datasetId": 1, "chartType": "bar", "width": 300, "height": 200, "dimensions_query": "dim1=a&%s"}`
	followed, chosen := post(t, base, fmt.Sprintf(chart, "followed=true"), one), post(t, base, fmt.Sprintf(chart, "country=DE"), one)
	all := post(t, base, fmt.Sprintf(chart, "followed=false"), one)
	if chartIn(t, followed).Base64 != chartIn(t, chosen).Base64 || chartIn(t, followed).Base64 == chartIn(t, all).Base64 {
		t.Errorf("the followed countries are drawn as %s, the same countries chosen as %s, all as %s", pathOf(t, followed), pathOf(t, chosen), pathOf(t, all))
	}
	address := base + "/api/datasets/1/chart.svg?type=bar&dim1=a"
	if a, b := ask(t, "GET", address+"&followed=true", one), ask(t, "GET", address+"&country=DE", one); a.StatusCode != 200 || a.body != b.body {
		t.Errorf("%d and %d: the pictures differ", a.StatusCode, b.StatusCode)
	}
}

// Two organisations that send the same request each get their own response, with
// different ETags, however often they send it.
func TestOrganisationsAreSeparate(t *testing.T) {
	base, one, two, _ := newsrooms(t)
	follow(t, base, one, 1, `{"country": "DE"}`)
	follow(t, base, two, 1, `{"country": "FR"}`)
	const address = "/api/datasets/1/data?followed=true&dim1=Apples"
	first, second := ask(t, "GET", base+address, one), ask(t, "GET", base+address, two)
	if first.Header.Get("ETag") == second.Header.Get("ETag") || valuesIn(t, first) == valuesIn(t, second) {
		t.Fatalf("%s and %s have the tags %s and %s", valuesIn(t, first), valuesIn(t, second), first.Header.Get("ETag"), second.Header.Get("ETag"))
	}
	for range 3 {
		for _, c := range []struct {
			key        string
			own, other answer
		}{{one, first, second}, {two, second, first}} {
			if got := ask(t, "GET", base+address, c.key, "If-None-Match: "+c.own.Header.Get("ETag")); got.StatusCode != 304 {
				t.Errorf("with its own tag: %d", got.StatusCode)
			}
			if got := ask(t, "GET", base+address, c.key, "If-None-Match: "+c.other.Header.Get("ETag")); got.StatusCode != 200 || got.body != c.own.body {
				t.Errorf("with the other's tag: %d %s", got.StatusCode, got.body)
			}
		}
	}
	follow(t, base, one, 1, `{"country": "FR"}`)
	if got := ask(t, "GET", base+address, one, "If-None-Match: "+first.Header.Get("ETag")); got.StatusCode != 200 || got.body != second.body {
		t.Errorf("after following something else: %d %s", got.StatusCode, got.body)
	}
}

// A selection that an update makes empty, or whose dataset was removed, stays and is
// reported.
func TestLostFollowedCodes(t *testing.T) {
	base, one, _, s := newsrooms(t)
	follow(t, base, one, 1, `{"dim1": ["Apples", "Pears"], "country": "IT"}`)
	var remaining []string
	for _, line := range strings.SplitAfter(fruit, "\n") {
		if !strings.HasPrefix(line, "p,") && !strings.HasPrefix(line, "#code,p") {
			remaining = append(remaining, line)
		}
	}
	load(t, s, "fruit.csv", strings.NewReader(strings.Join(remaining, "")))
	got := ask(t, "GET", base+"/api/followed/1", one)
	if !strings.Contains(got.body, `"selection":{"dim1":["a","p"],"country":["IT"]}`) || strings.Count(got.body, `"parameter"`) != 1 || !strings.Contains(got.body, `"value":"p"`) {
		t.Errorf("a code that was removed: %s", got.body)
	}
	data := ask(t, "GET", base+"/api/datasets/1/data?followed=true", one)
	if valuesIn(t, data) != "Apples Italy 2020 3" || !strings.Contains(data.body, `"value":"p"`) {
		t.Errorf("after the removal: %s", data.body)
	}
	load(t, s, "fruit.csv", strings.NewReader(strings.Replace(strings.Join(remaining, ""), "a,IT,2020,3\n", "", 1)))
	for _, path := range []string{"/api/followed/1", "/api/followed"} {
		got = ask(t, "GET", base+path, one)
		if !strings.Contains(got.body, `"selection":{"dim1":["a","p"],"country":["IT"]}`) || !strings.Contains(got.body, "dataset 1 no longer has data in this selection") {
			t.Errorf("%s of a selection that is empty: %s", path, got.body)
		}
	}
	if data = ask(t, "GET", base+"/api/datasets/1/data?followed=true", one); valuesIn(t, data) != "" {
		t.Errorf("data of an empty selection: %s", data.body)
	}
	if err := s.Remove(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/followed/1", "/api/followed"} {
		got = ask(t, "GET", base+path, one)
		if got.StatusCode != 200 || !strings.Contains(got.body, `"dataset_name":"Fruit","selection":{"geo":["IT"],"item":["a","p"]}`) || !strings.Contains(got.body, "dataset 1 was removed") {
			t.Errorf("%s of a dataset that was removed: %d %s", path, got.StatusCode, got.body)
		}
	}
	wantError(t, ask(t, "GET", base+"/api/datasets/1/data?followed=true", one), 404)
	wantError(t, send(t, "PUT", base+"/api/followed/1", "{}", one), 404)
	if got := ask(t, "DELETE", base+"/api/followed/1", one); got.StatusCode != 204 {
		t.Errorf("DELETE of a removed dataset: %d %s", got.StatusCode, got.body)
	}
}

// A selection stays as it is when an update removes a dimension. The entry shows the
// whole selection, so that reading it and setting it again loses nothing silently.
func TestLostFollowedDimension(t *testing.T) {
	base, one, _, s := newsrooms(t)
	follow(t, base, one, 1, `{"dim1": ["Apples", "Pears"], "country": "IT"}`)
	var remaining []string
	for line := range strings.Lines(fruit) {
		switch {
		case strings.HasPrefix(line, "#dimension"), strings.HasPrefix(line, "#code,a"), strings.HasPrefix(line, "#code,p"), strings.HasPrefix(line, "p,"):
		case strings.HasPrefix(line, "a,"), strings.HasPrefix(line, "item,"):
			remaining = append(remaining, line[strings.Index(line, ",")+1:])
		default:
			remaining = append(remaining, line)
		}
	}
	load(t, s, "fruit.csv", strings.NewReader(strings.Join(remaining, "")))
	doc := readReference(t, base)
	const notice = `the organisation follows \"a\", \"p\" of dimension \"item\", which the dataset no longer has`
	for _, path := range []string{"/api/followed/1", "/api/followed"} {
		got := ask(t, "GET", base+path, one)
		doc.check(t, path, got)
		for _, message := range []string{`"selection":{"country":["IT"],"item":["a","p"]},"labels":{"country":["Italy"],"item":["a","p"]}`, notice, "dataset 1 no longer has data in this selection"} {
			if !strings.Contains(got.body, message) {
				t.Errorf("%s: %s does not contain %s", path, got.body, message)
			}
		}
	}
	data := ask(t, "GET", base+"/api/datasets/1/data?followed=true", one)
	if valuesIn(t, data) != "" || !strings.Contains(data.body, notice) {
		t.Errorf("data: %s", data.body)
	}
	again := send(t, "PUT", base+"/api/followed/1", `{"country": ["IT"], "item": ["a", "p"]}`, one)
	if wantError(t, again, 400); !strings.Contains(again.body, `unknown field \"item\"`) {
		t.Errorf("PUT of what GET returned: %s", again.body)
	}
	load(t, s, "fruit.csv", strings.NewReader(fruit))
	if got := ask(t, "GET", base+"/api/followed/1", one); !strings.Contains(got.body, `"selection":{"dim1":["a","p"],"country":["IT"]}`) || strings.Contains(got.body, "notices") {
		t.Errorf("after the dimension came back: %s", got.body)
	}
}
