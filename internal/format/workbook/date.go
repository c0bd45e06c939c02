package workbook

import (
	"regexp"
	"strings"
	"time"
)

// What a cell format shows of a date, as a layout of package time; an empty layout shows
// a number.
const (
	YearLayout  = "2006"
	MonthLayout = "2006-01"
	DayLayout   = time.DateOnly
)

// DateText returns the date that is a number of days since the end of 1899 or since
// 1904; ok is false if the layout shows a number.
func DateText(layout string, days float64, since04 bool) (text string, ok bool) {
	if layout == "" || !(days >= 1 && days < 2_958_466) { // to the end of 9999
		return "", false
	}
	if since04 {
		days += 1462
	} else if days < 61 {
		days++ // spreadsheet programs count a 29 February 1900
	}
	whole := int(days)
	date := time.Date(1899, 12, 30+whole, 0, 0, 0, 0, time.UTC)
	if seconds := (days - float64(whole)) * 86400; seconds >= 0.5 {
		date, layout = date.Add(time.Duration(seconds*float64(time.Second))), "2006-01-02T15:04:05"
	}
	return date.Format(layout), true
}

// LayoutOf returns the layout of a number format by its number, given those that the
// workbook defines; those below 164 are predefined.
func LayoutOf(n int, custom map[int]string) string {
	if layout, ok := custom[n]; ok {
		return layout
	}
	switch {
	case n == 17: // mmm-yy
		return MonthLayout
	case n >= 14 && n <= 16, n == 22, n >= 27 && n <= 31, n >= 50 && n <= 54, n == 57, n == 58:
		return DayLayout
	}
	return ""
}

// literals matches the texts, colours and conditions in a custom format.
var literals = regexp.MustCompile(`(?s)[\\_*].|"[^"]*"|\[[^\]]*\]`)

// CustomLayout returns the layout of a number format by its code, such as "mmm-yyyy".
func CustomLayout(code string) string {
	code, _, _ = strings.Cut(code, ";")
	code = strings.ToLower(literals.ReplaceAllString(code, ""))
	switch {
	case !strings.Contains(code, "y") || strings.Contains(code, "general"):
		return "" // a number, or a time of day
	case strings.Contains(code, "d"):
		return DayLayout
	case strings.Contains(code, "m"):
		return MonthLayout
	}
	return YearLayout
}
