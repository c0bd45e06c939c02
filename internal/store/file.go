package store

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"almanac/internal/stat"
)

// A vintage file is a self-contained Parquet file with one row per observation, sorted
// by series (in the order of the code lists), then by period. The catalogue can be
// rebuilt from it.
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
// The last four columns exist only if they hold anything. A column other than those of
// the dimensions has "_ATTRIBUTE" after its name if a dimension has that name. The file's metadata has
// "almanac.dataset" (structure, labels, metadata) and "almanac.vintage" (version,
// counts, the latest values), both JSON.
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

type fileColumn struct {
	name  string
	node  parquet.Node
	value func(row int32) parquet.Value
}

func fileColumns(d *stat.Dataset, c *columns) []fileColumn {
	encoded := func(node parquet.Node) parquet.Node { return parquet.Encoded(node, &parquet.RLEDictionary) }
	list := []fileColumn{
		{attributeColumn(d, columnStart), encoded(parquet.Date()), func(row int32) parquet.Value {
			return parquet.Int32Value(c.periods[c.period[row]].StartDay())
		}},
		{attributeColumn(d, columnValue), parquet.Optional(encoded(parquet.Leaf(parquet.DoubleType))), func(row int32) parquet.Value {
			if math.IsNaN(c.value[row]) {
				return parquet.NullValue()
			}
			return parquet.DoubleValue(c.value[row])
		}},
	}
	// add adds a column of texts; "" is null. index returns the position in texts of
	// a row's text.
	add := func(name string, node parquet.Node, texts []string, index func(row int32) int32) {
		values := make([]parquet.Value, len(texts))
		for i, text := range texts {
			if text != "" {
				values[i] = parquet.ByteArrayValue([]byte(text))
			}
		}
		list = append(list, fileColumn{name, node, func(row int32) parquet.Value { return values[index(row)] }})
	}
	required := encoded(parquet.String())
	optional := parquet.Optional(required)
	seriesOf := c.seriesOfRows()
	for axis, dim := range d.Axes() {
		key := c.keys[axis]
		add(dim.ID, required, idsOf(dim.Codes), func(row int32) int32 { return key[seriesOf[row]] })
	}
	periods := make([]string, len(c.periods))
	for i, p := range c.periods {
		periods[i] = p.SDMX()
	}
	add(attributeColumn(d, columnPeriod), required, periods, func(row int32) int32 { return c.period[row] })
	if c.flag != nil {
		status, conf := make([]string, len(c.flagSet)), make([]string, len(c.flagSet))
		for i, f := range c.flagSet {
			status[i], conf[i] = f.Split()
		}
		index := func(row int32) int32 { return int32(c.flag[row]) }
		add(attributeColumn(d, columnStatus), optional, status, index)
		if strings.Join(conf, "") != "" {
			add(attributeColumn(d, columnConf), optional, conf, index)
		}
	}
	if c.note != nil {
		add(attributeColumn(d, columnNote), optional, c.noteSet, func(row int32) int32 { return c.note[row] })
	}
	if c.unit != nil {
		add(attributeColumn(d, columnUnit), optional, c.units, func(row int32) int32 { return c.unit[seriesOf[row]] })
	}
	return list
}

