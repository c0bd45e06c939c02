package importer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/store"
)

// TestScratchFiles: no temporary file stays open after a file is inspected, refused or
// imported.
func TestScratchFiles(t *testing.T) {
	if _, err := os.ReadDir("/proc/self/fd"); err != nil {
		t.Skip("the system does not list open files")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would close them
	dir := t.TempDir()
	s, err := store.Open(t.Context(), store.Options{Dir: dir, ImportMemory: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	im, err := importer.New(s, importer.Options{Source: "local"})
	if err != nil {
		t.Fatal(err)
	}
	const head, row = "DATAFLOW,freq,item,geo,TIME_PERIOD,OBS_VALUE\n", "ESTAT:X(1.0),A,a,DE,%d,1\n"
	for name, c := range map[string]struct{ text, refused string }{
		"right.csv":    {head + fmt.Sprintf(row+row, 2019, 2020), ""},
		"conflict.csv": {head + fmt.Sprintf(row, 2020) + "ESTAT:X(1.0),A,a,DE,2020,2\n", "conflicts with"},
		"broken.csv":   {head + fmt.Sprintf(row, 2020) + "ESTAT:X(1.0),A,a,DE,2021,x\n", ":3"},
	} {
		path := filepath.Join(t.TempDir(), name)
		writeFile(t, path, c.text)
		inspected, imported := im.Inspect(t.Context(), path), im.Import(t.Context(), path)
		if !strings.Contains(inspected[0].Error, c.refused) || !strings.Contains(imported[0].Error, c.refused) || (c.refused == "") != (imported[0].Error == "") {
			t.Errorf("%s: %q and %q, want %q", name, inspected[0].Error, imported[0].Error, c.refused)
		}
		if open := openBelow(t, dir); len(open) > 0 {
			t.Errorf("%s: temporary files are open: %v", name, open)
		}
	}
}

// openBelow lists the open files that were deleted in a folder.
func openBelow(t *testing.T, dir string) (open []string) {
	all, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range all {
		if path, _ := os.Readlink(fd); strings.HasPrefix(path, dir) && strings.HasSuffix(path, "(deleted)") {
			open = append(open, path)
		}
	}
	return open
}
