package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/stattest"
	"almanac/internal/stattest/postgres"
	"almanac/internal/stattest/s3"
)

// The tests in this file run an installation on several machines: replicas, each with a folder of its own, share
// databases in PostgreSQL and files in an S3 store.

// cluster is an installation whose replicas have folders of their own. Its databases and files are stated in
// the environment of all commands of the test.
type cluster struct {
	t        *testing.T
	server   *postgres.Server
	database string
	blobs    string
	first    string // folder of the first replica, which has the secrets
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	server := postgres.Start(t)
	c := &cluster{t: t, server: server, database: server.NewDatabase(), blobs: s3.NewBucket(t).Place(), first: t.TempDir()}
	t.Setenv("ALMANAC_DATABASE", c.database)
	t.Setenv("ALMANAC_BLOBS", c.blobs)
	return c
}

// newFolder returns the folder of a further replica, with the secrets of the first.
func (c *cluster) newFolder() string {
	c.t.Helper()
	dir := c.t.TempDir()
	for _, name := range secretFiles {
		secret, err := os.ReadFile(filepath.Join(c.first, name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), secret, 0o600)
		}
		if err != nil {
			c.t.Fatal(err)
		}
	}
	return dir
}

// An installation is migrated from a folder to PostgreSQL and S3 and back. What it serves is the same, byte by
// byte, and keys and accounts stay. Doing it again changes nothing.
func TestMigrateToClusterAndBack(t *testing.T) {
	old, back := t.TempDir(), t.TempDir()
	must(t, "import", "--data", old, filepath.Join(stattest.DataDir(t), "eurostat", "tsv-new", "edat_lfse_22.tsv.gz"))
	importOne(t, old, manyRows(t, 200))
	importOne(t, old, manyRows(t, 300)) // a second version
	key := makeKey(t, old, "desk", "pro")
	before := startProgram(t, old)
	want := answers(t, before.url, key.Key)
	before.stop(t)

	c := newCluster(t)
	local := []string{"--database=", "--blobs="} // of an installation in a folder
	to := append([]string{"migrate", "--data", old, "--to-data", c.first, "--to-database", c.database, "--to-blobs", c.blobs}, local...)
	must(t, to...)
	if _, stderr, code := commandLine(t, to...); code == exitDone || !strings.Contains(stderr, "there is an installation") {
		t.Errorf("a second migration: code %d, %s", code, stderr)
	}
	replicas := []*served{startProgram(t, c.first), startProgram(t, c.newFolder())}
	for _, s := range replicas {
		compareAnswers(t, "in the cluster", answers(t, s.url, key.Key), want)
	}
	for _, s := range replicas {
		s.stop(t)
	}
	must(t, "migrate", "--data", c.first, "--to-data", back)
	s := startProgram(t, back, local...)
	compareAnswers(t, "back in a folder", answers(t, s.url, key.Key), want)
}

// answers returns what a server says with a key of all its datasets.
func answers(t *testing.T, url, key string) map[string]string {
	t.Helper()
	caller := newCaller(t, key, "127.0.0.1")
	all := map[string]string{}
	get := func(path string) string {
		a, err := caller.get(url + path)
		if err != nil || a.status != http.StatusOK {
			t.Fatalf("%s: %v, %v", path, a, err)
		}
		all[path] = strings.ReplaceAll(string(a.body), url, "")
		return string(a.body)
	}
	var list struct{ Data []struct{ ID int } }
	if err := json.Unmarshal([]byte(get("/api/datasets")), &list); err != nil || len(list.Data) == 0 {
		t.Fatalf("%d datasets, %v", len(list.Data), err)
	}
	for _, d := range list.Data {
		for _, part := range []string{"meta", "latest", "dimensions", "data", "data.csv", "data.parquet", "versions"} {
			get(fmt.Sprintf("/api/datasets/%d/%s", d.ID, part))
		}
	}
	return all
}

func compareAnswers(t *testing.T, where string, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d answers, want %d", where, len(got), len(want))
	}
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s: %s is\n%.300s\nwant\n%.300s", where, path, got[path], text)
		}
	}
}

// A version that one machine imports is on all replicas within five seconds, and a revoked key is refused within
// one. No answer mixes two versions.
func TestReplicasSeeChanges(t *testing.T) {
	c := newCluster(t)
	importOne(t, c.first, manyRows(t, 100))
	key := makeKey(t, c.first, "desk", "pro")
	replicas := []*served{startProgram(t, c.first), startProgram(t, c.newFolder())}
	importOne(t, c.first, manyRows(t, 150))
	imported := time.Now()
	for _, s := range replicas {
		caller := newCaller(t, key.Key, "127.0.0.1")
		stattest.Eventually(t, func() error {
			a, err := caller.get(s.url + "/api/datasets/1/data")
			if err != nil || a.status != http.StatusOK {
				t.Fatalf("%v, %v", a, err)
			}
			rows, isNew := strings.Count(string(a.body), `"period"`), strings.Contains(string(a.body), `"version":"1.1"`)
			if rows != 100 && rows != 150 || isNew != (rows == 150) {
				t.Fatalf("%d rows with the new version: %t", rows, isNew)
			}
			if !isNew {
				return errors.New("the old version is still served")
			}
			return nil
		})
	}
	t.Logf("visible everywhere after %v", time.Since(imported).Round(time.Millisecond))
	must(t, "key", "revoke", "--data", c.first, key.ID)
	waitForStatus(t, replicas, key.Key, http.StatusUnauthorized)
}

