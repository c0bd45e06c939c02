package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/stattest"
)

// docs/operations.md, Updates that remove too much: while a server runs, a real file with
// seven of ten rows goes into quarantine. Whenever a command is killed, the server serves
// a complete version: the old one until the update is accepted.
func TestKilledQuarantine(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	k := &killTest{T: t, dir: t.TempDir(), random: rand.New(rand.NewPCG(seed, 0))}
	k.writeFiles(filepath.Join(stattest.DataDir(t), "eurostat", "tsv-new", "edat_lfse_22.tsv.gz"))
	start := time.Now()
	must(t, "import", "--data", k.dir, k.whole)
	k.takes = map[string]time.Duration{"import": time.Since(start), "dataset": time.Since(start)}
	k.server = startProgram(t, k.dir, "--limits", "anonymous=unlimited")
	k.wholeCount = k.show().Observations
	for round := 0; round < stattest.Rounds(t, 3, 100) || k.kills == 0; round++ { // until something was killed
		if err := k.round(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	k.server.stop(t)
}

// killTest is a store in which updates of a dataset repeatedly go into quarantine.
type killTest struct {
	*testing.T
	dir         string
	random      *rand.Rand
	server      *served
	whole, part string // files
	wholeCount  int
	partCount   int
	takes       map[string]time.Duration // duration of a command that is not killed, by its first word
	kills       int
}

// writeFiles writes an office's file unchanged, and with seven of ten rows.
func (k *killTest) writeFiles(path string) {
	k.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		k.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		k.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		k.Fatal(err)
	}
	var part strings.Builder
	row := 0
	for line := range strings.Lines(string(body)) {
		if row%10 < 7 || row == 0 {
			part.WriteString(line)
		}
		row++
	}
	for _, f := range []struct {
		path       *string
		name, text string
	}{{&k.whole, "whole", string(body)}, {&k.part, "part", part.String()}} {
		*f.path = filepath.Join(k.TempDir(), "edat_lfse_22.tsv")
		if err := os.WriteFile(*f.path, []byte(f.text), 0o644); err != nil {
			k.Fatal(err)
		}
	}
}

// state is the output of `dataset show --json`.
type state struct {
	Version      string
	Observations int
	Vintages     int
	Quarantined  *struct{ Observations int }
}

func (k *killTest) show() (s state) {
	k.Helper()
	if err := json.Unmarshal([]byte(must(k.T, "dataset", "show", "--data", k.dir, "--json", "1")), &s); err != nil {
		k.Fatal(err)
	}
	return s
}

// round imports the partial file and accepts it, killing each command once first, and
// then imports the whole file again.
func (k *killTest) round() error {
	before := k.show()
	k.runAndKill("import", "--data", k.dir, k.part)
	if now := k.show(); now.Version != before.Version || now.Observations != k.wholeCount {
		return fmt.Errorf("after a killed import: got %+v, want %+v", now, before)
	}
	stdout, stderr, code := commandLine(k.T, "import", "--data", k.dir, "--json", k.part)
	if code != exitFailed || !strings.Contains(stdout, `"status":"quarantined","id":1`) {
		return fmt.Errorf("importing the partial file: exit code %d: %s%s", code, stdout, stderr)
	}
	waiting := k.show()
	if waiting.Version != before.Version || waiting.Quarantined == nil || k.countFiles("quarantine") != 1 {
		return fmt.Errorf("in quarantine: %+v in %d files; served: %+v", waiting.Quarantined, k.countFiles("quarantine"), waiting)
	}
	k.partCount = waiting.Quarantined.Observations
	if err := k.waitForVersion(waiting.Version); err != nil {
		return err
	}
	k.runAndKill("dataset", "accept", "--data", k.dir, "1")
	now := k.show()
	if now.Version == before.Version {
		if now.Quarantined == nil || now.Observations != k.wholeCount {
			return fmt.Errorf("after a killed accept: %+v", now)
		}
		must(k.T, "dataset", "accept", "--data", k.dir, "1")
		now = k.show()
	}
	if now.Version == before.Version || now.Quarantined != nil || now.Observations != k.partCount || now.Vintages != before.Vintages+1 {
		return fmt.Errorf("after accept: %+v; before: %+v", now, before)
	}
	if err := k.waitForVersion(now.Version); err != nil {
		return err
	}
	must(k.T, "import", "--data", k.dir, "--accept", k.whole)
	if files := k.countFiles("quarantine"); files != 0 {
		return fmt.Errorf("%d files are left in quarantine", files)
	}
	if now, files := k.show(), k.countFiles("vintages"); files != now.Vintages || now.Observations != k.wholeCount {
		return fmt.Errorf("%d files of vintages, but %+v", files, now)
	}
	return nil
}

// runAndKill runs a command and kills it at a random moment, unless it ends before.
func (k *killTest) runAndKill(args ...string) {
	k.Helper()
	cmd := exec.Command("almanac", args...)
	if err := cmd.Start(); err != nil {
		k.Fatal(err)
	}
	start := time.Now()
	timer := time.AfterFunc(time.Duration(k.random.Int64N(int64(k.takes[args[0]]))), func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // the error does not matter
	timer.Stop()
	if cmd.ProcessState.ExitCode() < 0 {
		k.kills++
	} else {
		k.takes[args[0]] = time.Since(start)
	}
}

// waitForVersion waits until the server serves a version.
func (k *killTest) waitForVersion(version string) error {
	c := newCaller(k.T, "", "127.0.0.1")
	want := fmt.Sprintf(`"version":%q`, version)
	return stattest.Wait(func() error {
		a, err := c.get(k.server.url + "/api/datasets/1/meta")
		if err == nil && !strings.Contains(a.body, want) {
			err = fmt.Errorf("got %s, want version %s", a, version)
		}
		return err
	})
}

// countFiles counts the files of vintages below a folder of the store.
func (k *killTest) countFiles(folder string) int {
	k.Helper()
	files, err := filepath.Glob(filepath.Join(k.dir, folder, "0", "1", "*.parquet"))
	if err != nil {
		k.Fatal(err)
	}
	return len(files)
}
