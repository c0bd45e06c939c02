package parquet_test

import (
	"bytes"
	_ "embed"
	"errors"
	"io"
	"strings"
	"testing"

	"almanac/internal/format/parquet"
	"almanac/internal/stat"
)

// Files written by pyarrow 26.
var (
	//go:embed testdata/types.parquet
	types []byte
	//go:embed testdata/old.parquet
	old []byte
	//go:embed testdata/lists.parquet
	lists []byte
)

func TestTypes(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"all types, two groups of rows", types, `geo|time|value|single|amount|stamp|big|place.x
DE|2020-01-01|0.1|0.1|1.50|2020-01-31|9223372036854775808|1
FR|2021-01-01||2.5|-0.05|2020-02-29T12:30:00|1|2
AT|2022-01-01|1234567.5||1234.00||0|3
`},
		{"an older version, compressed", old, "geo|time|value\nDE|2020-01-01|0.1\nFR|2021-01-01|\nAT|2022-01-01|1234567.5\n"},
	} {
		got, err := read(c.data)
		if err != nil || got != c.want {
			t.Errorf("%s: the rows are\n%s\nerror %v; want\n%s", c.name, got, err, c.want)
		}
	}
	if _, err := read(lists); err == nil || !strings.Contains(err.Error(), `the column "a.list.element" holds lists`) {
		t.Errorf("lists: error %v", err)
	}
}

func read(data []byte) (string, error) {
	f, err := parquet.Open(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	rows := f.Rows()
	defer rows.Close()
	var b strings.Builder
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		b.WriteString(strings.Join(row, "|") + "\n")
	}
}

// FuzzRead checks that damaged files end with an error of a file.
func FuzzRead(f *testing.F) {
	f.Add(types, 100, byte(7))
	f.Add(old, 40, byte(0xFF))
	f.Fuzz(func(t *testing.T, data []byte, at int, change byte) {
		data = bytes.Clone(data)
		if at >= 0 && at < len(data) {
			data[at] = change
		}
		var known *stat.FileError
		if _, err := read(data); err != nil && !errors.As(err, &known) {
			t.Errorf("error %v is not one of a file", err)
		}
	})
}