// attributeColumn returns the name of a column that is not a dimension's: name, unless a
// dimension has it.
func attributeColumn(d *stat.Dataset, name string) string {
	for slices.ContainsFunc(d.Axes(), func(dim *stat.Dimension) bool { return dim.ID == name }) {
		name += "_ATTRIBUTE"
	}
	return name
}

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
	list := fileColumns(d, c)
	group := parquet.Group{}
	for _, column := range list {
		if _, taken := group[column.name]; taken {
			return stat.Errorf(stat.Refused, "the dataset has two columns named %q", column.name)
		}
		group[column.name] = column.node
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
	indexes := columnIndexes(schema)
	batch := make([]parquet.Value, 0, rowGroupRows)
	for from := 0; from < len(c.period); from += rowGroupRows {
		group := w.BeginRowGroup()
		for _, column := range list {
			index := indexes[column.name]
			batch = column.appendRows(batch[:0], index, int32(from), int32(min(from+rowGroupRows, len(c.period))))
			if _, err := group.ColumnWriters()[index].WriteRowValues(batch); err != nil {
				return fmt.Errorf("writing column %s: %w", column.name, err)
			}
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

// appendRows appends the values of the rows from … to-1 for the column with an
// index in the file.
func (fc *fileColumn) appendRows(batch []parquet.Value, index int, from, to int32) []parquet.Value {
	optional := fc.node.Optional()
	for row := from; row < to; row++ {
		v, level := fc.value(row), 0
		if optional && !v.IsNull() {
			level = 1
		}
		batch = append(batch, v.Level(0, level, index))
	}
	return batch
}

func columnIndexes(schema *parquet.Schema) map[string]int {
	indexes := map[string]int{}
	for i, path := range schema.Columns() {
		indexes[path[0]] = i
	}
	return indexes
}

// vintageInfo is what a vintage file stores about its vintage.
type vintageInfo struct {
	stat.Vintage
	Seq        int             `json:"seq"`
	LastUpdate time.Time       `json:"last_update"`
	Oldest     stat.Period     `json:"oldest_period,omitzero"`
	Newest     stat.Period     `json:"latest_period,omitzero"`
	Periods    []stat.Period   `json:"periods"`
	Latest     *latestInfo     `json:"latest,omitempty"`
	Parts      int             `json:"parts,omitempty"` // number of parts of the imported file; 0 if unknown
	Quarantine *quarantineInfo `json:"held,omitempty"`  // only of a vintage in quarantine
}

// latestInfo is the [stat.Latest] of the default series, with codes for positions.
type latestInfo struct {
	Key    []string    `json:"key"`
	Period stat.Period `json:"period"`
	Areas  []string    `json:"areas"`
	Values []float64   `json:"values"`
}

func (info *vintageInfo) describe(v contents, imported time.Time) {
	d, c := v.Dataset, v.columns
	info.Imported, info.LastUpdate = imported, d.Updated
	if d.Updated.IsZero() {
		info.LastUpdate = imported.Truncate(time.Second)
	}
	info.Periods = c.periods
	info.Series = c.seriesCount()
	info.Observations = c.values()
	oldest, newest := int32(math.MaxInt32), int32(-1)
	for i, v := range c.value {
		if !math.IsNaN(v) {
			oldest, newest = min(oldest, c.period[i]), max(newest, c.period[i])
		}
	}
	if newest >= 0 {
		info.Oldest, info.Newest = c.periods[oldest], c.periods[newest]
	}
	axes := d.Axes()
	latest := c.latestOf(axes, nil, info.Newest)
	if latest == nil {
		return
	}
	l := &latestInfo{Period: latest.Period, Values: latest.Values}
	for axis, code := range latest.Key {
		l.Key = append(l.Key, axes[axis].Codes[code].ID)
	}
	for _, area := range latest.Areas {
		l.Areas = append(l.Areas, d.Geography.Codes[area].ID)
	}
	info.Latest = l
}

// digestOf returns the SHA-256 of what makes two vintages differ: structure, labels,
// metadata and observations, but not the ID or the source's time of update.
func digestOf(d *stat.Dataset, c *columns) (string, error) {
	same := *d
	same.ID, same.Updated = 0, time.Time{}
	structure, err := json.Marshal(&same)
	if err != nil {
		return "", fmt.Errorf("writing the structure: %w", err)
	}
	h := sha256.New()
	h.Write(structure)
	w := bufio.NewWriterSize(h, 64<<10)
	number := func(v uint32) { w.Write(binary.LittleEndian.AppendUint32(w.AvailableBuffer(), v)) }
	text := func(s string) {
		number(uint32(len(s)))
		w.WriteString(s)
	}
	for _, p := range c.periods {
		number(uint32(p.StartDay()))
		number(uint32(p.Frequency()))
	}
	for s := range int32(c.seriesCount()) {
		for _, key := range c.keys {
			number(uint32(key[s]))
		}
		if c.unit != nil {
			text(c.unitOf(s))
		}
		number(uint32(c.start[s+1] - c.start[s]))
	}
	for i := range int32(len(c.value)) {
		number(uint32(c.period[i]))
		w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), canonicalBits(c.value[i])))
		if f := c.flagsOf(i); f != "" {
			text("f" + string(f))
		}
		if n := c.noteOf(i); n != "" {
			text("n" + n)
		}
	}
	w.Flush()
	return hex.EncodeToString(h.Sum(nil)), nil
}

// canonicalBits returns the bits of a value, with one NaN and no -0.
func canonicalBits(v float64) uint64 {
	switch {
	case math.IsNaN(v):
		return 0x7FF8000000000001
	case v == 0:
		return 0
	}
	return math.Float64bits(v)
}

// nextVersion returns the version after version: 2.0 follows 1.9.
func nextVersion(version string) (string, error) {
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return "", fmt.Errorf("reading version %q: %w", version, err)
	}
	if minor++; minor > 9 {
		major, minor = major+1, 0
	}
	return fmt.Sprintf("%d.%d", major, minor), nil
}
