package store

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"almanac/internal/stat"
)

// A vintage file is a self-contained Parquet file with one row per observation.
// The catalog can be rebuilt from it. Rows are sorted by series (in the order of
// the code lists), then by period.
//
//	<dimension>   string   one column per dimension, including the geography: the source's codes
//	TIME_PERIOD   string   as SDMX writes it: 2024, 2024-Q1, 2024-W05
//	PERIOD_START  date     first day of the period
//	OBS_VALUE     double   null if there are only flags or a note
//	OBS_STATUS    string   codes of CL_OBS_STATUS and AGENCY:code, separated by spaces; null if none
//	CONF_STATUS   string   codes of CL_CONF_STATUS; null if none
//	OBS_NOTE      string   text; null if none
//	UNIT_MEASURE  string   the unit the source states for the series; null if none
//
// The last four columns exist only if they hold anything. The file's
// key-value metadata holds "almanac.dataset" (structure, labels, metadata) and
// "almanac.vintage" (version, counts, the latest values), both JSON.
const (
	columnPeriod = "TIME_PERIOD"
	columnStart  = "PERIOD_START"
	columnValue  = "OBS_VALUE"
	columnStatus = "OBS_STATUS"
	columnConf   = "CONF_STATUS"
	columnNote   = "OBS_NOTE"
	columnUnit   = "UNIT_MEASURE"

	keyDataset = "almanac.dataset"
	keyVintage = "almanac.vintage"
)

// rowGroupRows is the number of rows in a row group. Eurostat's nama_10_gdp (1.05
// million values) takes 4.0 bytes per observation with 64k rows, 3.8 with 128k and
// 3.9 with 256k: longer groups repeat fewer dictionary entries, but need longer
// dictionary indexes.
const rowGroupRows = 128 << 10

// textColumn writes one column of strings; "" is null.
type textColumn struct {
	name     string
	optional bool
	values   []parquet.Value       // distinct values
	index    func(row int32) int32 // position in values of a row's value
}

func textColumns(d *stat.Dataset, c *columns) []textColumn {
	seriesOf := c.seriesOfRows()
	var list []textColumn
	add := func(name string, optional bool, texts []string, index func(int32) int32) {
		list = append(list, textColumn{name: name, optional: optional, values: textValues(texts), index: index})
	}
	for axis, dim := range d.Axes() {
		texts := make([]string, len(dim.Codes))
		for i, code := range dim.Codes {
			texts[i] = code.ID
		}
		key := c.keys[axis]
		add(dim.ID, false, texts, func(row int32) int32 { return key[seriesOf[row]] })
	}
	texts := make([]string, len(c.periods))
	for i, p := range c.periods {
		texts[i] = p.SDMX()
	}
	add(columnPeriod, false, texts, func(row int32) int32 { return c.period[row] })
	if c.flag != nil {
		status, conf := make([]string, len(c.flagSet)), make([]string, len(c.flagSet))
		anyConf := false
		for i, f := range c.flagSet {
			status[i], conf[i] = f.Split()
			anyConf = anyConf || conf[i] != ""
		}
		index := func(row int32) int32 { return int32(c.flag[row]) }
		add(columnStatus, true, status, index)
		if anyConf {
			add(columnConf, true, conf, index)
		}
	}
	if c.note != nil {
		add(columnNote, true, c.noteSet, func(row int32) int32 { return c.note[row] })
	}
	if c.unit != nil {
		add(columnUnit, true, c.units, func(row int32) int32 { return c.unit[seriesOf[row]] })
	}
	return list
}

func textValues(texts []string) []parquet.Value {
	values := make([]parquet.Value, len(texts))
	for i, text := range texts {
		if text != "" {
			values[i] = parquet.ByteArrayValue([]byte(text))
		}
	}
	return values
}

