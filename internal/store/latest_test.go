package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/stat"
	"almanac/internal/stattest/postgres"
	"almanac/internal/store"
)

// series returns n yearly values of one series that ends in the year last.
func series(item, unit, area string, last, n int) []cell {
	var cells []cell
	for i := range n {
		cells = append(cells, cell{Key: [3]string{item, unit, area}, Period: stat.NewPeriod(stat.Annual, last-i, 1).String(), Value: float64(last - i)})
	}
	return cells
}

// constants is series with the same value in all years.
func constants(item, area string, last, n int, value float64) []cell {
	cells := series(item, "U", area, last, n)
	for i := range cells {
		cells[i].Value = value
	}
	return cells
}

func concat(lists ...[]cell) []cell {
	var all []cell
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// The default series of /latest is chosen dimension by dimension.
func TestDefaultSeries(t *testing.T) {
	itemLabels := func(labels map[string]string) func(*stat.Dataset) {
		return func(d *stat.Dataset) {
			for i, c := range d.Dimensions[0].Codes {
				if label, ok := labels[c.ID]; ok {
					d.Dimensions[0].Codes[i].Label = label
				}
			}
		}
	}
	for _, tc := range []struct {
		name  string
		cells []cell
		edit  func(*stat.Dataset)
		want  string // item and unit
	}{
		{"the curator's value is first", concat(series("A", "U", "DE", 2020, 3), series("T", "U", "DE", 2020, 3)),
			func(d *stat.Dataset) { d.Dimensions[0].Default, d.Dimensions[0].Total = "A", "T" }, "A U"},
		{"then the office's elimination value", concat(series("A", "U", "DE", 2020, 3), series("TOTAL", "U", "DE", 2020, 3)),
			func(d *stat.Dataset) { d.Dimensions[0].Total = "A" }, "A U"},
		{"then a label that means total", concat(series("A", "U", "DE", 2020, 5), series("B", "U", "DE", 2020, 3), series("T", "U", "DE", 2020, 4)),
			itemLabels(map[string]string{"B": "Total"}), "B U"},
		{"then a label that begins with total", concat(series("A", "U", "DE", 2020, 5), series("B", "U", "DE", 2020, 3)),
			itemLabels(map[string]string{"A": "Totally other", "B": "Total - all activities"}), "B U"},
		{"then a code that means total", concat(series("A", "U", "DE", 2020, 5), series("_T", "U", "DE", 2020, 3)), nil, "_T U"},
		{"else the one with most observations", concat(series("A", "U", "DE", 2020, 2), series("B", "U", "DE", 2020, 3)), nil, "B U"},
		{"counted over all areas", concat(series("A", "U", "DE", 2020, 3), series("B", "U", "DE", 2020, 2), series("B", "U", "FR", 2020, 2)), nil, "B U"},
		{"counted in the last five years", concat(series("A", "U", "DE", 2015, 30), series("B", "U", "DE", 2020, 2)), nil, "B U"},
		{"a total without recent data is skipped", concat(series("TOTAL", "U", "DE", 2010, 5), series("B", "U", "DE", 2020, 2)), nil, "B U"},
		{"ties by the order of the code list", concat(series("B", "U", "DE", 2020, 2), series("A", "U", "DE", 2020, 2)), nil, "B U"},
		{"frequency dimensions skip the total rule", concat(series("TOTAL", "U", "DE", 2020, 2), series("A", "U", "DE", 2020, 3)),
			func(d *stat.Dataset) { d.Dimensions[0].Role = stat.RoleFrequency }, "A U"},
		{"the curator's value without recent data is skipped", concat(series("A", "U", "DE", 2010, 5), series("B", "U", "DE", 2020, 2)),
			func(d *stat.Dataset) { d.Dimensions[0].Default = "A" }, "B U"},
		{"so is the elimination value", concat(series("A", "U", "DE", 2010, 5), series("B", "U", "DE", 2020, 2)),
			func(d *stat.Dataset) { d.Dimensions[0].Total = "A" }, "B U"},
		{"values that never change in an area say nothing of time", concat(constants("A", "DE", 2020, 4, 3), constants("A", "FR", 2020, 4, 1), series("B", "U", "DE", 2020, 3)), nil, "B U"},
		{"one value for each area may change", concat(constants("A", "DE", 2020, 1, 3), constants("A", "FR", 2020, 1, 1), series("B", "U", "DE", 2020, 1)), nil, "A U"},
		{"unit dimensions skip the total rule", concat(series("A", "TOTAL", "DE", 2020, 2), series("A", "X", "DE", 2020, 3)), nil, "A X"},
		{"the choice for one dimension restricts the next", concat(series("TOTAL", "X", "DE", 2020, 1), series("B", "Y", "DE", 2020, 5)), nil, "TOTAL X"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := open(t, store.Options{Dir: t.TempDir()})
			var edits []func(*stat.Dataset)
			if tc.edit != nil {
				edits = append(edits, tc.edit)
			}
			id := publish(t, s, "t", tc.cells, edits...).ID
			v, err := s.Vintage(context.Background(), id)
			if err != nil {
				t.Fatal(err)
			}
			if got := keyText(v, defaultOf(t, v)); got != tc.want {
				t.Errorf("default series %s, want %s", got, tc.want)
			}
		})
	}
}

