package text

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// Style is how a file writes its numbers. It is settled for a file as a whole,
// by the cells that only one reading allows, never cell by cell.
type Style struct {
	Decimal  byte // '.' or ','
	Thousand byte // ',' or '.' or '\'' between thousands; ' ' for every kind of space; 0: nothing
}

// StyleFinder settles a file's [Style]: See every number of the file, then ask.
type StyleFinder struct {
	// At is where the cell stands that is seen next, for the errors of Style.
	At stat.Position

	first         [evidences]seenCell // the first cell of each kind
	space, quote  bool                // spaces or apostrophes between thousands were seen
	pointThousand bool                // points between thousands
	commaThousand bool
}

// evidence is what a cell tells of the decimal sign.
type evidence int

const (
	point       evidence = iota // it is a point
	comma                       // it is a comma
	eitherPoint                 // the point may be decimal or between thousands
	eitherComma                 // the comma may be
	evidences
)

// seenCell is a cell that tells something of the style; the zero one was not
// seen.
type seenCell struct {
	text string
	at   stat.Position
}

func (c seenCell) seen() bool { return c.text != "" }

// String is the cell as an error shows it, with its line where that is known.
func (c seenCell) String() string {
	if c.at.Line == 0 {
		return strconv.Quote(c.text)
	}
	return fmt.Sprintf("%q (line %d)", c.text, c.at.Line)
}

// See takes in a cell that is to be a number; anything else is ignored, as are
// the dots of missing ones.
func (f *StyleFinder) See(cell []byte) {
	text := strings.TrimLeft(string(bytes.TrimSpace(cell)), "+-")
	if !strings.ContainsAny(text, "0123456789") || strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && !isGroupSign(r) }) >= 0 {
		return
	}
	if strings.ContainsAny(text, " \u00a0\u202f\u2009") {
		f.space = true
		text = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "\u2009", "").Replace(text)
	}
	if strings.ContainsAny(text, "'’") {
		f.quote = true
		text = strings.NewReplacer("'", "", "’", "").Replace(text)
	}
	points, commas := strings.Count(text, "."), strings.Count(text, ",")
	switch {
	case points == 0 && commas == 0:
	case points > 0 && commas > 0:
		// The one that comes last is the decimal sign.
		if strings.LastIndexByte(text, '.') > strings.LastIndexByte(text, ',') {
			f.keep(point, text)
			f.commaThousand = true
		} else {
			f.keep(comma, text)
			f.pointThousand = true
		}
	case points > 1:
		f.keep(comma, text)
		f.pointThousand = true
	case commas > 1:
		f.keep(point, text)
		f.commaThousand = true
	case points == 1 && !grouped(text, '.'):
		f.keep(point, text)
	case commas == 1 && !grouped(text, ','):
		f.keep(comma, text)
	case commas == 1:
		f.keep(eitherComma, text)
	case points == 1:
		f.keep(eitherPoint, text)
	}
}

func isGroupSign(r rune) bool { return strings.ContainsRune(".,'’ \u00a0\u202f\u2009", r) }

// grouped reports whether sign stands in text as between thousands: after one
// to three digits, of which the first is not 0, and before three.
func grouped(text string, sign byte) bool {
	at := strings.IndexByte(text, sign)
	return at >= 1 && at <= 3 && text[0] != '0' && len(text)-at-1 == 3
}

// keep keeps the first cell of a kind.
func (f *StyleFinder) keep(kind evidence, text string) {
	if first := &f.first[kind]; !first.seen() {
		*first = seenCell{text, f.At}
	}
}

// Style settles the style; stated is the decimal sign that the caller states,
// if any. The error says which cells leave it open, or contradict each other.
func (f *StyleFinder) Style(stated string) (Style, error) {
	point, comma, eitherPoint, eitherComma := f.first[point], f.first[comma], f.first[eitherPoint], f.first[eitherComma]
	if f.space || f.quote { // stand between thousands, so that nothing else does
		point, comma = cmp.Or(point, eitherPoint), cmp.Or(comma, eitherComma)
	}
	decimal := byte('.')
	switch {
	case stated != "":
		decimal = stated[0]
	case point.seen() && comma.seen():
		later := point.at
		if comma.at.Line > later.Line || comma.at.Line == later.Line && comma.at.Column > later.Column {
			later = comma.at
		}
		return Style{}, stat.BadFile(later, "%s needs a decimal point and %s a decimal comma: state which one the file has with --decimal . or --decimal ,",
			point, comma)
	case comma.seen():
		decimal = ','
	case point.seen():
	case eitherComma.seen():
		return Style{}, eitherComma.ambiguous("comma")
	case eitherPoint.seen():
		return Style{}, eitherPoint.ambiguous("point")
	}
	s := Style{Decimal: decimal}
	switch {
	case f.space:
		s.Thousand = ' '
	case f.quote:
		s.Thousand = '\''
	case decimal == '.' && (f.commaThousand || eitherComma.seen()):
		s.Thousand = ','
	case decimal == ',' && (f.pointThousand || eitherPoint.seen() || stated == ","):
		s.Thousand = '.'
	}
	return s, nil
}

// ambiguous refuses to guess what a sign in the cell is.
func (c seenCell) ambiguous(sign string) error {
	return stat.BadFile(c.at, "%q may have a decimal %s or a %s between thousands, and no other number tells which: state --decimal . or --decimal ,", c.text, sign, sign)
}

// Number reads a cell that holds a number in the style, and nothing else; ok
// is false where it does not. exact is as for [Number].
func (s Style) Number(cell []byte) (value float64, exact, ok bool) {
	cell = bytes.TrimSpace(cell)
	if len(cell) > 1 && cell[0] == '+' {
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
// Groups must be of three digits: 1,23,456 is no number.
func (s Style) plain(cell []byte) ([]byte, bool) {
	text := string(cell)
	if s.Thousand == ' ' {
		text = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ").Replace(text)
	} else if s.Thousand == '\'' {
		text = strings.ReplaceAll(text, "’", "'")
	}
	whole, rest := text, ""
	if at := strings.IndexByte(text, s.Decimal); at >= 0 {
		whole, rest = text[:at], "."+text[at+1:]
	}
	if s.Decimal == ',' && s.Thousand != '.' && strings.Contains(whole, ".") {
		return nil, false // or else the point would be read as decimal too
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

// IsMissing reports whether a cell says that there is no value, as offices
// write it in tables: nothing, dots, a colon, or words for it.
func IsMissing(cell string) bool {
	cell = strings.TrimSpace(cell)
	if strings.Trim(cell, ".…") == "" || cell == ":" {
		return true
	}
	switch strings.ToLower(cell) {
	case "n/a", "na", "n.a.", "nan", "null", "#n/a", "n.d.":
		return true
	}
	return false
}
