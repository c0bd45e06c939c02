// Package plaintest replays servers of files for tests.
package plaintest

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"

	"almanac/internal/source/replay"
)

// New replays servers that only serve files: the ECB's reference rates, Our World in
// Data, the UN's population prospects.
func New(dir string) *replay.Files {
	f := replay.NewFiles(nil)
	if text, err := os.ReadFile(filepath.Join(dir, "ecb", "eurofxref-hist.csv")); err == nil {
		f.SetBody("/stats/eurofxref/eurofxref-hist.zip", string(zipped("eurofxref-hist.csv", text)))
	}
	chart := "/grapher/co2-emissions-per-capita.csv"
	f.Set(chart, filepath.Join(dir, "owid", "co2-emissions-per-capita.csv"))
	f.Header(chart, "Content-Disposition", `attachment; filename="co2-emissions-per-capita.csv"`)
	if text, err := os.ReadFile(filepath.Join(dir, "un", "WPP2019_Period_Indicators_Medium.csv")); err == nil {
		f.SetBody("/wpp/assets/Excel Files/1_Indicator (Standard)/CSV_FILES/WPP2019_Period_Indicators_Medium.csv.gz", string(replay.Gzip(text)))
	}
	return f
}

// zipped returns a zip archive with one member.
func zipped(name string, text []byte) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	if member, err := w.Create(name); err == nil {
		_, _ = member.Write(text) // writing to a buffer does not fail
	}
	_ = w.Close()
	return out.Bytes()
}
