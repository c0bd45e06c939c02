package stat_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stat"
)

// The first and last values of each series are kept, with the remarks between and beside them.
func TestKeepEnds(t *testing.T) {
	// Of the areas, by row: 0 has values, 1 begins and ends with remarks, 2 has no value.
	nan := math.NaN()
	cells := [][]float64{{10, nan, nan}, {11, 21, nan}, {12, 22, nan}, {13, nan, nan}}
	for _, c := range []struct {
		name        string
		first, last int
		want        string
	}{
		{"no bound", 0, 0, "0:10 NaN NaN, 1:11 21 NaN, 2:12 22 NaN, 3:13 NaN NaN"},
		{"the last", 0, 1, "2:22, 3:13 NaN"},
		{"the first", 1, 0, "0:10 NaN, 1:21"},
		{"both ends", 1, 1, "0:10 NaN, 1:21, 2:22, 3:13 NaN"},
		{"last ones, more than there are", 0, 9, "0:10, 1:11 21, 2:12 22, 3:13 NaN"},
		{"first ones, more than there are", 9, 0, "0:10 NaN, 1:11 21, 2:12 22, 3:13"},
		{"as many as there are", 2, 2, "0:10 NaN, 1:11 21, 2:12 22, 3:13 NaN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &stat.Block{Areas: []int32{0, 1, 2}, RowStart: []int32{0}}
			for row, values := range cells {
				b.Periods = append(b.Periods, int32(row))
				for area, v := range values {
					b.Area, b.Value = append(b.Area, int32(area)), append(b.Value, v)
				}
				b.RowStart = append(b.RowStart, int32(len(b.Value)))
			}
			b.KeepEnds(c.first, c.last)
			wantAreas := []int32{0, 1, 2}
			if c.first+c.last > 0 {
				wantAreas = []int32{0, 1}
			}
			if !slices.Equal(b.Areas, wantAreas) {
				t.Errorf("areas %v, want %v", b.Areas, wantAreas)
			}
			var rows []string
			for row, p := range b.Periods {
				rows = append(rows, fmt.Sprintf("%d:%s", p, strings.Trim(fmt.Sprint(b.Value[b.RowStart[row]:b.RowStart[row+1]]), "[]")))
			}
			if got := strings.Join(rows, ", "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A block of series without a value is left out, so that an answer without observations is known to have none.
func TestKeepEndsOfNothing(t *testing.T) {
	block := func(value float64) *stat.Block {
		return &stat.Block{Areas: []int32{0}, Area: []int32{0}, Periods: []int32{0}, RowStart: []int32{0, 1}, Value: []float64{value}}
	}
	x := &stat.Extract{Blocks: func(yield func(*stat.Block, error) bool) {
		_ = yield(block(math.NaN()), nil) && yield(block(7), nil)
	}}
	x.KeepEnds(&stat.Query{LastN: 1})
	var values []float64
	for b, err := range x.Blocks {
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, b.Value...)
		if len(b.Areas) == 0 {
			t.Error("a block without areas is yielded")
		}
	}
	if !slices.Equal(values, []float64{7}) {
		t.Errorf("values are %v, want 7", values)
	}
}
