package px

import (
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// gap records what separates cells: commas or spaces. If spaces separate some cells, a
// comma without a space may be a decimal sign.
type gap struct {
	isNumber  bool          // the last cell is a number
	comma     bool          // a comma without a space follows it
	spaces    bool          // spaces in the same line follow it
	tight     stat.Position // of the first number after a comma without a space
	hasSpaced bool          // spaces separate two numbers
}

// hint returns a likely reason for a wrong number of cells.
func (g *gap) hint() string {
	if g.tight.Line == 0 {
		return ""
	}
	return "; if the commas between digits are decimal signs, state --decimal ,"
}

// skipGap skips to the next cell or key; false at the end of the text.
func (r *reader) skipGap() bool {
	size, blanks, commas := 0, 0, 0
	for r.text.Has(1) {
		ahead, n := r.text.Ahead(), 0
		for n < len(ahead) && isGap[ahead[n]] {
			switch ahead[n] {
			case ' ', '\t':
				blanks++
			case ',':
				commas++
			}
			n++
		}
		size += n
		r.text.Skip(n)
		if n < len(ahead) {
			r.gap.comma, r.gap.spaces = size == 1 && commas == 1, size > 0 && size == blanks
			return true
		}
	}
	return false
}

// isGap holds the bytes that separate cells; the last one ends DOS texts.
var isGap = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, ';': true, 0x1a: true}

// Bounds of the length of a cell: of a number, and of a text in quotation marks.
const (
	longestNumber = 1000
	maxQuote      = 64 << 10
)

func (r *reader) token() (cell, error) {
	r.text.Has(32)
	if r.style.Decimal == '.' {
		ahead := r.text.Ahead()
		value, size, exact := text.Number(ahead)
		if size > 0 && size < len(ahead) && isGap[ahead[size]] {
			r.obs.At = r.text.At()
			r.text.Advance(size)
			return cell{value: value, rounded: !exact}, r.checkGap(true)
		}
	}
	content, quoted, err := r.content()
	if err != nil {
		return cell{}, err
	}
	if !quoted {
		r.bareEnd = r.text.Offset()
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
		return cell{}, stat.BadFile(r.obs.At, `%s is not a cell: a cell is a number with a decimal %s, "-" for zero, or one to six dots for a missing value (cell %d of %s)`,
			shorten(string(content)), sign, r.Report.Read+1, r.sizes())
	}
	return cell{value: value, rounded: !exact}, r.checkGap(true)
}

// checkGap refuses a file in which a comma may be a decimal sign or a separator.
func (r *reader) checkGap(isNumber bool) error {
	g := &r.gap
	both := g.isNumber && isNumber
	g.isNumber = isNumber
	if !both {
		return nil
	}
	if g.comma && g.tight.Line == 0 {
		g.tight = r.obs.At
	}
	g.hasSpaced = g.hasSpaced || g.spaces
	if g.tight.Line > 0 && g.hasSpaced && r.decimal == "" {
		err := stat.BadFile(g.tight, "a comma separates digits here, and spaces separate cells elsewhere: state the decimal sign, which is a point if the comma separates cells too")
		return stat.Choose(err, []stat.Suggestion{{Option: "decimal", Value: "."}}, []stat.Suggestion{{Option: "decimal", Value: ","}})
	}
	return nil
}

// content reads a text up to the next gap, or one in quotation marks. The text is valid
// until the next read.
func (r *reader) content() (content []byte, quoted bool, err error) {
	r.obs.At = r.text.At()
	if r.text.Peek() == '"' {
		content, err = r.quoted()
		return content, true, err
	}
	n := 0
	for n < longestNumber && r.text.Has(n+1) {
		c := r.text.Ahead()[n]
		if c == '"' || isGap[c] && (c != ',' || r.style.Decimal != ',') {
			break
		}
		n++
	}
	content = r.text.Ahead()[:n]
	r.text.Advance(n)
	return content, false, nil
}

func (r *reader) quoted() (text []byte, err error) {
	r.text.Advance(1)
	text, closed := r.text.Until(r.quote[:0], "\"\n", maxQuote)
	r.quote = text
	if !closed || r.text.Peek() != '"' {
		return nil, r.text.BadFile(r.obs.At, "the text that begins here has no closing quotation mark in its line: %s", shorten(string(text)))
	}
	r.text.Advance(1)
	return text, nil
}
