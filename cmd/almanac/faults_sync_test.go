package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/stattest"
)

// Whenever a sync is killed, no version is incomplete, nothing is imported twice, and the
// next sync finishes the work. An office publishes new editions of its datasets. One or two
// syncs start and are killed after a random number of responses of the office. Meanwhile a
// server on the same store serves the datasets. The last sync is not killed.
func TestKilledSync(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	office := newOffice(t, 30)
	dir := t.TempDir()
	office.table(t, dir)
	must(t, "watch", "add", "--data", dir, "--networks", "127.0.0.1/32", "made:*")
	s := startProgram(t, dir, "--limits", "anonymous=unlimited")
	asking := requestRepeatedly(s.url)
	killed := 0
	for kill := 0; kill < stattest.Rounds(t, 8, 150) || killed == 0; kill++ { // until one was killed
		office.publish(random)
		syncs := startSyncs(t, dir, 1+kill%2)
		for _, s := range syncs {
			go s.wait(office)
		}
		office.waitForResponses(1+random.IntN(70), len(syncs))
		for _, s := range syncs {
			_ = s.cmd.Process.Kill() // an error means that it had finished
			switch err := <-s.ended; {
			case s.cmd.ProcessState.ExitCode() < 0:
				killed++
			case err != nil:
				t.Errorf("a sync ended by itself: %v\n%s", err, s.cmd.Stderr)
			}
		}
		office.quiet()
	}
	must(t, "sync", "--data", dir, "--networks", "127.0.0.1/32", "made:*")
	if err := asking(); err != nil {
		t.Error(err)
	}
	office.compare(t, dir, s.url)
	if left := filesBelow(t, filepath.Join(dir, "sync")); len(left) > 0 {
		t.Errorf("a finished sync leaves the files %v", left)
	}
	s.stop(t)
}

// oneSync is a running process.
type oneSync struct {
	cmd   *exec.Cmd
	ended chan error // receives the error of its end
}

// wait waits for the sync to end and notifies the office.
func (s oneSync) wait(o *fakeOffice) {
	err := s.cmd.Wait()
	o.mu.Lock()
	o.ended++
	o.mu.Unlock()
	o.more.Broadcast()
	s.ended <- err
}

// startSyncs starts n concurrent syncs of everything.
func startSyncs(t *testing.T, dir string, n int) []oneSync {
	t.Helper()
	var started []oneSync
	for range n {
		cmd := exec.Command("almanac", "sync", "--data", dir, "--networks", "127.0.0.1/32", "--json", "made:*")
		cmd.Stderr = &lockedBuffer{}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		started = append(started, oneSync{cmd, make(chan error, 1)})
	}
	return started
}

// fakeOffice is a server whose datasets have editions: the values of edition e lie
// between 1000 e and 1000 e + rows.
type fakeOffice struct {
	*httptest.Server
	mu       sync.Mutex
	editions []int
	had      int            // responses since the newest edition
	ended    int            // syncs since then
	running  map[string]int // requests under way, by path
	twice    string         // a path with two concurrent requests
	more     *sync.Cond
}

const rowsOfOffice = 400

func newOffice(t *testing.T, datasets int) *fakeOffice {
	o := &fakeOffice{editions: make([]int, datasets), running: map[string]int{}}
	o.more = sync.NewCond(&o.mu)
	o.Server = httptest.NewServer(o)
	t.Cleanup(o.Close)
	return o
}

// table adds the office to the additional offices of a store.
func (o *fakeOffice) table(t *testing.T, dir string) {
	t.Helper()
	writeOffice(t, dir, "made", "Made up", o.URL)
}

// writeOffice makes an office of files the only additional office of a store.
func writeOffice(t *testing.T, dir, id, name, url string) {
	t.Helper()
	text := fmt.Sprintf(`{"offices": [{"id": %q, "name": %q, "kind": "files", "address": "%[3]s",
		"contents": "%[3]s/contents", "data": "%[3]s/{code}.csv"}]}`, id, name, url)
	if err := os.WriteFile(filepath.Join(dir, "sources.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// publish publishes a new edition of about every third dataset.
func (o *fakeOffice) publish(random *rand.Rand) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for n := range o.editions {
		if random.IntN(3) == 0 {
			o.editions[n]++
		}
	}
	o.had, o.ended = 0, 0
}

// waitForResponses waits for n responses since the newest edition, or until all syncs have ended.
func (o *fakeOffice) waitForResponses(n, syncs int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.had < n && o.ended < syncs {
		o.more.Wait()
	}
}

// quiet waits until no request is under way.
func (o *fakeOffice) quiet() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.running) > 0 {
		o.more.Wait()
	}
}

func (o *fakeOffice) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	if o.running[r.URL.Path]++; o.running[r.URL.Path] > 1 && r.URL.Path != "/contents" {
		o.twice = r.URL.Path
	}
	body, tag, ok := o.body(r.URL.Path)
	o.mu.Unlock()
	switch w.Header().Set("ETag", tag); {
	case !ok:
		http.NotFound(w, r)
	case r.Header.Get("If-None-Match") == tag:
		w.WriteHeader(http.StatusNotModified)
	default:
		_, _ = w.Write([]byte(body))
	}
	o.mu.Lock()
	o.had++
	if o.running[r.URL.Path]--; o.running[r.URL.Path] == 0 {
		delete(o.running, r.URL.Path)
	}
	o.mu.Unlock()
	o.more.Broadcast()
}

