package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/stattest"
)

// job is a job as the service describes it.
type job struct {
	Job       int
	Reference string
	Status    string
	Dataset   int
	Version   string
	Error     string
	Attempts  int
}

// postReference requests that a dataset is brought, with a key if that is not empty.
func postReference(url, reference, key string) (status int, j job, header http.Header, err error) {
	r, err := http.NewRequest("POST", url+"/api/datasets", strings.NewReader(fmt.Sprintf(`{"reference": %q}`, reference)))
	if err != nil {
		return 0, j, nil, err
	}
	if key != "" {
		r.Header.Set("X-API-Key", key)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, j, nil, err
	}
	defer got.Body.Close()
	return got.StatusCode, j, got.Header, json.NewDecoder(got.Body).Decode(&j)
}

// waitForJob waits until a job has ended.
func waitForJob(t *testing.T, url string, number int) (j job) {
	t.Helper()
	stattest.Eventually(t, func() error {
		body, err := fetchBody(fmt.Sprintf("%s/api/jobs/%d", url, number))
		if err != nil {
			return err
		}
		j = job{}
		if err := json.Unmarshal(body, &j); err != nil {
			return err
		}
		if j.Status != "done" && j.Status != "failed" {
			return fmt.Errorf("the job is not finished: %s", body)
		}
		return nil
	})
	return j
}

var onDemand = []string{"--on-demand", "--networks", "127.0.0.1/32", "--limits", "anonymous=unlimited"}

// unlimitedJobs are the flags of a server that brings whatever is requested.
var unlimitedJobs = append([]string{"--bring-limits", "anonymous=unlimited,all=unlimited"}, onDemand...)

// Whenever a process is killed, a job is done once: its dataset has one version, and the
// next process finishes it. One or two servers are killed at a random moment after a
// dataset was requested, and started again.
func TestKilledJob(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	rounds := stattest.Rounds(t, 4, 150)
	office := newOffice(t, rounds)
	dir := t.TempDir()
	office.table(t, dir)
	start := func(n int) (servers []*served) {
		for range n {
			servers = append(servers, startProgram(t, dir, unlimitedJobs...))
		}
		return servers
	}
	servers := start(1 + random.IntN(2))
	interrupted := 0
	for round := range rounds {
		reference := fmt.Sprintf("made:d%d", round)
		status, requested, _, err := postReference(servers[0].url, reference, "")
		if err != nil || status != http.StatusAccepted {
			t.Fatalf("requesting %s: %d, %v", reference, status, err)
		}
		time.Sleep(time.Duration(random.IntN(800)) * time.Millisecond)
		for _, s := range servers {
			s.kill()
		}
		office.quiet()
		servers = start(1 + random.IntN(2))
		j := waitForJob(t, servers[len(servers)-1].url, requested.Job)
		if j.Status != "done" || j.Version != "1.0" || j.Dataset == 0 || j.Reference != reference {
			t.Fatalf("the job is %+v, want done with version 1.0", j)
		}
		if j.Attempts > 1 {
			interrupted++
		}
		if is, err := edition(servers[len(servers)-1].url, j.Dataset); err != nil || is != 0 {
			t.Errorf("the dataset of %s: edition %d, %v", reference, is, err)
		}
	}
	t.Logf("of %d jobs, %d were interrupted", rounds, interrupted)
	office.compare(t, dir, servers[0].url)
	jobs := must(t, "sync", "jobs", "--data", dir, "--json", "--limit", "1000")
	if n := strings.Count(jobs, `"status":"done"`); n != rounds || strings.Count(jobs, "\n") != rounds {
		t.Errorf("%d jobs are done, want all of %d:\n%s", n, rounds, jobs)
	}
	if watched := must(t, "watch", "list", "--data", dir, "--json"); strings.Count(watched, `"items":1,`)+strings.Count(watched, `"items":1}`) != rounds {
		t.Errorf("not all datasets are watched:\n%s", watched)
	}
	for _, s := range servers {
		s.stop(t)
	}
}

