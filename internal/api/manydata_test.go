package api_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
)

// docs/queries.md, POST: the body has the parameters of a GET, and the response is the same.
func TestPostedData(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: testStore(t)})) + "/api/datasets/1/data"
	doc := readReference(t, strings.TrimSuffix(base, "/api/datasets/1/data"))
	const query = "?dim2=Total&dim2=Females&country=Germany&period_from=2020&last_n=2&flags=true"
	want := ask(t, "GET", base+query)
	for name, body := range map[string]string{
		"values of all kinds": `{"dim2": ["Total", "Females"], "country": "Germany", "period_from": "2020", "last_n": 2, "flags": true}`,
		"texts":               `{"dim2": ["Total", "Females"], "country": ["Germany"], "period_from": "2020", "last_n": "2", "flags": "true"}`,
	} {
		got := send(t, "POST", base, body, "Content-Type: application/json")
		if got.StatusCode != 200 || got.body != want.body || got.Header.Get("ETag") != "" {
			t.Errorf("%s: %d %s", name, got.StatusCode, got.body)
		}
		doc.check(t, "/api/datasets/1/data", got)
	}
	form := send(t, "POST", base, strings.TrimPrefix(query, "?"), "Content-Type: application/x-www-form-urlencoded")
	if form.StatusCode != 200 || form.body != want.body {
		t.Errorf("form: %d %s", form.StatusCode, form.body)
	}
	table := send(t, "POST", base, `{"country": "Germany"}`, "Accept: text/csv")
	if csv := ask(t, "GET", base+".csv?country=Germany"); table.body != csv.body {
		t.Errorf("as CSV: %d %s", table.StatusCode, table.body)
	}
	for body, want := range map[string]string{
		`{"contry": "Germany"}`:            "did you mean country?",
		`{"country": "a", "country": "b"}`: `the name "country" is given twice`,
		`{"period": ["2019", "2020"]}`:     "parameter period is given more than once",
		`{"country": []}`:                  "empty array",
		`{"country": null}`:                "must be a string or an array of strings, not null",
		`{"country": [1]}`:                 "must be an array of strings",
		`{"country": ""}`:                  "parameter country is empty",
		`{"last_n": 1.5}`:                  "parameter last_n must be a decimal integer",
		`[]`:                               "must be a JSON object",
		``:                                 "is empty",
		`{"dim5": "x"}`:                    "unknown parameter dim5",
	} {
		got := send(t, "POST", base, body)
		if got.StatusCode != 400 || !strings.Contains(got.body, strings.ReplaceAll(want, `"`, `\"`)) {
			t.Errorf("%s: %d %s, want %s", body, got.StatusCode, got.body, want)
		}
	}
	wantError(t, send(t, "POST", base, "{}", "Content-Type: text/plain"), 415)
	wantError(t, send(t, "POST", base, "{}", "Content-Type: application/x-www-form-urlencoded"), 415)
	wantError(t, send(t, "POST", base, `{"country":"`+strings.Repeat("x", 1<<20)+`"}`), 413)
	wantError(t, send(t, "POST", base+"?country=DE", "{}"), 400)
}

// docs/queries.md, Several datasets: each part is the response of its own request, and the
// request counts as one for each.
func TestManyData(t *testing.T) {
	base, callers := serveLimited(t, access.Limits{Anonymous: 5, Essential: 5, Pro: 5})
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Pro)
	list := struct {
		Data []struct {
			S       string
			Dataset int
			Data    json.RawMessage
			Meta    json.RawMessage
		}
	}{}
	parts := []string{"1:country=Germany&period=2005", "1:dim1=Life%20expectancy&last_n=1&country=DE"}
	address := base + "/api/data?" + url.Values{"s": parts}.Encode()
	got := ask(t, "GET", address, key)
	if err := json.Unmarshal([]byte(got.body), &list); err != nil || got.StatusCode != 200 || len(list.Data) != 2 {
		t.Fatalf("%d %s %v", got.StatusCode, got.body, err)
	}
	readReference(t, base).check(t, "/api/data", got)
	if left := got.Header.Get("X-RateLimit-Remaining"); left != "3" {
		t.Errorf("after a request for two of five, %s are left", left)
	}
	if again := ask(t, "GET", address, key, "If-None-Match: "+got.Header.Get("ETag")); again.StatusCode != 304 {
		t.Errorf("again: %d %s", again.StatusCode, again.body)
	}
	for i, part := range parts {
		one := ask(t, "GET", base+"/api/datasets/1/data?"+strings.TrimPrefix(part, "1:"))
		if want := `{"s":` + asJSON(part) + `,"dataset":1,` + strings.TrimPrefix(one.body, "{"); !strings.Contains(got.body, want) {
			t.Errorf("part %d is not %s", i, want)
		}
	}
	// The key has three left.
	four := ask(t, "GET", base+"/api/data?s=1&s=1&s=1&s=1", key)
	if four.StatusCode != 429 || !strings.Contains(four.body, "counts as 4, one for each selection, and 3 are left of the daily limit of 5") || four.Header.Get("X-RateLimit-Remaining") != "3" {
		t.Errorf("four: %d %s %s", four.StatusCode, four.body, four.Header.Get("X-RateLimit-Remaining"))
	}
	if three := ask(t, "GET", base+"/api/data?s=1&s=1&s=1", key); three.StatusCode != 200 || three.Header.Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("three: %d %s", three.StatusCode, three.body)
	}
}

func asJSON(text string) string {
	out, _ := json.Marshal(text)
	return strings.ReplaceAll(string(out), `\u0026`, "&")
}

// docs/queries.md, Several datasets: errors name the selection.
func TestManyDataErrors(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: testStore(t)})) + "/api/data"
	for query, want := range map[string]string{
		"":                               "400 parameter s is missing",
		"?s=":                            "400 parameter s is empty",
		"?s=x":                           "400 parameter s must be an id, or a source and code",
		"?s=eurostat:":                   "400 parameter s must be",
		"?s=99":                          "404 s=99: there is no dataset 99",
		"?s=eurostat:nothing":            "404 s=eurostat:nothing: there is no dataset eurostat:nothing",
		"?s=1:contry%3DDE":               "400 s=1:contry=DE: unknown parameter",
		"?s=1&t=2":                       "400 unknown parameter",
		"?s=1:country=DE&period=2":       "400 unknown parameter", // the & is not encoded
		"?s=1:followed%3Dtrue":           "401 s=1:followed=true: followed=true requires",
		"?" + strings.Repeat("s=1&", 21): "400 parameter s is given 21 times; at most 20",
	} {
		status, message, _ := strings.Cut(want, " ")
		got := ask(t, "GET", base+query)
		var e struct{ StatusMessage string }
		if err := json.Unmarshal([]byte(got.body), &e); err != nil || got.Status[:3] != status || !strings.HasPrefix(e.StatusMessage, message) {
			t.Errorf("%s: %s %s, want %s", query, got.Status, got.body, want)
		}
	}
	for _, s := range []string{"eurostat:births:country=Germany", "1:country=Germany", "eurostat:births%3Acountry%3DGermany"} {
		got := ask(t, "GET", base+"?s="+s)
		if got.StatusCode != 200 || !strings.Contains(got.body, `"countries":["Germany"]`) {
			t.Errorf("%s: %d %s", s, got.StatusCode, got.body)
		}
	}
}
