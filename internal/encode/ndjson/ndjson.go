// Package ndjson writes a table as one JSON object a line, each an observation. All have the
// same members, in the same order: those of the columns of package tidy. What is missing is null; flags are
// an array.
package ndjson

import (
	"io"
	"math"

	"almanac/internal/encode"
	"almanac/internal/encode/json"
	"almanac/internal/encode/tidy"
	"almanac/internal/stat"
)

// Write writes a table.
func Write(w io.Writer, t *encode.Table, o encode.Options) error {
	rows := tidy.Rows{Texts: tidy.NewTexts(t, o, &members{})}
	return rows.Write(w, nil, "{", "}\n")
}

// members writes the members of objects.
type members struct {
	numbers json.Numbers
	column  string // the column of the last number
	name    []byte // its name and a colon
}

func (m *members) AppendText(buf []byte, c tidy.Column, text string) []byte {
	buf = append(json.AppendString(buf, c.Name), ':')
	switch {
	case c.Kind == tidy.Flags:
		buf = json.AppendTexts(buf, stat.Flags(text).List())
	case text == "":
		buf = append(buf, "null"...)
	default:
		buf = json.AppendString(buf, text)
	}
	return append(buf, ',')
}

func (m *members) AppendNumber(buf []byte, c tidy.Column, v float64, d stat.Decimals) []byte {
	if m.name == nil || m.column != c.Name {
		m.column, m.name = c.Name, append(json.AppendString(nil, c.Name), ':')
	}
	buf = append(buf, m.name...)
	if math.IsNaN(v) {
		return append(buf, "null,"...)
	}
	return append(m.numbers.AppendOf(buf, v, d), ',')
}
