package store

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
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
// The last four columns exist only if they hold anything. The file's metadata has
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
	value func(row int) parquet.Value
}

// fileColumns returns the columns of the file of a dataset, whose values are those of
// the rows of w.
func fileColumns(d *stat.Dataset, o *observations, w *window) []fileColumn {
	encoded := func(node parquet.Node) parquet.Node { return parquet.Encoded(node, &parquet.RLEDictionary) }
	list := []fileColumn{
		{columnStart, encoded(parquet.Date()), func(row int) parquet.Value {
			return parquet.Int32Value(o.periods[w.period[row]].StartDay())
		}},
		{columnValue, parquet.Optional(encoded(parquet.Leaf(parquet.DoubleType))), func(row int) parquet.Value {
			if math.IsNaN(w.value[row]) {
				return parquet.NullValue()
			}
			return parquet.DoubleValue(w.value[row])
		}},
	}
	// add adds a column of texts; "" is null. index returns the position in texts of
	// a row's text.
	add := func(name string, node parquet.Node, texts []string, index func(row int) int32) {
		values := make([]parquet.Value, len(texts))
		for i, text := range texts {
			if text != "" {
				values[i] = parquet.ByteArrayValue([]byte(text))
			}
		}
		list = append(list, fileColumn{name, node, func(row int) parquet.Value { return values[index(row)] }})
	}
	required := encoded(parquet.String())
	optional := parquet.Optional(required)
	for axis, dim := range d.Axes() {
		add(dim.ID, required, idsOf(dim.Codes), func(row int) int32 { return w.keys[axis][row] })
	}
	periods := make([]string, len(o.periods))
	for i, p := range o.periods {
		periods[i] = p.SDMX()
	}
	add(columnPeriod, required, periods, func(row int) int32 { return w.period[row] })
	if len(o.flagSet) > 1 {
		status, conf := make([]string, len(o.flagSet)), make([]string, len(o.flagSet))
		for i, f := range o.flagSet {
			status[i], conf[i] = f.Split()
		}
		index := func(row int) int32 { return int32(w.flag[row]) }
		add(columnStatus, optional, status, index)
		if strings.Join(conf, "") != "" {
			add(columnConf, optional, conf, index)
		}
	}
	if len(o.noteSet) > 1 {
		add(columnNote, optional, o.noteSet, func(row int) int32 { return w.note[row] })
	}
	if len(o.units) > 1 {
		add(columnUnit, optional, o.units, func(row int) int32 { return w.unit[row] })
	}
	return list
}

// compression is shared by all files, because an encoder has megabytes of tables
// that are expensive to create.
var compression = &zstd.Codec{Level: zstd.SpeedBetterCompression}

func writeFile(to io.Writer, d *stat.Dataset, info *vintageInfo, o *observations) error {
	var rows window
	list := fileColumns(d, o, &rows)
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
	batch := make([]parquet.Value, 0, min(rowGroupRows, o.rows))
	for next, err := range o.windows(rowGroupRows) {
		if err != nil {
			return err
		}
		rows = *next
		group := w.BeginRowGroup()
		for _, column := range list {
			index := indexes[column.name]
			batch = column.appendRows(batch[:0], index, len(rows.value))
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

// appendRows appends the values of the rows for the column with an index in the file.
func (fc *fileColumn) appendRows(batch []parquet.Value, index, rows int) []parquet.Value {
	optional := fc.node.Optional()
	for row := range rows {
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

func (info *vintageInfo) describe(v contents, imported time.Time) error {
	d, o := v.Dataset, v.observations
	info.Imported, info.LastUpdate = imported, d.Updated
	if d.Updated.IsZero() {
		info.LastUpdate = imported.Truncate(time.Second)
	}
	info.Periods, info.Series, info.Observations = o.periods, o.series, o.values
	if o.newest >= 0 {
		info.Oldest, info.Newest = o.periods[o.oldest], o.periods[o.newest]
	}
	axes := d.Axes()
	latest, err := o.latestOf(axes, nil, info.Newest)
	if err != nil || latest == nil {
		return err
	}
	l := &latestInfo{Period: latest.Period, Values: latest.Values}
	for axis, code := range latest.Key {
		l.Key = append(l.Key, axes[axis].Codes[code].ID)
	}
	for _, area := range latest.Areas {
		l.Areas = append(l.Areas, d.Geography.Codes[area].ID)
	}
	info.Latest = l
	return nil
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
