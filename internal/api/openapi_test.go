package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/request"
)

// reference is the OpenAPI document, decoded.
type reference struct {
	OpenAPI string
	Info    struct{ Version string }
	Servers []struct{ URL string }
	Paths   map[string]map[string]struct {
		OperationID string
		Parameters  []struct {
			Name, In, Description string
			Required              bool
			Schema                map[string]any
			Example               any
		}
		RequestBody struct {
			Content map[string]struct{ Schema map[string]any }
		}
		Responses map[string]response
		Security  []map[string][]string
	}
	Components struct {
		Schemas map[string]map[string]any
		Headers map[string]struct {
			Required bool
			Schema   map[string]any
		}
		Responses       map[string]response
		SecuritySchemes map[string]map[string]string
	}
}

// response is the description of a response.
type response struct {
	Ref     string `json:"$ref"`
	Content map[string]struct{ Schema map[string]any }
	Headers map[string]map[string]string
}

// references are the decoded documents by their text, because decoding takes longer than most tests.
var references = struct {
	sync.Mutex
	byText map[string]*reference
}{byText: map[string]*reference{}}

func readReference(t testing.TB, base string) *reference {
	t.Helper()
	got := ask(t, "GET", base+"/openapi.json")
	references.Lock()
	defer references.Unlock()
	if doc := references.byText[got.body]; doc != nil {
		return doc
	}
	var doc reference
	if err := json.Unmarshal([]byte(got.body), &doc); err != nil {
		t.Fatalf("/openapi.json: %v", err)
	}
	for path, methods := range doc.Paths {
		for method, operation := range methods {
			for status, r := range operation.Responses {
				if r.Ref == "" {
					continue
				}
				there, ok := doc.Components.Responses[strings.TrimPrefix(r.Ref, "#/components/responses/")]
				if !ok {
					t.Errorf("%s %s %s: the reference has no %s", method, path, status, r.Ref)
				}
				operation.Responses[status] = there
			}
		}
	}
	references.byText[got.body] = &doc
	return &doc
}

// inPath are the parts of paths that the reference writes as a parameter.
var inPath = []struct {
	form *regexp.Regexp
	name string
}{
	{regexp.MustCompile(`^/api/datasets/[^/]+`), "/api/datasets/{id}"},
	{regexp.MustCompile(`^/api/followed/[^/]+`), "/api/followed/{datasetId}"},
	{regexp.MustCompile(`^/api/areas/[^/]+`), "/api/areas/{area}"},
	{regexp.MustCompile(`^/charts/[^/]+`), "/charts/{file}"},
	{regexp.MustCompile(`^/api/jobs/[^/]+`), "/api/jobs/{job}"},
}

// documented returns the path in the reference that matches the path of a request.
func documented(requestPath string) string {
	path, _, _ := strings.Cut(requestPath, "?")
	for _, part := range inPath {
		path = part.form.ReplaceAllString(path, part.name)
	}
	return path
}

// check compares a response with the description of its path: its status, its headers and
// the schema of its body.
func (doc *reference) check(t testing.TB, requestPath string, got answer) {
	t.Helper()
	methods := doc.Paths[documented(requestPath)]
	method := strings.ToLower(strings.Replace(got.Request.Method, "HEAD", "GET", 1))
	if got.StatusCode == http.StatusMethodNotAllowed { // describes the methods that the address accepts
		for method = range methods {
		}
	}
	operation, ok := methods[method]
	if !ok {
		t.Fatalf("%s %s is not in the reference", method, requestPath)
	}
	status := strconv.Itoa(got.StatusCode)
	if got.StatusCode == http.StatusNotAcceptable {
		status = "default"
	}
	response, ok := operation.Responses[status]
	if !ok {
		t.Errorf("%s: the reference does not list status %d", requestPath, got.StatusCode)
		return
	}
	doc.checkHeaders(t, requestPath, response, got)
	if got.body == "" || len(response.Content) == 0 {
		return
	}
	mediaType, _, _ := strings.Cut(got.Header.Get("Content-Type"), ";")
	content, ok := response.Content[mediaType]
	if !ok {
		t.Errorf("%s: the reference does not list content type %s for status %d", requestPath, mediaType, got.StatusCode)
	}
	if mediaType != "application/json" {
		return
	}
	var value any
	if err := json.Unmarshal([]byte(got.body), &value); err != nil {
		t.Fatalf("%s: %v", requestPath, err)
	}
	for _, problem := range doc.problems(content.Schema, value, "answer") {
		t.Errorf("%s: %s", requestPath, problem)
	}
}

