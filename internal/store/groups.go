package store

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
	layout "github.com/parquet-go/parquet-go/format"

	"almanac/internal/stat"
	"almanac/internal/store/blob"
)

// group is a row group of a file and what the end of the file says of it.
type group struct {
	parquet.RowGroup
	in *layout.RowGroup
}

// openGroups returns a file and its row groups with a selected code on every axis. A nil
// selection selects everything.
func openGroups(b *blob.Blob, d *stat.Dataset, sel [][]int32) (f *parquet.File, groups []group, err error) {
	if f, err = openFile(b); err != nil {
		return nil, nil, err
	}
	for i, g := range f.RowGroups() {
		groups = append(groups, group{g, &f.Metadata().RowGroups[i]})
	}
	indexes := columnIndexes(f.Schema())
	for axis, dim := range d.Axes() {
		if sel == nil || sel[axis] == nil {
			continue
		}
		column := indexes[dim.ID]
		if err := b.Load(dictionarySpans(groups, column)); err != nil {
			return nil, nil, err
		}
		var with []group
		for _, g := range groups {
			has, err := hasCode(g.ColumnChunks()[column], dim, sel[axis])
			if err != nil {
				return nil, nil, fmt.Errorf("reading the dictionary of column %s: %w", dim.ID, err)
			}
			if has {
				with = append(with, g)
			}
		}
		groups = with
	}
	return f, groups, nil
}

// dictionarySpans returns where in the file the dictionaries of a column are.
func dictionarySpans(groups []group, column int) (spans []blob.Span) {
	for _, g := range groups {
		c := &g.in.Columns[column].MetaData
		from, to := c.DictionaryPageOffset, c.DataPageOffset
		if from == 0 {
			continue // it has none
		}
		spans = append(spans, blob.Span{From: from, To: min(to+remoteReadBuffer, from+c.TotalCompressedSize)})
	}
	return spans
}

// spansOf returns where in the file row groups are.
func spansOf(groups []group) (spans []blob.Span) {
	for _, g := range groups {
		for i := range g.in.Columns {
			c := &g.in.Columns[i].MetaData
			from := c.DataPageOffset
			if c.DictionaryPageOffset > 0 {
				from = c.DictionaryPageOffset
			}
			spans = append(spans, blob.Span{From: from, To: from + c.TotalCompressedSize})
		}
	}
	return spans
}

// hasCode reports whether the dictionary of a column chunk contains any of the codes.
func hasCode(chunk parquet.ColumnChunk, dim *stat.Dimension, codes []int32) (bool, error) {
	pages, ok := chunk.Pages().(*parquet.FilePages)
	if !ok {
		return true, nil
	}
	defer pages.Close()
	dictionary, err := pages.ReadDictionary()
	if err != nil || dictionary == nil {
		return true, err
	}
	have := make(map[string]bool, dictionary.Len())
	for i := range dictionary.Len() {
		have[string(dictionary.Index(int32(i)).ByteArray())] = true
	}
	for _, code := range codes {
		if have[dim.Codes[code].ID] {
			return true, nil
		}
	}
	return false, nil
}
