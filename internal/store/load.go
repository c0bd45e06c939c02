package store

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"almanac/internal/stat"
	"almanac/internal/store/blob"
)

// Sizes of the buffer for reading a column. What is read of a remote file is in memory already.
const (
	readBuffer       = 64 << 10
	remoteReadBuffer = 4 << 10
)

func openFile(b *blob.Blob) (*parquet.File, error) {
	buffer := readBuffer
	if b.IsRemote() {
		buffer = remoteReadBuffer
	}
	return parquet.OpenFile(b, b.Size,
		parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.SkipMagicBytes(b.IsRemote()), parquet.ReadBufferSize(buffer))
}

type vintageFile struct {
	*parquet.File
	blob    *blob.Blob
	dataset *stat.Dataset
	info    *vintageInfo
}

func openVintageFile(dir blob.Store, key string, use blob.Use) (f *vintageFile, err error) {
	b, err := dir.Open(context.Background(), key, use)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			b.Close()
		}
	}()
	f = &vintageFile{blob: b, dataset: &stat.Dataset{}, info: &vintageInfo{}}
	if f.File, err = openFile(b); err != nil {
		return nil, err
	}
	for key, into := range map[string]any{keyDataset: f.dataset, keyVintage: f.info} {
		text, ok := f.Lookup(key)
		if !ok {
			return nil, fmt.Errorf("the file has no %s", key)
		}
		if err := json.Unmarshal([]byte(text), into); err != nil {
			return nil, fmt.Errorf("reading %s: %w", key, err)
		}
	}
	return f, nil
}

// readColumns reads the row groups that may hold what is selected. It returns nil if
// these are more than half of all. A nil selection selects everything.
func readColumns(b *blob.Blob, d *stat.Dataset, periods []stat.Period, sel [][]int32) (*columns, error) {
	f, groups, err := openGroups(b, d, sel)
	if err != nil || sel != nil && 2*len(groups) > len(f.RowGroups()) {
		return nil, err
	}
	l := newLoader(f, b, d, periods)
	c, err := l.columns(groups)
	if err == nil {
		c.index(d.Axes())
		c.indexDecimals()
	}
	return c, err
}

// newLoader returns a loader of a file. d and periods define the order of codes and
// periods.
func newLoader(f *parquet.File, b *blob.Blob, d *stat.Dataset, periods []stat.Period) *loader {
	l := &loader{blob: b, dataset: d, periods: periods, indexes: columnIndexes(f.Schema())}
	for _, texts := range []*interned[string]{&l.notes, &l.units, &l.statuses, &l.confs} {
		texts.of("")
	}
	l.pairs.of([2]int32{})
	return l
}

// columns reads row groups. The numbers of flags, notes and units are those of earlier
// calls, and may grow.
func (l *loader) columns(groups []group) (*columns, error) {
	d, periods := l.dataset, l.periods
	l.groups, l.rows = l.groups[:0], 0
	for _, g := range groups {
		l.groups = append(l.groups, g.RowGroup)
		l.rows += int(g.NumRows())
	}
	if err := l.blob.Load(spansOf(groups)); err != nil {
		return nil, err
	}
	c := &columns{periods: periods}
	var keys [][]int32
	for _, dim := range d.Axes() {
		keys = append(keys, l.texts(dim.ID, lookUp(dim.Positions())))
	}
	numbers := make(map[string]int32, len(periods))
	for i, p := range periods {
		numbers[p.SDMX()] = int32(i)
	}
	c.period = l.texts(attributeColumn(d, columnPeriod), lookUp(numbers))
	c.value = l.doubles(attributeColumn(d, columnValue))
	c.flag, c.flagSet = l.flags()
	c.note, c.noteSet = l.optionalTexts(columnNote, &l.notes), l.notes.values
	var units []int32
	units, c.units = l.optionalTexts(columnUnit, &l.units), l.units.values
	if l.err != nil {
		return nil, l.err
	}
	c.seriesFrom(keys, units)
	return c, nil
}

// seriesFrom derives the series from the keys of the sorted rows.
func (c *columns) seriesFrom(keys [][]int32, units []int32) {
	rows := len(c.value)
	fresh := make([]bool, rows) // whether a new series begins at the row
	for _, key := range append(keys, units) {
		for i := 1; i < len(key); i++ {
			if key[i] != key[i-1] {
				fresh[i] = true
			}
		}
	}
	for i := range rows {
		if i == 0 || fresh[i] {
			c.start = append(c.start, int32(i))
		}
	}
	c.keys = make([][]int32, len(keys))
	for axis, key := range keys {
		c.keys[axis] = pick(key, c.start)
	}
	if units != nil {
		c.unit = pick(units, c.start)
	}
	c.start = append(c.start, int32(rows))
}

