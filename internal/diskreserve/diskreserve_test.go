package diskreserve_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/diskreserve"
)

// sizeOf returns the size of the reserve, -1 if there is none.
func sizeOf(dir string) int64 {
	info, err := os.Stat(filepath.Join(dir, diskreserve.File))
	if err != nil {
		return -1
	}
	return info.Size()
}

func TestGiveUp(t *testing.T) {
	dir := t.TempDir()
	diskreserve.GiveUp(dir)() // there is none: it is made
	if got := sizeOf(dir); got != diskreserve.Size {
		t.Fatalf("the reserve has %d bytes, want %d", got, diskreserve.Size)
	}
	takeBack := diskreserve.GiveUp(dir)
	if got := sizeOf(dir); got != 0 {
		t.Errorf("while it is given up, the reserve has %d bytes", got)
	}
	another := diskreserve.GiveUp(dir) // by another command
	takeBack()
	another()
	if got := sizeOf(dir); got != diskreserve.Size {
		t.Errorf("afterwards the reserve has %d bytes, want %d", got, diskreserve.Size)
	}
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	for _, size := range []int64{-1, 0, 1000, diskreserve.Size} {
		if size >= 0 {
			if err := os.Truncate(filepath.Join(dir, diskreserve.File), size); err != nil {
				t.Fatal(err)
			}
		}
		if err := diskreserve.Keep(dir); err != nil || sizeOf(dir) != diskreserve.Size {
			t.Errorf("from %d bytes: %d bytes, %v", size, sizeOf(dir), err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, diskreserve.File))
	if err != nil || bytes.Contains(text, make([]byte, 512)) {
		t.Errorf("the reserve has a block of zeros, which a file system may leave out (%v)", err)
	}
	if err := diskreserve.Keep(filepath.Join(dir, "missing")); err == nil {
		t.Error("a reserve in a folder that does not exist is no error")
	}
	diskreserve.GiveUp(filepath.Join(dir, "missing"))() // no error
}