// seriesOfRows returns the series of each observation.
func (c *columns) seriesOfRows() []int32 {
	series := make([]int32, len(c.period))
	for s := range c.seriesCount() {
		for i := c.start[s]; i < c.start[s+1]; i++ {
			series[i] = int32(s)
		}
	}
	return series
}

// compression is shared by all files, because an encoder has megabytes of tables
// that are expensive to create.
var compression = &zstd.Codec{Level: zstd.SpeedBetterCompression}

func writeFile(to io.Writer, d *stat.Dataset, info *vintageInfo, c *columns) error {
	texts := textColumns(d, c)
	group := parquet.Group{
		columnStart: parquet.Encoded(parquet.Date(), &parquet.RLEDictionary),
		columnValue: parquet.Optional(parquet.Encoded(parquet.Leaf(parquet.DoubleType), &parquet.RLEDictionary)),
	}
	for _, t := range texts {
		if _, taken := group[t.name]; taken {
			return stat.Errorf(stat.Refused, "the dataset has two columns named %q", t.name)
		}
		node := parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
		if t.optional {
			node = parquet.Optional(node)
		}
		group[t.name] = node
	}
	schema := parquet.NewSchema("vintage", group)
	w := parquet.NewGenericWriter[any](to, schema,
		parquet.Compression(compression),
		parquet.DataPageStatistics(false),
		parquet.CreatedBy("almanac", "1", ""))
	for key, value := range map[string]any{keyDataset: d, keyVintage: info} {
		text, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("writing %s: %w", key, err)
		}
		w.SetKeyValueMetadata(key, string(text))
	}
	fw := &fileWriter{columns: c, texts: texts, indexes: columnIndexes(schema), batch: make([]parquet.Value, 0, rowGroupRows)}
	for from := 0; from < len(c.period); from += rowGroupRows {
		group := w.BeginRowGroup()
		if err := fw.writeGroup(group, int32(from), int32(min(from+rowGroupRows, len(c.period)))); err != nil {
			return err
		}
		if _, err := group.Commit(); err != nil {
			return fmt.Errorf("writing a row group: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("finishing a vintage file: %w", err)
	}
	return nil
}

// columnIndexes returns the index of each column by name.
func columnIndexes(schema *parquet.Schema) map[string]int {
	indexes := map[string]int{}
	for i, path := range schema.Columns() {
		indexes[path[0]] = i
	}
	return indexes
}

type fileWriter struct {
	columns *columns
	texts   []textColumn
	indexes map[string]int
	batch   []parquet.Value
}

// writeGroup writes the rows from … to-1, column by column.
func (fw *fileWriter) writeGroup(group *parquet.ConcurrentRowGroupWriter, from, to int32) error {
	write := func(name string, value func(row int32, column int) parquet.Value) error {
		column := fw.indexes[name]
		fw.batch = fw.batch[:0]
		for row := from; row < to; row++ {
			fw.batch = append(fw.batch, value(row, column))
		}
		if _, err := group.ColumnWriters()[column].WriteRowValues(fw.batch); err != nil {
			return fmt.Errorf("writing column %s: %w", name, err)
		}
		return nil
	}
	for _, t := range fw.texts {
		err := write(t.name, func(row int32, column int) parquet.Value {
			v := t.values[t.index(row)]
			if t.optional && !v.IsNull() {
				return v.Level(0, 1, column)
			}
			return v.Level(0, 0, column)
		})
		if err != nil {
			return err
		}
	}
	c := fw.columns
	err := write(columnStart, func(row int32, column int) parquet.Value {
		return parquet.Int32Value(c.periods[c.period[row]].StartDay()).Level(0, 0, column)
	})
	if err != nil {
		return err
	}
	return write(columnValue, func(row int32, column int) parquet.Value {
		if math.IsNaN(c.value[row]) {
			return parquet.NullValue().Level(0, 0, column)
		}
		return parquet.DoubleValue(c.value[row]).Level(0, 1, column)
	})
}
