// Package clients tests the service with programs of others: what they read from it is
// compared with its JSON, cell by cell. They are installed by install.sh.
package clients

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"almanac/internal/stattest"
	"almanac/internal/stattest/s3"
)

// service is the built binary, serving the offices' real files.
type service struct {
	url      string
	almanac  string // the binary
	data     string // the folder of its store
	datasets []dataset
}

// dataset is an entry of the list of datasets.
type dataset struct {
	ID           int
	Source       string
	Code         string `json:"dataset_code"`
	Observations int
}

// running is the service of all tests. TestMain ends it.
var running struct {
	sync.Once
	service
	dir  string
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	code := s3.Run(m)
	if running.stop != nil {
		running.stop()
	}
	if running.dir != "" {
		_ = os.RemoveAll(running.dir) // a folder below that of temporary files
	}
	os.Exit(code)
}

// serve returns the service. The first call builds and starts it.
func serve(t *testing.T) *service {
	t.Helper()
	files := stattest.DataDir(t)
	running.Do(func() { running.err = start(files) })
	if running.err != nil {
		t.Fatal(running.err)
	}
	return &running.service
}

// start builds the binary, unless $ALMANAC_BINARY is one, imports the folders of files, and
// serves them.
func start(files string) (err error) {
	if running.dir, err = os.MkdirTemp("", "almanac-clients-"); err != nil {
		return err
	}
	running.almanac, running.data = os.Getenv("ALMANAC_BINARY"), filepath.Join(running.dir, "data")
	if running.almanac == "" {
		running.almanac = filepath.Join(running.dir, "almanac")
		if err := stattest.BuildAlmanac(running.almanac); err != nil {
			return err
		}
	}
	folders, err := filepath.Glob(filepath.Join(files, "[a-z]*"))
	if err != nil {
		return err
	}
	imports := exec.Command(running.almanac, append([]string{"import", "--data", running.data, "--labels", filepath.Join(files, "eurostat", "dic")}, folders...)...)
	if out, err := imports.CombinedOutput(); len(out) == 0 { // some files are refused on purpose
		return fmt.Errorf("importing: %w", err)
	}
	running.url, running.stop, err = listen(running.almanac, "--data", running.data, "--limits", "anonymous=unlimited")
	if err != nil {
		return err
	}
	return readDatasets()
}

// listen starts the server of a store on a free port and returns its address and what ends it.
func listen(almanac string, args ...string) (url string, stop func(), err error) {
	server := exec.Command(almanac, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	stderr, err := server.StderrPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait() // ended by us
	}
	printed := bufio.NewScanner(stderr)
	for printed.Scan() {
		if _, url, ok := strings.Cut(printed.Text(), "listening on "); ok {
			go func() { _, _ = io.Copy(io.Discard, stderr) }() // a full pipe would block the server
			return strings.TrimSpace(url), stop, nil
		}
	}
	stop()
	return "", nil, errors.New("the server ended before it printed its address")
}

// demo serves the sample data to callers without limits and returns its address and a key.
func demo(t *testing.T) (url, key string) {
	t.Helper()
	almanac, dir := serve(t).almanac, t.TempDir()
	url, stop, err := listen(almanac, "--demo", "--data", dir, "--limits", "anonymous=unlimited,essential=unlimited", "--free-accounts", "100000")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return url, createKey(t, url)
}

// createKey creates an account and returns its key.
func createKey(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Post(url+"/api/accounts", "application/json", strings.NewReader(`{"name": "Clients"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var account struct{ Key string }
	if err := json.NewDecoder(resp.Body).Decode(&account); err != nil || account.Key == "" {
		t.Fatalf("no key: %s %v", resp.Status, err)
	}
	return account.Key
}

func readDatasets() error {
	resp, err := http.Get(running.url + "/api/datasets?limit=1000&fields=source,code,observations")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var list struct{ Data []dataset }
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
		return err
	}
	if running.datasets = list.Data; len(running.datasets) < 30 {
		return fmt.Errorf("%d datasets were imported, expected 30 or more", len(running.datasets))
	}
	return nil
}

// read returns the body of a response with status 200.
func (s *service) read(t *testing.T, path string) []byte {
	t.Helper()
	resp, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v\n%.500s", path, resp.Status, err, body)
	}
	return body
}
