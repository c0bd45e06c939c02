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

// scriptRequest is a request of a script and its expected response.
type scriptRequest struct {
	code         int
	method, path string
	header       http.Header
	body         string
	match        *regexp.Regexp // nil: any body
}

var headerArgument = regexp.MustCompile(`^[A-Za-z-]+:`)

// readScriptRequest reads CODE METHOD PATH [HEADER…] [BODY] [~REGEXP].
func readScriptRequest(ts *testscript.TestScript, args []string) *scriptRequest {
	if len(args) < 3 {
		ts.Fatalf("a request is CODE METHOD PATH [HEADER…] [BODY] [~REGEXP]")
	}
	code, err := strconv.Atoi(args[0])
	ts.Check(err)
	var match *regexp.Regexp
	request := slices.DeleteFunc(slices.Clone(args[1:]), func(arg string) bool {
		pattern, ok := strings.CutPrefix(arg, "~")
		if ok {
			match, err = regexp.Compile(pattern)
			ts.Check(err)
		}
		return ok
	})
	a := readRequest(request, ts.Getenv("URL"))
	a.code, a.match = code, match
	return a
}

// readRequest reads METHOD PATH [HEADER…] [BODY].
func readRequest(args []string, url string) *scriptRequest {
	a := &scriptRequest{method: args[0], path: url + args[1], header: http.Header{}}
	for _, arg := range args[2:] {
		if !headerArgument.MatchString(arg) {
			a.body = arg
			continue
		}
		name, value, _ := strings.Cut(arg, ":")
		a.header.Add(name, strings.TrimSpace(value))
	}
	return a
}

// once sends the request and returns the response like send. The error says how it
// differs from the expected one.
func (a *scriptRequest) once() (response string, err error) {
	text, status, err := a.send()
	if err != nil {
		return "", err
	}
	if status != a.code {
		return "", fmt.Errorf("%s %s: %d, want %d:\n%s", a.method, a.path, status, a.code, text)
	}
	_, body, _ := strings.Cut(text, "\n\n")
	if a.match != nil && !a.match.MatchString(body) {
		return "", fmt.Errorf("%s %s: the body does not match %s:\n%s", a.method, a.path, a.match, text)
	}
	return text, nil
}

// send sends the request and returns the headers of the response, one a line, an empty
// line, and the body.
func (a *scriptRequest) send() (response string, status int, err error) {
	r, err := http.NewRequest(a.method, a.path, strings.NewReader(a.body))
	if err != nil {
		return "", 0, err
	}
	r.Header = a.header
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", 0, err
	}
	defer resp.Body.Close()
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(resp.Header)) {
		for _, value := range resp.Header[name] {
			fmt.Fprintf(&text, "%s: %s\n", name, value)
		}
	}
	body, err := io.ReadAll(resp.Body)
	text.WriteString("\n")
	text.Write(body)
	return text.String(), resp.StatusCode, err
}

func sendRequest(ts *testscript.TestScript, _ bool, args []string) {
	response, err := readScriptRequest(ts, args).once()
	ts.Check(err)
	fmt.Fprintln(ts.Stdout(), response)
}

func sendUntilExpected(ts *testscript.TestScript, _ bool, args []string) {
	request := readScriptRequest(ts, args)
	ts.Check(stattest.Wait(func() error {
		_, err := request.once()
		return err
	}))
}

func member(ts *testscript.TestScript, _ bool, args []string) {
	var object map[string]any
	text := ts.ReadFile("stdout")
	if at := strings.Index(text, "{"); at > 0 {
		text = text[at:] // the headers precede the body
	}
	ts.Check(json.Unmarshal([]byte(text), &object))
	value, ok := object[args[0]].(string)
	if !ok {
		ts.Fatalf("no text %s in %s", args[0], text)
	}
	ts.Setenv(args[1], value)
}

func output(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}
