package assemble

import (
	"math"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Number parses a value with a decimal point, and notes in the report that it was
// rounded. A mark for a missing value is NaN.
func (t *Table) Number(content string, at stat.Position) (float64, error) {
	if text.IsMissing(content) {
		return math.NaN(), nil
	}
	value, size, exact := text.Number([]byte(content))
	if size != len(content) {
		return 0, stat.BadFile(at, "%.40q is not a number that can be stored; it must have a decimal point and no thousands separators", content)
	}
	if !exact {
		t.Report.Add(stat.NoteRounded, 1, content)
	}
	return value, nil
}