// only are the rules of a series whose dimensions have no choice.
var only = []string{"only", "only"}

func defaultOf(t testing.TB, v *store.Vintage) *stat.Latest {
	t.Helper()
	latest, err := v.Default()
	if err != nil {
		t.Fatal(err)
	}
	return latest
}

func keyText(v *store.Vintage, l *stat.Latest) string {
	return v.Dataset.Dimensions[0].Codes[l.Key[0]].ID + " " + v.Dataset.Dimensions[1].Codes[l.Key[1]].ID
}

func TestLatestOfASelection(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	cells := concat(
		series("TOTAL", "U", "DE", 2020, 3), series("TOTAL", "U", "FR", 2019, 3), series("TOTAL", "U", "IT", 2020, 1),
		series("OLD", "U", "FR", 2001, 3))
	cells = append(cells, cell{Key: [3]string{"TOTAL", "U", "DE"}, Period: "2021", Value: none, Flags: "Q"})
	id := publish(t, s, "t", cells).ID
	v, err := s.Vintage(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	year := func(y int) stat.Period { return stat.NewPeriod(stat.Annual, y, 1) }
	same := cmp.Comparer(func(a, b stat.Period) bool { return a == b })
	want := &stat.Latest{Key: []int32{0, 0}, Rules: only, Period: year(2020), Areas: []int32{0, 2}, Values: []float64{2020, 2020}}
	if diff := cmp.Diff(want, defaultOf(t, v), same); diff != "" {
		t.Errorf("default: a period with flags only is not the latest (-want +got):\n%s", diff)
	}
	for name, tc := range map[string]struct {
		sel  [][]int32
		want *stat.Latest
	}{
		"everything":                    {nil, want},
		"an area":                       {[][]int32{nil, nil, {1}}, &stat.Latest{Key: []int32{0, 0}, Rules: only, Period: year(2019), Areas: []int32{1}, Values: []float64{2019}}},
		"an item without recent data":   {[][]int32{{1}, nil, nil}, &stat.Latest{Key: []int32{1, 0}, Rules: only, Period: year(2001), Areas: []int32{1}, Values: []float64{2001}}},
		"nothing":                       {[][]int32{{1}, nil, {0}}, nil},
		"an empty list selects nothing": {[][]int32{{}, nil, nil}, nil},
	} {
		got, err := v.LatestOf(tc.sel, stat.LatestLast)
		if tc.want == nil {
			if stat.KindOf(err) != stat.NotFound {
				t.Errorf("%s: %v, %v", name, got, err)
			}
			continue
		}
		if diff := cmp.Diff(tc.want, got, same); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// Areas whose units differ are one series for /latest: its period is the last
// for which any of them has a value.
func TestLatestOfASeriesWithSeveralUnits(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	cells := concat(series("A", "U", "DE", 2020, 1), series("A", "U", "AT", 2020, 1), series("A", "U", "FR", 2021, 1), series("A", "U", "IT", 2021, 2))
	for i := range cells {
		cells[i].Unit = map[string]string{"DE": "kg", "AT": "kg", "FR": "t", "IT": "kg"}[cells[i].Key[2]]
		if cells[i].Key[2] == "IT" {
			cells[i].Flags = "P"
		}
	}
	id := publish(t, s, "t", cells).ID
	v, err := s.Vintage(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	want := &stat.Latest{Key: []int32{0, 0}, Rules: only, Period: stat.NewPeriod(stat.Annual, 2021, 1), Areas: []int32{2, 3}, Values: []float64{2021, 2021}, Units: []string{"t", "kg"}, Flags: []stat.Flags{"", "P"}}
	same := cmp.Comparer(func(a, b stat.Period) bool { return a == b })
	if diff := cmp.Diff(want, defaultOf(t, v), same); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	observed, err := v.LatestOf(nil, stat.LatestObserved)
	if diff := cmp.Diff(want, observed, same); err != nil || diff != "" {
		t.Errorf("observed: %v (-want +got):\n%s", err, diff)
	}
}

// Thirteen areas have values of 2019, two of 2020, one of 2021; then there are forecasts: one
// flagged, one of a year that began after the dataset's update.
func TestLatestModes(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	cells := concat(series("A", "U", "DE", 2021, 3), series("A", "U", "FR", 2020, 2))
	for i := range 11 {
		cells = concat(cells, series("A", "U", fmt.Sprint("X", i), 2019, 1))
	}
	cells = append(cells,
		cell{Key: [3]string{"A", "U", "DE"}, Period: "2022", Value: 2022, Flags: "F"},
		cell{Key: [3]string{"A", "U", "FR"}, Period: "2030", Value: 2030})
	id := publish(t, s, "t", cells, func(d *stat.Dataset) { d.Updated = time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC) }).ID
	v, err := s.Vintage(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[stat.LatestMode]string{
		stat.LatestLast: "2030: FR", stat.LatestObserved: "2020: DE FR", stat.LatestCovered: "2019: DE FR X0 X1 X2 X3 X4 X5 X6 X7 X8 X9 X10",
		stat.LatestArea: "2021: DE 2021 FR 2020 X0 2019 X1 2019 X2 2019 X3 2019 X4 2019 X5 2019 X6 2019 X7 2019 X8 2019 X9 2019 X10 2019",
	} {
		latest, err := v.LatestOf(nil, mode)
		if err != nil {
			t.Fatal(err)
		}
		got := latest.Period.String() + ":"
		for i, area := range latest.Areas {
			got += " " + v.Dataset.Geography.Codes[area].ID
			if latest.Periods != nil {
				got += " " + latest.Periods[i].String()
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", mode, got, want)
		}
		if selected := read(t, s, id, stat.Query{Latest: mode}); len(selected) != len(latest.Areas) {
			t.Errorf("%s: a query selects %d values, /latest %d", mode, len(selected), len(latest.Areas))
		}
	}
	onlyForecasts := [][]int32{nil, nil, {0}} // of Germany, in 2022
	p, err := v.LatestPeriod(stat.Query{Select: onlyForecasts, From: stat.NewPeriod(stat.Annual, 2022, 1), Latest: stat.LatestArea})
	if err != nil || p.String() != "2022" {
		t.Errorf("only forecasts: %s, %v; want the last of them", p, err)
	}
}

// A default series that other rules chose is chosen again; nothing else of the version
// changes.
func TestDefaultOfAnotherEdition(t *testing.T) {
	postgres.FilesOnly(t)
	dir := t.TempDir()
	s := open(t, store.Options{Dir: dir})
	id := publish(t, s, "t", concat(series("A", "U", "DE", 2020, 9), series("T", "U", "DE", 2020, 3))).ID
	s.Close()
	db := postgres.Open(t, dir, "catalog")
	// A catalogue of an older program: it chose A and did not name the edition.
	var body string
	if err := db.QueryRow("SELECT structure FROM vintage").Scan(&body); err != nil {
		t.Fatal(err)
	}
	old := strings.Replace(body, `"edition":`, `"other":`, 1)
	if old = strings.Replace(old, `"key":["T"`, `"key":["A"`, 1); old == body {
		t.Fatalf("the structure names no edition: %s", body)
	}
	if _, err := db.Exec("UPDATE vintage SET structure = ?", old); err != nil {
		t.Fatal(err)
	}
	db.Close()
	v, err := open(t, store.Options{Dir: dir}).Vintage(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := keyText(v, defaultOf(t, v)); got != "T U" {
			t.Errorf("default series %s, want T U", got)
		}
	}
}
