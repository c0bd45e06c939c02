package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"almanac/internal/stattest"
)

// asking is a request of a script, and what its answer must be.
type asking struct {
	code         int
	method, path string
	header       http.Header
	body         string
	match        *regexp.Regexp // nil: any body
}

var headerArgument = regexp.MustCompile(`^[A-Za-z-]+:`)

// readAsking reads CODE METHOD PATH [HEADER…] [BODY] [~REGEXP].
func readAsking(ts *testscript.TestScript, args []string) *asking {
	if len(args) < 3 {
		ts.Fatalf("a request is CODE METHOD PATH [HEADER…] [BODY] [~REGEXP]")
	}
	code, err := strconv.Atoi(args[0])
	ts.Check(err)
	a := &asking{code: code, method: args[1], path: ts.Getenv("URL") + args[2], header: http.Header{}}
	for _, arg := range args[3:] {
		if pattern, ok := strings.CutPrefix(arg, "~"); ok {
			a.match, err = regexp.Compile(pattern)
			ts.Check(err)
			continue
		}
		if !headerArgument.MatchString(arg) {
			a.body = arg
			continue
		}
		name, value, _ := strings.Cut(arg, ":")
		a.header.Add(name, strings.TrimSpace(value))
	}
	return a
}

// once sends the request and returns the answer's headers, a line each, and its
// body. The error says what was not as it must be.
func (a *asking) once() (answer string, err error) {
	r, err := http.NewRequest(a.method, a.path, strings.NewReader(a.body))
	if err != nil {
		return "", err
	}
	r.Header = a.header
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(resp.Header)) {
		for _, value := range resp.Header[name] {
			fmt.Fprintf(&text, "%s: %s\n", name, value)
		}
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	text.Write(body)
	if resp.StatusCode != a.code {
		return "", fmt.Errorf("%s %s: %s, wanted %d:\n%s", a.method, a.path, resp.Status, a.code, text.String())
	}
	if a.match != nil && !a.match.Match(body) {
		return "", fmt.Errorf("%s %s: the body does not match %s:\n%s", a.method, a.path, a.match, text.String())
	}
	return text.String(), nil
}

func sendRequest(ts *testscript.TestScript, _ bool, args []string) {
	answer, err := readAsking(ts, args).once()
	ts.Check(err)
	fmt.Fprintln(ts.Stdout(), answer)
}

func sendUntilRight(ts *testscript.TestScript, _ bool, args []string) {
	asked := readAsking(ts, args)
	ts.Check(stattest.Wait(func() error {
		_, err := asked.once()
		return err
	}))
}

func member(ts *testscript.TestScript, _ bool, args []string) {
	var object map[string]any
	text := ts.ReadFile("stdout")
	if at := strings.Index(text, "{"); at > 0 {
		text = text[at:] // an answer's headers stand before its body
	}
	ts.Check(json.Unmarshal([]byte(text), &object))
	value, ok := object[args[0]].(string)
	if !ok {
		ts.Fatalf("there is no text %s in %s", args[0], text)
	}
	ts.Setenv(args[1], value)
}

func output(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}
