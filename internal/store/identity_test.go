package store_test

import (
	"context"
	"testing"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// A source and a code, in upper or lower case, have one ID. The same code of another
// source is another dataset.
func TestIDOfSourceAndCode(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	first := publish(t, s, "gdp", gdp)
	same := replace(t, s, "GDP", gdp[:2])
	other := publish(t, s, "gdp", gdp, func(d *stat.Dataset) { d.Source = stat.Source{ID: "other", Name: "Other office"} })
	if same.ID != first.ID || other.ID == first.ID || other.Status != store.Created {
		t.Errorf("gdp is %d, GDP %d, gdp of another source %d", first.ID, same.ID, other.ID)
	}
}

// An import is a new version if anything changed: structure, labels, metadata,
// observations, flags or notes. The store keeps every vintage.
func TestNewVersions(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	publish(t, s, "t", gdp)
	change := func(edit func(c []cell)) []cell {
		cells := append([]cell(nil), gdp...)
		edit(cells)
		return cells
	}
	for _, tc := range []struct {
		name                    string
		cells                   []cell
		edit                    func(*stat.Dataset)
		version                 string
		added, revised, removed int
	}{
		{"a flag", change(func(c []cell) { c[1].Flags = "E" }), nil, "1.1", 0, 1, 0},
		{"back", gdp, nil, "1.2", 0, 1, 0},
		{"a note", change(func(c []cell) { c[1].Note = "see there" }), nil, "1.3", 0, 1, 0},
		{"a flag on a missing value", change(func(c []cell) { c[1].Note = "see there"; c[3].Flags = "M" }), nil, "1.4", 0, 1, 0},
		{"metadata", gdp, func(d *stat.Dataset) { d.Description = "new" }, "1.5", 0, 2, 0},
		{"a label", gdp, func(d *stat.Dataset) { d.Description = "new"; d.Geography.Codes[0].Label = "Deutschland" }, "1.6", 0, 0, 0},
		{"structure", append(gdp[:3:3], gdp[4]), func(d *stat.Dataset) { d.Description = "new"; d.Geography.Codes[0].Label = "Deutschland" }, "1.7", 0, 1, 0},
	} {
		var edits []func(*stat.Dataset)
		if tc.edit != nil {
			edits = append(edits, tc.edit)
		}
		r := publish(t, s, "t", tc.cells, edits...)
		v := r.Vintage
		if r.Status != store.Updated || v.Version != tc.version || v.Added != tc.added || v.Revised != tc.revised || v.Removed != tc.removed {
			t.Errorf("%s: %s %s, %d added, %d revised, %d removed; want updated %s, %d, %d, %d", tc.name,
				r.Status, v.Version, v.Added, v.Revised, v.Removed, tc.version, tc.added, tc.revised, tc.removed)
		}
	}
	if vintages, err := s.Vintages(context.Background(), 1); err != nil || len(vintages) != 8 {
		t.Errorf("%d vintages are kept, %v; want all 8", len(vintages), err)
	}
}

// Times of publication ascend, even if the clock goes back or an old vintage is
// restored. If the source states no time of update, it is the time of import, in UTC.
func TestTimesOfPublication(t *testing.T) {
	ctx := context.Background()
	now := time.Date(2025, 3, 1, 12, 0, 0, 0, time.FixedZone("", 3600))
	s := open(t, store.Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	first := publish(t, s, "t", gdp)
	v, err := s.Vintage(ctx, first.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := v.LastUpdate.Format(time.RFC3339); got != "2025-03-01T11:00:00Z" {
		t.Errorf("last update %s", got)
	}
	now = now.Add(-24 * time.Hour)
	second := replace(t, s, "t", gdp[:2])
	restored, err := s.Restore(ctx, first.ID, "1.0")
	if err != nil {
		t.Fatal(err)
	}
	if second.Vintage.Imported.Before(first.Vintage.Imported) || restored.Vintage.Imported.Before(second.Vintage.Imported) {
		t.Errorf("published %s, then %s, then restored %s", first.Vintage.Imported, second.Vintage.Imported, restored.Vintage.Imported)
	}
	if changed := s.Catalog().Changed; changed.Before(first.Vintage.Imported) {
		t.Errorf("the catalogue changed %s, before the first publication", changed)
	}
}
