package eurostat_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/eurostat"
	"almanac/internal/stattest"
)

// BenchmarkRead reads 1.7 million cells, unpacked beforehand. Judge a change to the reader
// by ns/cell.
func BenchmarkRead(b *testing.B) {
	packed, err := os.ReadFile(filepath.Join(stattest.DataDir(b), "eurostat/tsv-new/estat_nama_10_gdp.tsv.gz"))
	if err != nil {
		b.Fatal(err)
	}
	unpacker, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		b.Fatal(err)
	}
	text, err := io.ReadAll(unpacker)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	cells := 0
	for b.Loop() {
		for table, err := range eurostat.Formats()[0].Read(context.Background(), format.Input{Name: "estat_nama_10_gdp.tsv", Data: bytes.NewReader(text)}) {
			if err != nil {
				b.Fatal(err)
			}
			for _, err := range table.Observations {
				if err != nil {
					b.Fatal(err)
				}
			}
			cells += table.Report.Read
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(cells), "ns/cell")
}
