package text

import (
	"math"

	"almanac/internal/stat"
)

// Value parses the value of an observation, with a decimal point and no thousands
// separators; a mark for a missing value is NaN. The report gets a note if the value
// is rounded.
func Value(content string, at stat.Position, report *stat.Report) (float64, error) {
	if IsMissing(content) {
		return math.NaN(), nil
	}
	value, size, exact := Number([]byte(content))
	if size != len(content) {
		return 0, stat.BadFile(at, "%.40q is not a number that can be stored; it must have a decimal point and no thousands separators", content)
	}
	if !exact {
		report.Add(stat.NoteRounded, 1, content)
	}
	return value, nil
}
