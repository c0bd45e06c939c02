package store_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/stat"
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
	}
	id := publish(t, s, "t", cells).ID
	v, err := s.Vintage(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	want := &stat.Latest{Key: []int32{0, 0}, Rules: only, Period: stat.NewPeriod(stat.Annual, 2021, 1), Areas: []int32{2, 3}, Values: []float64{2021, 2021}}
	same := cmp.Comparer(func(a, b stat.Period) bool { return a == b })
	if diff := cmp.Diff(want, defaultOf(t, v), same); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