// problems returns the places where a value violates a schema. It supports only the
// keywords that the reference uses.
func (doc *reference) problems(schema map[string]any, value any, at string) (found []string) {
	for keyword, rule := range schema {
		switch keyword {
		case "description", "properties", "default", "format", "style", "explode", "contentEncoding", "examples":
		case "$ref":
			name := strings.TrimPrefix(rule.(string), "#/components/schemas/")
			target, ok := doc.Components.Schemas[name]
			if !ok {
				found = append(found, "there is no schema "+name)
				continue
			}
			found = append(found, doc.problems(target, value, at)...)
		case "allOf":
			for _, part := range rule.([]any) {
				found = append(found, doc.problems(part.(map[string]any), value, at)...)
			}
		case "type":
			if !hasType(value, rule.(string)) {
				found = append(found, fmt.Sprintf("%s is %v, want type %s", at, value, rule))
			}
		case "const":
			if value != rule {
				found = append(found, fmt.Sprintf("%s is %v, want %v", at, value, rule))
			}
		case "enum":
			if !slices.Contains(rule.([]any), value) {
				found = append(found, fmt.Sprintf("%s is %v, want one of %v", at, value, rule))
			}
		case "pattern":
			if text, ok := value.(string); !ok || !regexp.MustCompile(rule.(string)).MatchString(text) {
				found = append(found, fmt.Sprintf("%s is %v, want the form %s", at, value, rule))
			}
		case "minimum":
			if n, ok := value.(float64); !ok || n < rule.(float64) {
				found = append(found, fmt.Sprintf("%s is %v, want at least %v", at, value, rule))
			}
		case "required":
			members, _ := value.(map[string]any)
			for _, name := range rule.([]any) {
				if _, ok := members[name.(string)]; !ok {
					found = append(found, fmt.Sprintf("%s has no %s", at, name))
				}
			}
		case "items":
			items, _ := value.([]any)
			for i, item := range items {
				found = append(found, doc.problems(rule.(map[string]any), item, fmt.Sprintf("%s[%d]", at, i))...)
			}
		case "additionalProperties": // responses have no members that are not described
		default:
			found = append(found, "the test does not know the keyword "+keyword)
		}
	}
	if schema["properties"] != nil || schema["additionalProperties"] != nil {
		found = append(found, doc.memberProblems(schema, value, at)...)
	}
	return found
}

// memberProblems compares the members of an object with their schemas.
func (doc *reference) memberProblems(schema map[string]any, value any, at string) (found []string) {
	members, _ := value.(map[string]any)
	known, _ := schema["properties"].(map[string]any)
	for name, member := range members {
		if rule, ok := known[name]; ok {
			found = append(found, doc.problems(rule.(map[string]any), member, at+"."+name)...)
		} else if rule, ok := schema["additionalProperties"].(map[string]any); ok {
			found = append(found, doc.problems(rule, member, at+"."+name)...)
		} else {
			found = append(found, fmt.Sprintf("%s has %s, which the reference does not know", at, name))
		}
	}
	return found
}

func hasType(value any, name string) bool {
	switch v := value.(type) {
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case float64:
		return name == "number" || name == "integer" && v == float64(int64(v))
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}

// The reference has the version of the interface; no path contains it. Every route and every
// parameter of the code is in the reference, and vice versa.
func TestReferenceIsComplete(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), BaseURL: "https://almanac.example/", MaxLimit: 700}))
	doc := readReference(t, base)
	if !strings.HasPrefix(doc.OpenAPI, "3.1.") || doc.Info.Version != api.InterfaceVersion {
		t.Errorf("OpenAPI %s, interface %s; want 3.1 and 1.2.0", doc.OpenAPI, doc.Info.Version)
	}
	if len(doc.Servers) != 1 || doc.Servers[0].URL != "https://almanac.example" {
		t.Errorf("servers are %v", doc.Servers)
	}
	var inCode, inDoc []string
	for _, rt := range api.Routes() {
		path := strings.TrimSuffix(rt.Path, "{$}")
		at := methodOf(rt) + " " + path
		inCode = append(inCode, at)
		for _, name := range []string{"id", "datasetId", "job", "area", "file"} {
			if strings.Contains(path, "{"+name+"}") {
				inCode = append(inCode, at+" "+name)
			}
		}
		for _, p := range rt.Params {
			inCode = append(inCode, at+" "+p.Name)
		}
		for _, status := range rt.Statuses {
			inCode = append(inCode, fmt.Sprintf("%s %d", at, status))
		}
	}
	operations := map[string]bool{}
	for path, methods := range doc.Paths {
		for method, operation := range methods {
			at := strings.ToUpper(method) + " " + path
			if operations[operation.OperationID] || operation.OperationID == "" {
				t.Errorf("operationId %q is empty or not unique", operation.OperationID)
			}
			operations[operation.OperationID] = true
			inDoc = append(inDoc, at)
			for _, p := range operation.Parameters {
				inDoc = append(inDoc, at+" "+p.Name)
				if p.Description == "" {
					t.Errorf("%s: parameter %s has no description", path, p.Name)
				}
				if p.Name == "limit" && path != "/api/search" && p.Schema["maximum"] != 700.0 {
					t.Errorf("the maximum of limit is %v", p.Schema["maximum"])
				}
			}
			for status := range operation.Responses {
				if status != "default" {
					inDoc = append(inDoc, at+" "+status)
				}
			}
		}
	}
	sort.Strings(inCode)
	sort.Strings(inDoc)
	if !slices.Equal(inCode, inDoc) {
		t.Errorf("the code has %q\nthe reference has %q", inCode, inDoc)
	}
}

