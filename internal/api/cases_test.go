package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/stattest"
)

// TestCases sends the requests of testdata/cases and compares the responses.
//
// A case begins with a line with #: a section of docs/api.md and the rule to
// test, which is also the name of the subtest. Then follow the path of a GET and,
// if not all of the response matters, the members that do; a line ----; the
// status; and the response, formatted. A blank line ends the case. With -update,
// the responses are written to the files.
func TestCases(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: testStore(t)}))
	schemas := readReference(t, base)
	files, err := filepath.Glob("testdata/cases/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var updated []string
			for _, c := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
				request, want, _ := strings.Cut(c, "\n----\n")
				got := responseTo(t, base, request, schemas)
				updated = append(updated, request+"\n----\n"+got)
				rule, _, _ := strings.Cut(strings.TrimPrefix(request, "# "), "\n")
				t.Run(rule, func(t *testing.T) {
					if got != want && !*stattest.Update {
						t.Errorf("%s\ngot:\n%s\nwant:\n%s", request, got, want)
					}
				})
			}
			if *stattest.Update {
				if err := os.WriteFile(file, []byte(strings.Join(updated, "\n\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// answerTo sends the request of a case and validates the response against the
// reference.
func responseTo(t *testing.T, base, request string, doc *reference) string {
	t.Helper()
	lines := strings.Split(request, "\n")
	fields := strings.Fields(lines[len(lines)-1])
	got := ask(t, "GET", base+fields[0])
	if contentType := got.Header.Get("Content-Type"); contentType != "application/json" {
		t.Errorf("%s: Content-Type is %q", fields[0], contentType)
	}
	if !json.Valid([]byte(got.body)) {
		t.Fatalf("%s: the response is not JSON: %s", fields[0], got.body)
	}
	if strings.Contains(got.body, "null") {
		t.Errorf("%s: the response contains null: %s", fields[0], got.body)
	}
	doc.check(t, fields[0], got)
	return fmt.Sprintf("%d\n%s", got.StatusCode, layOut([]byte(got.body), fields[1:]))
}

// layOut formats JSON with one line for whatever fits on it. It keeps the order of
// members and the text of numbers. Of the outermost object, it shows only the named
// members, or all if none is named.
func layOut(text []byte, only []string) string {
	var out strings.Builder
	layOutAt(&out, text, "", only)
	return out.String()
}

const lineWidth = 110

func layOutAt(out *strings.Builder, text []byte, indent string, only []string) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		panic(err)
	}
	text = compact.Bytes()
	if len(only) == 0 && len(indent)+len(text) <= lineWidth || text[0] != '{' && text[0] != '[' {
		out.Write(text)
		return
	}
	names, values := members(text)
	out.WriteByte(text[0])
	first := true
	for i, value := range values {
		if len(only) > 0 && !slices.Contains(only, names[i]) {
			continue
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		out.WriteString("\n" + indent + "  ")
		if text[0] == '{' {
			fmt.Fprintf(out, "%q: ", names[i])
		}
		layOutAt(out, value, indent+"  ", nil)
	}
	out.WriteString("\n" + indent)
	out.WriteByte(text[len(text)-1])
}

// members returns the names (of an object) and values of an object or array, in order.
func members(text []byte) (names []string, values []json.RawMessage) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	_, err := decoder.Token()
	must(err)
	for decoder.More() {
		name := ""
		if text[0] == '{' {
			token, err := decoder.Token()
			must(err)
			name = token.(string)
		}
		var value json.RawMessage
		must(decoder.Decode(&value))
		names, values = append(names, name), append(values, value)
	}
	return names, values
}
