package store

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	layout "github.com/parquet-go/parquet-go/format"

	"almanac/internal/defaults"
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

// magic is at the beginning and the end of a Parquet file.
const magic = "PAR1"

// rowGroupRows is the number of rows in a row group.
const rowGroupRows = 128 << 10

// compression is shared by all files, because an encoder has megabytes of tables
// that are expensive to create.
var compression = &zstd.Codec{Level: zstd.SpeedFastest}

func writeFile(to io.Writer, d *stat.Dataset, info *vintageInfo, o *observations) error {
	w := groupWriter{to: to, columns: fileColumns(d, o)}
	if err := w.write([]byte(magic)); err != nil {
		return err
	}
	if err := w.writeGroups(o); err != nil {
		return err
	}
	footer := layout.FileMetaData{Version: 2, NumRows: int64(o.rows), RowGroups: w.groups, CreatedBy: "almanac version 1(build )"}
	footer.Schema = append(footer.Schema, layout.SchemaElement{Name: "vintage", NumChildren: thrift.New(int32(len(w.columns)))})
	for i, column := range w.columns {
		if i > 0 && column.Name == w.columns[i-1].Name {
			return stat.Errorf(stat.Refused, "the dataset has two columns named %q", column.Name)
		}
		footer.Schema = append(footer.Schema, column.SchemaElement)
	}
	for _, m := range []struct {
		key   string
		value any
	}{{keyDataset, d}, {keyVintage, info}} {
		text, err := json.Marshal(m.value)
		if err != nil {
			return fmt.Errorf("writing %s: %w", m.key, err)
		}
		footer.KeyValueMetadata = append(footer.KeyValueMetadata, layout.KeyValue{Key: m.key, Value: string(text)})
	}
	text, err := thrift.Marshal(new(thrift.CompactProtocol), &footer)
	if err != nil {
		return fmt.Errorf("finishing a vintage file: %w", err)
	}
	return w.write(append(binary.LittleEndian.AppendUint32(text, uint32(len(text))), magic...))
}

// attributeColumn returns the name of a column that is not a dimension's: name, unless a
// dimension has it.
func attributeColumn(d *stat.Dataset, name string) string {
	for slices.ContainsFunc(d.Axes(), func(dim *stat.Dimension) bool { return dim.ID == name }) {
		name += "_ATTRIBUTE"
	}
	return name
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

	fileDigest []byte // SHA-256 of the file, if it was just written
}

// latestInfo is the [stat.Latest] of the default series, with codes for positions.
type latestInfo struct {
	Key   []string `json:"key"`
	Rules []string `json:"rules,omitempty"`
	// Edition is that of the rules; empty before they had one.
	Edition string       `json:"edition,omitempty"`
	Period  stat.Period  `json:"period"`
	Areas   []string     `json:"areas"`
	Values  []float64    `json:"values"`
	Units   []string     `json:"units,omitempty"`
	Flags   []stat.Flags `json:"flags,omitempty"`
}

// latestEdition names the rules and what is stored of a [stat.Latest]: another one is made again.
func latestEdition() string { return defaults.Edition() + " units flags" }

func (info *vintageInfo) describe(v contents, imported time.Time) error {
	d, o := v.Dataset, v.observations
	info.Imported, info.LastUpdate = imported, lastUpdate(d, imported)
	info.Periods, info.Series, info.Observations = o.periods, o.series, o.values
	if o.newest >= 0 {
		info.Oldest, info.Newest = o.periods[o.oldest], o.periods[o.newest]
	}
	axes := d.Axes()
	latest, err := o.latestOf(&subject{d, info.LastUpdate, info.Newest}, nil, stat.LatestLast)
	if err != nil || latest == nil {
		return err
	}
	l := &latestInfo{Rules: latest.Rules, Edition: latestEdition(), Period: latest.Period, Values: latest.Values, Units: latest.Units, Flags: latest.Flags}
	for axis, code := range latest.Key {
		l.Key = append(l.Key, axes[axis].Codes[code].ID)
	}
	for _, area := range latest.Areas {
		l.Areas = append(l.Areas, d.Geography.Codes[area].ID)
	}
	info.Latest = l
	return nil
}

// lastUpdate returns the source's time of update, else that of the import.
func lastUpdate(d *stat.Dataset, imported time.Time) time.Time {
	if d.Updated.IsZero() {
		return imported.Truncate(time.Second)
	}
	return d.Updated
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