// Many requests to several servers for one dataset share one job, and those that come after
// it get the dataset.
func TestManyRequestsForOneDataset(t *testing.T) {
	t.Parallel()
	office := newOffice(t, 2)
	dir := t.TempDir()
	office.table(t, dir)
	servers := []*served{startProgram(t, dir, onDemand...), startProgram(t, dir, onDemand...), startProgram(t, dir, onDemand...)}
	var mu sync.Mutex
	jobs := map[int]int{}
	var group errgroup.Group
	for i := range 21 {
		group.Go(func() error {
			status, j, _, err := postReference(servers[i%3].url, "made:d1", "")
			if err != nil {
				return err
			}
			if status != http.StatusAccepted && (status != http.StatusOK || j.Dataset == 0) {
				return fmt.Errorf("request %d: %d %+v", i, status, j)
			}
			mu.Lock()
			defer mu.Unlock()
			jobs[j.Job]++
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	delete(jobs, 0) // found in the store
	if len(jobs) != 1 || jobs[1] == 0 {
		t.Errorf("the requests got the jobs %v, want only job 1", jobs)
	}
	j := waitForJob(t, servers[0].url, 1)
	if j.Status != "done" || j.Version != "1.0" || j.Attempts != 1 {
		t.Errorf("the job is %+v, want done", j)
	}
	if lines := must(t, "dataset", "vintages", "--data", dir, "--json", fmt.Sprint(j.Dataset)); strings.Count(lines, "\n") != 1 {
		t.Errorf("the dataset has the versions\n%s", lines)
	}
	if table := must(t, "sync", "jobs", "--data", dir); !strings.Contains(table, "made:d1  done    1") {
		t.Errorf("the table of jobs is\n%s", table)
	}
	stattest.Eventually(t, func() error {
		status, again, header, err := postReference(servers[2].url, "made:D1", "")
		if err == nil && (status != http.StatusOK || again.Dataset != j.Dataset || header.Get("Location") != fmt.Sprintf("/api/datasets/%d", j.Dataset)) {
			err = fmt.Errorf("a request after the job: %d %+v %v", status, again, header)
		}
		return err
	})
	for _, s := range servers {
		s.stop(t)
	}
	if office.twice != "" {
		t.Errorf("%s was fetched twice at once", office.twice)
	}
}

// Accounts and addresses have limits of their own, and all together have one, which hold
// for several servers at once. Only accounts that may have datasets brought need no
// --on-demand.
func TestLimitsOfJobs(t *testing.T) {
	t.Parallel()
	withinOneDay(t, func() error {
		office := newOffice(t, 61)
		dir := t.TempDir()
		office.table(t, dir)
		desk, maps := makeKey(t, dir, "desk", "pro"), makeKey(t, dir, "maps", "pro")
		must(t, "account", "set-may-bring", "--data", dir, "desk", "yes")
		flags := append([]string{"--bring-limits", "account=7,anonymous=4", "--bring-limits", "all=15"}, onDemand...)
		servers := []*served{startProgram(t, dir, flags...), startProgram(t, dir, flags...)}
		for n, c := range []struct {
			key  string
			want int64
		}{{desk.Key, 7}, {"", 4}, {maps.Key, 4}} {
			var added atomic.Int64
			var group errgroup.Group
			for i := range 20 {
				group.Go(func() error {
					status, _, header, err := postReference(servers[i%2].url, fmt.Sprintf("made:d%d", i+20*n), c.key)
					switch {
					case err != nil:
						return err
					case status == http.StatusAccepted:
						added.Add(1)
					case status != http.StatusTooManyRequests || header.Get("Retry-After") == "":
						return fmt.Errorf("a request above the limit: %d %v", status, header)
					}
					return nil
				})
			}
			if err := group.Wait(); err != nil {
				return err
			}
			if added.Load() != c.want {
				return fmt.Errorf("%d datasets are brought, want %d", added.Load(), c.want)
			}
		}
		for _, s := range servers {
			s.stop(t)
		}
		s := startProgram(t, dir, "--sync", "--networks", "127.0.0.1/32", "--bring-limits", "account=unlimited,all=unlimited")
		for key, want := range map[string]int{"": 403, maps.Key: 403, desk.Key: 202} {
			if status, _, _, err := postReference(s.url, "made:d60", key); err != nil || status != want {
				return fmt.Errorf("without --on-demand: %d, %v, want %d", status, err, want)
			}
		}
		s.stop(t)
		return nil
	})
}
