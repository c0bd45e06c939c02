package text

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// groupSigns are the spaces and apostrophes between thousands.
const groupSigns = "'’ \u00a0\u202f\u2009"

// oneSign replaces them by one space and one apostrophe.
var oneSign = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ", "’", "'")

// Style is how a file writes its numbers. It holds for the whole file; the cells that
// can be read in one way only decide it.
type Style struct {
	Decimal  byte // '.' or ','
	Thousand byte // ',' or '.' or '\'' between thousands; ' ' for every kind of space; 0: nothing
}

// StyleFinder finds the [Style] of a file: call See with every number, then Style.
type StyleFinder struct {
	// At is the position of the next cell, for the errors of Style.
	At stat.Position
	// Column is the number of the next cell's column.
	Column int
	// IsEnglish reports that the file is in English and has commas between its cells, so that fewer
	// numbers prove commas between thousands.
	IsEnglish bool
	// Usual is the decimal sign where no number decides which it is, if that is known.
	Usual string

	point, comma signUse
	space, quote bool // spaces or apostrophes stand between thousands
	columns      []columnUse
}

// signUse is how a file uses the point or the comma.
type signUse struct {
	decimal  seenCell // the first cell in which the sign is decimal
	either   seenCell // the first in which it is decimal or between thousands
	thousand bool     // some cell has it between thousands
}

// columnUse counts the numbers of a column.
type columnUse struct {
	small, large int // whole numbers without any sign: below 1000, and others
	eithers      int // with a sign that is decimal or between thousands
	stored       int // whole numbers that a workbook stores, from 1000
	fractions    int // others that it stores
}

// seenCell is a cell and its position; the zero value is none.
type seenCell struct {
	text string
	at   stat.Position
}

func (c seenCell) seen() bool { return c.text != "" }

// See records how a number is written. It ignores any other cell, and the dots of a
// missing value.
func (f *StyleFinder) See(cell []byte) {
	if !f.isPlain(cell) {
		f.see(cell)
	}
}

func (f *StyleFinder) see(cell []byte) {
	text := strings.TrimLeft(string(bytes.TrimSpace(cell)), "+-−")
	if !strings.ContainsAny(text, "0123456789") || strings.Trim(text, "0123456789.,"+groupSigns) != "" {
		return
	}
	if strings.ContainsAny(text, groupSigns) {
		text = oneSign.Replace(text)
		f.space = f.space || strings.Contains(text, " ")
		f.quote = f.quote || strings.Contains(text, "'")
		text = strings.NewReplacer(" ", "", "'", "").Replace(text)
	}
	last := strings.LastIndexAny(text, ".,")
	if last < 0 {
		f.addWhole(text)
		return
	}
	sign, other := &f.point, &f.comma
	if text[last] == ',' {
		sign, other = other, sign
	}
	here := seenCell{text, f.At}
	switch {
	case strings.Contains(text, ".") && strings.Contains(text, ","):
		sign.decimal, other.thousand = cmp.Or(sign.decimal, here), true
	case strings.Count(text, text[last:last+1]) > 1:
		other.decimal, sign.thousand = cmp.Or(other.decimal, here), true
	case !isBetweenThousands(text, last):
		sign.decimal = cmp.Or(sign.decimal, here)
	default:
		sign.either = cmp.Or(sign.either, here)
		f.column().eithers++
	}
}

// SeeStored records a number that a workbook stores. It has no sign, but tells what the numbers
// beside it are that are stored as texts.
func (f *StyleFinder) SeeStored(number string) {
	switch {
	case !IsDigits(strings.TrimPrefix(number, "-")):
		f.column().fractions++
	case len(number) > 3:
		f.column().stored++
	}
}

// column returns the counts of the current column.
func (f *StyleFinder) column() *columnUse {
	for len(f.columns) <= f.Column {
		f.columns = append(f.columns, columnUse{})
	}
	return &f.columns[f.Column]
}

