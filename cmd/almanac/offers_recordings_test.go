package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What real servers listed is stored with the number of their datasets; a server that
// did not answer with a list has none.
func TestRefreshRecordings(t *testing.T) {
	t.Parallel()
	_, sources := serveRecordings(t)
	want := map[string]refreshLine{
		"eurostat": {Datasets: 6953, Entries: 6953}, "insee": {Datasets: 663, Entries: 1325}, "bis": {Datasets: 32, Entries: 32},
		"norges-bank": {Datasets: 20, Entries: 40}, "unicef": {Datasets: 70, Entries: 70}, "ecb": {Datasets: 56, Entries: 56},
		"statcan": {Datasets: 2, Entries: 4}, "scb": {Datasets: 10, Entries: 10}, "px2": {Datasets: 5, Entries: 5},
		"istat": {Datasets: 1, Entries: 2}, "boi": {Datasets: 1, Entries: 2}, "worldbank": {Datasets: 1, Entries: 1},
		"stat-lt": {Datasets: 1, Entries: 1}, "imf": {}, "oecd": {}, "ilo": {}, "statfin": {}, "oecd429": {}, "imf429": {}, "ist302": {},
	}
	dir := t.TempDir()
	args := []string{"source", "refresh", "--data", dir, "--sources", sources, "--networks", "127.0.0.1/32", "--json"}
	for id := range want {
		args = append(args, id)
	}
	cmd := exec.Command("almanac", args...)
	cmd.Env = append(os.Environ(), withoutWaiting+"=1")
	out, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != exitFailed {
		t.Fatalf("the exit code is %d (%v), want %d because some lists failed", cmd.ProcessState.ExitCode(), err, exitFailed)
	}
	seen := 0
	for text := range strings.Lines(string(out)) {
		var got refreshLine
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		seen++
		w := want[got.Source]
		isFailure := w.Datasets == 0
		if got.Datasets != w.Datasets || got.Entries != w.Entries || (got.Status == "failed") != isFailure || (got.Error != "") != isFailure {
			t.Errorf("%+v, want %d datasets in %d entries", got, w.Datasets, w.Entries)
		}
	}
	if seen != len(want) {
		t.Errorf("%d results, want %d", seen, len(want))
	}
}
