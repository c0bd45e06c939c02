package jsonstat

import (
	"maps"
	"slices"
	"strconv"

	"almanac/internal/defaults"
	"almanac/internal/encode/grid"
	"almanac/internal/encode/json"
	"almanac/internal/stat"
)

// writeExtension writes the member "extension": the identity of the dataset, its licence, what the
// flags mean, notes on observations, and notices on the request.
func (w *writer) writeExtension() error {
	t, d := w.table, w.table.Vintage.Dataset
	w.Buf = append(json.AppendName(w.Buf, "extension"), '{')
	w.Buf = json.AppendText(w.Buf, "dataset", t.Reference())
	w.Buf = json.AppendText(w.Buf, "version", t.Vintage.Version)
	w.Buf = json.AppendText(w.Buf, "transform", t.Transform)
	w.Buf = json.AppendText(w.Buf, "partial", d.Partial)
	if t.Licence.Name != "" || t.Licence.Attribution != "" {
		w.Buf = append(json.AppendName(w.Buf, "licence"), '{')
		w.Buf = json.AppendText(w.Buf, "name", t.Licence.Name)
		w.Buf = json.AppendText(w.Buf, "url", t.Licence.URL)
		w.Buf = append(json.AppendText(w.Buf, "attribution", t.Licence.Attribution), '}')
	}
	w.writeFlagNames()
	if len(d.Undated) > 0 {
		w.Buf = json.AppendTexts(json.AppendName(w.Buf, "undated"), d.Undated)
	}
	if notices := t.Notices(w.grid.Observations == 0); len(notices) > 0 {
		w.Buf = append(json.AppendName(w.Buf, "notices"), '[')
		for _, n := range notices {
			w.Buf = json.AppendString(json.AppendName(append(json.AppendComma(w.Buf), '{'), "parameter"), n.Parameter)
			w.Buf = json.AppendString(json.AppendName(w.Buf, "value"), n.Value)
			w.Buf = json.AppendString(json.AppendName(w.Buf, "message"), n.Message)
			w.Buf = append(json.AppendTexts(json.AppendName(w.Buf, "nearest"), n.Nearest), '}')
		}
		w.Buf = append(w.Buf, ']')
	}
	if err := w.writeNotes(); err != nil {
		return err
	}
	w.Buf = append(w.Buf, '}')
	return nil
}

// writeNotes writes the notes on observations, each once, and the position of each in "text" by
// cell: {"text": ["revised method"], "index": {"3": 0, "7": 0}}.
func (w *writer) writeNotes() error {
	at := map[string]int{}
	var texts []string
	for _, b := range w.grid.Blocks {
		for _, note := range b.Note {
			if _, ok := at[note]; !ok && note != "" {
				at[note] = len(texts)
				texts = append(texts, note)
			}
		}
	}
	if texts == nil {
		return nil
	}
	w.Buf = append(json.AppendName(w.Buf, "notes"), '{')
	w.Buf = append(json.AppendTexts(json.AppendName(w.Buf, "text"), texts), `,"index":{`...)
	isBegun := false
	err := w.eachCell(func(b *stat.Block, i int32, cell int) error {
		if note := grid.NoteOf(b, i); note != "" {
			w.separate(isBegun)
			w.Buf, isBegun = strconv.AppendInt(w.appendPosition(cell), int64(at[note]), 10), true
		}
		return w.Flush()
	})
	w.Buf = append(w.Buf, '}', '}')
	return err
}

// writeFlagNames writes what each flag that occurs means, as offices do that use JSON-stat:
// {"label": {"E": "estimated value"}}.
func (w *writer) writeFlagNames() {
	occurs := map[stat.Flags]bool{}
	for _, b := range w.grid.Blocks {
		for _, f := range b.Flags {
			occurs[f] = true
		}
	}
	names := map[string]string{}
	for f := range occurs {
		for _, code := range f.List() {
			names[code] = defaults.FlagName(w.table.Vintage.Dataset, code)
		}
	}
	if len(names) == 0 {
		return
	}
	w.Buf = append(json.AppendName(w.Buf, "status"), `{"label":{`...)
	for _, code := range slices.Sorted(maps.Keys(names)) {
		if names[code] == "" {
			names[code] = "flag " + code + " of the source"
		}
		w.Buf = json.AppendString(append(json.AppendString(json.AppendComma(w.Buf), code), ':'), names[code])
	}
	w.Buf = append(w.Buf, '}', '}')
}
