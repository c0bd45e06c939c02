package stattest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Stores returns the names of the stores of earlier builds in testdata/stores;
// its README.md describes them.
func Stores(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob(storePath(t, "*.key"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no stores of earlier builds (error %v)", err)
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(filepath.Base(name), ".key")
	}
	return names
}

// CopyStore copies a store of an earlier build into a temporary folder. The key
// belongs to one of its accounts.
func CopyStore(t testing.TB, name string) (dir, key string) {
	t.Helper()
	text, err1 := os.ReadFile(storePath(t, name+".key"))
	dir = filepath.Join(t.TempDir(), "store")
	err2 := os.CopyFS(dir, os.DirFS(storePath(t, name)))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return dir, strings.TrimSpace(string(text))
}

func storePath(t testing.TB, name string) string {
	return filepath.Join(root(t), "internal", "stattest", "testdata", "stores", name)
}
