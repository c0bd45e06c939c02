package text

import (
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/stat"
	"almanac/internal/stattest/property"
)

// TestStyleOfDots: the dots of missing values do not decide the style.
func TestStyleOfDots(t *testing.T) {
	f := StyleFinder{}
	for _, cell := range []string{"..", "...", ".", "1.5", "-", "'", " , "} {
		f.See([]byte(cell))
	}
	if s, err := f.Style(""); err != nil || s != (Style{Decimal: '.'}) {
		t.Errorf("the style is %q, error %v", s, err)
	}
}

// TestStyleRefusals: an ambiguous style is refused with the position of the cell.
func TestStyleRefusals(t *testing.T) {
	for _, c := range []struct {
		cells   []string // those of one column, from line 1
		message string
		line    int
	}{
		{[]string{"7", "1.25", "8", "1,5"}, `"1.25" (line 2) needs a decimal point and "1,5" (line 4) a decimal comma: state which one the file has`, 4},
		{[]string{"1,5", "1.25", "1.5"}, `"1.25" (line 2) needs a decimal point and "1,5" (line 1) a decimal comma: state which one the file has`, 2},
		{[]string{"7", "1.234", "5.678"}, `"1.234" may have a decimal point or a point between thousands, and no other number tells which: state the decimal sign`, 2},
		{[]string{"1 234,5", "12.345"}, `"12.345" (line 2) needs a decimal point and "1234,5" (line 1) a decimal comma: state which one the file has`, 2},
		{[]string{"7", "1,234", "5,678"}, `"1,234" may have a decimal comma or a comma between thousands, and no other number tells which: state the decimal sign`, 2},
	} {
		f := StyleFinder{}
		for i, cell := range c.cells {
			f.At = stat.Position{Line: i + 1, Column: 3}
			f.See([]byte(cell))
		}
		_, err := f.Style("")
		var at *stat.FileError
		if !errors.As(err, &at) || at.Message != c.message || at.At.Line != c.line || at.At.Column != 3 {
			t.Errorf("%q: the error is %v", c.cells, err)
		}
	}
}

// TestStyleIsTheFiles: one style holds for the whole file, and a cell in another one is
// not read.
func TestStyleIsTheFiles(t *testing.T) {
	const none = -1
	for _, c := range []struct {
		stated string
		cells  []string
		want   []float64
	}{
		{"", []string{"12.345", "2,5"}, []float64{12345, 2.5}},
		{"", []string{"1.234,5", "1.234"}, []float64{1234.5, 1234}},
		{"", []string{"1,234.5", "1,234"}, []float64{1234.5, 1234}},
		{"", []string{"1.25", "1,234"}, []float64{1.25, 1234}},
		{"", []string{"0.123", "1.234"}, []float64{0.123, 1.234}},
		{"", []string{"1234.567", "1.234"}, []float64{1234.567, 1.234}},
		{"", []string{"1 234", "5.678"}, []float64{1234, 5.678}},
		{"", []string{"1'234.5", "1.234"}, []float64{1234.5, 1.234}},
		{",", []string{"1.500", "2,5"}, []float64{1500, 2.5}},
		{",", []string{"1.50"}, []float64{none}},
		{".", []string{"1.500", "2,5"}, []float64{1.5, none}},
		{"", []string{"1.059.641", "83.167"}, []float64{1059641, 83167}},
		{"", []string{"12", "7"}, []float64{12, 7}},
	} {
		f := StyleFinder{}
		for _, cell := range c.cells {
			f.See([]byte(cell))
		}
		s, err := f.Style(c.stated)
		if err != nil {
			t.Errorf("%q, stated %q: %v", c.cells, c.stated, err)
			continue
		}
		for i, cell := range c.cells {
			value, _, ok := s.Number([]byte(cell))
			if !ok {
				value = none
			}
			if value != c.want[i] {
				t.Errorf("%q, stated %q: %q is %v, want %v", c.cells, c.stated, cell, value, c.want[i])
			}
		}
	}
}

// TestPlainNumbersAreSeen: the cells that See passes over would not change the style.
func TestPlainNumbersAreSeen(t *testing.T) {
	cell := rapid.StringOfN(rapid.RuneFrom([]rune("0123456789.,- ")), 0, 7, -1)
	property.Check(t, func(t *rapid.T) {
		var quick, whole StyleFinder
		for i, c := range rapid.SliceOf(cell).Draw(t, "cells") {
			quick.At, whole.At = stat.Position{Line: i}, stat.Position{Line: i}
			quick.See([]byte(c))
			whole.see([]byte(c))
		}
		if quick.At = whole.At; !reflect.DeepEqual(quick, whole) {
			t.Errorf("See found %+v, see %+v", quick, whole)
		}
	})
}