// methodOf returns the method of a route.
func methodOf(rt api.Documented) string {
	if rt.Method == "" {
		return "GET"
	}
	return rt.Method
}

// The reference has both security schemes: a key in X-API-Key or as Authorization: Bearer.
// Each operation ignores, accepts or requires a key. The limit headers are described for
// counted responses and for 429.
func TestReferenceSecurity(t *testing.T) {
	s := sampleStore(t)
	doc := readReference(t, serve(t, newAPI(t, api.Options{Store: s})))
	keys := readReference(t, serve(t, newAPI(t, api.Options{Store: s, Access: newAccess(t, access.Limits{Essential: 1}, nil)})))
	if k := doc.Components.SecuritySchemes["apiKey"]; k["type"] != "apiKey" || k["in"] != "header" || k["name"] != "X-API-Key" {
		t.Errorf("the scheme apiKey is %v", k)
	}
	if b := doc.Components.SecuritySchemes["bearer"]; b["type"] != "http" || b["scheme"] != "bearer" {
		t.Errorf("the scheme bearer is %v", b)
	}
	for _, rt := range api.Routes() {
		path, method := strings.TrimSuffix(rt.Path, "{$}"), strings.ToLower(methodOf(rt))
		operation := doc.Paths[path][method]
		const may, must, none = "[map[] map[apiKey:[]] map[bearer:[]]]", "[map[apiKey:[]] map[bearer:[]]]", "[]"
		want, wantWithout := may, must
		switch {
		case rt.Open:
			want, wantWithout = none, none
		case strings.HasPrefix(path, "/api/followed"):
			want = must
		case path == "/api/accounts":
			wantWithout = may
		}
		if got := fmt.Sprint(operation.Security); operation.Security == nil || got != want {
			t.Errorf("%s %s: security is %s, want %s", method, path, got, want)
		}
		if got := fmt.Sprint(keys.Paths[path][method].Security); got != wantWithout {
			t.Errorf("%s %s: with no anonymous callers, security is %s, want %s", method, path, got, wantWithout)
		}
		for status, response := range operation.Responses {
			counts := status == "429" || rt.Counted && (status[0] == '2' || status == "400" || status == "404")
			for _, name := range limitHeaders {
				if _, has := response.Headers[name]; has != counts {
					t.Errorf("%s %s %s: %s is documented: %t", method, path, status, name, has)
				}
			}
			for name, want := range map[string]bool{
				"Retry-After": status == "429" || status == "503", "WWW-Authenticate": status == "401", "Allow": status == "405",
				"X-Request-Id": status >= "400", // "default" too
			} {
				if _, has := response.Headers[name]; has != want {
					t.Errorf("%s %s %s: %s is documented: %t", method, path, status, name, has)
				}
			}
		}
	}
}

// exampleOf returns the query of a parameter's example, or of none; a search needs a question.
func exampleOf(path, name, example string) url.Values {
	query := url.Values{}
	if name != "" {
		query.Set(name, example)
	}
	if path == "/api/search" && name != "q" {
		query.Set("q", "population")
	}
	if path == "/api/data" {
		query.Set("s", "1")
	}
	return query
}

// noticesIn returns the notices of a response; a page or picture has none.
func noticesIn(body string) []request.Notice {
	var reply struct {
		Notices []request.Notice
	}
	_ = json.Unmarshal([]byte(body), &reply)
	return reply.Notices
}

// mayHaveNotices reports whether examples may have notices: the store is small for a search, and
// the description of a chart says which options do not fit it, as pictures cannot.
func mayHaveNotices(path string, notices []request.Notice) bool {
	isEmptySearch := path == "/api/search" && len(notices) == 1 && notices[0].Parameter == "q"
	return isEmptySearch || path == "/api/datasets/{id}/chart.json"
}

