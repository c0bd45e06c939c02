package stattest

import (
	"embed"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

//go:embed testdata/stores
var stores embed.FS

// Stores returns the names of the stores of earlier builds in testdata/stores;
// its README.md describes them.
func Stores(t testing.TB) []string {
	t.Helper()
	keys, err := fs.Glob(stores, "testdata/stores/*.key")
	if err != nil || len(keys) == 0 {
		t.Fatalf("no stores of earlier builds (error %v)", err)
	}
	for i, key := range keys {
		keys[i] = strings.TrimSuffix(path.Base(key), ".key")
	}
	return keys
}

// CopyStore copies a store of an earlier build into a temporary folder. The key
// belongs to one of its accounts.
func CopyStore(t testing.TB, name string) (dir, key string) {
	t.Helper()
	text, err := stores.ReadFile("testdata/stores/" + name + ".key")
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "store")
	store, err := fs.Sub(stores, "testdata/stores/"+name)
	if err == nil {
		err = os.CopyFS(dir, store)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, strings.TrimSpace(string(text))
}
