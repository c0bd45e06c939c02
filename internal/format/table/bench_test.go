package table_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// BenchmarkRead reads a long table of 200,000 rows, whose style of numbers is
// stated or must be found first.
func BenchmarkRead(b *testing.B) {
	var content bytes.Buffer
	content.WriteString("geo,Country,sex,Year,Value,Flag\n")
	for i := range 200_000 {
		fmt.Fprintf(&content, "C%d,Country number %d,%c,%d,%d.%d,%s\n", i%250, i%250, "FMT"[i%3], 1950+i/750%80, i*7919%100_000, i%10, []string{"", "P", ""}[i%3])
	}
	for _, bench := range []struct {
		name    string
		numbers text.Style
	}{{"style known", text.Style{Decimal: '.'}}, {"style found", text.Style{}}} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(content.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if n := readAll(b, content.Bytes(), bench.numbers); n != 200_000 {
					b.Fatalf("%d observations", n)
				}
			}
		})
	}
}

func readAll(b *testing.B, text []byte, numbers text.Style) (n int) {
	in := format.Input{Name: "bench.csv", Again: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}
	m := table.Mapping{
		Dataset: stat.Dataset{Source: office.Find("fao")}, Numbers: numbers,
		Axes:   []table.Axis{{Codes: "geo", Labels: "Country"}, {Codes: "sex"}},
		Period: table.Period{Columns: []string{"Year"}},
		Values: []table.Value{{Column: "Value"}},
		Flags:  []table.Flag{{Column: "Flag"}},
	}
	for t, err := range table.ReadBy(context.Background(), in, func([]byte) (table.Mapping, error) { return m, nil }) {
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range t.Observations {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
	}
	return n
}
