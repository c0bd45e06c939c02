package secretfile_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"almanac/internal/secretfile"
)

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.key")
	if _, err := secretfile.Read(path, false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file that may not be created: %v", err)
	}
	var secrets [8][]byte
	var group sync.WaitGroup
	for i := range secrets { // at once
		group.Go(func() {
			var err error
			if secrets[i], err = secretfile.Read(path, true); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, secret := range secrets {
		if len(secret) != secretfile.Length || !bytes.Equal(secret, secrets[0]) {
			t.Errorf("several secrets were made: %x, %x", secret, secrets[0])
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := os.Truncate(path, 5); err != nil {
		t.Fatal(err)
	}
	if _, err := secretfile.Read(path, true); err == nil {
		t.Error("a file that was cut was read")
	}
	if _, err := secretfile.Read(t.TempDir(), true); err == nil {
		t.Error("a folder was read")
	}
}