// addWhole counts a whole number. Zero counts for nothing: some programs write all other
// numbers with decimals.
func (f *StyleFinder) addWhole(number string) {
	switch {
	case len(number) > 3:
		f.column().large++
	case strings.Trim(number, "0") != "":
		f.column().small++
	}
}

// proofOfThousands is the number of cells such as 1,234 that prove a sign between
// thousands: of so many decimals, some have fewer than three digits, unless all have
// three, and then their column has no whole numbers.
const proofOfThousands = 100

// fewStored is the number of stored whole numbers that prove the same of the texts among them.
const fewStored = 5

// provesThousands reports whether the sign in cells such as 1,234 stands between
// thousands, because whole numbers below 1000 in the same columns never have it and
// those above always have, or because all stored numbers of these columns are whole.
func (f *StyleFinder) provesThousands() bool {
	isOther := func(c columnUse) bool {
		return c.eithers > 0 && (c.fractions > 0 || c.stored < max(fewStored, c.eithers))
	}
	if !slices.ContainsFunc(f.columns, isOther) {
		return true
	}
	eithers, small := 0, 0
	for _, c := range f.columns {
		switch {
		case c.eithers > 0 && c.large > 0:
			return false
		case c.eithers > 0 && c.small > 0:
			eithers, small = eithers+c.eithers, small+c.small
		}
	}
	if f.IsEnglish && f.comma.either.seen() {
		return eithers >= proofOfThousands/10 && small > 0
	}
	return eithers >= proofOfThousands && small >= proofOfThousands/10
}

// IsPoint reports whether a cell proves a decimal point, and none has a comma or a sign
// between thousands.
func (f *StyleFinder) IsPoint() bool {
	return f.point.decimal.seen() && f.comma == (signUse{}) && !f.point.thousand && !f.space && !f.quote
}

// isPlain reports whether a cell says nothing new about signs: it has only digits, which
// it counts, or a point that is decimal like that of an earlier cell.
func (f *StyleFinder) isPlain(cell []byte) bool {
	if len(cell) > 0 && cell[0] == '-' {
		cell = cell[1:]
	}
	point := -1
	for i, c := range cell {
		switch {
		case c-'0' <= 9:
		case c == '.' && point < 0:
			point = i
		default:
			return false
		}
	}
	if point < 0 && len(cell) > 0 {
		f.addWhole(string(cell))
	}
	return point < 0 || f.point.decimal.seen() && len(cell)-point-1 != 3
}

// isBetweenThousands reports whether the sign at can stand between thousands: after one
// to three digits, of which the first is not 0, and before three.
func isBetweenThousands(text string, at int) bool {
	return at >= 1 && at <= 3 && text[0] != '0' && len(text)-at-1 == 3
}

// Style returns the style; stated is the decimal sign that the caller states, if
// any. The error names the cells that are ambiguous or contradict each other.
func (f *StyleFinder) Style(stated string) (Style, error) {
	point, comma := f.point, f.comma
	if f.space || f.quote { // only these stand between thousands
		point.decimal, comma.decimal = cmp.Or(point.decimal, point.either), cmp.Or(comma.decimal, comma.either)
	}
	s := Style{Decimal: '.'}
	switch {
	case stated != "":
		s.Decimal = stated[0]
	case point.decimal.seen() && comma.decimal.seen():
		later := point.decimal.at
		if comma.decimal.at.Compare(later) > 0 {
			later = comma.decimal.at
		}
		return Style{}, either(stat.BadFile(later, "%q (line %d) needs a decimal point and %q (line %d) a decimal comma: state which one the file has",
			point.decimal.text, point.decimal.at.Line, comma.decimal.text, comma.decimal.at.Line))
	case comma.decimal.seen():
		s.Decimal = ','
	case point.decimal.seen():
	case f.Usual != "" && (comma.either.seen() || point.either.seen()):
		s.Decimal = f.Usual[0]
	case comma.either.seen() && point.either.seen():
		return Style{}, comma.either.ambiguous("comma")
	case comma.either.seen() && !f.provesThousands():
		return Style{}, comma.either.ambiguous("comma")
	case point.either.seen() && f.provesThousands():
		s.Decimal = ','
	case point.either.seen():
		return Style{}, point.either.ambiguous("point")
	}
	switch {
	case f.space:
		s.Thousand = ' '
	case f.quote:
		s.Thousand = '\''
	case s.Decimal == '.' && (comma.thousand || comma.either.seen()):
		s.Thousand = ','
	case s.Decimal == ',' && (point.thousand || point.either.seen() || stated == ","):
		s.Thousand = '.'
	}
	return s, nil
}

