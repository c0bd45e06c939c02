package source_test

import (
	"net/http"
	"os"
	"runtime"
	"testing"

	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/stattest"
)

// A list of contents that is being downloaded or read has no name in the system's
// temporary folder: a killed process leaves nothing there.
func TestListsLeaveNoFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be unlinked on this system")
	}
	dir, temporary := stattest.DataDir(t), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	empty := func(when string) {
		if files, err := os.ReadDir(temporary); err != nil || len(files) > 0 {
			t.Errorf("%s: found %v, %v", when, files, err)
		}
	}
	for office, h := range map[string]http.Handler{"eurostat": replay.Eurostat(dir), "ecb": replay.SDMXOffices(dir)["ecb"], "statcan": replay.StatCan(dir), "cso": replay.JSONStat(dir)} {
		server := served(t, replay.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			empty("while downloading the list of " + office)
			h.ServeHTTP(w, r)
		})))
		read := 0
		for _, err := range replayed(t, newTestClock(), builtIn(t, office, server)).Contents(t.Context(), source.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			empty("while reading the list of " + office)
			if read++; read == 2 {
				break
			}
		}
		if read == 0 {
			t.Errorf("the list of %s is empty", office)
		}
	}
	empty("afterwards")
}
