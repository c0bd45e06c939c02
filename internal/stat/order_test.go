package stat_test

import (
	"slices"
	"testing"

	"almanac/internal/stat"
)

func TestWholeOrder(t *testing.T) {
	d := &stat.Dataset{
		Dimensions: []stat.Dimension{{ID: "C"}, {ID: "E"}}, Geography: stat.Dimension{ID: "geo"}, GeographyAt: 1,
	}
	for _, c := range []struct {
		name  string
		fixed []stat.FixedDimension
		want  []int // C, E, geo, then the fixed ones
	}{
		{"none", nil, []int{0, 2, 1}},
		{"between and at both ends", []stat.FixedDimension{{ID: "A", Place: 1}, {ID: "D", Place: 4}, {ID: "F", Place: 6}}, []int{3, 0, 2, 4, 1, 5}},
		{"without places, as stored before", []stat.FixedDimension{{ID: "A"}, {ID: "D"}}, []int{0, 2, 1, 3, 4}},
	} {
		d.Fixed = c.fixed
		if got := d.WholeOrder(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
