package px

import (
	"bytes"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// gap remembers what stood between cells. Commas may stand there, as spaces
// may; but where some cells have spaces between and others a comma without
// one, the comma may be a decimal sign.
type gap struct {
	number bool // the last cell was a number
	comma  bool // and a comma, without a space, came after it
	spaces bool // and spaces in the same line
	tight  stat.Position
	spaced bool
}

// hint says what may be wrong with the number of cells.
func (g *gap) hint() string {
	if g.tight.Line == 0 {
		return ""
	}
	return "; if the commas between digits are decimal signs, state --decimal ,"
}

// skipGap goes to the next cell or key; false at the end of the text.
func (r *reader) skipGap() bool {
	s := r.text
	bytes, blanks, commas := 0, 0, 0
	for s.i < s.end || s.need(1) {
		switch s.buffer[s.i] {
		case ' ', '\t':
			blanks++
		case ',':
			commas++
		case '\n':
			s.newLine()
		case '\r', ';', 0x1a: // the last ends texts of DOS
		default:
			r.gap.comma, r.gap.spaces = bytes == 1 && commas == 1, bytes > 0 && bytes == blanks
			return true
		}
		bytes++
		s.i++
	}
	return false
}

// longestNumber is more digits than any number has; longer ones are no cells.
const longestNumber = 1000

// token reads what stands in the next cell.
func (r *reader) token() (cell, error) {
	s := r.text
	r.obs.At = s.place()
	s.need(32)
	if r.style.Decimal == '.' {
		value, size, exact := text.Number(s.buffer[s.i:s.end])
		if end := s.i + size; size > 0 && end < s.end && isGap(s.buffer[end]) {
			s.i = end
			return cell{value: value, rounded: !exact}, r.checkGap(true)
		}
	}
	quoted := s.buffer[s.i] == '"'
	var content []byte
	if quoted {
		var err error
		if content, err = r.quoted(); err != nil {
			return cell{}, err
		}
	} else {
		content = r.bare()
		r.bareEnd = s.offset()
	}
	if c, ok := r.marks[string(content)]; ok {
		return c, r.checkGap(false)
	}
	value, exact, ok := r.style.Number(content)
	if quoted || !ok || len(content) >= longestNumber {
		sign := "point"
		if r.style.Decimal == ',' {
			sign = "comma"
		}
		return cell{}, stat.BadFile(r.obs.At, `%s is no cell: those are numbers with a decimal %s, "-" for zero, and one to six dots for a missing value (cell %d of %s)`,
			shorten(string(content)), sign, r.Report.Read+1, r.sizes())
	}
	return cell{value: value, rounded: !exact}, r.checkGap(true)
}

// checkGap refuses a file in which a comma may be a decimal sign as well as
// stand between cells. number says that the cell is one.
func (r *reader) checkGap(number bool) error {
	g := &r.gap
	both := g.number && number
	g.number = number
	if !both {
		return nil
	}
	if g.comma && g.tight.Line == 0 {
		g.tight = r.obs.At
	}
	g.spaced = g.spaced || g.spaces
	if g.tight.Line > 0 && g.spaced && r.decimal == "" {
		return stat.BadFile(g.tight, "here a comma stands between digits, and elsewhere spaces stand between cells: state --decimal . if the comma stands between cells too, --decimal , if it is a decimal sign")
	}
	return nil
}

func isGap(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', ';', 0x1a:
		return true
	}
	return false
}

// bare is a text without quotation marks up to the next gap. It is good until
// the next reading.
func (r *reader) bare() []byte {
	s := r.text
	n := 0
	for n < longestNumber && s.need(n+1) {
		c := s.buffer[s.i+n]
		if c == '"' || isGap(c) && (c != ',' || r.style.Decimal != ',') {
			break
		}
		n++
	}
	s.i += n
	return s.buffer[s.i-n : s.i]
}

// quoted is a text in quotation marks, good until the next reading.
func (r *reader) quoted() ([]byte, error) {
	s := r.text
	from := 1
	for {
		if at := bytes.IndexByte(s.buffer[s.i+from:s.end], '"'); at >= 0 {
			text := s.buffer[s.i+1 : s.i+from+at]
			if bytes.IndexByte(text, '\n') >= 0 {
				return nil, stat.BadFile(r.obs.At, "a text among the cells goes over the end of its line: %s", shorten(string(text)))
			}
			s.i += from + at + 1
			return text, nil
		}
		from = s.end - s.i
		if !s.need(from + 1) {
			return nil, s.broken(r.obs.At, "the text that begins here has no quotation mark at its end")
		}
	}
}
