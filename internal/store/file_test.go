package store_test

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// TestDimensionsNamedLikeColumns: a dimension may have the name of a column for
// attributes, as the OECD's UNIT_MEASURE does, beside the attribute itself.
func TestDimensionsNamedLikeColumns(t *testing.T) {
	cells := []cell{
		{Key: [3]string{"GDP", "EUR", "DE"}, Period: "2020", Value: 1, Flags: "P", Note: "first", Unit: "Euro (millions)"},
		{Key: [3]string{"GDP", "EUR", "DE"}, Period: "2021", Value: 2, Unit: "Euro (millions)"},
		{Key: [3]string{"GDP", "EUR", "FR"}, Period: "2020", Value: 3},
	}
	for _, ids := range [][2]string{
		{"OBS_STATUS", "UNIT_MEASURE"}, {"UNIT_MEASURE_ATTRIBUTE", "UNIT_MEASURE"}, {"TIME_PERIOD", "OBS_NOTE"}, {"OBS_VALUE", "PERIOD_START"},
	} {
		dir := t.TempDir()
		s := open(t, store.Options{Dir: dir})
		r := publish(t, s, "gdp", cells, func(d *stat.Dataset) { d.Dimensions[0].ID, d.Dimensions[1].ID = ids[0], ids[1] })
		again := open(t, store.Options{Dir: dir, Memory: 1})
		if diff := cmp.Diff(read(t, s, r.ID, stat.Query{Flags: true}), read(t, again, r.ID, stat.Query{Flags: true}), sameCells); diff != "" {
			t.Errorf("dimensions %v, opened again (-first +then):\n%s", ids, diff)
		}
		if got := read(t, again, r.ID, stat.Query{Flags: true}); len(got) != 3 || got[0].Unit+got[1].Unit+got[2].Unit != "Euro (millions)Euro (millions)" {
			t.Errorf("dimensions %v: the observations are %+v", ids, got)
		}
	}
}

// TestFileForOtherReaders: what the file says of itself is true, also of row groups without
// flags and notes.
func TestFileForOtherReaders(t *testing.T) {
	dir := t.TempDir()
	s := open(t, store.Options{Dir: dir})
	d := &stat.Dataset{
		Source: stat.Source{ID: "test", Name: "Test office"}, Code: "gaps", Name: "Gaps",
		Dimensions: []stat.Dimension{numbered("item", 70)}, Geography: numbered("geo", 2),
	}
	d.Geography.Codes[0].Area, d.Geography.Codes[1].Area = "a", "b"
	b := s.NewBuilder(d)
	nulls := map[string]int64{}
	for i := range 140_000 {
		o := stat.Observation{Key: []int32{int32(i / 2000), int32(i / 1000 % 2)}, Period: stat.NewPeriod(stat.Annual, 1000+i%1000, 1), Value: float64(i)}
		switch {
		case i < 135_000: // more than a row group
			nulls["OBS_NOTE"]++
			nulls["OBS_STATUS"]++
		case i%2 == 0:
			o.Value, o.Note = math.NaN(), "no report"
			nulls["OBS_VALUE"]++
			nulls["OBS_STATUS"]++
		default:
			o.Flags = "P"
			nulls["OBS_NOTE"]++
		}
		if err := b.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	draft, err := b.Finish(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := draft.Publish(t.Context(), store.PublishOptions{}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filesBelow(t, dir, "vintages")[0])
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	stated, found := map[string]int64{}, map[string]int64{}
	for i, group := range f.RowGroups() {
		for j, column := range f.Metadata().RowGroups[i].Columns {
			name := column.MetaData.PathInSchema[0]
			stated[name] += column.MetaData.Statistics.NullCount
			pages := group.ColumnChunks()[j].Pages()
			page, err := pages.ReadPage()
			if err != nil || page.NumValues() != group.NumRows() {
				t.Fatalf("column %s of row group %d: %d of %d rows, %v", name, i, page.NumValues(), group.NumRows(), err)
			}
			found[name] += page.NumNulls()
			pages.Close()
		}
	}
	for name := range found {
		if found[name] != nulls[name] || stated[name] != nulls[name] {
			t.Errorf("column %s has %d nulls and states %d, want %d", name, found[name], stated[name], nulls[name])
		}
	}
	if f.NumRows() != 140_000 || len(f.RowGroups()) != 2 {
		t.Errorf("the file has %d rows in %d row groups", f.NumRows(), len(f.RowGroups()))
	}
}
