package store

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"almanac/internal/stat"
	"almanac/internal/store/blob"
)

// openFile opens a vintage file without reading its rows.
func openFile(r io.ReaderAt, size int64) (*parquet.File, error) {
	return parquet.OpenFile(r, size,
		parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(64<<10))
}

// readInfo reads the dataset and the vintage from the file's metadata.
func readInfo(f *parquet.File) (*stat.Dataset, *vintageInfo, error) {
	d, info := &stat.Dataset{}, &vintageInfo{}
	for key, into := range map[string]any{keyDataset: d, keyVintage: info} {
		text, ok := f.Lookup(key)
		if !ok {
			return nil, nil, fmt.Errorf("the file has no %s", key)
		}
		if err := json.Unmarshal([]byte(text), into); err != nil {
			return nil, nil, fmt.Errorf("reading %s: %w", key, err)
		}
	}
	return d, info, nil
}

// vintageFile is an open vintage file with its metadata.
type vintageFile struct {
	*parquet.File
	dataset *stat.Dataset
	info    *vintageInfo
	blob    *blob.Blob
}

func openVintageFile(dir *blob.Dir, key string) (*vintageFile, error) {
	b, err := dir.Open(key)
	if err != nil {
		return nil, err
	}
	f := &vintageFile{blob: b}
	if f.File, err = openFile(b, b.Size); err == nil {
		f.dataset, f.info, err = readInfo(f.File)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return f, nil
}

func (f *vintageFile) close() { f.blob.Close() }

// readColumns reads from a vintage file the row groups that may hold what is
// selected. It returns nil if these are more than half of all. A nil selection
// selects everything.
func readColumns(b *blob.Blob, d *stat.Dataset, periods []stat.Period, sel [][]int32) (*columns, error) {
	f, err := openFile(b, b.Size)
	if err != nil {
		return nil, err
	}
	groups := f.RowGroups()
	if sel != nil {
		if groups, err = groupsWith(f, d, sel); err != nil || 2*len(groups) > len(f.RowGroups()) {
			return nil, err
		}
	}
	return loadColumns(f, groups, d, periods)
}

// loadColumns reads the observations of some row groups of a vintage file. d and
// periods define the order of codes and periods.
func loadColumns(f *parquet.File, groups []parquet.RowGroup, d *stat.Dataset, periods []stat.Period) (*columns, error) {
	l := &loader{groups: groups}
	for _, g := range groups {
		l.rows += int(g.NumRows())
	}
	indexes := columnIndexes(f.Schema())
	c := &columns{periods: periods}
	axes := d.Axes()
	counts := make([]int, len(axes))
	keys := make([][]int32, len(axes))
	for axis, dim := range axes {
		counts[axis] = len(dim.Codes)
		keys[axis] = l.texts(indexes, dim.ID, lookUp(dim.Positions()))
	}
	numbers := make(map[string]int32, len(periods))
	for i, p := range periods {
		numbers[p.SDMX()] = int32(i)
	}
	c.period = l.texts(indexes, columnPeriod, lookUp(numbers))
	c.value = l.doubles(indexes, columnValue)
	c.units, c.flagSet, c.noteSet = []string{""}, []stat.Flags{""}, []string{""}
	if _, ok := indexes[columnStatus]; ok {
		l.flags(indexes, c)
	}
	if _, ok := indexes[columnNote]; ok {
		c.note = l.texts(indexes, columnNote, collect(&c.noteSet))
	}
	var units []int32
	if _, ok := indexes[columnUnit]; ok {
		units = l.texts(indexes, columnUnit, collect(&c.units))
	}
	if l.err != nil {
		return nil, l.err
	}
	c.seriesFrom(keys, units)
	c.index(counts)
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

// groupsWith returns the row groups that may hold what is selected: those whose
// dictionaries contain a selected code on every axis.
func groupsWith(f *parquet.File, d *stat.Dataset, sel [][]int32) ([]parquet.RowGroup, error) {
	indexes := columnIndexes(f.Schema())
	wanted := []parquet.RowGroup{}
	for _, group := range f.RowGroups() {
		all := true
		for axis, dim := range d.Axes() {
			if sel[axis] == nil || !all {
				continue
			}
			has, err := hasCode(group.ColumnChunks()[indexes[dim.ID]], dim, sel[axis])
			if err != nil {
				return nil, fmt.Errorf("reading the dictionary of column %s: %w", dim.ID, err)
			}
			all = has
		}
		if all {
			wanted = append(wanted, group)
		}
	}
	return wanted, nil
}

// hasCode reports whether the dictionary of a column chunk contains any of the
// codes at the given positions.
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

// loader reads columns of row groups. It does nothing after the first error.
type loader struct {
	groups []parquet.RowGroup
	rows   int
	err    error
}

// numbering returns the number of a text, or false if the text is not allowed.
type numbering func(text string) (int32, bool)

func lookUp(numbers map[string]int32) numbering {
	return func(text string) (int32, bool) {
		n, ok := numbers[text]
		return n, ok
	}
}

// collect numbers texts in the order in which they appear. The set begins with ""
// for null.
func collect(set *[]string) numbering {
	numbers := map[string]int32{"": 0}
	return func(text string) (int32, bool) {
		n, ok := numbers[text]
		if !ok {
			n = int32(len(*set))
			numbers[text] = n
			*set = append(*set, text)
		}
		return n, true
	}
}

// flags reads both columns of flags.
func (l *loader) flags(indexes map[string]int, c *columns) {
	var statuses, confs = []string{""}, []string{""}
	status := l.texts(indexes, columnStatus, collect(&statuses))
	var conf []int32
	if _, ok := indexes[columnConf]; ok {
		conf = l.texts(indexes, columnConf, collect(&confs))
	}
	if l.err != nil {
		return
	}
	numbers := map[[2]int32]uint16{{0, 0}: 0}
	c.flag = make([]uint16, l.rows)
	for i, s := range status {
		pair := [2]int32{s, 0}
		if conf != nil {
			pair[1] = conf[i]
		}
		n, ok := numbers[pair]
		if !ok {
			n = uint16(len(c.flagSet))
			numbers[pair] = n
			c.flagSet = append(c.flagSet, stat.JoinFlags(statuses[pair[0]], confs[pair[1]]))
		}
		c.flag[i] = n
	}
}

// texts reads a column of strings as numbers; null is 0.
func (l *loader) texts(indexes map[string]int, name string, number numbering) []int32 {
	into := make([]int32, 0, l.rows)
	l.pages(indexes, name, func(page parquet.Page) error {
		var err error
		into, err = appendNumbers(into, page, number)
		return err
	})
	return into
}

func appendNumbers(into []int32, page parquet.Page, number numbering) ([]int32, error) {
	dictionary := page.Dictionary()
	if dictionary == nil {
		return into, fmt.Errorf("a page has no dictionary")
	}
	numbers := make([]int32, dictionary.Len())
	for i := range numbers {
		text := string(dictionary.Index(int32(i)).ByteArray())
		n, ok := number(text)
		if !ok {
			return into, fmt.Errorf("%q is not in the file's structure", text)
		}
		numbers[i] = n
	}
	data := page.Data()
	indexes := data.Int32()
	levels := page.DefinitionLevels()
	if levels == nil {
		for _, i := range indexes {
			into = append(into, numbers[i])
		}
		return into, nil
	}
	next := 0
	for _, level := range levels {
		if level == 0 {
			into = append(into, 0)
			continue
		}
		into = append(into, numbers[indexes[next]])
		next++
	}
	return into, nil
}

// doubles reads a column of numbers; null is NaN.
func (l *loader) doubles(indexes map[string]int, name string) []float64 {
	into := make([]float64, 0, l.rows)
	l.pages(indexes, name, func(page parquet.Page) error {
		data := page.Data()
		value := func(i int) float64 { return data.Double()[i] }
		if dictionary := page.Dictionary(); dictionary != nil {
			indexes := data.Int32()
			values := make([]float64, dictionary.Len())
			for i := range values {
				values[i] = dictionary.Index(int32(i)).Double()
			}
			value = func(i int) float64 { return values[indexes[i]] }
		}
		next := 0
		for _, level := range page.DefinitionLevels() {
			if level == 0 {
				into = append(into, math.NaN())
				continue
			}
			into = append(into, value(next))
			next++
		}
		return nil
	})
	return into
}

func (l *loader) pages(indexes map[string]int, name string, read func(parquet.Page) error) {
	column, ok := indexes[name]
	if !ok && l.err == nil {
		l.err = fmt.Errorf("the file has no column %s", name)
	}
	if l.err != nil {
		return
	}
	for _, group := range l.groups {
		if err := readPages(group.ColumnChunks()[column], read); err != nil {
			l.err = fmt.Errorf("reading column %s: %w", name, err)
			return
		}
	}
}

func readPages(chunk parquet.ColumnChunk, read func(parquet.Page) error) error {
	pages := chunk.Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		err = read(page)
		parquet.Release(page)
		if err != nil {
			return err
		}
	}
}
