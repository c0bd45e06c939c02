package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"almanac/internal/stattest"
)

// The tests in faults_*_test.go run the program in its own processes, as an operator
// does, and kill it, fill its disk, run a second one on the same store, and send it
// malformed requests.

// served is a running `almanac serve`.
type served struct {
	url    string
	output lockedBuffer // on standard output and standard error
	cmd    *exec.Cmd
	read   chan struct{} // closed when all output is read
	once   sync.Once
	err    error // of its end
}

// startProgram starts a server of a store and waits until it listens. If it still runs
// at the end of the test, it is killed.
func startProgram(t *testing.T, dir string, flags ...string) *served {
	t.Helper()
	return startCommand(t, exec.Command("almanac", append([]string{"serve", "--data", dir, "--listen", "127.0.0.1:0"}, flags...)...))
}

// startCommand is like startProgram for any command.
func startCommand(t *testing.T, cmd *exec.Cmd) *served {
	t.Helper()
	s := &served{read: make(chan struct{}), cmd: cmd}
	s.cmd.Stdout = &s.output
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	listening := make(chan string, 1)
	go func() {
		defer close(s.read)
		for r := bufio.NewReader(stderr); ; {
			line, err := r.ReadString('\n')
			_, _ = s.output.Write([]byte(line))
			if found := listeningLine.FindStringSubmatch(line); found != nil {
				listening <- "http://" + found[1]
			}
			if err != nil {
				return
			}
		}
	}()
	select {
	case s.url = <-listening:
	case <-s.read:
		t.Fatalf("%v ended before it listened:\n%s", cmd.Args, s.output.String())
	}
	return s
}

func (s *served) end(signal syscall.Signal) {
	_ = s.cmd.Process.Signal(signal) // an error means that it has ended
	<-s.read
	s.once.Do(func() { s.err = s.cmd.Wait() })
}

// kill ends the server at once, like a power failure.
func (s *served) kill() { s.end(syscall.SIGKILL) }

// stop ends the server gracefully.
func (s *served) stop(t *testing.T) {
	t.Helper()
	if s.end(syscall.SIGTERM); s.err != nil {
		t.Errorf("after SIGTERM the server ended with %v:\n%s", s.err, s.output.String())
	}
}

func (s *served) address() string { return strings.TrimPrefix(s.url, "http://") }

// commandLine runs the program and returns what it printed, and its exit code.
func commandLine(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, log strings.Builder
	cmd := exec.Command("almanac", args...)
	cmd.Stdout, cmd.Stderr = &out, &log
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), log.String(), cmd.ProcessState.ExitCode()
}

// must runs the program, which must succeed, and returns its standard output.
func must(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, code := commandLine(t, args...)
	if code != exitDone {
		t.Fatalf("almanac %s ended with %d:\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	return stdout
}

// newKey is a key as `key create` and `key rotate` print it in JSON.
type newKey struct{ Key, ID, Account, Organisation, Tier string }

func makeKey(t *testing.T, dir, account, tier string) newKey {
	t.Helper()
	return readKey(t, must(t, "key", "create", "--data", dir, "--account", account, "--tier", tier, "--json"))
}

func readKey(t *testing.T, line string) newKey {
	t.Helper()
	var k newKey
	if err := json.Unmarshal([]byte(line), &k); err != nil || len(k.Key) != 50 {
		t.Fatalf("not a key in JSON: %q (%v)", line, err)
	}
	return k
}

// used returns today's counts from `almanac usage`, by account. Anonymous callers are
// counted under the empty name.
func used(t *testing.T, dir string, flags ...string) map[string]int64 {
	t.Helper()
	lines := json.NewDecoder(strings.NewReader(must(t, append([]string{"usage", "--data", dir, "--json"}, flags...)...)))
	counts := map[string]int64{}
	for {
		var line struct {
			Day, Account string
			Requests     int64
		}
		switch err := lines.Decode(&line); {
		case err == io.EOF:
			return counts
		case err != nil:
			t.Fatalf("usage --json: %v", err)
		}
		if line.Day == today() {
			counts[line.Account] += line.Requests
		}
	}
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

// withinOneDay runs a test of today's counts, and repeats it if midnight passed
// meanwhile.
func withinOneDay(t *testing.T, test func() error) {
	t.Helper()
	for {
		day := today()
		err := test()
		if today() != day {
			t.Log("midnight has passed; repeating the test")
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
}

// caller is one client.
type caller struct {
	key  string // empty: anonymous
	etag string // of a response that it has; empty: none
	http *http.Client
}

// newCaller returns a client that connects from an address of this machine.
func newCaller(t *testing.T, key, from string) *caller {
	t.Helper()
	local := &net.TCPAddr{IP: net.ParseIP(from)}
	probe, err := net.ListenTCP("tcp", local)
	if err != nil {
		stattest.SkipOrFail(t, "this machine has no loopback address "+from+" to connect from: "+err.Error())
	}
	probe.Close()
	transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: local}).DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &caller{key: key, http: &http.Client{Transport: transport}}
}

// response is a whole response of the server.
type response struct {
	status int
	header http.Header
	body   string
}

func (a response) String() string { return fmt.Sprintf("%d %v %s", a.status, a.header, a.body) }

// get sends a GET and reads the whole response. An error means that there was none.
func (c *caller) get(url string) (response, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return response{}, err
	}
	if c.key != "" {
		req.Header.Set("X-API-Key", c.key)
	}
	if c.etag != "" {
		req.Header.Set("If-None-Match", c.etag)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return response{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return response{resp.StatusCode, resp.Header, string(body)}, err
}

// limitsState is the response of GET /api/limits.
type limitsState struct {
	Tier                   string
	Limit, Used, Remaining int64
}

func (c *caller) getLimits(url string) (s limitsState, err error) {
	a, err := c.get(url + "/api/limits")
	if err == nil {
		err = json.Unmarshal([]byte(a.body), &s)
	}
	if err != nil || a.status != http.StatusOK {
		return s, fmt.Errorf("/api/limits: %s: %w", a, err)
	}
	return s, nil
}

// raw sends bytes on a new connection and returns everything that the server sends
// until it closes the connection.
func raw(t *testing.T, s *served, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", s.address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// The server may respond and close before it has read everything. That is an error
	// here, but not a fault.
	_, _ = io.WriteString(conn, request)
	text, err := io.ReadAll(conn)
	if len(text) == 0 {
		t.Fatalf("no response to %.200q: %v", request, err)
	}
	return string(text)
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// forge makes a well-formed key from a public id and a secret. It does not use the code
// of the program.
func forge(id, secret string) string {
	key := "alm_" + id + secret
	sum := crc32.ChecksumIEEE([]byte(key))
	digits := make([]byte, 6)
	for i := range digits {
		digits[len(digits)-1-i] = base62[sum%62]
		sum /= 62
	}
	return key + string(digits)
}
