package xlsx

import (
	"io"
	"strings"
	"testing"

	"almanac/internal/encode"
	"almanac/internal/encode/tidy"
	"almanac/internal/stat"
	"almanac/internal/store"
)

func TestSerialDay(t *testing.T) {
	for _, c := range []struct {
		day  string
		want int64 // 0: it has none
	}{
		{"1900-02-28", 0}, {"1900-03-01", 61}, {"1969-12-31", 25568}, {"1970-01-01", 25569}, {"2024-12-31", 45657}, {"0001-01-01", 0}, {"2024", 0},
	} {
		if got, ok := serialDay(c.day); ok != (c.want != 0) || ok && got != c.want {
			t.Errorf("%s is day %d, %t; want %d", c.day, got, ok, c.want)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"markup", `<a href="x">R&D</a>`, "&lt;a href=&quot;x&quot;&gt;R&amp;D&lt;/a&gt;"},
		{"a formula stays text", "=1+1", "=1+1"},
		{"control characters", "a\x07\r\nb", "a_x0007__x000D_\nb"},
		{"what looks like an escape", "_x0041_ and _x00", "_x005F_x0041_ and _x00"},
		{"Arabic", "السكان", "السكان"},
		{"no UTF-8", "a\xffb", "a\ufffdb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(appendText(nil, c.text)); got != c.want {
				t.Errorf("%q is written %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestColumnNames(t *testing.T) {
	for n, want := range map[int]string{1: "A", 26: "Z", 27: "AA", 702: "ZZ", 703: "AAA", maxColumns: "XFD"} {
		if got := columnName(n); got != want {
			t.Errorf("column %d is %s, want %s", n, got, want)
		}
	}
}

// TestBounds checks that a table that does not fit is refused with the bound and a form without it.
func TestBounds(t *testing.T) {
	table := &encode.Table{Vintage: &store.Vintage{Dataset: &stat.Dataset{}}}
	for _, c := range []struct {
		name  string
		s     survey
		bound string // empty: it fits
	}{
		{"all rows of a sheet", survey{rows: maxRows - 1}, ""},
		{"a row too many", survey{rows: maxRows}, "1048576 rows"},
		{"the longest text", survey{longest: maxCharacters}, ""},
		{"a longer text", survey{longest: maxCharacters + 1}, "32767 characters"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.s.check(table, encode.Options{})
			if c.bound == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if stat.KindOf(err) != stat.Invalid || !strings.Contains(err.Error(), c.bound) || !strings.Contains(err.Error(), "data.csv") {
				t.Errorf("the error is %v, want the bound %s", err, c.bound)
			}
		})
	}
}

// What the rows of a wide table are about stays in view, unless it would fill the window.
func TestPane(t *testing.T) {
	columns := []tidy.Column{{Name: "dataset"}, {Name: "country_label"}, {Name: "unit"}, {Name: "2020", Kind: tidy.Number}}
	for _, c := range []struct {
		head, width int
		want        string
	}{
		{2, 20, `xSplit="2" ySplit="1" topLeftCell="C2"`},
		{3, 90, `<pane ySplit="1" topLeftCell="A2"`},
		{0, 20, `<pane ySplit="1" topLeftCell="A2"`},
	} {
		s := &dataSheet{workbook: newWorkbook(io.Discard), columns: columns, head: c.head}
		for _, column := range columns {
			s.cells.widths[column.Name] = c.width
		}
		if got := s.pane(); !strings.Contains(got, c.want) {
			t.Errorf("%d columns of %d characters: %s, want %s", c.head, c.width, got, c.want)
		}
	}
}
