package defaults

import (
	"fmt"
	"time"

	"almanac/internal/stat"
)

// SaysHorizon reports whether a dataset has a date after which values are projections: that of an update, or one in the title of
// an outlook. If not, [Horizon] goes by the import, and earlier values may be projections too.
func SaysHorizon(d *stat.Dataset, updated time.Time) bool {
	_, hasEdition := EditionEnd(d, updated)
	return hasEdition || !d.Updated.IsZero()
}

// ProjectionsText says that the values of a span of periods after [Horizon] are projections, although no flag says so.
func ProjectionsText(d *stat.Dataset, first, last string, updated time.Time) string {
	span := first
	if last != first {
		span += " to " + last
	}
	text := "the values of " + span + " are projections, although no flag says so: these periods had not ended "
	day := updated.Format(time.DateOnly)
	switch _, hasEdition := EditionEnd(d, updated); {
	case hasEdition:
		return text + "at the date in the title"
	case SaysHorizon(d, updated):
		return text + "when the dataset was updated, " + day
	}
	return text + "when its file was imported, " + day + "; earlier values may be projections too: the file does not say"
}

// UnsaidText says that the values of a period before [Horizon] may be projections too, because the dataset has projections, and not
// [SaysHorizon].
func UnsaidText(period string) string {
	return fmt.Sprintf("the dataset has projections and its file does not say since when: values of %s may be projections too", period)
}
