package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/request"
)

// reference is the OpenAPI document as a reader of it sees it.
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
		Responses map[string]struct {
			Content map[string]struct{ Schema map[string]any }
		}
	}
	Components struct{ Schemas map[string]map[string]any }
}

func readReference(t testing.TB, base string) *reference {
	t.Helper()
	got := ask(t, "GET", base+"/openapi.json")
	var doc reference
	if err := json.Unmarshal([]byte(got.body), &doc); err != nil {
		t.Fatalf("/openapi.json: %v", err)
	}
	return &doc
}

// inPath are the parts of paths that the reference has a name for.
var inPath = []struct {
	form *regexp.Regexp
	name string
}{
	{regexp.MustCompile(`^/api/datasets/[^/]+`), "/api/datasets/{id}"},
	{regexp.MustCompile(`^/charts/[^/]+`), "/charts/{file}"},
}

// documented is the path in the reference under which a request's stands.
func documented(requestPath string) string {
	path, _, _ := strings.Cut(requestPath, "?")
	for _, part := range inPath {
		path = part.form.ReplaceAllString(path, part.name)
	}
	return path
}

// check holds an answer against what the reference says of the path: the
// status must be there, and the body must be as its schema says.
func (doc *reference) check(t testing.TB, requestPath string, got answer) {
	t.Helper()
	method := strings.ToLower(strings.Replace(got.Request.Method, "HEAD", "GET", 1))
	operation, ok := doc.Paths[documented(requestPath)][method]
	if !ok {
		t.Fatalf("%s %s is not in the reference", method, requestPath)
	}
	response, ok := operation.Responses[strconv.Itoa(got.StatusCode)]
	if !ok {
		t.Errorf("%s: the reference does not know status %d", requestPath, got.StatusCode)
		return
	}
	if got.body == "" || len(response.Content) == 0 {
		return
	}
	mediaType, _, _ := strings.Cut(got.Header.Get("Content-Type"), ";")
	content, ok := response.Content[mediaType]
	if !ok {
		t.Errorf("%s: the reference does not know content type %s for status %d", requestPath, mediaType, got.StatusCode)
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

// problems says where a value is not what a schema says. It knows the keywords
// that the reference uses, and no others.
func (doc *reference) problems(schema map[string]any, value any, at string) (found []string) {
	for keyword, rule := range schema {
		switch keyword {
		case "description", "properties", "default", "style", "explode", "contentEncoding":
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
		case "additionalProperties":
			found = append(found, doc.memberProblems(schema, value, at)...)
		default:
			found = append(found, "the test does not know the keyword "+keyword)
		}
	}
	return found
}

// memberProblems holds the members of an object against their schemas.
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

// Interface 9: the version of the interface is 1.0.0, and no path has one.
// Every route and every parameter of the code is in the reference, and the
// other way round.
func TestReferenceIsComplete(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), BaseURL: "https://almanac.example/", MaxLimit: 700}))
	doc := readReference(t, base)
	if !strings.HasPrefix(doc.OpenAPI, "3.1.") || doc.Info.Version != "1.0.0" {
		t.Errorf("OpenAPI %s, interface %s; want 3.1 and 1.0.0", doc.OpenAPI, doc.Info.Version)
	}
	if len(doc.Servers) != 1 || doc.Servers[0].URL != "https://almanac.example" {
		t.Errorf("servers are %v", doc.Servers)
	}
	var inCode, inDoc []string
	for _, rt := range api.Routes() {
		path := strings.TrimSuffix(rt.Path, "{$}")
		inCode = append(inCode, path)
		for _, name := range []string{"id", "file"} {
			if strings.Contains(path, "{"+name+"}") {
				inCode = append(inCode, path+" "+name)
			}
		}
		for _, p := range rt.Params {
			inCode = append(inCode, path+" "+p.Name)
		}
		for _, status := range rt.Statuses {
			inCode = append(inCode, fmt.Sprintf("%s %d", path, status))
		}
	}
	operations := map[string]bool{}
	for path, methods := range doc.Paths {
		for _, operation := range methods {
			if operations[operation.OperationID] || operation.OperationID == "" {
				t.Errorf("operationId %q is given twice, or empty", operation.OperationID)
			}
			operations[operation.OperationID] = true
			inDoc = append(inDoc, path)
			for _, p := range operation.Parameters {
				inDoc = append(inDoc, path+" "+p.Name)
				if p.Description == "" {
					t.Errorf("%s: parameter %s has no description", path, p.Name)
				}
				if p.Name == "limit" && p.Schema["maximum"] != 700.0 {
					t.Errorf("the largest limit is said to be %v", p.Schema["maximum"])
				}
			}
			for status := range operation.Responses {
				if status != "default" {
					inDoc = append(inDoc, path+" "+status)
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

// Every example of the reference works on the sample data: it is accepted, and
// matches something.
func TestReferenceExamples(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	doc := readReference(t, base)
	for path, methods := range doc.Paths {
		if path == "/charts/{file}" {
			continue // which digests there are is not known before
		}
		id := ""
		var queries []url.Values
		for _, p := range methods["get"].Parameters {
			switch example := p.Example.(type) {
			case nil:
			case []any:
				queries = append(queries, url.Values{p.Name: {fmt.Sprint(example[0])}})
			default:
				if p.In == "path" {
					id = fmt.Sprint(example)
					continue
				}
				queries = append(queries, url.Values{p.Name: {fmt.Sprint(example)}})
			}
		}
		if strings.Contains(path, "/chart.") {
			for _, query := range queries { // the smaller the sooner drawn
				query["width"], query["height"] = []string{"200"}, []string{"200"}
			}
		}
		target := strings.Replace(path, "{id}", id, 1)
		if _, read := methods["get"]; !read {
			continue
		}
		for _, query := range append(queries, url.Values{}) {
			address := target
			if len(query) > 0 {
				address += "?" + query.Encode()
			}
			got := ask(t, "GET", base+address)
			var told struct{ Notices []any }
			_ = json.Unmarshal([]byte(got.body), &told) // pages and pictures are none
			if got.StatusCode != http.StatusOK || len(told.Notices) > 0 {
				t.Errorf("%s: %d %v", address, got.StatusCode, told)
			}
			doc.check(t, address, got)
		}
	}
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
			body := map[string]any{"datasetId": 1, "chartType": "line", "width": 200, "height": 200}
			body[name] = example
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			got := post(t, base, string(text))
			if got.StatusCode != http.StatusOK || strings.Contains(got.body, `"notices"`) {
				t.Errorf("%s: %d %s", text, got.StatusCode, got.body)
			}
			doc.check(t, "/api/charts/generate-png", got)
		}
	}
}

// Every status that the reference names can be brought about, and the other
// failures are answered as it says.
func TestReferenceStatuses(t *testing.T) {
	s := sampleStore(t)
	a := newAPI(t, api.Options{Store: s})
	base := serve(t, a)
	doc := readReference(t, base)
	seen := map[string]bool{}
	note := func(path string, status int, got answer) {
		if got.StatusCode != status {
			t.Errorf("%s %s: %d, want %d", got.Request.Method, path, got.StatusCode, status)
		}
		doc.check(t, path, got)
		seen[fmt.Sprintf("%s %d", documented(path), status)] = true
	}
	try := func(path, header string, status int) {
		var headers []string
		if header != "" {
			headers = append(headers, header)
		}
		for _, method := range []string{"GET", "HEAD"} {
			note(path, status, ask(t, method, base+path, headers...))
		}
	}
	etag := func(path string) string {
		return "If-None-Match: " + ask(t, "GET", base+path).Header.Get("ETag")
	}
	const generate, small = "/api/charts/generate-png", `{"datasetId": 1, "chartType": "line", "width": 200, "height": 200}`
	drawn := post(t, base, small)
	note(generate, 200, drawn)
	note(generate, 400, post(t, base, `{}`))
	note(generate, 401, post(t, base, `{"datasetId": 1, "chartType": "line", "dimensions_query": "followed=true"}`))
	note(generate, 404, post(t, base, `{"datasetId": 77, "chartType": "line"}`))
	note(generate, 413, post(t, base, strings.Repeat(" ", request.MaxChart+1)))
	note(generate, 415, post(t, base, small, "Content-Encoding: gzip"))
	picture := pathOf(t, drawn)

	for _, path := range []string{"/api/datasets", "/openapi.json", picture} {
		try(path, "", 200)
		try(path, etag(path), 304)
	}
	for _, path := range []string{"/healthz", "/readyz", "/"} {
		try(path, "", 200)
	}
	try("/api/datasets?page=x", "", 400)
	try(picture+"?x=y", "", 400)
	try("/charts/x.png", "", 404)
	try("/api/datasets/1/data?followed=true", "", 401)
	for _, path := range []string{"", "/meta", "/latest", "/data", "/dimensions", "/chart.png", "/chart.jpeg", "/chart.svg"} {
		one, query := "/api/datasets/1"+path, "?"
		if strings.HasPrefix(path, "/chart") {
			one, query = one+"?width=200&height=200", "&"
			try(one+"&followed=true", "", 401)
		}
		try(one, "", 200)
		try(one, etag(one), 304)
		try(one+query+"x=y", "", 400)
		try("/api/datasets/77"+path, "", 404)
	}
	leave := api.FillTable(t, a)
	note(generate, 503, post(t, base, small))
	for _, path := range []string{picture, "/api/datasets/1/chart.png", "/api/datasets/1/chart.jpeg", "/api/datasets/1/chart.svg"} {
		try(path, "", 503)
	}
	leave()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	try("/readyz", "", 503)
	for path, methods := range doc.Paths {
		for _, operation := range methods {
			for status := range operation.Responses {
				if status != "default" && !seen[path+" "+status] {
					t.Errorf("no request of this test brings about %s %s", path, status)
				}
			}
		}
	}
}
