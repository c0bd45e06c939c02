package format

import (
	"errors"
	"testing"

	"almanac/internal/stat"
)

// TestStyleRefusals: who refuses to guess says where the cell stands.
func TestStyleRefusals(t *testing.T) {
	for _, c := range []struct {
		cells   []string // those of one column, from line 1
		message string
		line    int
	}{
		{[]string{"7", "1.25", "8", "1,5"}, `"1.25" (line 2) needs a decimal point and "1,5" (line 4) a decimal comma: state which one the file has with --decimal . or --decimal ,`, 4},
		{[]string{"1,5", "1.25", "1.5"}, `"1.25" (line 2) needs a decimal point and "1,5" (line 1) a decimal comma: state which one the file has with --decimal . or --decimal ,`, 2},
		{[]string{"7", "1,234", "5,678"}, `"1,234" may have a decimal comma or a comma between thousands, and no other number tells which: state --decimal . or --decimal ,`, 2},
	} {
		f := StyleFinder{}
		for i, cell := range c.cells {
			f.At = stat.Position{Line: i + 1, Column: 3}
			f.See([]byte(cell))
		}
		_, err := f.Style("")
		var at *stat.FileError
		if !errors.As(err, &at) || at.Message != c.message || at.At != (stat.Position{Line: c.line, Column: 3}) {
			t.Errorf("%q: the error is %v", c.cells, err)
		}
	}
}
