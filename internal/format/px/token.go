package px

import (
	"bytes"
	"math"
	"strings"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// cell is what one cell says.
type cell struct {
	value   float64 // NaN: there is no number
	flags   stat.Flags
	note    int32
	rounded bool // value has not all the digits that were written
}

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

// read reads a cell.
func (r *reader) read() (cell, error) {
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
	if s.buffer[s.i] == '"' {
		text, err := r.quoted()
		if err != nil {
			return cell{}, err
		}
		c, ok := r.mark(text)
		if !ok {
			return cell{}, r.noCell(text)
		}
		return c, r.checkGap(false)
	}
	text := r.bare()
	r.bareEnd = s.offset()
	if c, ok := r.mark(text); ok {
		return c, r.checkGap(false)
	}
	value, exact, ok := r.style.Number(text)
	if !ok || len(text) >= longestNumber {
		return cell{}, r.noCell(text)
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
			if err := s.failure(); err != nil {
				return nil, err
			}
			return nil, stat.BadFile(r.obs.At, "the text that begins here has no quotation mark at its end")
		}
	}
}

// mark reads a cell that is no number; ok is false if it is none of the marks.
func (r *reader) mark(text []byte) (c cell, ok bool) {
	switch {
	case len(text) == 1 && text[0] == '-': // exactly nothing
		return cell{flags: r.symbols[0].flags, note: r.symbols[0].note}, true
	case len(text) == 1 && text[0] == ':':
		return cell{value: math.NaN(), flags: r.colon.flags, note: r.colon.note}, true
	case len(text) < len(r.symbols) && strings.Trim(string(text), ".") == "":
		symbol := &r.symbols[len(text)]
		if len(text) == 0 { // "" says nothing of why
			return cell{value: math.NaN()}, true
		}
		return cell{value: math.NaN(), flags: symbol.flags, note: symbol.note}, true
	}
	return cell{}, false
}

// noCell says why a cell cannot be read.
func (r *reader) noCell(text []byte) error {
	sign := "point"
	if r.style.Decimal == ',' {
		sign = "comma"
	}
	return stat.BadFile(r.obs.At, `%s is no cell: those are numbers with a decimal %s, "-" for zero, and one to six dots for a missing value (cell %d of %s)`,
		shorten(string(text)), sign, r.report.Read+1, r.sizes())
}

// key reads a key of a row and finds its value; -1 where it is none.
func (r *reader) key(index map[string]int32) (at int32, text string, err error) {
	s := r.text
	r.obs.At = s.place()
	raw := []byte(nil)
	if s.buffer[s.i] == '"' {
		if raw, err = r.quoted(); err != nil {
			return 0, "", err
		}
	} else {
		raw = r.bare()
	}
	at, ok := index[string(raw)]
	if !ok || at < 0 {
		text = string(raw)
		if at, ok = lookup(index, text); !ok {
			return -1, text, nil
		}
	}
	return at, "", nil
}
