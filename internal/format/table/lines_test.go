package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stat"
)

// csvRows returns the rows that encoding/csv reads, with white space trimmed, the place of
// each cell, and the place of the error.
func csvRows(text string, sep rune, bareQuotes bool) (rows [][]string, places []stat.Position, bad stat.Position) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = sep, bareQuotes, -1
	for {
		row, err := r.Read()
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			return rows, places, stat.Position{Line: syntax.Line, Column: syntax.Column}
		}
		if err == io.EOF {
			return rows, places, bad
		}
		for i := range row {
			line, column := r.FieldPos(i)
			places = append(places, stat.Position{Line: line, Column: column})
			row[i] = strings.TrimSpace(row[i])
		}
		rows = append(rows, row)
	}
}

// blankAtQuote matches blanks that are accepted at the end of a line, after a cell in
// quotes, and numbers there, and blanks before such a cell.
var blankAtQuote = regexp.MustCompile(`"[ \t0-9]+\r?(\n|$)|(?m:^|[,;]) +"`)

// TestBlanksAtQuotes: a cell in quotes is what they enclose, whatever blanks are around them.
func TestBlanksAtQuotes(t *testing.T) {
	for text, want := range map[string]string{
		"\"Title\" \r\n\"\" \r\na,b\r\n": `[["Title"] [""] ["a" "b"]]`,
		"a,\"b\" \t\n1,2\n":              `[["a" "b"] ["1" "2"]]`,
		" \"01\", \"b, c\", ,x\n":        `[["01" "b, c" "" "x"]]`,
		"\"a, b\" 1 2\r\n1,2\n":          `[["a, b 1 2"] ["1" "2"]]`,
	} {
		var got [][]string
		for row, err := range All(NewTextRows(strings.NewReader(text), ',')) {
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			got = append(got, slices.Clone(row))
		}
		if s := fmt.Sprintf("%q", got); s != want {
			t.Errorf("%q is %s, want %s", text, s, want)
		}
	}
	if _, err := NewTextRows(strings.NewReader("\"a\" x\n"), ',').Next(); err == nil {
		t.Error("text after a cell in quotes is accepted")
	}
}

// FuzzLines: the rows of a text, the places of their cells and of an error are those of
// encoding/csv, unless blanks are beside quotes.
func FuzzLines(f *testing.F) {
	for _, text := range []string{
		"a,b\n1,2\n", "a,b\r\n\r\n 1 ,\"2\"\r\n", "a,\"b\nc\",d\n1,2,3", "a,\"b\"\"c\"\n1,2\n3,\"4\"x\n", "a,b\"c\n", "\"a\",\"b\"\n\"1\",\"\"\n", ",\n\n,,\n",
		"a\rb,c\n\r", "\"", "\"a", "\n\n", "x\n\"y\n\"\nz,w\n\"q\"\"\"\n", "ä,\u00a0b\u00a0\n", strings.Repeat("x", 5000) + ",1\n2,3\n", "a;b\n1;2\n", "0\n\n\"",
	} {
		f.Add(text, false, false)
		f.Add(text, true, true)
	}
	f.Fuzz(func(t *testing.T, text string, semicolon, bareQuotes bool) {
		if strings.IndexByte(text, 0) >= 0 || blankAtQuote.MatchString(text) {
			return // refused before encoding/csv sees it, or refused by it
		}
		sep := ','
		if semicolon {
			sep = ';'
		}
		want, places, bad := csvRows(text, sep, bareQuotes)
		rows := newTextRows(strings.NewReader(text), nil, sep, bareQuotes)
		for i := 0; ; i++ {
			row, err := rows.Next()
			var at *stat.FileError
			if errors.As(err, &at) && at.At != bad || err == io.EOF && (i != len(want) || bad != stat.Position{}) {
				t.Fatalf("%q: row %d: %v; want an error at %v after %d rows", text, i, err, bad, len(want))
			}
			if err == io.EOF {
				rows.At(0) // the last row
			}
			if err != nil {
				return
			}
			if i == len(want) || !slices.Equal(row, want[i]) {
				t.Fatalf("%q: row %d is %q; want %q", text, i, row, want)
			}
			for cell := range row {
				if rows.At(cell) != places[0] {
					t.Fatalf("%q: cell %d of row %d is at %v; want %v", text, cell, i, rows.At(cell), places[0])
				}
				places = places[1:]
			}
		}
	})
}
