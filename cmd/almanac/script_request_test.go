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
func readRequest(args []string, url string) *asking {
	a := &asking{method: args[0], path: url + args[1], header: http.Header{}}
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

// once sends the request and returns the answer's headers, a line each, and its
// body. The error says what was not as it must be.
func (a *asking) once() (answer string, err error) {
	text, status, err := a.send()
	if err != nil {
		return "", err
	}
	if status != a.code {
		return "", fmt.Errorf("%s %s: %d, wanted %d:\n%s", a.method, a.path, status, a.code, text)
	}
	_, body, _ := strings.Cut(text, "\n\n")
	if a.match != nil && !a.match.MatchString(body) {
		return "", fmt.Errorf("%s %s: the body does not match %s:\n%s", a.method, a.path, a.match, text)
	}
	return text, nil
}

// send sends the request and returns the answer: its headers, a line each, an
// empty line and its body.
func (a *asking) send() (answer string, status int, err error) {
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
