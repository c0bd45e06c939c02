package update_test

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/database"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
	"almanac/internal/source/sourcetest"
	"almanac/internal/store"
	"almanac/internal/update"
	"almanac/internal/watch"
)

// BenchmarkRounds is a first round over many datasets of a thousand observations
// and a second one in which nothing changed:
//
//	ALMANAC_BENCH_DATASETS=10000 go test -run '^$' -bench Rounds -benchtime 1x ./internal/update
func BenchmarkRounds(b *testing.B) {
	datasets := 500
	if n, err := strconv.Atoi(os.Getenv("ALMANAC_BENCH_DATASETS")); err == nil {
		datasets = n
	}
	server := replay.Serve(&manyDatasets{datasets, strings.Fields(areas)})
	defer server.Close()
	for b.Loop() {
		benchRounds(b, server.URL, datasets)
	}
}

func benchRounds(b *testing.B, address string, datasets int) {
	dir := b.TempDir()
	s, err := store.Open(b.Context(), store.Options{Dir: dir})
	must(b, err)
	defer s.Close()
	watches, err := watch.Open(b.Context(), database.Location{Dir: dir})
	must(b, err)
	defer watches.Close()
	table := sourcetest.NewTable(b, fetch.Options{}, source.Office{
		ID: "many", Name: "Many", Kind: "files", Address: address, Data: address + "/data/{code}.csv", Contents: address + "/list",
	})
	now := time.Now()
	u, err := update.New(update.Options{Store: s, Watches: watches, Sources: table, Dir: dir + "/sync", Now: func() time.Time { return now }})
	must(b, err)
	_, err = u.Watch(b.Context(), "many:*", 0)
	must(b, err)
	for _, round := range []string{"first", "second"} {
		start := time.Now()
		sum, err := u.Sync(b.Context())
		must(b, err)
		b.ReportMetric(time.Since(start).Seconds(), round+"-s")
		if sum.Created+sum.Unchanged != datasets {
			b.Errorf("the %s round did %+v", round, sum)
		}
		now = now.Add(48 * time.Hour)
	}
	b.ReportMetric(peakMiB(b), "peak-MiB")
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// peakMiB is the peak memory of this process, including the server; 0 if the
// system does not report it.
func peakMiB(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, err := strconv.ParseFloat(fields[0], 64)
	must(b, err)
	return kib / 1024
}

const areas = "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE GB NO CH IS TR RS ME AL MK BA UA MD GE"

// manyDatasets is an office with n datasets of 40 areas and 25 years each.
type manyDatasets struct {
	datasets int
	areas    []string
}

func (m *manyDatasets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/list" {
		for i := range m.datasets {
			fmt.Fprintf(w, "d%05d\tDataset %d\n", i, i)
		}
		return
	}
	tag := `"` + r.URL.Path + `"`
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	var seed int
	_, _ = fmt.Sscanf(r.URL.Path, "/data/d%d.csv", &seed) // 0 would do as well
	w.Header().Set("Content-Type", "text/csv")
	fmt.Fprint(w, "Country,Year,Value\n")
	for i, area := range m.areas {
		for year := range 25 {
			fmt.Fprintf(w, "%s,%d,%d.%d\n", area, 2000+year, seed+i*year, i%10)
		}
	}
}
