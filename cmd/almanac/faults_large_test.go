//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/stattest"
)

// TestLargeImport: an import with little memory goes through temporary files. Its memory
// stays bounded, a killed one leaves nothing behind, and a full disk is refused with the
// reason and stores nothing.
func TestLargeImport(t *testing.T) {
	stattest.SkipUnderRace(t)
	t.Parallel()
	const cells = 2_000_000
	file := writeCube(t, cells)
	t.Run("memory", func(t *testing.T) {
		dir := t.TempDir()
		output, peak := runLarge(t, startLarge(t, dir, file))
		if want := fmt.Sprintf(`"stored":%d,`, cells); !strings.Contains(output, want) {
			t.Fatalf("the import printed %s, want %s", output, want)
		}
		t.Logf("%d MB at its peak", peak)
		if peak == 0 || peak > 150 { // 102; without temporary files it is 278
			t.Errorf("the heap of the import has %d MB, more than 150", peak)
		}
		checkNothingStaged(t, dir)
	})
	t.Run("kill", func(t *testing.T) {
		dir := t.TempDir()
		for _, after := range []time.Duration{50, 200, 400} {
			cmd := startLarge(t, dir, file)
			time.Sleep(after * time.Millisecond)
			_ = cmd.Process.Kill() // it may have ended
			_ = cmd.Wait()
		}
		for _, name := range staged(t, dir) {
			if strings.Contains(name, "scratch") {
				t.Errorf("%s is left", name)
			}
		}
	})
	t.Run("full disk", func(t *testing.T) {
		dir := smallDisk(t)
		output, _ := runLarge(t, startLarge(t, dir, file))
		if !strings.Contains(output, "the disk of the data directory is full") || !strings.Contains(output, "nothing was stored") {
			t.Errorf("the import printed %s", output)
		}
		checkNothingStaged(t, dir)
		if stored, _ := filepath.Glob(filepath.Join(dir, "vintages", "*", "*", "*.parquet")); len(stored) > 0 {
			t.Errorf("stored: %v", stored)
		}
	})
}

// writeCube writes JSON-stat with a number of cells, which are of one digit.
func writeCube(t *testing.T, cells int) string {
	t.Helper()
	var items, years []string
	for i := range cells / 200 {
		items = append(items, fmt.Sprintf("I%d", i))
	}
	for i := range 100 {
		years = append(years, strconv.Itoa(1900+i))
	}
	text := fmt.Sprintf(`{"version": "2.0", "class": "dataset", "label": "Large", "source": "nso", "id": ["item", "geo", "time"], "size": [%d, 2, 100],
		"role": {"geo": ["geo"], "time": ["time"]}, "dimension": {"item": {"category": {"index": ["%s"]}}, "geo": {"category": {"index": ["DE", "FR"]}},
		"time": {"category": {"index": ["%s"]}}}, "value": [%s1]}`, cells/200, strings.Join(items, `","`), strings.Join(years, `","`), strings.Repeat("7,", cells-1))
	path := filepath.Join(t.TempDir(), "cube.json")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// startLarge starts an import with a memory limit of 64 MiB, so that 260,000 observations
// are in memory at a time.
func startLarge(t *testing.T, dir, file string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("almanac", "import", "--data", dir, "--code", "cube", "--json", file)
	cmd.Env = append(os.Environ(), "GOMEMLIMIT=64MiB", "GOGC=100", "GOMAXPROCS=2", "GODEBUG=gctrace=1")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// heapSize matches the sizes of the heap in a line of GODEBUG=gctrace=1: when the collection
// began, when it ended, and what was live. Unlike the memory of the process, it is the same
// under the race detector.
var heapSize = regexp.MustCompile(`, \d+->(\d+)->\d+ MB, `)

// runLarge waits for the end of a command. It returns its output and its largest heap in MB.
func runLarge(t *testing.T, cmd *exec.Cmd) (output string, peak int) {
	t.Helper()
	_ = cmd.Wait() // the output tells
	output = cmd.Stdout.(*bytes.Buffer).String()
	for _, found := range heapSize.FindAllStringSubmatch(output, -1) {
		size, err := strconv.Atoi(found[1])
		if err != nil {
			t.Fatal(err)
		}
		peak = max(peak, size)
	}
	return output, peak
}

func staged(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "vintages", ".staging", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func checkNothingStaged(t *testing.T, dir string) {
	t.Helper()
	if names := staged(t, dir); len(names) > 0 {
		t.Errorf("left: %v", names)
	}
}
