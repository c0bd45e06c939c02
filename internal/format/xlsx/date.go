package xlsx

import (
	"strconv"
	"strings"
	"time"
)

// dateFormat is what a cell format shows of a date.
type dateFormat int

const (
	noDate dateFormat = iota
	showsYear
	showsMonth
	showsDay
)

// date returns the text of a date that is stored as the number of days since the
// end of 1899 or since 1904; ok is false if the format shows a number.
func (f dateFormat) date(days float64, since04 bool) (text string, ok bool) {
	if f == noDate || !(days >= 1 && days < 2_958_466) { // to the end of 9999
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
		return date.Add(time.Duration(seconds * float64(time.Second))).Format("2006-01-02T15:04:05"), true
	}
	return date.Format([]string{showsYear: "2006", showsMonth: "2006-01", showsDay: "2006-01-02"}[f]), true
}

// numberFormat returns what a number format shows: those below 164 are predefined.
func numberFormat(id string, custom map[string]dateFormat) dateFormat {
	if format, ok := custom[id]; ok {
		return format
	}
	n, err := strconv.Atoi(id)
	switch {
	case err != nil:
		return noDate
	case n == 17: // mmm-yy
		return showsMonth
	case n >= 14 && n <= 16, n == 22, n >= 27 && n <= 31, n >= 50 && n <= 54, n == 57, n == 58:
		return showsDay
	}
	return noDate
}

// dateFormatOf returns what a custom format shows of a date.
func dateFormatOf(code string) dateFormat {
	code, _, _ = strings.Cut(code, ";")
	var letters strings.Builder
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '\\', '_', '*':
			i++
		case '"':
			if end := strings.IndexByte(code[i+1:], '"'); end >= 0 {
				i += end + 1
			}
		case '[':
			if end := strings.IndexByte(code[i:], ']'); end >= 0 {
				i += end
			}
		default:
			letters.WriteByte(code[i] | 0x20)
		}
	}
	has := func(letter string) bool { return strings.Contains(letters.String(), letter) }
	switch {
	case !has("y") || has("general"):
		return noDate // a number, or a time of day
	case has("d"):
		return showsDay
	case has("m"):
		return showsMonth
	}
	return showsYear
}
