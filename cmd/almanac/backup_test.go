package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"almanac/internal/stattest"
	"almanac/internal/stattest/s3"
)

// The restore drill: a server is backed up while callers read and use up requests and while
// versions are published and keys are created, the backup is restored in an empty folder, and a server of that
// serves the same bytes to the same keys, with the counts of the moment of the backup.
func TestBackupOfBusyServer(t *testing.T) {
	targets := map[string]string{
		"folder": filepath.Join(t.TempDir(), "backup"), "file": filepath.Join(t.TempDir(), "backup.tar"), "bucket": inFolder(s3.NewBucket(t).Place(), "backup"),
	}
	t.Parallel()
	stattest.AvoidMidnight()
	for name, to := range targets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := startDrill(t, t.TempDir())
			d.backUp(to)
			d.restore(to, filepath.Join(t.TempDir(), "restored"))
		})
	}
}

// The drill with databases in PostgreSQL and files in an S3 store, restored in others and in an empty folder.
func TestBackupOfBusyCluster(t *testing.T) {
	stattest.AvoidMidnight()
	c := newCluster(t)
	to := inFolder(s3.NewBucket(t).Place(), "2026-12-01")
	d := startDrill(t, c.first)
	d.backUp(to)
	d.restore(to, filepath.Join(t.TempDir(), "folder"), "--database=", "--blobs=")
	d.restore(to, filepath.Join(t.TempDir(), "cluster"), "--database", c.server.NewDatabase(), "--blobs", s3.NewBucket(t).Place())
	refused(t, "there is an installation", "restore", "--data", c.newFolder(), to)
	refused(t, "is not empty: it has ", "backup", "--data", c.first, to)
}

// inFolder returns the address of a folder below another one of a bucket.
func inFolder(place, name string) string { return strings.Replace(place, "?", "/"+name+"?", 1) }

// drill is a server that is backed up.
type drill struct {
	t      *testing.T
	dir    string
	server *served
	keys   []string // that were created before the backup began; the first reads
	before string   // the newest version of dataset 3 when the backup began
}

func startDrill(t *testing.T, dir string) *drill {
	t.Helper()
	d := &drill{t: t, dir: dir, keys: []string{makeKey(t, dir, "newsroom", "pro").Key}}
	d.server = startProgram(t, dir, drillFlags...)
	publishOnce(t, dir, 0)
	stattest.Eventually(t, func() error { // servers see a new version within a second
		if body, err := fetchBody(d.server.url + "/api/datasets"); err != nil || !strings.Contains(string(body), `"id":3,`) {
			return fmt.Errorf("dataset 3 is not served yet: %s, %w", body, err)
		}
		return nil
	})
	return d
}

var drillFlags = []string{"--demo", "--limits", "anonymous=unlimited", "--base-url", "https://stats.example.org"}

// backUp makes a backup while the server is busy.
func (d *drill) backUp(to string) {
	d.t.Helper()
	stop := d.keepBusy()
	d.before = d.version(d.server)
	must(d.t, "backup", "--data", d.dir, "--with-secrets", to)
	stop()
}

var newestVersion = regexp.MustCompile(`"version":"1\.(\d+)"`)

// version returns the version of dataset 3 that a server serves.
func (d *drill) version(s *served) string {
	d.t.Helper()
	found := newestVersion.FindStringSubmatch(getWith(d.t, s, d.keys[0], "/api/datasets/3/meta"))
	if found == nil {
		d.t.Fatal("dataset 3 has no version")
	}
	return found[1]
}

