package aligned_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/format"
	"almanac/internal/format/aligned"
	"almanac/internal/format/table"
	"almanac/internal/stat"
	"almanac/internal/stattest/property"
)

func read(text string) (rows [][]string, err error) {
	in := format.Input{Name: "f.txt", Again: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	file, err := aligned.Open(in, &stat.Report{})
	if err != nil {
		return nil, err
	}
	from, err := file.Rows()
	if err != nil {
		return nil, err
	}
	defer from.Close()
	for row, err := range table.All(from) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, append([]string(nil), row...))
	}
	return rows, nil
}

// TestRandom reads tables of random numbers that are written with blanks between them.
func TestRandom(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(2, 9).Draw(t, "columns")
		var want [][]string
		for i := range rapid.IntRange(6, 30).Draw(t, "rows") {
			row := []string{fmt.Sprint(1990 + i)}
			for range columns {
				row = append(row, fmt.Sprintf("%.1f", float64(rapid.IntRange(-9999, 9999).Draw(t, "n"))/10))
			}
			want = append(want, row)
		}
		var text bytes.Buffer
		headings := []string{"Year"}
		for i := range columns {
			headings = append(headings, fmt.Sprintf("Col%c", 'A'+i))
		}
		for _, row := range append([][]string{headings}, want...) {
			for _, cell := range row {
				fmt.Fprintf(&text, "%8s", cell)
			}
			text.WriteByte('\n')
		}
		if !aligned.Recognise(text.Bytes()) {
			t.Fatalf("not recognised:\n%s", text.String())
		}
		got, err := read(text.String())
		if err != nil || fmt.Sprint(got) != fmt.Sprint(append([][]string{headings}, want...)) {
			t.Fatalf("%s\nis read as %v, %v", text.String(), got, err)
		}
	})
}

// FuzzRows reads any text without a panic, and no cell with a blank beside a number.
func FuzzRows(f *testing.F) {
	f.Add(" Y  A\n 1  2\n 2  3\n 3  4\n 4  5\n 5\n")
	f.Add("# a  b\n1 2\n2 3*\n3 4 x\n4 5\n5 6\n 7")
	f.Fuzz(func(t *testing.T, text string) {
		if aligned.Recognise([]byte(text)) {
			_, _ = read(text)
		}
	})
}
