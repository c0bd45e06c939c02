package workbook

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// lines are the rows of a sheet of a test.
type lines struct {
	Line
	left int
}

func (l *lines) Next() ([]string, error) {
	if l.left--; l.left < 0 {
		return nil, io.EOF
	}
	l.Begin(l.Row + 2)
	l.Set(0, Cell{fmt.Sprint("row ", l.Row), Text})
	l.Set(1, Cell{fmt.Sprint(l.Row), Kind(l.Row / 2 % 4)})
	return l.Cells(), nil
}

func (l *lines) Merged() ([]Span, error) { return nil, nil }
func (l *lines) Close() error            { return nil }

// TestKeep: rows are the same whether all, some or none of them are kept, and for readers
// that take turns.
func TestKeep(t *testing.T) {
	read := func(rows Rows, most int) string {
		var b strings.Builder
		for range most {
			cells, err := rows.Next()
			if err != nil {
				fmt.Fprintln(&b, err)
				break
			}
			fmt.Fprintf(&b, "%v %q %t %q\n", rows.At(1), cells, rows.IsNumber(1), rows.ShownAs(1))
		}
		return b.String()
	}
	open := func() (Rows, error) { return &lines{left: 9}, nil }
	source, _ := open()
	want := read(source, 20)
	for _, left := range []int{0, 1, 40, maxRowsKept} {
		b := &Book{Sheets: []Sheet{{Rows: open}}}
		b.keep(left)
		first, err := b.Sheets[0].Rows()
		if err != nil {
			t.Fatal(err)
		}
		second, err := b.Sheets[0].Rows()
		if err != nil {
			t.Fatal(err)
		}
		begin := read(first, 4)
		if got := read(second, 20); got != want {
			t.Errorf("%d bytes kept: the second reader reads\n%swant\n%s", left, got, want)
		}
		if got := begin + read(first, 20); got != want {
			t.Errorf("%d bytes kept: the first reader reads\n%swant\n%s", left, got, want)
		}
	}
}
