package defaults

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"almanac/internal/stat"
)

// outlooks are the words in titles of publications that contain projections.
var outlooks = []string{"outlook", "prospects", "projection", "forecast"}

// yearInTitle finds a year, and the month or the digits before it.
var yearInTitle = regexp.MustCompile(`(?i)(?:(january|february|march|april|may|june|july|august|september|october|november|december)\s+)?\b((?:19|20)\d\d)`)

// EditionEnd returns the end of the month or year that the title of an outlook, or of other
// projections, gives as its date: "World Economic Outlook Database, October 2009". Values of
// later periods are projections. ok is false if the title is none of an outlook, or has no
// date before now.
func EditionEnd(d *stat.Dataset, now time.Time) (end time.Time, ok bool) {
	title := strings.ToLower(d.Name)
	isOutlook := false
	for _, word := range outlooks {
		isOutlook = isOutlook || strings.Contains(title, word)
	}
	if !isOutlook {
		return time.Time{}, false
	}
	for _, found := range yearInTitle.FindAllStringSubmatch(title, -1) {
		year, _ := strconv.Atoi(found[2])
		end := time.Date(year+1, time.January, 1, 0, 0, 0, 0, time.UTC)
		if month, err := time.Parse("January 2006", found[1]+" "+found[2]); err == nil {
			end = month.AddDate(0, 1, 0)
		}
		if year >= firstOutlook && !end.After(now) {
			return end, true
		}
	}
	return time.Time{}, false
}

// firstOutlook is the year before which a year in a title is one of the data.
const firstOutlook = 1980
