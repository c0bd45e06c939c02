//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/stattest"
	"almanac/internal/stattest/faultfs"
)

// stopped is a command that is stopped before each of its operations on files.
type stopped struct {
	args []string // DIR is the data directory
	// copied returns what is in the copy that the command makes in the data directory, if it is finished.
	copied func(t *testing.T, dir string) string
}

// TestStopsAtEveryOperation kills commands before each operation that changes a file, and cuts the power there.
// Then the store is as it was before the command or as it is after it, after it if the command had ended well;
// no file is damaged; and the same command, again, does its work. The short form takes few of the operations.
func TestStopsAtEveryOperation(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	importOne(t, store, manyRows(t, 60))
	importOne(t, store, manyRows(t, 80))
	key := makeKey(t, store, "desk", "pro")
	for name, c := range map[string]stopped{
		"import":         {args: []string{"import", "--data", "DIR", manyRows(t, 90)}},
		"dataset prune":  {args: []string{"dataset", "prune", "--data", "DIR", "--keep", "1"}},
		"dataset remove": {args: []string{"dataset", "remove", "--data", "DIR", "1"}},
		"key revoke":     {args: []string{"key", "revoke", "--data", "DIR", key.ID}},
		"key create":     {args: []string{"key", "create", "--data", "DIR", "--account", "other"}},
		"backup":         {args: []string{"backup", "--data", "DIR", "DIR/copy"}, copied: backedUp},
		"migrate":        {args: []string{"migrate", "--data", "DIR", "--to-data", "DIR/new"}, copied: migrated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.run(t, store)
		})
	}
}

func (c stopped) run(t *testing.T, all string) {
	store := t.TempDir() // of this command alone
	if err := os.CopyFS(store, os.DirFS(all)); err != nil {
		t.Fatal(err)
	}
	before := stateOf(t, store, c.copied)
	whole := faultfs.Mount(t, store)
	c.start(t, whole)
	finished := t.TempDir()
	whole.LeftByPowerCut(t, finished)
	after := stateOf(t, finished, c.copied)
	operations := whole.Operations()
	if operations < 5 || before == after {
		t.Fatalf("the command made %d operations, and the state is\n%s\nafter\n%s", operations, after, before)
	}
	n := 0
	for _, at := range pointsOf(t, operations) {
		for cut, copyLeft := range map[string]func(*faultfs.FS, testing.TB, string){"killed": (*faultfs.FS).Left, "power cut": (*faultfs.FS).LeftByPowerCut} {
			f := faultfs.Mount(t, store)
			s := stop{where: fmt.Sprintf("%s before operation %d of %d", cut, at, operations), before: before, after: after}
			cmd := c.command(f)
			f.StopAt(at, func() { _ = cmd.Process.Kill() })
			s.endedWell = cmd.Run() == nil
			s.left = t.TempDir()
			copyLeft(f, t, s.left)
			c.check(t, s)
			n++
		}
	}
	for _, at := range pointsOf(t, whole.Syncs()) {
		f := faultfs.Mount(t, store)
		s := stop{where: fmt.Sprintf("failure of sync %d of %d", at, whole.Syncs()), before: before, after: after}
		f.FailSync(at)
		s.endedWell = c.command(f).Run() == nil
		s.left = t.TempDir()
		f.LeftByPowerCut(t, s.left)
		c.check(t, s)
		n++
	}
	t.Logf("%d stops and failures in %d operations, %d of them syncs", n, operations, whole.Syncs())
}

// pointsOf returns some of the numbers from 1 to n, all in the long form.
func pointsOf(t *testing.T, n int) (points []int) {
	some := min(stattest.Rounds(t, 2, n), n)
	for i := range some {
		points = append(points, 1+i*n/some+n/some/2)
	}
	return points
}

// start runs the command in a file system.
func (c stopped) start(t *testing.T, f *faultfs.FS) {
	t.Helper()
	if out, err := c.command(f).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", c.args, err, out)
	}
}

func (c stopped) command(f *faultfs.FS) *exec.Cmd { return exec.Command("almanac", c.in(f.Dir)...) }

func (c stopped) in(dir string) (args []string) {
	for _, a := range c.args {
		args = append(args, strings.Replace(a, "DIR", dir, 1))
	}
	return args
}

// stop is one stop of a command.
type stop struct {
	where         string
	left          string // the folder with what is left
	endedWell     bool   // the command, before the stop
	before, after string // states
}

// check checks what is left.
func (c stopped) check(t *testing.T, s stop) {
	t.Helper()
	if out, stderr, code := commandLine(t, "check", "--data", s.left); code != exitDone {
		t.Errorf("%s: check: %s%s", s.where, out, stderr)
	}
	state := stateOf(t, s.left, c.copied)
	if state != s.after && (s.endedWell || state != s.before) {
		t.Errorf("%s, ended well: %t: the state is\n%s\nbefore\n%s\nafter\n%s", s.where, s.endedWell, state, s.before, s.after)
	}
	if state == s.after {
		return
	}
	must(t, c.in(s.left)...)
	if state := stateOf(t, s.left, c.copied); state != s.after {
		t.Errorf("%s, and done again: the state is\n%s\nwant\n%s", s.where, state, s.after)
	}
}

var changingTexts = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z|"id":"[0-9A-Za-z]{8}"`)

// stateOf returns what a store contains, without times and the IDs of keys.
func stateOf(t *testing.T, dir string, copied func(*testing.T, string) string) string {
	t.Helper()
	state := must(t, "dataset", "list", "--data", dir, "--json")
	vintages, _, _ := commandLine(t, "dataset", "vintages", "--data", dir, "--json", "1") // it may be removed
	state += vintages + must(t, "key", "list", "--data", dir, "--json")
	if copied != nil {
		state += "a copy: " + copied(t, dir)
	}
	return changingTexts.ReplaceAllString(state, "…")
}

// backedUp returns what a backup contains.
func backedUp(t *testing.T, dir string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "copy")); err != nil {
		return ""
	}
	restored := t.TempDir()
	must(t, "restore", "--data", restored, filepath.Join(dir, "copy"))
	return must(t, "dataset", "list", "--data", restored, "--json")
}

// migrated returns what a new installation contains.
func migrated(t *testing.T, dir string) string {
	t.Helper()
	folder := filepath.Join(dir, "new")
	if _, err := os.Stat(filepath.Join(folder, migrationFile)); err == nil {
		return ""
	}
	list, _, _ := commandLine(t, "dataset", "list", "--data", folder, "--json")
	return list
}
