package records_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/records"
	"almanac/internal/stat"
)

// TestLongInnerList: the rows of a record with a long list come before its end is read. A
// field that follows the list would be missing in them, so it is refused.
func TestLongInnerList(t *testing.T) {
	const long = 250_000
	for _, c := range []struct {
		before, after string
		rows          int
		want          string // the last row, or the error
	}{
		{`"geo":"DE",`, ``, 10, "DE 9"},
		{``, `,"geo":"DE"`, 10, "9 DE"},
		{`"geo":"DE",`, ``, long, "DE 249999"},
		{`"geo":"DE",`, `,"obs":[{"year":7}]`, long, "DE  7"},
		{``, `,"geo":"DE"`, long, `the record has the field "geo" after a list of more than 100000 records: put it before the list`},
	} {
		var b strings.Builder
		b.WriteString(`[{` + c.before + `"data":[`)
		for i := range c.rows {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"year":%d}`, i)
		}
		b.WriteString("]" + c.after + "}]")
		got, n, err := lastRow(b.String())
		if err != nil {
			got = err.Error()
		}
		if !strings.HasSuffix(got, c.want) || err == nil && n < c.rows {
			t.Errorf("%d rows, %s before and %s after the list: %d rows, the last is %q, want %q", c.rows, c.before, c.after, n, got, c.want)
		}
	}
}

// lastRow returns the last of all rows.
func lastRow(content string) (last string, n int, err error) {
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }
	f, err := records.Open(format.Input{Again: open}, &stat.Report{})
	if err != nil {
		return "", 0, err
	}
	rows, err := f.Rows()
	if err != nil {
		return "", 0, err
	}
	defer rows.Close()
	for n = -1; ; n++ { // the first row holds the names
		row, err := rows.Next()
		if err == io.EOF {
			return last, n, nil
		}
		if err != nil {
			return "", n, err
		}
		last = strings.Join(row, " ")
	}
}
