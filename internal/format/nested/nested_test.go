package nested_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/nested"
	"almanac/internal/stat"
)

func rowsOf(t *testing.T, data []byte) (rows [][]string, err error) {
	t.Helper()
	again := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	file, err := nested.Open(format.Input{Again: again}, &stat.Report{})
	if err != nil {
		return nil, err
	}
	r := file.Rows()
	for {
		row, err := r.Next()
		if err != nil {
			return rows, nil
		}
		rows = append(rows, slices.Clone(row))
		for i := range row {
			if at := r.At(i); at.Line < 1 || at.Line > 1+bytes.Count(data, []byte("\n")) {
				t.Errorf("the cell %q is in line %d", row[i], at.Line)
			}
		}
	}
}

// TestRows compares the rows of values nested in several ways.
func TestRows(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"records in records":       {`{"s":[{"id":1,"o":[{"t":2020,"v":1},{"t":2021,"v":2}]},{"id":2,"o":[{"t":2020,"v":3}]}]}`, "id,t,v 1,2020,1 1,2021,2 2,2020,3"},
		"fields of one name":       {`[{"id":1,"in":[{"id":2,"v":3}]}]`, "id,in.id,v 1,2,3"},
		"names that are periods":   {`[{"id":1,"s":{"2020":5,"2021":null}}]`, "id,period,value 1,2020,5 1,2021,"},
		"names that are numbers":   {`[{"id":1,"s":{"12020":5}}]`, "id,12020 1,5"},
		"lists beside one another": {`[{"id":1,"t":[2020,2021],"v":[1,null]}]`, "id,t,v 1,2020,1 1,2021,"},
		"one element and several":  {`<a d="x"><b c="1">2</b><b c="3">4</b></a>`, "d,c,b x,1,2 x,3,4"},
		"elements with text alone": {`<a><r><t>2020</t><v>1</v></r><r><t>2021</t></r></a>`, "t,v 2020,1 2021,"},
		"an element with a long text": {`<a><r><t>All items excluding energy, food, alcohol and tobacco, seasonally adjusted</t></r><r><t>b</t></r></a>`,
			"t All items excluding energy, food, alcohol and tobacco, seasonally adjusted b"},
		"lists of one kind":       {`{"a":[{"x":1}],"b":[{"x":2}]}`, "the file has several lists of records of one kind"},
		"no list":                 {`{"a":{"b":1}}`, "the file has no list of records, only the fields a"},
		"elements without an end": {`<a><b>`, "invalid XML"},
	} {
		rows, err := rowsOf(t, []byte(c.file))
		var texts []string
		for _, row := range rows {
			texts = append(texts, strings.Join(row, ","))
		}
		if got := strings.Join(texts, " "); err == nil && got != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(`{"s":[{"id":1,"o":[{"t":2020,"v":1}]}],"t":{"2020":[1,2],"2021":[3]}}`))
	f.Add([]byte(`<a d="x"><b c="1">2</b><b>4</b><e/></a>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, _ := rowsOf(t, data)
		for _, row := range rows {
			if len(row) != len(rows[0]) {
				t.Errorf("a row has %d cells, the first %d", len(row), len(rows[0]))
			}
		}
	})
}
