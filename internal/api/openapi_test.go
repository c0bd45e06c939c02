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

var idInPath = regexp.MustCompile(`^/api/datasets/[^/]+`)

// documented is the path in the reference under which a request's stands.
func documented(requestPath string) string {
	path, _, _ := strings.Cut(requestPath, "?")
	if path != "/api/datasets" {
		path = idInPath.ReplaceAllString(path, "/api/datasets/{id}")
	}
	return path
}

// check holds an answer against what the reference says of the path: the
// status must be there, and the body must be as its schema says.
func (doc *reference) check(t testing.TB, requestPath string, got answer) {
	t.Helper()
	operation, ok := doc.Paths[documented(requestPath)]["get"]
	if !ok {
		t.Fatalf("%s is not in the reference", requestPath)
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
		case "description", "properties", "default", "style", "explode":
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
		if strings.Contains(path, "{id}") {
			inCode = append(inCode, path+" id")
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
		target := strings.Replace(path, "{id}", id, 1)
		for _, query := range append(queries, url.Values{}) {
			address := target
			if len(query) > 0 {
				address += "?" + query.Encode()
			}
			got := ask(t, "GET", base+address)
			var told struct{ Notices []any }
			_ = json.Unmarshal([]byte(got.body), &told) // the page of links is none
			if got.StatusCode != http.StatusOK || len(told.Notices) > 0 {
				t.Errorf("%s: %d %v", address, got.StatusCode, told)
			}
			doc.check(t, address, got)
		}
	}
}

// Every status that the reference names can be brought about, and the other
// failures are answered as it says.
func TestReferenceStatuses(t *testing.T) {
	s := sampleStore(t)
	base := serve(t, newAPI(t, api.Options{Store: s}))
	doc := readReference(t, base)
	etag := func(path string) string {
		return "If-None-Match: " + ask(t, "GET", base+path).Header.Get("ETag")
	}
	requests := []struct {
		path, header string
		status       int
	}{
		{"/api/datasets", "", 200},
		{"/api/datasets", etag("/api/datasets"), 304},
		{"/api/datasets?page=x", "", 400},
		{"/openapi.json", "", 200},
		{"/openapi.json", etag("/openapi.json"), 304},
		{"/healthz", "", 200},
		{"/readyz", "", 200},
		{"/", "", 200},
		{"/api/datasets/1/data?followed=true", "", 401},
	}
	for _, path := range []string{"", "/meta", "/latest", "/data", "/dimensions"} {
		one := "/api/datasets/1" + path
		requests = append(requests, []struct {
			path, header string
			status       int
		}{{one, "", 200}, {one, etag(one), 304}, {one + "?x=y", "", 400}, {"/api/datasets/77" + path, "", 404}}...)
	}
	seen := map[string]bool{}
	try := func(path, header string, status int) {
		for _, method := range []string{"GET", "HEAD"} {
			var headers []string
			if header != "" {
				headers = append(headers, header)
			}
			got := ask(t, method, base+path, headers...)
			if got.StatusCode != status {
				t.Errorf("%s %s: %d, want %d", method, path, got.StatusCode, status)
			}
			doc.check(t, path, got)
			seen[fmt.Sprintf("%s %d", documented(path), status)] = true
		}
	}
	for _, r := range requests {
		try(r.path, r.header, r.status)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	try("/readyz", "", 503)
	for path, methods := range doc.Paths {
		for status := range methods["get"].Responses {
			if status != "default" && !seen[path+" "+status] {
				t.Errorf("no request of this test brings about %s %s", path, status)
			}
		}
	}
}
