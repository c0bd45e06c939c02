package stat_test

import (
	"reflect"
	"testing"

	"almanac/internal/stat"
)

// TestJoin checks that parts of a dimension are joined unless a code means another thing.
func TestJoin(t *testing.T) {
	for _, c := range []struct{ part, want stat.Code }{
		{stat.Code{ID: "1", Label: "wheat  flour", Unit: "t"}, stat.Code{ID: "1", Label: "Wheat flour", Unit: "t"}},
		{stat.Code{ID: "1", Label: "Barley", Unit: "t"}, stat.Code{}},
		{stat.Code{ID: "1", Label: "1", Unit: "t"}, stat.Code{ID: "1", Label: "Wheat flour", Unit: "t"}},
		{stat.Code{ID: "2", Label: "Rice", Unit: "t"}, stat.Code{ID: "2", Label: "Rice", Unit: "t"}},
		{stat.Code{ID: "3", Label: "Rye", Unit: "t"}, stat.Code{ID: "3", Label: "Rye", Unit: "t"}},
		{stat.Code{ID: "2", Label: "Rice", Unit: "kg"}, stat.Code{}},
	} {
		d := &stat.Dimension{ID: "item", Codes: []stat.Code{{ID: "1", Label: "Wheat flour", Unit: "t"}, {ID: "2", Unit: "t"}}}
		at, err := d.Join(&stat.Dimension{Codes: []stat.Code{c.part}})
		if c.want.ID == "" {
			if err == nil {
				t.Errorf("%v is joined", c.part)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(d.Codes[at[0]], c.want) {
			t.Errorf("%v is %v at %v, error %v", c.part, d.Codes, at, err)
		}
	}
}
