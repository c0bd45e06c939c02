package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// TestPrintedCommands runs the commands that messages print for refused files through a
// shell, as people paste them, also if names need quotes. [TestTables] does the same with
// real files.
func TestPrintedCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := map[string]string{}
	rates := stattest.SampleMore(t, "fred-fedfunds/FEDFUNDS.csv").Data
	for _, name := range []string{"-o.csv", "O'Brien's \"Größe\" $HOME `x`.csv", "失業率 1.csv", "a;b&c*.csv"} {
		writeFile(t, filepath.Join(dir, name), rates)
		want[name] = "--no-geo"
	}
	writeFile(t, filepath.Join(dir, "Zip mit 'Daten'.zip"), zipOf(t, "Mitglied ü.csv", rates))
	want["Zip mit 'Daten'.zip"] = "--no-geo"
	writeFile(t, filepath.Join(dir, "columns.csv"), []byte("country;year;value;\"d'or, \"\"x\"\" + größe\"\nDE;2020;1;0.5\nFR;2020;2;0.75\nIT;2020;3;0.25\n"))
	want["columns.csv"] = "--mapping"

	names := slices.Sorted(maps.Keys(want))
	printed := commandsOf(t, dir, append([]string{"import", "--data", "my store", "--json", "--"}, names...))
	for _, name := range names {
		command, isPrinted := printed[name]
		switch {
		case !isPrinted:
			t.Logf("%s is read without a command", name)
		case want[name] == "" && command != "" || !strings.Contains(command, want[name]):
			t.Errorf("%s: the command is %q, want %q in it", name, command, want[name])
		case command != "":
			run := exec.Command("sh", "-c", command)
			run.Dir = dir
			if out, err := run.CombinedOutput(); err != nil || !strings.Contains(string(out), ": created, dataset ") {
				t.Errorf("%s: %q ends with %v: %s", name, command, err, out)
			}
		}
	}
}

// commandsOf runs almanac and returns the commands that it prints, by file.
func commandsOf(t *testing.T, dir string, args []string) map[string]string {
	t.Helper()
	run := exec.Command("almanac", args...)
	run.Dir = dir
	out, _ := run.Output() // the files are refused
	printed := map[string]string{}
	for line := range bytes.Lines(out) {
		var o struct{ File, Status, Try string }
		if err := json.Unmarshal(line, &o); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if o.Status == "refused" {
			printed[filepath.Base(o.File)] = o.Try
		}
	}
	return printed
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func zipOf(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	member, err := w.Create(name)
	if err == nil {
		_, err = member.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestEitherCommand checks that a file that can be read in two ways is refused with both
// commands, each complete.
func TestEitherCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "rates.csv"), []byte("date,rate\n2023-01,\"3,500\"\n2023-02,\"3,750\"\n"))
	run := exec.Command("almanac", "import", "--data", "store", "--accept", "rates.csv")
	run.Dir = dir
	out, err := run.CombinedOutput()
	const want = "  either: almanac import --data store --accept --decimal . --no-geo rates.csv\n  or:     almanac import --data store --accept --decimal , --no-geo rates.csv\n"
	if err == nil || !strings.Contains(filepath.ToSlash(strings.ReplaceAll(string(out), dir+string(filepath.Separator), "")), want) {
		t.Errorf("%v: %s\nwant\n%s", err, out, want)
	}
}
