package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// docs/queries.md, Sizes: the counts are those of the response, and so is its length up to 256
// KiB; a longer one is estimated to a tenth.
func TestDryRun(t *testing.T) {
	base := serveFiles(t, stattest.DataDir(t), []string{"eurostat/tsv-old/une_rt_a.tsv.gz"}) + "/api/datasets/1/data"
	for _, query := range []string{"?", "?country=DE", "?country=DE&latest=true", "?country=XX", "?like.dim3=*&flags=true&codes=true", "?last_n=2&iso_periods=true", "?transform=percent&country=FR"} {
		whole := ask(t, "GET", base+query)
		var want wideData
		if err := json.Unmarshal([]byte(whole.body), &want); err != nil {
			t.Fatal(err)
		}
		series, rows, values := 0, 0, 0
		for _, block := range want.Data {
			series += len(block.Countries)
			rows += len(block.Rows)
			for _, row := range block.Rows {
				values += len(row.Values)
			}
		}
		var got struct {
			Data    []any
			Meta    map[string]any
			Notices []any
			Size    struct {
				Series, Rows, Observations, Bytes, Cost int
				Exact                                   bool `json:"bytes_exact"`
			}
		}
		readJSON(t, base+query+"&dry_run=true", &got)
		n := got.Size
		if n.Series != series || n.Rows != rows || n.Observations != values || n.Cost != 1 || len(got.Data) != 0 || got.Meta == nil || len(got.Notices) != len(want.Notices) {
			t.Errorf("%s: %+v, want %d series, %d rows, %d values", query, got, series, rows, values)
		}
		if difference := math.Abs(float64(n.Bytes-len(whole.body))) / float64(len(whole.body)); difference > .1 || n.Exact && difference > 0 || !n.Exact && len(whole.body) < 1<<18 {
			t.Errorf("%s: %+v, want %d bytes", query, n, len(whole.body))
		}
	}
}

// docs/queries.md, Sizes: the size of a file is that of the file.
func TestDryRunOfFiles(t *testing.T) {
	base := serveFiles(t, stattest.DataDir(t), []string{"eurostat/tsv-old/une_rt_a.tsv.gz"}) + "/api/datasets/1/data"
	for _, c := range []struct {
		path string
		rows func(file string) int // nil: not in lines
	}{
		{".csv?country=DE", linesOf}, {".csv?country=DE&country=FR&wide=area&sep=tab", linesOf}, {".csv?wide=period&latest=true", linesOf}, {".csv?country=XX", linesOf},
		{".csv?", linesOf}, {".csv?transform=percent&country=FR", linesOf}, {".sdmx.csv?country=DE", linesOf},
		{".ndjson?country=DE", func(file string) int { return strings.Count(file, "\n") }},
		{".jsonstat?country=DE", nil}, {".xlsx?country=DE", nil}, {".xlsx?country=DE&country=FR&wide=area", nil}, {".parquet?country=DE", nil}, {".sdmx.json?country=DE", nil}, {".sdmx.xml?country=DE", nil},
	} {
		var got struct {
			Data []any
			Size struct {
				Rows, Observations, Bytes int
				Exact                     bool `json:"bytes_exact"`
			}
		}
		readJSON(t, base+c.path+"&dry_run=true", &got)
		file := ask(t, "GET", base+c.path)
		if n := got.Size; len(got.Data) != 0 || n.Exact && n.Bytes != len(file.body) || math.Abs(float64(n.Bytes-len(file.body))) > .1*float64(len(file.body)) || c.rows != nil && n.Rows != c.rows(file.body) {
			t.Errorf("%s: %+v; the file has %d bytes", c.path, n, len(file.body))
		}
	}
	file := ask(t, "GET", base+".csv?country=DE&dry_run=true")
	if file.StatusCode != 200 || file.Header.Get("Content-Type") != "application/json" || file.Header.Get("Content-Disposition") != "inline" {
		t.Errorf("a file: %d %v", file.StatusCode, file.Header)
	}
}

// linesOf returns the number of lines after the first.
func linesOf(file string) int { return strings.Count(file, "\n") - 1 }

// A selection that a form cannot hold is refused as without dry_run, and long files are estimated.
func TestDryRunOfLongFiles(t *testing.T) {
	stattest.SkipUnderRace(t)
	var table strings.Builder
	table.WriteString("#almanac-tidy,1\n#source,ecb,Test office\n#dataset,days,Days\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n")
	for i, area := range []string{"DE", "FR", "IT", "ES", "PL", "AT", "BE", "NL", "SE", "FI"} {
		for day := range 26_400 {
			fmt.Fprintf(&table, "%s,%s,%.2f\n", area, time.Date(1970, 1, 1+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), 1+float64(day*(i+1)%977)/7)
		}
	}
	s := newStore(t)
	load(t, s, "days.csv", strings.NewReader(table.String()))
	base := serve(t, newAPI(t, api.Options{Store: s})) + "/api/datasets/1/data"
	for _, query := range []string{".xlsx?wide=period", ".xlsx?wide=period&country=DE"} {
		want := ask(t, "GET", base+query)
		if got := ask(t, "GET", base+query+"&dry_run=true"); got.StatusCode != 400 || got.body != want.body {
			t.Errorf("%s: %d %s, without dry_run %d %s", query, got.StatusCode, got.body, want.StatusCode, want.body)
		}
	}
	for _, form := range []string{".csv", ".ndjson", ".jsonstat", ".xlsx", ".parquet", ".sdmx.json", ".sdmx.xml", ".sdmx.csv"} {
		var got struct {
			Size struct {
				Rows, Bytes int
				Exact       bool `json:"bytes_exact"`
			}
		}
		readJSON(t, base+form+"?dry_run=true", &got)
		file := ask(t, "GET", base+form)
		if n := got.Size; n.Exact || n.Rows != 264_000 || math.Abs(float64(n.Bytes-len(file.body))) > .05*float64(len(file.body)) {
			t.Errorf("%s: %+v; the file has %d bytes", form, n, len(file.body))
		}
	}
}

// The length of a long file is estimated from observations of all its parts.
func TestSampleBlocks(t *testing.T) {
	for _, n := range []int{1, 262, 263, 1000} { // blocks
		blocks := func(yield func(*stat.Block, error) bool) {
			for at := range n {
				if !yield(&stat.Block{Periods: make([]int32, at), Value: make([]float64, 1000)}, nil) {
					return
				}
			}
		}
		cells, last := 0, 0
		var gaps []int
		for b := range api.SampleBlocks(blocks, 1000*n, &cells) {
			if at := len(b.Periods); at > last+1 {
				gaps = append(gaps, at)
			}
			last = len(b.Periods)
		}
		isWhole := cells == 1000*n && gaps == nil
		if n <= 262 && !isWhole || n > 262 && cells > api.SampledCells+4000 || n == 1000 && !slices.Equal(gaps, []int{250, 500, 750}) {
			t.Errorf("%d blocks: %d cells, gaps before %v", n, cells, gaps)
		}
	}
}
