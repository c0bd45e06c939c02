//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"almanac/internal/stattest"
)

// TestPowerCutOfExt4 cuts the power of a disk with ext4 while a server counts requests and files are imported: the file
// system forgets at once all that is not on the disk, its journal included. When the disk is there again, each answered request is counted, each
// dataset whose import ended well is there, and no file is damaged.
func TestPowerCutOfExt4(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	imported := 0
	for range stattest.Rounds(t, 2, 60) {
		withinOneDay(t, func() error {
			disk := newDisk(t)
			defer disk.unmount(t)
			n, err := cutPower(t, disk, random)
			imported += n
			return err
		})
	}
	t.Logf("%d imports ended well before a power cut", imported)
}

// cutPower returns the number of imports that ended well before the power was cut.
func cutPower(t *testing.T, disk *ext4Disk, random *rand.Rand) (imported int, err error) {
	t.Helper()
	dir := filepath.Join(disk.dir, "store")
	importOne(t, dir, manyRows(t, 40))
	subjects, limits := killedSubjects(t, dir, random)
	s := startProgram(t, dir, "--limits", limits)
	codes := make(chan []string, 1)
	go func() { codes <- importUntilItFails(t, dir, &disk.isCut) }()
	var had atomic.Int64
	last := 20 + random.Int64N(400)
	err = runConcurrently(subjects, func(who *subject, c *caller) error {
		for c.etag == "" { // others are not counted
			a, err := c.get(s.url + "/api/datasets/1/meta")
			switch {
			case err != nil || a.status == http.StatusServiceUnavailable || disk.isCut.Load():
				who.interrupted.Add(1)
				return nil
			case a.status == http.StatusOK:
				who.succeeded.Add(1)
			case a.status != http.StatusTooManyRequests:
				return fmt.Errorf("a request before a power cut: %s", a)
			}
			if had.Add(1) >= last {
				return disk.cutPower()
			}
		}
		return nil
	})
	if err = errors.Join(err, disk.cutPower()); err != nil { // also if all limits were used up before
		return 0, err
	}
	done := <-codes
	s.kill()
	disk.unmount(t)
	disk.mount(t)
	if text, _ := os.ReadFile(filepath.Join(disk.dir, "unsynced")); len(text) > 0 {
		return 0, fmt.Errorf("a file that was not synced survived the power cut: %q", text)
	}
	must(t, "check", "--data", dir)
	if lost := missingDatasets(t, dir, done); lost != nil {
		return 0, fmt.Errorf("the imports of %q had ended well, but after the power cut the datasets are not there", lost)
	}
	counts := used(t, dir)
	s = startProgram(t, dir, "--limits", limits)
	defer s.kill()
	return len(done), compare(s, subjects, counts)
}

// importUntilItFails imports one dataset after another and returns the codes of those that ended well before the power was cut.
func importUntilItFails(t *testing.T, dir string, isCut *atomic.Bool) (codes []string) {
	for n := 0; ; n++ {
		code := fmt.Sprintf("while%d", n)
		file := filepath.Join(t.TempDir(), code+".csv")
		text := "#almanac-tidy,1\n#source,nso\n#dataset," + code + "\n#dimension,sex\n#geography,geo\nsex,geo,TIME_PERIOD,OBS_VALUE\nF,DE,2020,1\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Error(err)
			return codes
		}
		if exec.Command("almanac", "import", "--data", dir, file).Run() != nil || isCut.Load() {
			return codes
		}
		codes = append(codes, code)
	}
}

// missingDatasets returns those of the codes that the store does not have.
func missingDatasets(t *testing.T, dir string, codes []string) (missing []string) {
	t.Helper()
	has := map[string]bool{}
	for lines := json.NewDecoder(strings.NewReader(must(t, "dataset", "list", "--data", dir, "--json"))); ; {
		var line struct {
			Code string `json:"dataset_code"`
		}
		if err := lines.Decode(&line); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		has[line.Code] = true
	}
	for _, code := range codes {
		if !has[code] {
			missing = append(missing, code)
		}
	}
	return missing
}

// ext4Disk is a disk in a file.
type ext4Disk struct {
	image, dir string
	isMounted  bool
	isCut      atomic.Bool // set before the power is cut: no server answers, and no command ends, afterwards
	cut        sync.Once
	cutErr     error
}

// newDisk returns a mounted disk. Mounting one needs root and loop devices, which cannot be installed, so without them the test is skipped even if
// ALMANAC_REQUIRE=1.
func newDisk(t *testing.T) *ext4Disk {
	t.Helper()
	d := &ext4Disk{image: filepath.Join(t.TempDir(), "disk"), dir: t.TempDir()}
	if err := os.WriteFile(d.image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(d.image, 256<<20); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"mkfs.ext4", "-q", d.image}, {"mount", "-o", "loop", d.image, d.dir}} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Skipf("SKIPPED: a power cut of ext4 is not tested, because no disk can be made here: %s: %v: %s", strings.Join(command, " "), err, out)
		}
	}
	d.isMounted = true
	return d
}

func (d *ext4Disk) mount(t *testing.T) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "loop", d.image, d.dir).CombinedOutput(); err != nil {
		t.Fatalf("mounting the disk after a power cut: %v: %s", err, out)
	}
	d.isMounted = true
}

func (d *ext4Disk) unmount(t *testing.T) {
	t.Helper()
	if !d.isMounted {
		return
	}
	if out, err := exec.Command("umount", d.dir).CombinedOutput(); err != nil {
		t.Fatalf("unmounting %s: %v: %s", d.dir, err, out)
	}
	d.isMounted = false
}

// The request of ext4 to shut down, and its flag not to write the journal, of the header linux/ext4.h.
const (
	ext4Shutdown   = 0x8004587d
	ext4NoLogFlush = 2
)

// cutPower ends all writing to the disk at once.
func (d *ext4Disk) cutPower() error {
	d.cut.Do(func() {
		d.isCut.Store(true)
		f, err := os.Create(filepath.Join(d.dir, "unsynced"))
		if err == nil {
			defer f.Close()
			_, err = f.WriteString("not on the disk")
		}
		if err == nil {
			err = unix.IoctlSetPointerInt(int(f.Fd()), ext4Shutdown, ext4NoLogFlush)
		}
		if err != nil {
			d.cutErr = fmt.Errorf("cutting the power: %w", err)
		}
	})
	return d.cutErr
}