func (c seenCell) ambiguous(sign string) error {
	return either(stat.BadFile(c.at, "%q may have a decimal %s or a %s between thousands, and no other number tells which: state the decimal sign", c.text, sign, sign))
}

// either adds the two decimal signs to an error.
func either(err error) error {
	return stat.Choose(err, []stat.Suggestion{{Option: "decimal", Value: "."}}, []stat.Suggestion{{Option: "decimal", Value: ","}})
}

// Number reads a cell that holds a number in the style and nothing else; ok
// reports whether it does. exact is as for [Number].
func (s Style) Number(cell []byte) (value float64, exact, ok bool) {
	cell = bytes.TrimSpace(cell)
	if rest, isNegative := bytes.CutPrefix(cell, []byte("−")); isNegative {
		cell = append([]byte("-"), rest...)
	}
	if len(cell) > 1 && cell[0] == '+' && cell[1] != '-' {
		cell = cell[1:]
	}
	if s.Thousand != 0 || s.Decimal == ',' {
		if cell, ok = s.plain(cell); !ok {
			return 0, false, false
		}
	}
	value, size, exact := Number(cell)
	return value, exact, size == len(cell) && size > 0
}

// plain rewrites a number with a decimal point and nothing between thousands.
// Groups must have three digits: 1,23,456 is not a number.
func (s Style) plain(cell []byte) ([]byte, bool) {
	text := string(cell)
	if s.Thousand == ' ' || s.Thousand == '\'' {
		text = oneSign.Replace(text)
	}
	whole, rest := text, ""
	if at := strings.IndexByte(text, s.Decimal); at >= 0 {
		whole, rest = text[:at], "."+text[at+1:]
	}
	if s.Decimal == ',' && s.Thousand != '.' && strings.Contains(whole, ".") {
		return nil, false // else the point would be decimal as well
	}
	if s.Thousand != 0 {
		groups := strings.Split(strings.TrimLeft(whole, "-"), string(s.Thousand))
		for i, g := range groups {
			if i > 0 && len(g) != 3 || len(groups) > 1 && (len(g) == 0 || len(g) > 3) {
				return nil, false
			}
		}
		whole = strings.ReplaceAll(whole, string(s.Thousand), "")
	}
	return []byte(whole + rest), true
}

// IsMissing reports whether a cell holds what offices write for a missing value:
// nothing, dots, three dashes or more, a colon, words such as n/a, or what accessible
// spreadsheets of British offices write: [x], [low].
func IsMissing(cell string) bool {
	cell = strings.TrimSpace(cell)
	isDashes := len(cell) > 2 && strings.Trim(cell, "-") == "" // one or two may be a zero
	if strings.Trim(cell, ".…") == "" || cell == ":" || isDashes {
		return true
	}
	switch strings.ToLower(cell) {
	case "n/a", "na", "n.a.", "nan", "null", "#n/a", "n.d.":
		return true
	}
	return bracketed.MatchString(cell)
}

// bracketed matches marks of accessible spreadsheets.
var bracketed = regexp.MustCompile(`^\[\p{Ll}{1,4}\]$`)
