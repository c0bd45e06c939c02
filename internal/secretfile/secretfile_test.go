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

// TestCheckDatabase: a secret without its database is no new installation.
func TestCheckDatabase(t *testing.T) {
	secret, database := filepath.Join(t.TempDir(), "x.key"), filepath.Join(t.TempDir(), "x.db")
	check := func(state string, want bool) {
		t.Helper()
		if err := secretfile.CheckDatabase(secret, database); (err == nil) != want {
			t.Errorf("%s: %v", state, err)
		}
	}
	check("neither exists", true)
	if _, err := secretfile.Read(secret, true); err != nil {
		t.Fatal(err)
	}
	check("the database is missing", false)
	if err := os.WriteFile(database, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check("the database is empty", false)
	if err := os.WriteFile(database, []byte("SQLite format 3"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("both exist", true)
	if err := os.Remove(secret); err != nil {
		t.Fatal(err)
	}
	check("the secret is missing", true)
}
