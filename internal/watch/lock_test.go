package watch_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"almanac/internal/database"
	"almanac/internal/stattest"
	"almanac/internal/stattest/postgres"
	"almanac/internal/watch"
)

func lock(t *testing.T, db *watch.DB, item int64) (unlock func(), ok bool) {
	t.Helper()
	unlock, ok, err := db.Lock(item)
	if err != nil {
		t.Fatal(err)
	}
	return unlock, ok
}

// Within a process an item is locked once, also through two handles, and
// closing one handle releases no lock of the other.
func TestLockWithinAProcess(t *testing.T) {
	dir := t.TempDir()
	first, second := open(t, dir), open(t, dir)
	unlock, ok := lock(t, first, 1)
	if !ok {
		t.Fatal("a free item could not be taken")
	}
	if _, ok := lock(t, second, 1); ok {
		t.Error("an item was locked twice")
	}
	if free, ok := lock(t, second, 2); !ok {
		t.Error("the next item is locked too")
	} else {
		free()
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if otherProcess(t, dir, 1) {
		t.Error("another process locked an item after a second handle was closed")
	}
	unlock()
	unlock() // a second time does nothing
	if free, ok := lock(t, first, 1); !ok {
		t.Error("an unlocked item could not be locked")
	} else {
		free()
	}
}

func TestLockBetweenProcesses(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	unlock, _ := lock(t, db, 5)
	if otherProcess(t, dir, 5) {
		t.Error("another process locked a locked item")
	}
	if !otherProcess(t, dir, 6) {
		t.Error("another process could not lock a free item")
	}
	unlock()
	if !otherProcess(t, dir, 5) {
		t.Error("another process could not lock an unlocked item")
	}
}

// The locks of a killed process are released.
func TestLockOfAKilledProcess(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	helper, out := startHelper(t, dir, 9, "hold")
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, "taken") {
		t.Fatalf("the other process printed %q, %v", line, err)
	}
	if _, ok := lock(t, db, 9); ok {
		t.Error("an item of another process was locked")
	}
	if err := helper.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = helper.Wait()                     // it was killed
	stattest.Eventually(t, func() error { // a server notices that the connection has ended
		if _, ok := lock(t, db, 9); !ok {
			return errors.New("the item of a killed process is still locked")
		}
		return nil
	})
}

// otherProcess reports whether another process can lock an item.
func otherProcess(t *testing.T, dir string, item int64) bool {
	t.Helper()
	helper, out := startHelper(t, dir, item, "once")
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := helper.Wait(); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line) == "taken"
}

// helperVariable makes this test binary run as another process.
const helperVariable = "WATCH_LOCK_HELPER"

func startHelper(t *testing.T, dir string, item int64, mode string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: there are no locks between processes on this system")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestHelper$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %s %s", helperVariable, mode, item, dir, postgres.At(t, dir).URL))
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil { // stays open as long as this process
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, bufio.NewReader(out)
}

// TestHelper is the other process.
func TestHelper(t *testing.T) {
	var mode string
	var item int64
	var at database.Location
	if n, _ := fmt.Sscanf(os.Getenv(helperVariable), "%s %d %s %s", &mode, &item, &at.Dir, &at.URL); n < 3 {
		return
	}
	db, err := watch.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	_, ok := lock(t, db, item)
	fmt.Println(map[bool]string{true: "taken", false: "not taken"}[ok])
	if mode == "hold" {
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed, or its parent ends
	}
}
