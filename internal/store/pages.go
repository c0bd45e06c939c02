package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	layout "github.com/parquet-go/parquet-go/format"
)

// fileColumn is a column of a vintage's file: the numbers, or the values at positions.
type fileColumn struct {
	layout.SchemaElement
	values    [][]byte                // as a dictionary holds them; nil is null
	positions func(w *window) []int32 // of the values of all rows; nil: numbers
}

// The kinds of columns.
var (
	numbers       = element(layout.Double, layout.Optional)
	dates         = element(layout.Int32, layout.Required)
	texts         = element(layout.ByteArray, layout.Required)
	optionalTexts = element(layout.ByteArray, layout.Optional)
)

func element(t layout.Type, repetition layout.FieldRepetitionType) layout.SchemaElement {
	e := layout.SchemaElement{Type: thrift.New(t), RepetitionType: thrift.New(repetition)}
	switch t {
	case layout.Int32:
		e.ConvertedType, e.LogicalType.Value = thrift.New(deprecated.Date), &layout.DateType{}
	case layout.ByteArray:
		e.ConvertedType, e.LogicalType.Value = thrift.New(deprecated.UTF8), &layout.StringType{}
	}
	return e
}

// fileChunk is a column of a row group, encoded.
type fileChunk struct {
	dictionary, data int64 // sizes of its pages
	raw              int64 // of both before compression
	nulls            int64
}

// describe describes a chunk of so many rows that begins at a place of the file.
func (c *fileColumn) describe(e fileChunk, rows, at int64) layout.ColumnChunk {
	m := layout.ColumnMetaData{
		Type: c.Type.V, PathInSchema: []string{c.Name}, Encoding: []layout.Encoding{layout.Plain, layout.RLE}, Codec: layout.Zstd,
		NumValues: rows, Statistics: layout.Statistics{NullCount: e.nulls},
		DataPageOffset: at + e.dictionary, TotalCompressedSize: e.dictionary + e.data, TotalUncompressedSize: e.raw,
	}
	if c.positions != nil {
		m.Encoding, m.DictionaryPageOffset = append(m.Encoding, layout.RLEDictionary), at
	}
	return layout.ColumnChunk{MetaData: m}
}

// rowGroup encodes the rows of a window. Each column is one page of data; before it stands
// the dictionary of its values, in the order in which they occur.
type rowGroup struct {
	window
	data   []byte // all columns
	chunks []fileChunk
	done   chan error

	// Memory for encoding a column:
	body       []byte  // the dictionary, then the data
	levels     []uint8 // of all rows: 0 is null, 1 is not
	indexes    []int32 // in the dictionary, of the rows that are not null
	dictionary []int32 // the index of each value, or one of those below
	page, part []byte
}

// Indexes of values that are not in the dictionary.
const (
	notSeen = -1 - iota
	isNull
)

func (g *rowGroup) encode(columns []fileColumn) error {
	g.data, g.chunks = g.data[:0], g.chunks[:0]
	for i := range columns {
		chunk, err := g.encodeColumn(&columns[i])
		if err != nil {
			return fmt.Errorf("encoding column %s: %w", columns[i].Name, err)
		}
		g.chunks = append(g.chunks, chunk)
	}
	return nil
}

func (g *rowGroup) encodeColumn(c *fileColumn) (e fileChunk, err error) {
	data := layout.DataPageHeader{NumValues: int32(len(g.value)), Encoding: layout.Plain, DefinitionLevelEncoding: layout.RLE, RepetitionLevelEncoding: layout.RLE}
	if c.positions == nil {
		g.encodeNumbers()
	} else {
		data.Encoding = layout.RLEDictionary
		header := layout.DictionaryPageHeader{NumValues: g.findIndexes(c), Encoding: layout.Plain}
		e.dictionary, err = g.addPage(layout.PageHeader{Type: layout.DictionaryPage, DictionaryPageHeader: thrift.New(header)}, g.body, &e.raw)
		if err != nil {
			return e, err
		}
		if g.body, err = new(rle.DictionaryEncoding).EncodeInt32(g.body, g.indexes); err != nil {
			return e, err
		}
	}
	g.page = g.page[:0]
	if c.RepetitionType.V == layout.Optional {
		if g.part, err = (&rle.Encoding{BitWidth: 1}).EncodeLevels(g.part, g.levels); err != nil {
			return e, err
		}
		g.page = append(binary.LittleEndian.AppendUint32(g.page, uint32(len(g.part))), g.part...)
	}
	g.page = append(g.page, g.body...)
	e.nulls = int64(bytes.Count(g.levels, []byte{0}))
	data.Statistics.NullCount = e.nulls
	e.data, err = g.addPage(layout.PageHeader{Type: layout.DataPage, DataPageHeader: thrift.New(data)}, g.page, &e.raw)
	return e, err
}

// encodeNumbers sets the levels and the body to the numbers.
func (g *rowGroup) encodeNumbers() {
	g.levels, g.body = g.levels[:0], g.body[:0]
	for _, v := range g.value {
		if math.IsNaN(v) {
			g.levels = append(g.levels, 0)
			continue
		}
		g.levels = append(g.levels, 1)
		g.body = binary.LittleEndian.AppendUint64(g.body, math.Float64bits(v))
	}
}

// findIndexes sets the levels, the indexes, and the body to the dictionary. It returns the
// number of its values.
func (g *rowGroup) findIndexes(c *fileColumn) (count int32) {
	g.levels, g.indexes, g.body, g.dictionary = g.levels[:0], g.indexes[:0], g.body[:0], g.dictionary[:0]
	for _, value := range c.values {
		if value == nil {
			g.dictionary = append(g.dictionary, isNull)
		} else {
			g.dictionary = append(g.dictionary, notSeen)
		}
	}
	for _, at := range c.positions(&g.window) {
		index := g.dictionary[at]
		switch index {
		case isNull:
			g.levels = append(g.levels, 0)
			continue
		case notSeen:
			index = count
			count++
			g.dictionary[at] = index
			g.body = append(g.body, c.values[at]...)
		}
		g.levels, g.indexes = append(g.levels, 1), append(g.indexes, index)
	}
	return count
}

// addPage adds a page to the data and its size to raw. It returns the size in the file.
func (g *rowGroup) addPage(header layout.PageHeader, page []byte, raw *int64) (int64, error) {
	var err error
	if g.part, err = compression.Encode(g.part, page); err != nil {
		return 0, err
	}
	header.UncompressedPageSize, header.CompressedPageSize = int32(len(page)), int32(len(g.part))
	header.CRC = int32(crc32.ChecksumIEEE(g.part))
	text, err := thrift.Marshal(new(thrift.CompactProtocol), &header)
	g.data = append(append(g.data, text...), g.part...)
	*raw += int64(len(text) + len(page))
	return int64(len(text) + len(g.part)), err
}
