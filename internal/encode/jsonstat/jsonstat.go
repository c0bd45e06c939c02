// Package jsonstat writes a table as a dataset of JSON-stat 2.0 (json-stat.org/format). Its
// dimensions are those of the dataset in the source's order, then the time. Categories are the codes
// that occur. Values are an array, or an object if most cells are empty; flags are the status,
// separated by spaces. What the format has no member for is in its extension.
package jsonstat

import (
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"almanac/internal/encode"
	"almanac/internal/encode/grid"
	"almanac/internal/encode/json"
	"almanac/internal/encode/tidy"
	"almanac/internal/stat"
)

// Write writes a table. The error is [stat.Invalid] if it is too large for this form; nothing
// is then written.
func Write(w io.Writer, t *encode.Table, _ encode.Options) error {
	g, err := grid.Read(t, "JSON-stat")
	if err != nil {
		return err
	}
	c, err := newCube(t, g)
	if err != nil {
		return err
	}
	out := &writer{cube: c}
	out.Send = func() error {
		_, err := w.Write(out.Buf)
		out.Buf = out.Buf[:0]
		return err
	}
	if err := out.write(); err != nil {
		return err
	}
	return out.Send()
}

// writer writes a cube.
type writer struct {
	*cube
	json.Writer
	numbers json.Numbers
}

func (w *writer) write() error {
	t, d := w.table, w.table.Vintage.Dataset
	w.Buf = append(w.Buf, `{"version":"2.0","class":"dataset"`...)
	w.Buf = json.AppendText(w.Buf, "href", t.Address)
	w.Buf = json.AppendText(w.Buf, "label", d.Name)
	w.Buf = json.AppendText(w.Buf, "source", d.Source.Name)
	if t.HasUpdateTime() {
		w.Buf = json.AppendText(w.Buf, "updated", t.Vintage.LastUpdate.Format(time.RFC3339))
	}
	if d.Description != "" {
		w.Buf = json.AppendTexts(json.AppendName(w.Buf, "note"), []string{d.Description})
	}
	if t.Licence.URL != "" {
		w.Buf = json.AppendText(append(json.AppendName(w.Buf, "link"), `{"license":[{"type":"text/html"`...), "href", t.Licence.URL)
		w.Buf = append(w.Buf, "}]}"...)
	}
	if err := w.writeAxes(); err != nil {
		return err
	}
	if err := w.writeValues(); err != nil {
		return err
	}
	if err := w.writeStatus(); err != nil {
		return err
	}
	if err := w.writeExtension(); err != nil {
		return err
	}
	w.Buf = append(w.Buf, "}\n"...)
	return nil
}

// writeAxes writes the dimensions with their roles and categories.
func (w *writer) writeAxes() error {
	roles := map[string][]string{}
	var ids []string
	for _, a := range w.axes {
		ids = append(ids, a.id)
		if a.role != "" {
			roles[a.role] = append(roles[a.role], a.id)
		}
	}
	w.Buf = json.AppendTexts(json.AppendName(w.Buf, "id"), ids)
	w.Buf = append(json.AppendName(w.Buf, "size"), '[')
	for _, a := range w.axes {
		w.Buf = strconv.AppendInt(json.AppendComma(w.Buf), int64(len(a.codes)), 10)
	}
	w.Buf = append(json.AppendName(append(w.Buf, ']'), "role"), '{')
	for _, role := range slices.Sorted(maps.Keys(roles)) {
		w.Buf = json.AppendTexts(json.AppendName(w.Buf, role), roles[role])
	}
	w.Buf = append(json.AppendName(append(w.Buf, '}'), "dimension"), '{')
	for _, a := range w.axes {
		w.Buf = append(json.AppendString(json.AppendComma(w.Buf), a.id), ":{"...)
		w.Buf = json.AppendText(w.Buf, "label", a.label)
		w.Buf = append(json.AppendName(w.Buf, "category"), `{"index":[`...)
		if err := w.writeCodes(a, func(c code) { w.Buf = json.AppendString(w.Buf, c.id) }); err != nil {
			return err
		}
		w.Buf = append(w.Buf, `],"label":{`...)
		if err := w.writeCodes(a, func(c code) { w.Buf = json.AppendString(w.appendMember(c), c.label) }); err != nil {
			return err
		}
		w.Buf = append(w.Buf, '}')
		if a.hasUnits {
			w.Buf = append(w.Buf, `,"unit":{`...)
			if err := w.writeCodes(a, func(c code) { w.Buf = append(json.AppendText(append(w.appendMember(c), '{'), "label", c.unit), '}') }); err != nil {
				return err
			}
			w.Buf = append(w.Buf, '}')
		}
		w.Buf = append(w.Buf, '}')
		if a.hasAreas {
			w.Buf = append(json.AppendName(w.Buf, "extension"), `{"iso":{`...)
			if err := w.writeCodes(a, func(c code) { w.Buf = json.AppendString(w.appendMember(c), c.area) }); err != nil {
				return err
			}
			w.Buf = append(w.Buf, '}', '}')
		}
		w.Buf = append(w.Buf, '}')
	}
	w.Buf = append(w.Buf, '}')
	return nil
}

