package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"syscall"
	"testing"

	"almanac/internal/stattest"
)

// docs/operations.md, Imports of a server: the process of an import that needs more memory than it may
// have ends, and so does one that is killed. The server answers all the while, the update is recorded as failed with
// the reason, and other updates go on.
func TestImportProcesses(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: the memory of imports is bounded on Linux only")
	}
	office := newHostileOffice(t)
	dir := t.TempDir()
	office.table(t, dir)
	must(t, "import", "--data", dir, manyRows(t, 40))
	must(t, "watch", "add", "--data", dir, "--networks", "127.0.0.1/32", "hostile:small")
	must(t, "watch", "add", "--data", dir, "--networks", "127.0.0.1/32", "hostile:huge")
	s := startProgram(t, dir, "--sync", "--networks", "127.0.0.1/32", "--import-memory", "192MiB", "--limits", "anonymous=unlimited")
	asking := getRepeatedly(t, s.url+"/api/datasets/1/data")
	waitForUpdate(t, dir, "hostile:small", "created", "")
	waitForUpdate(t, dir, "hostile:huge", "failed", "the import needs more memory than the 192 MiB that it may have")
	if !strings.Contains(s.output.String(), "the process of an import has ended") {
		t.Errorf("the log does not have the process:\n%s", s.output.String())
	}

	// A process is killed while the office sends what it reads.
	must(t, "watch", "add", "--data", dir, "--networks", "127.0.0.1/32", "hostile:slow")
	stattest.Eventually(t, func() error {
		for _, pid := range childrenOf(s.cmd.Process.Pid) {
			if score, err := os.ReadFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid)); err == nil && strings.TrimSpace(string(score)) != "500" {
				return fmt.Errorf("process %d has the score %s", pid, score)
			}
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		return lastUpdate(t, dir, "hostile:slow", "failed", "the process of the import was killed")
	})
	waitForUpdate(t, dir, "hostile:slow", "created", "") // tried again soon
	asking()
	s.stop(t)
}

// getRepeatedly requests an address until stop is called. All responses must be the same, with status 200.
func getRepeatedly(t *testing.T, url string) (stop func()) {
	t.Helper()
	c, ending, ended := newCaller(t, "", "127.0.0.1"), make(chan struct{}), make(chan error, 1)
	go func() {
		first, err := c.get(url)
		for a := first; err == nil; a, err = c.get(url) {
			if a.status != http.StatusOK || a.body != first.body {
				err = fmt.Errorf("while others import: %s", a)
				break
			}
			select {
			case <-ending:
				ended <- nil
				return
			default:
			}
		}
		ended <- err
	}()
	return func() {
		close(ending)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// A server that is killed or stopped leaves no process of an import.
func TestImportProcessesEnd(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: the processes are found in /proc")
	}
	for name, signal := range map[string]syscall.Signal{"kill": syscall.SIGKILL, "stop": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			office := newHostileOffice(t)
			dir := t.TempDir()
			office.table(t, dir)
			must(t, "watch", "add", "--data", dir, "--networks", "127.0.0.1/32", "hostile:slow")
			s := startProgram(t, dir, "--sync", "--networks", "127.0.0.1/32")
			var children []int
			stattest.Eventually(t, func() error {
				if children = childrenOf(s.cmd.Process.Pid); len(children) == 0 {
					return fmt.Errorf("no import has begun:\n%s", s.output.String())
				}
				return nil
			})
			s.end(signal)
			if signal == syscall.SIGTERM && s.err != nil {
				t.Errorf("the server ended with %v", s.err)
			}
			stattest.Eventually(t, func() error {
				for _, pid := range children {
					if isRunning(pid) {
						return fmt.Errorf("after the server, process %d still runs", pid)
					}
				}
				return nil
			})
			must(t, "sync", "--data", dir, "--networks", "127.0.0.1/32")
			if err := lastUpdate(t, dir, "hostile:slow", "created", ""); err != nil {
				t.Error(err)
			}
		})
	}
}

// hostileOffice has a dataset that takes much memory, a large one, and a small one.
type hostileOffice struct {
	*httptest.Server
}

func newHostileOffice(t *testing.T) *hostileOffice {
	t.Helper()
	o := &hostileOffice{}
	o.Server = httptest.NewServer(o)
	t.Cleanup(o.Close)
	return o
}

func (o *hostileOffice) table(t *testing.T, dir string) {
	t.Helper()
	writeOffice(t, dir, "hostile", "Hostile", o.URL)
}

func (o *hostileOffice) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	code := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), ".csv")
	rows, label := 10, "x"
	switch code {
	case "contents":
		fmt.Fprint(w, "small\tSmall\nhuge\tHuge\nslow\tSlow\n")
		return
	case "huge": // texts stay in memory
		rows, label = 12_000, strings.Repeat("x", 20_000)
	case "slow":
		rows = 200_000
	}
	fmt.Fprintf(w, "#almanac-tidy,1\n#source,nso\n#dataset,%s\n#dimension,item\n#geography,geo\nitem,geo,TIME_PERIOD,OBS_VALUE\n", code)
	for i := range rows {
		item := strconv.Itoa(i) + label
		if code == "slow" {
			item = strconv.Itoa(i % 1000)
		}
		fmt.Fprintf(w, "%s,DE,%d,%d\n", item, 1600+i/1000, i)
	}
}

// waitForUpdate waits until the newest entry of a dataset in the log has a status and an error with a text.
func waitForUpdate(t *testing.T, dir, ref, status, text string) {
	t.Helper()
	stattest.Eventually(t, func() error { return lastUpdate(t, dir, ref, status, text) })
}

func lastUpdate(t *testing.T, dir, ref, status, text string) error {
	t.Helper()
	line := must(t, "sync", "log", "--data", dir, "--json", "--limit", "1", ref)
	var entry struct{ Status, Error string }
	if line == "" {
		return fmt.Errorf("%s has no entry", ref)
	}
	if err := json.Unmarshal([]byte(line), &entry); err != nil {
		t.Fatal(err)
	}
	if entry.Status != status || !strings.Contains(entry.Error, text) {
		return fmt.Errorf("%s is %s: %s; want %s: %s", ref, entry.Status, entry.Error, status, text)
	}
	return nil
}

// childrenOf returns the processes that a process has started.
func childrenOf(pid int) (children []int) {
	out, _ := exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output() // an error means that there are none
	for _, field := range strings.Fields(string(out)) {
		if n, err := strconv.Atoi(field); err == nil {
			children = append(children, n)
		}
	}
	return children
}

// isRunning reports whether a process exists and is no zombie.
func isRunning(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(text), ") Z ")
}
