package table_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/table"
)

// TestFirstRows checks that rows are read leniently, in any encoding, and within the
// limits.
func TestFirstRows(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       [][]string
	}{
		{"byte order mark and spaces", "\ufeffa, b ,c\r\n1,2,3\n4", [][]string{{"a", "b", "c"}, {"1", "2", "3"}}},
		{"blank lines", "\n\na,b\n", nil},
		{"UTF-16", "\xff\xfea\x00,\x00b\x00\n\x001\x00", [][]string{{"a", "b"}, {"1"}}},
		{"quotes where none may be", "a \"b\",c\n", [][]string{{"a \"b\"", "c"}}},
		{"a quote that is not closed", "a,\"b\nc,d\ne", [][]string{{"a", "b\nc,d"}}},
		{"too many columns", "a\n" + strings.Repeat(",", table.MaxColumns), [][]string{{"a"}}},
		{"nothing", "", nil},
	} {
		if got := table.FirstRows([]byte(c.head), ',', 2); !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: the rows are %q, want %q", c.name, got, c.want)
		}
	}
}

// TestReadBy checks that a mapping gets the first lines in UTF-8.
func TestReadBy(t *testing.T) {
	in := format.Input{Again: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader([]byte("bev\xf6lkerung,\xe5r\nx,1\n"))), nil
	}}
	var rows [][]string
	for range table.ReadBy(t.Context(), in, func(head []byte) (table.Mapping, error) {
		rows = table.FirstRows(head, ',', 1)
		return table.Mapping{}, nil
	}) {
	}
	if len(rows) != 1 || !slices.Equal(rows[0], []string{"bevölkerung", "år"}) {
		t.Errorf("the rows are %q", rows)
	}
	if !table.HasHeadings(rows, "ÅR", "BEVÖLKERUNG") || table.HasHeadings(rows, "år", "month") {
		t.Error("HasHeadings does not find the headings, or finds others")
	}
}