// While PostgreSQL is away, or accepts connections and answers nothing, replicas are healthy and serve pages;
// requests that must be counted are refused as unavailable, in time. Everything works again without a hand.
func TestDatabaseIsAway(t *testing.T) {
	c := newCluster(t)
	importOne(t, c.first, manyRows(t, 100))
	key := makeKey(t, c.first, "desk", "pro")
	s := startProgram(t, c.first)
	caller := newCaller(t, key.Key, "127.0.0.1")
	get := func() response {
		t.Helper()
		a, err := caller.get(s.url + "/api/datasets/1/data")
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	page := func() (int, error) { return requestOnce(http.DefaultClient, s.url+"/datasets/1/days") }
	if a := get(); a.status != http.StatusOK {
		t.Fatal(a)
	}
	if status, err := page(); err != nil || status != http.StatusOK {
		t.Fatal(status, err)
	}
	for _, fault := range []struct {
		name       string
		begin, end func()
	}{{"stopped", c.server.Stop, c.server.Start}, {"frozen", c.server.Freeze, c.server.Thaw}} {
		fault.begin()
		began := time.Now()
		for range 3 {
			if a := get(); a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
				t.Errorf("%s: a counted request: %v", fault.name, a)
			}
		}
		if status, err := requestOnce(http.DefaultClient, s.url+"/healthz"); err != nil || status != http.StatusOK {
			t.Errorf("%s: health: %d, %v", fault.name, status, err)
		}
		asked := time.Now()
		if status, err := page(); err != nil || status != http.StatusOK {
			t.Errorf("%s: a page: %d, %v", fault.name, status, err)
		}
		t.Logf("%s: the page took %v", fault.name, time.Since(asked).Round(time.Millisecond))
		t.Logf("%s: all refusals and pages took %v", fault.name, time.Since(began).Round(time.Millisecond))
		fault.end()
		stattest.Eventually(t, func() error {
			if a := get(); a.status != http.StatusOK {
				return fmt.Errorf("%s: afterwards: %v", fault.name, a)
			}
			return nil
		})
	}
	importOne(t, c.first, manyRows(t, 120))
}

// The limits are those of all replicas together, and exact while one of them is killed again and again.
func TestReplicaKilledUnderLoad(t *testing.T) {
	const kills = 4
	for range stattest.Rounds(t, 1, 30) {
		withinOneDay(t, func() error { return killedReplica(t, kills) })
	}
}

func killedReplica(t *testing.T, kills int) error {
	t.Helper()
	c := newCluster(t)
	importOne(t, c.first, manyRows(t, 40))
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	subjects, limits := killedSubjects(t, c.first, random)
	stays, dir := startProgram(t, c.first, "--limits", limits), c.newFolder()
	for kill := 1; kill <= kills; kill++ {
		killed := startProgram(t, dir, "--limits", limits)
		if err := killBeside(killed, stays, subjects, 1+random.Int64N(300)); err != nil {
			return err
		}
		if err := compare(stays, subjects, used(t, c.first)); err != nil {
			return fmt.Errorf("after kill %d: %w", kill, err)
		}
	}
	if err := useUp(stays, subjects); err != nil {
		return err
	}
	return compare(stays, subjects, used(t, c.first))
}

// killBeside lets all callers send requests to two replicas in turn. After the given number of responses, one is killed.
func killBeside(killed, stays *served, subjects []*subject, responses int64) error {
	var had atomic.Int64
	return runConcurrently(subjects, func(who *subject, c *caller) error {
		for turn := 0; had.Load() < responses; turn++ {
			url := stays.url
			if turn%2 == 0 {
				url = killed.url
			}
			if _, err := who.send(c, url); err != nil {
				return err
			}
			if had.Add(1) == responses {
				killed.kill()
			}
		}
		return nil
	})
}

// Replicas are stopped and started one after another, as for a new version of the program. Callers who ask
// those that are ready notice nothing.
func TestReplicasRestartInTurn(t *testing.T) {
	c := newCluster(t)
	importOne(t, c.first, manyRows(t, 100))
	flags := []string{"--limits", "anonymous=unlimited", "--drain", "1s"}
	dirs := []string{c.first, ""}
	replicas := []*served{startProgram(t, c.first, flags...), nil}
	dirs[1] = c.newFolder()
	replicas[1] = startProgram(t, dirs[1], flags...)
	var mu sync.Mutex
	running := func(i int) *served {
		mu.Lock()
		defer mu.Unlock()
		return replicas[i%len(replicas)]
	}
	stop := make(chan struct{})
	var callers errgroup.Group
	var answered atomic.Int64
	for range 6 {
		callers.Go(func() error {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for i := 0; ; i++ {
				select {
				case <-stop:
					return nil
				default:
				}
				s := running(i)
				if status, err := requestOnce(client, s.url+"/readyz"); err != nil || status != http.StatusOK {
					continue // the next one
				}
				if status, err := requestOnce(client, s.url+"/api/datasets/1/data"); err != nil || status != http.StatusOK {
					return fmt.Errorf("a ready replica: %d, %v", status, err)
				}
				answered.Add(1)
			}
		})
	}
	for i := range 4 {
		replica := running(i)
		replica.stop(t)
		again := startProgram(t, dirs[i%len(dirs)], flags...)
		mu.Lock()
		replicas[i%len(dirs)] = again
		mu.Unlock()
	}
	close(stop)
	if err := callers.Wait(); err != nil {
		t.Error(err)
	}
	t.Logf("%d requests answered", answered.Load())
}

// A server with databases that other machines share, and files that they do not, says so.
func TestFilesOnOneMachine(t *testing.T) {
	c := newCluster(t)
	s := startProgram(t, c.first, "--blobs=")
	s.stop(t)
	if text := s.output.String(); !strings.Contains(text, "on this machine only") || !strings.Contains(text, "--blobs") {
		t.Errorf("the server does not say that others lack its files:\n%s", text)
	}
}
