package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
