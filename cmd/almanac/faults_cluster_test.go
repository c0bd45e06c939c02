package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/stattest"
	"almanac/internal/stattest/postgres"
	"almanac/internal/stattest/s3"
)

// The tests in this file run an installation on several machines: replicas, each with a folder of its own, share
// databases in PostgreSQL and files in an S3 store.

// cluster is an installation whose replicas have folders of their own.
type cluster struct {
	t        *testing.T
	server   *postgres.Server
	database string
	blobs    string
	first    string // folder of the first replica, which has the secrets
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	s3.Start(t)
	server := postgres.Start(t)
	return &cluster{t: t, server: server, database: server.NewDatabase(), blobs: s3.NewBucket(t).Place(), first: t.TempDir()}
}

// flags returns the flags of a command in the folder of a replica.
func (c *cluster) flags(dir string) []string {
	return []string{"--data", dir, "--database", c.database, "--blobs", c.blobs}
}

// run runs a command with the folder of the first replica, such as "dataset", "list".
func (c *cluster) run(args ...string) string {
	c.t.Helper()
	return must(c.t, append(args, c.flags(c.first)...)...)
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

// start starts a replica.
func (c *cluster) start(dir string, flags ...string) *served {
	c.t.Helper()
	return startProgram(c.t, dir, append(c.flags(dir)[2:], flags...)...)
}

// key creates a key.
func (c *cluster) key(account, tier string) newKey {
	c.t.Helper()
	return readKey(c.t, c.run("key", "create", "--account", account, "--tier", tier, "--json"))
}

// An installation is migrated from a folder to PostgreSQL and S3 and back. What it serves is the same, byte by
// byte, and keys and accounts stay. Doing it again changes nothing.
func TestMigrateToClusterAndBack(t *testing.T) {
	c := newCluster(t)
	old, back := t.TempDir(), t.TempDir()
	must(t, "import", "--data", old, "--json", filepath.Join(stattest.DataDir(t), "eurostat", "tsv-new", "edat_lfse_22.tsv.gz"))
	must(t, "import", "--data", old, "--json", manyRows(t, 200))
	must(t, "import", "--data", old, "--json", manyRows(t, 300)) // a second version
	key := makeKey(t, old, "desk", "pro")
	before := startProgram(t, old)
	want := answers(t, before.url, key.Key)
	before.stop(t)

	to := []string{"--data", old, "--to-data", c.first, "--to-database", c.database, "--to-blobs", c.blobs}
	must(t, append([]string{"migrate"}, to...)...)
	if _, stderr, code := commandLine(t, append([]string{"migrate"}, to...)...); code == exitDone || !strings.Contains(stderr, "there is an installation") {
		t.Errorf("a second migration: code %d, %s", code, stderr)
	}
	replicas := []*served{c.start(c.first), c.start(c.newFolder())}
	for _, s := range replicas {
		compareAnswers(t, "in the cluster", answers(t, s.url, key.Key), want)
	}
	for _, s := range replicas {
		s.stop(t)
	}
	must(t, append(append([]string{"migrate"}, c.flags(c.first)...), "--to-data", back)...)
	s := startProgram(t, back)
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
	c.run("import", manyRows(t, 100))
	key := c.key("desk", "pro")
	replicas := []*served{c.start(c.first), c.start(c.newFolder())}
	c.run("import", manyRows(t, 150))
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
	c.run("key", "revoke", key.ID)
	waitForStatus(t, replicas, key.Key, http.StatusUnauthorized)
}

// While PostgreSQL is away, replicas serve what they know: requests whose counts are in doubt are refused as
// unavailable, and everything works again without a hand.
func TestDatabaseIsAway(t *testing.T) {
	c := newCluster(t)
	c.run("import", manyRows(t, 100))
	key := c.key("desk", "pro")
	s := c.start(c.first)
	caller := newCaller(t, key.Key, "127.0.0.1")
	get := func() response {
		t.Helper()
		a, err := caller.get(s.url + "/api/datasets/1/data")
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := get(); a.status != http.StatusOK {
		t.Fatal(a)
	}
	c.server.Stop()
	if a := get(); a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
		t.Errorf("a counted request without the database: %v", a)
	}
	if status, err := requestOnce(http.DefaultClient, s.url+"/healthz"); err != nil || status != http.StatusOK {
		t.Errorf("health without the database: %d, %v", status, err)
	}
	c.server.Start()
	stattest.Eventually(t, func() error {
		if a := get(); a.status != http.StatusOK {
			return fmt.Errorf("with the database again: %v", a)
		}
		return nil
	})
	if out := c.run("import", manyRows(t, 120)); !strings.Contains(out, "1.1") {
		t.Errorf("an import after the database was away printed %s", out)
	}
}
