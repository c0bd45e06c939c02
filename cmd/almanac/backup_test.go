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
	"strings"
	"sync"
	"testing"

	"almanac/internal/stattest"
)

// The restore drill: a server is backed up while callers read and use up requests and while
// versions are published, the backup is restored in an empty folder, and a server of that serves the same
// bytes to the same keys, with the counts of the moment of the backup.
func TestBackupOfBusyServer(t *testing.T) {
	t.Parallel()
	stattest.AvoidMidnight()
	for _, name := range []string{"folder", "file.tar"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, to, restored := t.TempDir(), filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), "restored")
			key := makeKey(t, dir, "newsroom", "pro")
			flags := []string{"--demo", "--limits", "anonymous=unlimited", "--base-url", "https://stats.example.org"}
			s := startProgram(t, dir, flags...)
			publishOnce(t, dir, 0)
			stop := keepBusy(t, s, dir, key.Key)
			must(t, "backup", "--data", dir, "--with-secrets", to)
			stop()
			must(t, "restore", "--data", restored, to)
			copied := startProgram(t, restored, flags...)
			version := regexp.MustCompile(`"version":"([^"]+)"`).FindStringSubmatch(getWith(t, copied, key.Key, "/api/datasets/3/meta"))
			if version == nil {
				t.Fatal("the restored dataset has no version")
			}
			for _, path := range []string{
				"/api/datasets/1/meta", "/api/datasets/1/data", "/api/datasets/2/data.csv", "/api/datasets/2/data.xlsx", "/api/datasets/1/dataset.parquet", "/api/datasets/1/chart.svg?type=line",
				"/api/datasets/3/data?version=" + version[1], "/api/datasets/3/meta?version=" + version[1],
			} {
				if getWith(t, s, key.Key, path) != getWith(t, copied, key.Key, path) {
					t.Errorf("%s has other bytes after the restore", path)
				}
			}
			if got := used(t, restored)["newsroom"]; got < 10 {
				t.Errorf("%d requests are counted in the backup, want at least 10", got)
			}
		})
	}
}

// keepBusy reads and publishes until stop is called. Something of each has happened when it returns.
func keepBusy(t *testing.T, s *served, dir, key string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	read, published := make(chan bool, 1), make(chan bool, 1)
	running.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			getWith(t, s, key, "/api/datasets/1/data")
			if i == 10 {
				read <- true
			}
		}
	})
	running.Go(func() {
		for i := 1; ctx.Err() == nil; i++ {
			publishOnce(t, dir, i)
			if i == 1 {
				published <- true
			}
		}
	})
	<-read
	<-published
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