// body returns the response at a path.
func (o *fakeOffice) body(path string) (body, tag string, ok bool) {
	var b strings.Builder
	if path == "/contents" {
		for n := range o.editions {
			fmt.Fprintf(&b, "d%d\tDataset %[1]d\n", n)
		}
		return b.String(), `"contents"`, true
	}
	var n int
	if _, err := fmt.Sscanf(path, "/d%d.csv", &n); err != nil || n >= len(o.editions) {
		return "", "", false
	}
	fmt.Fprintf(&b, "#almanac-tidy,1\n#source,made,Made up\n#dataset,d%d,Dataset %[1]d\n#dimension,sex\n#geography,geo\nsex,geo,TIME_PERIOD,OBS_VALUE\n", n)
	for row := range rowsOfOffice {
		fmt.Fprintf(&b, "T,DE,%d-%02d,%d\n", 1980+row/12, row%12+1, 1000*o.editions[n]+row)
	}
	return b.String(), fmt.Sprintf(`"%d"`, o.editions[n]), true
}

// edition returns the edition of a dataset that a server serves. All values must belong
// to it.
func edition(url string, id int) (int, error) {
	body, err := fetchBody(fmt.Sprintf("%s/api/datasets/%d/data", url, id))
	if err != nil {
		return 0, err
	}
	return readEdition(id, body)
}

func readEdition(id int, body []byte) (int, error) {
	var response struct {
		Data []struct {
			Rows []struct{ Values map[string]float64 }
		}
	}
	if err := json.Unmarshal(body, &response); err != nil {
		return 0, err
	}
	if len(response.Data) != 1 || len(response.Data[0].Rows) != rowsOfOffice {
		return 0, fmt.Errorf("dataset %d is incomplete: %.200s", id, body)
	}
	is := -1
	for row, r := range response.Data[0].Rows {
		for _, v := range r.Values {
			e := (int(v) - row) / 1000
			if is >= 0 && e != is || 1000*e+row != int(v) {
				return 0, fmt.Errorf("dataset %d has %v in row %d among values of edition %d", id, v, row, is)
			}
			is = e
		}
	}
	return is, nil
}

// requestRepeatedly requests all datasets until the returned function is called, which
// returns the first error.
func requestRepeatedly(url string) func() error {
	stop, done := make(chan struct{}), make(chan error)
	go func() {
		var wrong error
		right := map[int][]byte{} // responses that were checked
		for {
			select {
			case <-stop:
				done <- wrong
				return
			default:
			}
			ids, err := idsOf(url)
			wrong = errors.Join(wrong, err)
			for _, id := range ids {
				body, err := fetchBody(fmt.Sprintf("%s/api/datasets/%d/data", url, id))
				if err == nil && !bytes.Equal(body, right[id]) {
					_, err = readEdition(id, body)
					right[id] = body
				}
				if err != nil && wrong == nil {
					wrong = err
				}
			}
		}
	}()
	return func() error {
		close(stop)
		return <-done
	}
}

func idsOf(url string) (ids []int, err error) {
	body, err := fetchBody(url + "/api/datasets?limit=1000")
	if err != nil {
		return nil, err
	}
	var list struct{ Data []struct{ ID int } }
	err = json.Unmarshal(body, &list)
	for _, d := range list.Data {
		ids = append(ids, d.ID)
	}
	return ids, err
}

// compare checks that the store has each dataset once, with the newest edition,
// and every vintage once.
func (o *fakeOffice) compare(t *testing.T, dir, url string) {
	t.Helper()
	if o.twice != "" {
		t.Errorf("%s was fetched by two syncs at once", o.twice)
	}
	stattest.Eventually(t, func() error { // another process published
		ids, err := idsOf(url)
		if err == nil && len(ids) != len(o.editions) {
			err = fmt.Errorf("%d datasets, want %d", len(ids), len(o.editions))
		}
		return err
	})
	vintages := 0
	for line := range strings.Lines(must(t, "dataset", "list", "--data", dir, "--json")) {
		var d struct {
			ID   int
			Code string `json:"dataset_code"`
		}
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		var n int
		if _, err := fmt.Sscanf(d.Code, "d%d", &n); err != nil {
			t.Fatalf("unexpected dataset code %q", d.Code)
		}
		stattest.Eventually(t, func() error {
			is, err := edition(url, d.ID)
			if err == nil && is != o.editions[n] {
				err = fmt.Errorf("dataset %s has edition %d, the office has %d", d.Code, is, o.editions[n])
			}
			return err
		})
		vintages += o.vintages(t, dir, d.ID, n)
	}
	if files := filesBelow(t, filepath.Join(dir, "vintages")); len(files) != vintages {
		t.Errorf("%d files for %d vintages", len(files), vintages)
	}
}

// vintages checks that no two vintages of a dataset are equal, and returns their number.
func (o *fakeOffice) vintages(t *testing.T, dir string, id, n int) int {
	t.Helper()
	seen := map[string]bool{}
	count := 0
	for line := range strings.Lines(must(t, "dataset", "vintages", "--data", dir, "--json", fmt.Sprint(id))) {
		var v struct{ Digest string }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		if count++; seen[v.Digest] {
			t.Errorf("dataset %d has two equal vintages", id)
		}
		seen[v.Digest] = true
	}
	if count > o.editions[n]+1 {
		t.Errorf("dataset %d has %d vintages, but the office published %d editions", id, count, o.editions[n]+1)
	}
	return count
}

// filesBelow lists the files below a folder, except those being written.
func filesBelow(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && e.IsDir() && e.Name() == ".staging" {
			return fs.SkipDir
		}
		if err == nil && !e.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
