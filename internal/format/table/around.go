package table

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/format/assemble"
)

// JoinCells returns the cells of a line around a table that are not empty, with spaces between them.
func JoinCells(cells []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(cells), func(s string) bool { return s == "" }), " ")
}

// maxDescription is how much of the lines around a table a description keeps, in bytes.
const maxDescription = 4000

// AddLine adds a line to a description. It reports whether the line is in it as a whole.
func AddLine(description *string, line string) bool {
	if len(*description) >= maxDescription {
		return false // it was cut
	}
	joined := strings.TrimPrefix(*description+"\n"+line, "\n")
	isWhole := len(joined) <= maxDescription
	if !isWhole {
		joined = strings.ToValidUTF8(joined[:maxDescription], "") + " …"
	}
	*description = joined
	return isWhole
}

// stampedLine matches a line that states a date after a few words, perhaps with a time and its zone,
// and with texts behind it.
var stampedLine = regexp.MustCompile(`^([^0-9]{4,40}?)([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2} \pL+ [0-9]{4}|\pL+ [0-9]{1,2}, [0-9]{4}|[0-9]{2}-\pL{3}-[0-9]{4}|[0-9]{2}\.[0-9]{2}\.[0-9]{4})` +
	`(?:(?:[ T]|, )([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?(?:am|pm|AM|PM)\b)?)( [A-Z]{2,4}\b)?)?(?:[^0-9.].*)?$`)

// preposition matches what may stand between a word for an update and its date.
var preposition = regexp.MustCompile(`(?i) (on|at|vom|am|le|el|em|il)$`)

// UpdatedIn returns when the data were last updated by a line around their table; the zero time
// if it does not say so:
//
//	Last updated: November 14, 2019-- new statistics for 2018
//	PublishingDate 2019-09-02 14:30
//
// A time in another zone than that of the office is left out. The time of a download ("Query date", "Stand" of GENESIS) is no update.
func UpdatedIn(line string, zone *time.Location) time.Time {
	m := stampedLine.FindStringSubmatch(strings.TrimSpace(line))
	if m == nil {
		return time.Time{}
	}
	word := assemble.Fold(preposition.ReplaceAllString(strings.TrimRight(m[1], " \t\n:：-"), ""))
	if !assemble.Means("updated", word) || assemble.Means("download line", word) {
		return time.Time{}
	}
	if m[3] == "" || m[4] != "" { // the zone may be another one
		return UpdateTime(m[2], zone)
	}
	return UpdateTime(m[2]+" "+strings.ToUpper(strings.ReplaceAll(m[3], " ", "")), zone)
}

// UpdateTime reads a time of update in a form that means only one; the zero time for other texts.
func UpdateTime(text string, zone *time.Location) time.Time {
	for _, day := range []string{"2006-01-02", "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "02-Jan-2006", "02.01.2006"} {
		for _, clock := range []string{"", " 15:04", " 15:04:05", " 3:04PM", " 3:04:05PM"} {
			if t, err := time.ParseInLocation(day+clock, text, zone); err == nil && t.Year() >= 1900 && t.Year() < 2200 {
				return t
			}
		}
	}
	return time.Time{}
}
