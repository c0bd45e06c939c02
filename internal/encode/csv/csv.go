// Package csv writes tables as CSV (RFC 4180, UTF-8, lines end with CR LF): one observation
// per row, with these columns.
//
//	dataset            source and code: eurostat:une_rt_a
//	<id>, <id>_label   code and label of each dimension, in the source's order
//	geo, geo_label     code and label of the area; the ID of the geography in place of geo
//	geo_iso3           ISO 3166-1 alpha-3 of a country, else empty
//	period             as in the data of the interface: Q1/2024
//	period_start, period_end   first and last day
//	value              empty if missing
//	unit, status, note unit, flags (codes separated by a space), text
//	transform          how the value is derived; only if it is
//	version, source, licence   of the dataset
package csv

import (
	"io"
	"math"
	"strconv"
	"strings"

	"almanac/internal/encode"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// chunkSize is the number of bytes that are collected before they are written.
const chunkSize = 64 << 10

// Write writes a table.
func Write(to io.Writer, t *encode.Table, o encode.Options) error {
	w := newWriter(to, t, o)
	w.header()
	for b, err := range t.Extract.Blocks {
		if err != nil {
			return err
		}
		if err := w.block(b); err != nil {
			return err
		}
	}
	return w.flush(0)
}

// writer writes the rows of one table. What is the same in many rows is prepared.
type writer struct {
	*encode.Table
	encode.Options
	to      io.Writer
	buf     []byte
	periods []string // cells of the periods, by position
	key     []byte   // cells of a block before the area
	areas   [][]byte // cells of the areas of a block
	unit    []byte
	end     []byte // the last cells of each row
}

func newWriter(to io.Writer, t *encode.Table, o encode.Options) *writer {
	if o.Separator == 0 {
		o.Separator = ','
	}
	if o.Decimal == 0 {
		o.Decimal = '.'
	}
	w := &writer{Table: t, Options: o, to: to}
	for _, p := range t.Extract.Periods {
		w.periods = append(w.periods, string(w.cells(nil, p.String(), p.Start().Format("2006-01-02"), p.End().Format("2006-01-02"))))
	}
	if t.Transform != "" {
		w.end = w.cells(w.end, t.Transform)
	}
	d := t.Vintage.Dataset
	w.end = append(w.cells(w.end, t.Vintage.Version, d.Source.Name, t.Licence.Name), "\r\n"...)
	return w
}

func (w *writer) header() {
	if w.BOM {
		w.buf = append(w.buf, "\ufeff"...)
	}
	d := w.Vintage.Dataset
	names := []string{"dataset"}
	for _, at := range d.SourceOrder() {
		if at < len(d.Dimensions) {
			names = append(names, w.pair(d.Dimensions[at].ID, d.Dimensions[at].ID+"_label")...)
		}
	}
	names = append(append(names, w.pair(d.Geography.ID, d.Geography.ID+"_label")...), "geo_iso3", "period", "period_start", "period_end", "value", "unit", "status", "note")
	if w.Transform != "" {
		names = append(names, "transform")
	}
	names = append(names, "version", "source", "licence")
	w.buf = append(w.buf, w.cells(nil, names...)[1:]...)
	w.buf = append(w.buf, "\r\n"...)
}

// pair returns the code, the label or both.
func (w *writer) pair(code, label string) []string {
	switch w.Labels {
	case encode.LabelsCode:
		return []string{code}
	case encode.LabelsOnly:
		return []string{label}
	}
	return []string{code, label}
}

func (w *writer) block(b *stat.Block) error {
	d := w.Vintage.Dataset
	w.key = w.cells(w.key[:0], w.Reference())
	for i, code := range b.Key {
		c := &d.Dimensions[i].Codes[code]
		w.key = w.cells(w.key, w.pair(c.ID, c.Label)...)
	}
	w.areas = w.areas[:0]
	for _, area := range b.Areas {
		c := &d.Geography.Codes[area]
		w.areas = append(w.areas, w.cells(w.cells(nil, w.pair(c.ID, c.Label)...), geo.AreaOf(d.Source.ID, c.ID, c.Area).Alpha3))
	}
	w.unit = w.cells(w.unit[:0], d.UnitOf(b.Key, b.Unit))
	for row, at := range b.Periods {
		for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
			w.buf = append(append(w.buf, w.key[1:]...), w.areas[b.Area[i]]...)
			w.buf = append(w.buf, w.periods[at]...)
			w.number(b.Value[i])
			w.buf = append(w.buf, w.unit...)
			w.buf = w.cells(w.buf, strings.Join(b.Flags[i].List(), " "), b.Note[i])
			w.buf = append(w.buf, w.end...)
		}
		if err := w.flush(chunkSize); err != nil {
			return err
		}
	}
	return nil
}

// number appends the cell of a value.
func (w *writer) number(v float64) {
	w.buf = append(w.buf, w.Separator)
	if math.IsNaN(v) {
		return
	}
	start := len(w.buf)
	w.buf = strconv.AppendFloat(w.buf, v, 'f', -1, 64)
	if w.Decimal != '.' {
		for i, c := range w.buf[start:] {
			if c == '.' {
				w.buf[start+i] = w.Decimal
			}
		}
	}
}

// cells appends cells, each after a separator.
func (w *writer) cells(buf []byte, texts ...string) []byte {
	for _, text := range texts {
		buf = append(buf, w.Separator)
		if !strings.ContainsAny(text, "\"\r\n"+string(w.Separator)) {
			buf = append(buf, text...)
			continue
		}
		buf = append(append(append(buf, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
	}
	return buf
}

// flush writes the buffer if it has more bytes than a chunk.
func (w *writer) flush(chunk int) error {
	if len(w.buf) <= chunk {
		return nil
	}
	_, err := w.to.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}