// writeCodes calls a function for each code of an axis, with commas between.
func (w *writer) writeCodes(a *axis, write func(c code)) error {
	for i, c := range a.codes {
		w.separate(i > 0)
		write(c)
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// appendMember appends the name of the member of a code.
func (w *writer) appendMember(c code) []byte { return append(json.AppendString(w.Buf, c.id), ':') }

// separate appends a comma unless what follows is the first of a list. The buffer does not
// tell, since it may just have been sent.
func (w *writer) separate(hasPrevious bool) {
	if hasPrevious {
		w.Buf = append(w.Buf, ',')
	}
}

// writeValues writes the values: an object of those that are not missing, if these are less
// than half of the cells.
func (w *writer) writeValues() error {
	w.Buf = json.AppendName(w.Buf, "value")
	if w.size > 0 && 2*w.grid.Observations >= w.size {
		return w.writeArray()
	}
	w.Buf = append(w.Buf, '{')
	isBegun := false
	err := w.eachCell(func(b *stat.Block, i int32, at int) error {
		if v := tidy.Finite(b.Value[i]); !math.IsNaN(v) {
			w.separate(isBegun)
			w.Buf, isBegun = w.numbers.Append(w.appendPosition(at), v), true
		}
		return w.Flush()
	})
	w.Buf = append(w.Buf, '}')
	return err
}

func (w *writer) writeArray() error {
	values := slices.Repeat([]float64{math.NaN()}, w.size)
	_ = w.eachCell(func(b *stat.Block, i int32, at int) error {
		values[at] = tidy.Finite(b.Value[i])
		return nil
	})
	w.Buf = append(w.Buf, '[')
	for i, v := range values {
		if w.separate(i > 0); math.IsNaN(v) {
			w.Buf = append(w.Buf, "null"...)
		} else {
			w.Buf = w.numbers.Append(w.Buf, v)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	w.Buf = append(w.Buf, ']')
	return nil
}

// appendPosition appends the name of the member of a cell.
func (w *writer) appendPosition(at int) []byte {
	return append(strconv.AppendInt(append(w.Buf, '"'), int64(at), 10), `":`...)
}

// writeStatus writes the flags of the cells that have any, or nothing if none has.
func (w *writer) writeStatus() error {
	isBegun := false
	err := w.eachCell(func(b *stat.Block, i int32, at int) error {
		flags := grid.FlagsOf(b, i)
		if flags == "" {
			return nil
		}
		if w.separate(isBegun); !isBegun {
			w.Buf, isBegun = append(json.AppendName(w.Buf, "status"), '{'), true
		}
		w.Buf = json.AppendString(w.appendPosition(at), string(flags))
		return w.Flush()
	})
	if isBegun {
		w.Buf = append(w.Buf, '}')
	}
	return err
}
