package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/diskreserve"
	"almanac/internal/stattest"
)

// docs/operations.md, Crashes and full disks: on a disk that is full to the last byte, keys can be
// revoked, and pruning and removing datasets give their room back, while a server runs and without
// one. The reserve is whole again afterwards.
func TestCommandsOnFullDisk(t *testing.T) {
	t.Parallel()
	for name, makeDisk := range map[string]func(*testing.T) string{"tmpfs": smallDisk, "ext4": smallLoopDisk} {
		for _, isServed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, server %v", name, isServed), func(t *testing.T) {
				t.Parallel()
				dir := makeDisk(t)
				for version := range 4 {
					importOne(t, dir, randomRows(t, "first", version))
				}
				importOne(t, dir, randomRows(t, "second", 1))
				checkFullCommands(t, dir, isServed)
			})
		}
	}
}

// checkFullCommands fills the disk of a store twice, which has four versions of dataset 1 and one of
// dataset 2, and runs the commands.
func checkFullCommands(t *testing.T, dir string, isServed bool) {
	t.Helper()
	anotherKey, key := makeKey(t, dir, "one", "essential"), makeKey(t, dir, "two", "pro")
	wantReserve(t, dir)
	data := func() int { return http.StatusUnauthorized }
	if isServed {
		s := startProgram(t, dir)
		defer s.stop(t)
		data = func() int {
			a, err := newCaller(t, key.Key, "127.0.0.1").get(s.url + "/api/datasets/1/latest")
			if err != nil {
				t.Error(err)
			}
			return a.status
		}
		if status := data(); status != http.StatusOK {
			t.Fatalf("before the disk is full: %d", status)
		}
	}
	versions := fileSizes(t, dir, 1)
	ballast := fillUp(t, dir)
	must(t, "key", "revoke", "--data", dir, anotherKey.ID)
	must(t, "key", "revoke", "--data", dir, key.ID) // with what the first has left
	stattest.Eventually(t, func() error {
		if status := data(); status != http.StatusUnauthorized {
			return fmt.Errorf("a request with a revoked key: %d", status)
		}
		return nil
	})
	before := freeBytes(t, dir)
	must(t, "dataset", "prune", "--data", dir, "--keep", "1")
	pruned := versions - fileSizes(t, dir, 1)
	if pruned < versions/2 {
		t.Fatalf("pruning deleted %d bytes of %d", pruned, versions)
	}
	wantReserve(t, dir)
	// The reserve has what the commands took of it, and the databases what they wrote.
	if free := freeBytes(t, dir) - before; free < pruned-2*diskreserve.Size {
		t.Errorf("pruning deleted %d bytes and gave %d back", pruned, free)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	fillUp(t, dir)
	before, removed := freeBytes(t, dir), fileSizes(t, dir, 2)
	must(t, "dataset", "remove", "--data", dir, "2")
	wantReserve(t, dir)
	if free := freeBytes(t, dir) - before; free < removed-diskreserve.Size {
		t.Errorf("removing a dataset deleted %d bytes and gave %d back", removed, free)
	}
}

func wantReserve(t *testing.T, dir string) {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, diskreserve.File))
	if err != nil || info.Size() != diskreserve.Size || info.Mode().Perm() != 0o600 {
		t.Fatalf("the reserve is %+v (%v), want %d bytes with mode 0600", info, err, diskreserve.Size)
	}
}

// freeBytes returns the room on the disk of a folder.
func freeBytes(t *testing.T, dir string) int64 {
	t.Helper()
	out, err := exec.Command("df", "--block-size=1", "--output=avail", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(out))
	n, err := strconv.ParseInt(fields[len(fields)-1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// fileSizes returns the bytes of all versions of a dataset.
func fileSizes(t *testing.T, dir string, id int) (sum int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "vintages", "0", strconv.Itoa(id), "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		sum += info.Size()
	}
	return sum
}

// randomRows writes a dataset whose file takes most of a megabyte, with other numbers in each version.
func randomRows(t *testing.T, code string, version int) string {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(version), 20))
	var b bytes.Buffer
	fmt.Fprintf(&b, "#almanac-tidy,1\n#source,nso\n#dataset,%s\n#dimension,sex\n#geography,geo\nsex,geo,TIME_PERIOD,OBS_VALUE\n", code)
	day := time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 80_000 {
		fmt.Fprintf(&b, "T,DE,%s,%g\n", day.AddDate(0, 0, i).Format(time.DateOnly), random.Float64())
	}
	path := filepath.Join(t.TempDir(), code+".csv")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// smallLoopDisk is like smallDisk, with ext4 on a file.
func smallLoopDisk(t *testing.T) string {
	t.Helper()
	image, dir := filepath.Join(t.TempDir(), "image"), t.TempDir()
	for _, args := range [][]string{
		{"truncate", "-s", "48M", image},
		{"mkfs.ext4", "-q", "-m", "0", image},
		{"mount", "-o", "loop", image, dir},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("SKIPPED: a full disk with ext4 is not tested, because none can be mounted here: %s: %v: %s", args[0], err, out)
		}
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("unmounting %s: %v: %s", dir, err, out)
		}
	})
	return dir
}
