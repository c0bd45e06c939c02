package api_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

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
	file := ask(t, "GET", base+".csv?country=DE&dry_run=true")
	if file.StatusCode != 200 || file.Header.Get("Content-Type") != "application/json" || !strings.Contains(file.body, `"size":{`) || file.Header.Get("Content-Disposition") != "inline" {
		t.Errorf("a file: %d %s", file.StatusCode, file.body)
	}
}
