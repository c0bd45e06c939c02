package workbook

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/stat"
)

// Cell is what a cell holds.
type Cell struct {
	Text string
	Kind Kind
}

// Kind is how a cell holds its value.
type Kind byte

// Kinds of cells. A date is a text.
const (
	Text    Kind = iota
	Number       // stored as a number
	Percent      // likewise, and shown as a percentage: 0.125 as 12.5%
	Scaled       // likewise, and shown in thousands or millions: 67391582 as 67,392
)

// BoolCell returns the cell of a truth value, which is a text and no number.
func BoolCell(isTrue bool) Cell {
	if isTrue {
		return Cell{Text: "TRUE"}
	}
	return Cell{Text: "FALSE"}
}

// Layouts of numbers say what a cell format shows: of a date, as a layout of package
// time; a percentage; thousands or millions; or whole numbers with leading zeros, such as "00000". An empty
// layout shows any number.
const (
	YearLayout    = "2006"
	MonthLayout   = "2006-01"
	DayLayout     = time.DateOnly
	percentLayout = "%"
	scaledLayout  = ","
)

// NumberCell returns the cell of a number with a layout. A date is a number of days since
// the end of 1899, or since 1904.
func NumberCell(layout string, v float64, since04 bool) Cell {
	switch {
	case layout == percentLayout:
		return Cell{NumberText(v), Percent}
	case layout == scaledLayout:
		return Cell{NumberText(v), Scaled}
	case layout != "" && strings.Trim(layout, "0") == "":
		if v >= 0 && v < 1e15 && v == math.Trunc(v) {
			return Cell{fmt.Sprintf("%0*.0f", len(layout), v), Number}
		}
	case layout != "" && v >= 1 && v < 2_958_466: // to the end of 9999
		return Cell{dateText(layout, v, since04), Text}
	}
	return Cell{NumberText(v), Number}
}

func dateText(layout string, days float64, since04 bool) string {
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
	return date.Format(layout)
}

// LayoutOf returns the layout of a number format by its number, given those that the
// workbook defines; those below 164 are predefined.
func LayoutOf(n int, custom map[int]string) string {
	if layout, ok := custom[n]; ok {
		return layout
	}
	switch {
	case n == 9, n == 10:
		return percentLayout
	case n == 17: // mmm-yy
		return MonthLayout
	case n >= 14 && n <= 16, n == 22, n >= 27 && n <= 31, n >= 50 && n <= 54, n == 57, n == 58:
		return DayLayout
	}
	return ""
}

// literals matches the texts, colours and conditions in a custom format.
var literals = regexp.MustCompile(`(?s)[\\_*].|"[^"]*"|\[[^\]]*\]`)

// scaled matches a comma behind all digits of a number or of its whole part, which divides it
// by a thousand: "#,##0,", "0.0,,".
var scaled = regexp.MustCompile(`[0#?],+(?:[^0#?,]|$)`)

// CustomLayout returns the layout of a number format by its code, such as "mmm-yyyy".
func CustomLayout(code string) string {
	code, _, _ = strings.Cut(code, ";")
	code = strings.ToLower(literals.ReplaceAllString(code, ""))
	switch {
	case strings.Contains(code, "%"):
		return percentLayout
	case scaled.MatchString(code):
		return scaledLayout
	case len(code) > 1 && strings.Trim(code, "0") == "":
		return code
	case !strings.Contains(code, "y") || strings.Contains(code, "general"):
		return "" // a number, or a time of day
	case strings.Contains(code, "d"):
		return DayLayout
	case strings.Contains(code, "m"):
		return MonthLayout
	}
	return YearLayout
}

// NumberText returns the shortest decimal text of a number, without an exponent unless
// the number is very large or small: codes such as 1234567 keep their digits.
func NumberText(v float64) string {
	if size := math.Abs(v); size >= 1e21 || size < 1e-6 && size > 0 {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// IsErrorText reports whether a text is how spreadsheet programs show an error.
func IsErrorText(text string) bool {
	return slices.Contains([]string{"#N/A", "#VALUE!", "#REF!", "#DIV/0!", "#NUM!", "#NAME?", "#NULL!"}, text)
}

// Line is a row of a sheet that a reader fills. It is as wide as the widest one before, or
// wider.
type Line struct {
	Row   int // its number, from 1
	cells []string
	kinds []Kind
	used  int // cells that are set
}

// Begin empties the line.
func (l *Line) Begin(row int) {
	clear(l.cells)
	clear(l.kinds)
	l.Row, l.used = row, 0
}

// Set sets a cell, counted from 0.
func (l *Line) Set(at int, c Cell) {
	for len(l.cells) <= at {
		l.cells, l.kinds = append(l.cells, ""), append(l.kinds, Text)
	}
	l.cells[at], l.kinds[at], l.used = strings.TrimSpace(c.Text), c.Kind, max(l.used, at+1)
}

// At returns the numbers of the row and of a column, counted from 1.
func (l *Line) At(cell int) stat.Position {
	return stat.Position{Line: max(l.Row, 1), Column: cell + 1}
}

// Used returns how many cells the line has up to the last that is set.
func (l *Line) Used() int { return l.used }

// Cells returns the texts of the cells.
func (l *Line) Cells() []string { return l.cells }

// IsNumber reports whether a cell is stored as a number.
func (l *Line) IsNumber(cell int) bool { return l.kind(cell) != Text }

// ShownAs returns the note about a cell that shows another number than it stores; "" about
// others.
func (l *Line) ShownAs(cell int) string {
	switch l.kind(cell) {
	case Percent:
		return stat.NotePercent
	case Scaled:
		return stat.NoteScaled
	}
	return ""
}

func (l *Line) kind(cell int) Kind {
	if cell >= len(l.kinds) {
		return Text
	}
	return l.kinds[cell]
}