// loader reads columns of row groups. It does nothing after the first error.
type loader struct {
	dataset *stat.Dataset
	periods []stat.Period
	indexes map[string]int // of columns
	blob    *blob.Blob
	groups  []parquet.RowGroup
	rows    int
	err     error

	notes, units, statuses, confs interned[string]
	pairs                         interned[[2]int32] // of statuses and confs
}

// numbering returns the number of a text, or false if the text is not allowed.
type numbering func(text string) (int32, bool)

func lookUp(numbers map[string]int32) numbering {
	return func(text string) (int32, bool) {
		n, ok := numbers[text]
		return n, ok
	}
}

// optionalTexts reads a column of strings as their numbers in seen; null is 0. It returns
// nil if the file has no such column.
func (l *loader) optionalTexts(name string, seen *interned[string]) []int32 {
	if name = attributeColumn(l.dataset, name); !l.has(name) {
		return nil
	}
	return l.texts(name, func(text string) (int32, bool) { return seen.of(text), true })
}

func (l *loader) has(column string) bool {
	_, ok := l.indexes[column]
	return ok
}

func (l *loader) flags() (flag []uint16, set []stat.Flags) {
	status := l.optionalTexts(columnStatus, &l.statuses)
	conf := l.optionalTexts(columnConf, &l.confs)
	if l.err == nil && status != nil {
		flag = make([]uint16, l.rows)
		for i, s := range status {
			pair := [2]int32{s, 0}
			if conf != nil {
				pair[1] = conf[i]
			}
			flag[i] = uint16(l.pairs.of(pair))
		}
	}
	for _, pair := range l.pairs.values {
		set = append(set, stat.JoinFlags(l.statuses.values[pair[0]], l.confs.values[pair[1]]))
	}
	return flag, set
}

// texts reads a column of strings as numbers; null is 0.
func (l *loader) texts(name string, number numbering) []int32 {
	rows := make([]int32, 0, l.rows)
	l.eachPage(name, func(page parquet.Page) error {
		dictionary := page.Dictionary()
		if dictionary == nil {
			return fmt.Errorf("a page has no dictionary")
		}
		numbers := make([]int32, dictionary.Len())
		for i := range numbers {
			text := string(dictionary.Index(int32(i)).ByteArray())
			n, ok := number(text)
			if !ok {
				return fmt.Errorf("%q is not in the file's structure", text)
			}
			numbers[i] = n
		}
		data := page.Data()
		rows = appendRows(rows, page, 0, numbers, data.Int32())
		return nil
	})
	return rows
}

func (l *loader) doubles(name string) []float64 {
	rows := make([]float64, 0, l.rows)
	l.eachPage(name, func(page parquet.Page) error {
		data := page.Data()
		dictionary := page.Dictionary()
		if dictionary == nil {
			rows = appendRows(rows, page, math.NaN(), data.Double(), nil)
			return nil
		}
		values := make([]float64, dictionary.Len())
		for i := range values {
			values[i] = dictionary.Index(int32(i)).Double()
		}
		rows = appendRows(rows, page, math.NaN(), values, data.Int32())
		return nil
	})
	return rows
}

// appendRows appends the values of a page's rows. indexes holds the positions in
// values, nil if the page has no dictionary.
func appendRows[T any](rows []T, page parquet.Page, null T, values []T, indexes []int32) []T {
	levels := page.DefinitionLevels()
	if levels == nil { // no row is null
		for _, i := range indexes {
			rows = append(rows, values[i])
		}
	}
	next := 0
	for _, level := range levels {
		switch {
		case level == 0:
			rows = append(rows, null)
			continue
		case indexes == nil:
			rows = append(rows, values[next])
		default:
			rows = append(rows, values[indexes[next]])
		}
		next++
	}
	return rows
}

func (l *loader) eachPage(name string, read func(parquet.Page) error) {
	column, ok := l.indexes[name]
	if !ok && l.err == nil {
		l.err = fmt.Errorf("the file has no column %s", name)
	}
	for _, group := range l.groups {
		if l.err != nil {
			return
		}
		pages := group.ColumnChunks()[column].Pages()
		for {
			page, err := pages.ReadPage()
			if err == io.EOF {
				break
			}
			if err == nil {
				err = read(page)
				parquet.Release(page)
			}
			if err != nil {
				l.err = fmt.Errorf("reading column %s: %w", name, err)
				break
			}
		}
		pages.Close()
	}
}
