package px_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/px"
)

// bigTable is a table of rows × 100 cells with a remark on every row.
func bigTable(rows int) []byte {
	var b bytes.Buffer
	b.WriteString("CHARSET=\"ANSI\";\nMATRIX=\"BIG\";\nSOURCE=\"Statistics Sweden\";\nSTUB=\"row\";\nHEADING=\"year\";\nVALUES(\"row\")=")
	quoted := func(from, n int) string {
		var texts []string
		for i := range n {
			texts = append(texts, fmt.Sprintf("%q", fmt.Sprint(from+i)))
		}
		return strings.Join(texts, ",\n") + ";\n"
	}
	b.WriteString(quoted(100_000, rows))
	fmt.Fprintf(&b, "VALUES(\"year\")=%sTIMEVAL(\"year\")=TLIST(A1),%s", quoted(1901, 100), quoted(1901, 100))
	for i := range rows {
		fmt.Fprintf(&b, "DATANOTECELL(\"%d\",\"1950\")=\"*\";\n", 100_000+i)
	}
	b.WriteString("DATA=\n")
	for i := range rows {
		for j := range 100 {
			if (i+j)%10 == 0 {
				b.WriteString("\"..\" ")
				continue
			}
			fmt.Fprintf(&b, "%d.%d ", i*7+j, j)
		}
		b.WriteByte('\n')
	}
	b.WriteString(";\n")
	return b.Bytes()
}

// readAll reads a table and returns its number of cells.
func readAll(t testing.TB, data []byte) int {
	in := format.Input{Name: "big.px", Data: bytes.NewReader(data)}
	in.Again = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	read := 0
	for table, err := range px.Formats()[0].Read(t.Context(), in) {
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range table.Observations {
			if err != nil {
				t.Fatal(err)
			}
		}
		read = table.Report.Read
	}
	return read
}

// BenchmarkMillion reads a million cells.
func BenchmarkMillion(b *testing.B) {
	data := bigTable(10_000)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if n := readAll(b, data); n != 1_000_000 {
			b.Fatal(n)
		}
	}
}

// TestCellsCostNoMemory: memory grows with the values of the variables, not with the
// cells.
func TestCellsCostNoMemory(t *testing.T) {
	few, many := bigTable(100), bigTable(200)
	perRow := (testing.AllocsPerRun(5, func() { readAll(t, many) }) - testing.AllocsPerRun(5, func() { readAll(t, few) })) / 100
	if perRow > 20 {
		t.Errorf("a row of 100 cells takes %v allocations", perRow)
	}
}
