package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"almanac/internal/source/replay"
	"almanac/internal/stattest"
)

func TestMain(m *testing.M) {
	// Under the race detector a program sleeps for a second before it ends. The tests
	// start more than a thousand.
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	// Most tests wait for programs, so more of them run at once than there are cores.
	// The flag -parallel changes this.
	_ = flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
	os.Setenv("ALMANAC_DRAIN", "0s")     // or each stop of a server would take a second
	os.Setenv("ALMANAC_OFFERS", "false") // or servers of the tests would ask real offices what they offer
	testscript.Main(testsBesideS3{m}, map[string]func(){"almanac": mainOfTests})
}

// The scripts in testdata/script run the real program, each in its own folder. They have
// these commands besides those of testscript:
//
//	exits CODE COMMAND…     runs a command that must end with that exit code
//	listening FILE          waits until the server that writes to FILE listens, and
//	                        sets $URL and $ADDRESS
//	sigterm                 sends SIGTERM to the programs in the background
//	get PATH [REGEXP]       requests PATH from $URL until the response is 200 and
//	                        matches
//	request CODE METHOD PATH [HEADER…] [BODY] [~REGEXP]
//	                        sends one request to $URL; the response must have that
//	                        status, and its body must match. Standard output is its
//	                        headers, one a line, and its body
//	eventually CODE …       repeats such a request until the response is as expected
//	member NAME VARIABLE    sets $VARIABLE to a text in the JSON object on the last
//	                        standard output
//	output VARIABLE         sets $VARIABLE to the whole of it
//	same PATH FILE          requests PATH; the response must have the bytes of FILE
//	office STORE FOLDER     serves the files of FOLDER as an office "made", adds it to
//	                        the offices of STORE, and sets $OFFICE
//	fault MATCH STATUS [RETRY-AFTER]
//	                        makes it fail requests whose address contains MATCH
//	mend                    ends the faults
//	examples FILE           requests each address that FILE shows with curl; each
//	                        response must be 200 and have data
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Values[officeKey{}] = new(*replay.Server)
			e.Setenv("GORACE", os.Getenv("GORACE"))
			e.Setenv("ALMANAC_OFFERS", os.Getenv("ALMANAC_OFFERS"))
			stattest.AvoidMidnight()
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":      exits,
			"listening":  listening,
			"sigterm":    sigterm,
			"get":        get,
			"request":    sendRequest,
			"eventually": sendUntilExpected,
			"member":     member,
			"output":     output,
			"same":       same,
			"examples":   examples,
			"office":     serveOffice,
			"fault":      breakOffice,
			"mend":       mendOffice,
		},
	})
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func listening(ts *testscript.TestScript, _ bool, args []string) {
	file := ts.MkAbs(args[0])
	ts.Check(stattest.Wait(func() error {
		log, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		found := listeningLine.FindSubmatch(log)
		if found == nil {
			return fmt.Errorf("the server does not listen:\n%s", log)
		}
		ts.Setenv("URL", "http://"+string(found[1]))
		ts.Setenv("ADDRESS", string(found[1]))
		return nil
	}))
}

func sigterm(ts *testscript.TestScript, _ bool, _ []string) {
	for _, cmd := range ts.BackgroundCmds() {
		ts.Check(cmd.Process.Signal(syscall.SIGTERM))
	}
}

func get(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) == 1 {
		args = append(args, "")
	}
	pattern, err := regexp.Compile(args[1])
	ts.Check(err)
	ts.Check(stattest.Wait(func() error {
		body, err := bodyOf(ts.Getenv("URL") + args[0])
		if err == nil && !pattern.Match(body) {
			err = fmt.Errorf("the response does not match %s:\n%s", pattern, body)
		}
		return err
	}))
}

func same(ts *testscript.TestScript, _ bool, args []string) {
	body, err := bodyOf(ts.Getenv("URL") + args[0])
	ts.Check(err)
	if want := ts.ReadFile(args[1]); string(body) != want {
		ts.Fatalf("%s has %d bytes that differ from the %d of %s", args[0], len(body), len(want), args[1])
	}
}

var curlLine = regexp.MustCompile(`(?m)^ *curl '(.*)'$`)

func examples(ts *testscript.TestScript, _ bool, args []string) {
	found := curlLine.FindAllStringSubmatch(ts.ReadFile(args[0]), -1)
	if len(found) != 3 {
		ts.Fatalf("%d example requests, want three", len(found))
	}
	for _, line := range found {
		body, err := bodyOf(line[1])
		ts.Check(err)
		if !regexp.MustCompile(`"data":\[\{|"countries":\{"`).Match(body) {
			ts.Fatalf("%s has no data: %s", line[1], body)
		}
	}
}

func bodyOf(url string) ([]byte, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", url, resp.Status, body)
	}
	return body, err
}