// restore restores the backup in a place and compares what a server of that serves.
func (d *drill) restore(from, dir string, place ...string) {
	t := d.t
	t.Helper()
	must(t, append([]string{"restore", "--data", dir, from}, place...)...)
	copied := startProgram(t, dir, slices.Concat(drillFlags, place)...)
	version := d.version(copied)
	if n := atoi(t, version); n < atoi(t, d.before) || n > atoi(t, d.version(d.server)) {
		t.Errorf("the restored version is 1.%s, when the backup began it was 1.%s", version, d.before)
	}
	for _, path := range []string{
		"/api/datasets/1/meta", "/api/datasets/1/data", "/api/datasets/2/data.csv", "/api/datasets/2/data.xlsx", "/api/datasets/1/dataset.parquet", "/api/datasets/1/chart.svg?type=line",
		"/api/datasets/3/data?version=1." + version, "/api/datasets/3/meta?version=1." + version,
	} {
		if getWith(t, d.server, d.keys[0], path) != getWith(t, copied, d.keys[0], path) {
			t.Errorf("%s has other bytes after the restore", path)
		}
	}
	for _, key := range d.keys {
		getWith(t, copied, key, "/api/limits")
	}
	copied.stop(t)
	if n := used(t, dir, place...)["newsroom"]; n < 10 {
		t.Errorf("%d requests are counted in the backup, want at least 10", n)
	}
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// keepBusy reads, publishes and creates keys until stop is called. Something of each has happened when it returns.
func (d *drill) keepBusy() (stop func()) {
	d.t.Helper()
	ctx, cancel := context.WithCancel(d.t.Context())
	var running sync.WaitGroup
	after := func(n int, do func(i int)) (happened chan bool) {
		happened = make(chan bool, 1)
		running.Go(func() {
			for i := 1; ctx.Err() == nil; i++ {
				do(i)
				if i == n {
					happened <- true
				}
			}
		})
		return happened
	}
	created := make(chan string, 2)
	key := d.keys[0]
	read := after(11, func(int) { getWith(d.t, d.server, key, "/api/datasets/1/data") })
	published := after(1, func(i int) { publishOnce(d.t, d.dir, i) })
	after(0, func(i int) {
		made, stderr, code := commandLine(d.t, "key", "create", "--data", d.dir, "--account", fmt.Sprint("desk ", i))
		if code != exitDone {
			d.t.Errorf("creating a key ended with %d: %s", code, stderr)
		}
		select {
		case created <- strings.TrimSpace(made):
		default: // enough are known
		}
	})
	<-read
	<-published
	d.keys = append(d.keys, <-created, <-created)
	return func() { cancel(); running.Wait() }
}

// publishOnce imports a version of dataset 3.
func publishOnce(t *testing.T, dir string, i int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "births.tsv")
	text := fmt.Sprintf("freq,geo\\TIME_PERIOD\t2021 \t2022 \nA,DE\t795492 \t%d \nA,FR\t742052 \t725997 \n", 738819+i)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Error(err)
		return
	}
	if _, stderr, code := commandLine(t, "import", "--data", dir, file); code != exitDone {
		t.Errorf("import ended with %d: %s", code, stderr)
	}
}

func getWith(t *testing.T, s *served, key, path string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, s.url+path, nil)
	if err != nil {
		t.Error(err)
		return ""
	}
	r.Header.Set("X-API-Key", key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%s: %s, %v", path, resp.Status, err)
	}
	return string(text)
}

// A backup leaves out the secrets, overwrites nothing, and is restored only if it is whole.
func TestDamagedBackupIsRefused(t *testing.T) {
	t.Parallel()
	dir, folder := t.TempDir(), t.TempDir()
	publishOnce(t, dir, 0)
	makeKey(t, dir, "newsroom", "pro")
	for _, name := range []string{"folder", "file.tar"} {
		to := filepath.Join(folder, name)
		if out := must(t, "backup", "--data", dir, to); !strings.Contains(out, "not in the backup: access.pepper") {
			t.Errorf("the backup does not say what is missing: %s", out)
		}
		refused(t, "is not empty|exists", "backup", "--data", dir, to)
		whole := filepath.Join(t.TempDir(), "whole")
		if out := must(t, "restore", "--data", whole, to); !strings.Contains(out, "access.pepper; copy it into") {
			t.Errorf("the restore does not say what is missing: %s", out)
		}
		refused(t, "is not empty", "restore", "--data", whole, to)
		for want, damage := range map[string]func([]byte) []byte{
			"is damaged|checksum|invalid": func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
			"EOF|is damaged|not complete": func(b []byte) []byte { return b[:len(b)/2] },
		} {
			target := filepath.Join(t.TempDir(), "target")
			file := to
			if name == "folder" {
				file = parquetIn(t, to)
			}
			mend := changeFile(t, file, damage)
			refused(t, want, "restore", "--data", target, to)
			if files, err := os.ReadDir(target); err == nil && len(files) > 0 {
				t.Errorf("%d files are left of a refused backup", len(files))
			}
			mend()
		}
	}
	refused(t, "there is no store", "backup", "--data", t.TempDir(), filepath.Join(folder, "none"))
}

func refused(t *testing.T, want string, args ...string) {
	t.Helper()
	_, stderr, code := commandLine(t, args...)
	if code != exitFailed || !regexp.MustCompile(want).MatchString(stderr) {
		t.Errorf("almanac %v ended with %d: %q; want 1 and %s", args, code, stderr, want)
	}
}

// changeFile changes the bytes of a file until mend is called.
func changeFile(t *testing.T, path string, damage func([]byte) []byte) (mend func()) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, damage(bytes.Clone(text)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Error(err)
		}
	}
}

func parquetIn(t *testing.T, folder string) (path string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(p string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(p, ".parquet") {
			path = p
		}
		return err
	})
	if err != nil || path == "" {
		t.Fatalf("no file of a version in %s: %v", folder, err)
	}
	return path
}
