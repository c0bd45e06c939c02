package offices_test

import (
	"net/http"
	"os"
	"runtime"
	"testing"

	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/eurostattest"
	"almanac/internal/source/replay/jsonstattest"
	"almanac/internal/source/replay/sdmxtest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stattest"
)

// A list of contents has no name in the system's temporary folder while it is
// downloaded and read, so that a killed process leaves no file.
func TestListsLeaveNoFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed on Windows")
	}
	dir, temporary := stattest.DataDir(t), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	wantEmpty := func(when string) {
		if files, err := os.ReadDir(temporary); err != nil || len(files) > 0 {
			t.Errorf("%s: got files %v (%v), want none", when, files, err)
		}
	}
	for office, h := range map[string]http.Handler{"eurostat": eurostattest.New(dir), "ecb": sdmxtest.Offices(dir)["ecb"], "statcan": sdmxtest.StatCan(dir), "cso": jsonstattest.New(dir)} {
		server := sourcetest.CloseAtEnd(t, replay.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			wantEmpty("while downloading the list of " + office)
			h.ServeHTTP(w, r)
		})))
		read := 0
		for _, err := range sourcetest.NewServer(t, sourcetest.NewClock(), sourcetest.OfficeAt(t, office, server)).Contents(t.Context(), source.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			wantEmpty("while reading the list of " + office)
			if read++; read == 2 {
				break
			}
		}
		if read == 0 {
			t.Errorf("the list of %s is empty", office)
		}
	}
	wantEmpty("afterwards")
}
