package stattest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Stores returns the names of the stores of earlier builds in testdata/stores;
// its README.md describes them.
func Stores(t testing.TB) []string {
	t.Helper()
	keys, err := filepath.Glob(filepath.Join(storesDir(t), "*.key"))
	if err != nil || len(keys) == 0 {
		t.Fatalf("no stores of earlier builds (error %v)", err)
	}
	for i, key := range keys {
		keys[i] = strings.TrimSuffix(filepath.Base(key), ".key")
	}
	return keys
}

// CopyStore copies a store of an earlier build into a temporary folder. The key
// belongs to its account desk.
func CopyStore(t testing.TB, name string) (dir, key string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "store")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(storesDir(t), name))); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(storesDir(t), name+".key"))
	if err != nil {
		t.Fatal(err)
	}
	return dir, strings.TrimSpace(string(text))
}

func storesDir(t testing.TB) string {
	t.Helper()
	return filepath.Join(root(t), "internal", "stattest", "testdata", "stores")
}