// Every example in the reference is valid and selects data of the sample.
func TestReferenceExamples(t *testing.T) {
	callers := newAccess(t, access.DefaultLimits, nil)
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Pro)
	s := sampleStore(t)
	base := serve(t, newAPI(t, api.Options{Store: s, Access: callers, FreeAccounts: 1, Search: newSearch(t, s, nil)}))
	doc := readReference(t, base)
	for schema, target := range map[string]string{"Selection": "PUT /api/followed/1", "AccountRequest": "POST /api/accounts"} {
		method, path, _ := strings.Cut(target, " ")
		example, err := json.Marshal(doc.Components.Schemas[schema]["examples"].([]any)[0])
		if err != nil {
			t.Fatal(err)
		}
		got := send(t, method, base+path, string(example), key)
		if got.StatusCode >= 300 || strings.Contains(got.body, "notices") {
			t.Errorf("%s with %s: %d %s", target, example, got.StatusCode, got.body)
		}
		doc.check(t, path, got)
	}
	for path, methods := range doc.Paths {
		if path == "/charts/{file}" || path == "/api/jobs/{job}" {
			continue // digests are not known in advance, and there are no jobs
		}
		id := ""
		var queries []url.Values
		for _, p := range methods["get"].Parameters {
			switch example := p.Example.(type) {
			case nil:
			case []any:
				queries = append(queries, exampleOf(path, p.Name, fmt.Sprint(example[0])))
			default:
				if p.In == "path" {
					id = fmt.Sprint(example)
					continue
				}
				queries = append(queries, exampleOf(path, p.Name, fmt.Sprint(example)))
			}
		}
		if strings.Contains(path, "/chart.") {
			for _, query := range queries { // small, so that it is drawn fast
				query["width"], query["height"] = []string{"200"}, []string{"200"}
			}
		}
		target := strings.NewReplacer("{id}", id, "{datasetId}", id, "{area}", id).Replace(path)
		if _, read := methods["get"]; !read {
			continue
		}
		together := exampleOf(path, "", "")
		for _, query := range queries {
			maps.Copy(together, query)
		}
		if got := ask(t, "GET", base+target+"?"+together.Encode(), key); got.StatusCode != http.StatusOK {
			t.Errorf("all examples of %s together: %d %.300s", path, got.StatusCode, got.body)
		}
		for _, query := range append(queries, exampleOf(path, "", "")) {
			address := target
			if len(query) > 0 {
				address += "?" + query.Encode()
			}
			got := ask(t, "GET", base+address, key)
			notices := noticesIn(got.body)
			if got.StatusCode != http.StatusOK || len(notices) > 0 && !mayHaveNotices(path, notices) {
				t.Errorf("%s: %d %v", address, got.StatusCode, notices)
			}
			doc.check(t, address, got)
		}
	}
}

// Every example of a field of charts is valid, and some type of chart follows it.
func TestExamplesOfCharts(t *testing.T) {
	callers := newAccess(t, access.DefaultLimits, nil)
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Pro)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers}))
	doc := readReference(t, base)
	field := doc.Components.Schemas["ChartRequest"]["properties"].(map[string]any)
	if len(field) != len(request.ChartFields) {
		t.Errorf("the reference has %d fields of a chart request, want %d", len(field), len(request.ChartFields))
	}
	for name, schema := range field {
		examples, _ := schema.(map[string]any)["examples"].([]any)
		if fallback, ok := schema.(map[string]any)["default"]; ok {
			examples = append(examples, fallback)
		}
		if len(examples) == 0 {
			t.Errorf("the field %s has neither example nor default", name)
		}
		for _, example := range examples {
			isFollowed := false
			for _, chartType := range []string{"line", "horizontal-bar", "map", "area"} {
				body := map[string]any{"datasetId": 1, "chartType": chartType, "width": 300, "height": 240} // small, but with labels
				if chartType == "area" && name == "transform" {
					continue // indices have no sum
				}
				if chartType == "area" { // of several series: they are on one another
					body["dimensions_query"] = "country=Germany&country=France&dim1=Population"
				}
				body[name] = example
				text, err := json.Marshal(body)
				if err != nil {
					t.Fatal(err)
				}
				got := post(t, base, string(text), key)
				if got.StatusCode != http.StatusOK {
					t.Errorf("%s: %d %s", text, got.StatusCode, got.body)
				}
				isFollowed = isFollowed || !strings.Contains(got.body, `"notices"`)
				doc.check(t, "/api/charts/generate-png", got)
			}
			if !isFollowed {
				t.Errorf("no type of chart follows the example %v of %s", example, name)
			}
		}
	}
}
