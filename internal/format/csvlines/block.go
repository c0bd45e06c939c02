package csvlines

import "strings"

// block is a part of the text. Its slices are reused, its text is not. All but the buffer is
// set when it is done.
type block struct {
	buffer []byte
	text   string // of the buffer
	rows   []row
	cells  []string // of all rows
	starts []int32  // where each of them begins in the text
	lines  int      // that were read
	end    int      // of these lines in the text
	done   chan struct{}
}

// row is a row of a block: where its line begins in the text, the number of that line, and
// its cells.
type row struct {
	start, line int32
	cells, end  int32 // how many, and the position after the last one
}

func (b *block) cellsOf(n int) []string {
	row := &b.rows[n]
	return b.cells[row.end-row.cells : row.end : row.end]
}

// split splits the text up to a line that is left.
func (b *block) split(separator byte) {
	defer close(b.done)
	b.text = string(b.buffer)
	b.rows, b.cells, b.starts, b.lines, b.end = b.rows[:0], b.cells[:0], b.starts[:0], 0, 0
	hasQuotes, hasZeros := strings.IndexByte(b.text, '"') >= 0, strings.IndexByte(b.text, 0) >= 0
	for b.end < len(b.text) {
		size := strings.IndexByte(b.text[b.end:], '\n')
		if size < 0 {
			return
		}
		line := b.text[b.end : b.end+size]
		if hasZeros && strings.IndexByte(line, 0) >= 0 {
			return
		}
		if end := len(line) - 1; end >= 0 && line[end] == '\r' {
			line = line[:end]
		}
		first := len(b.cells)
		switch {
		case line == "":
		case !hasQuotes || strings.IndexByte(line, '"') < 0:
			b.splitPlain(line, separator)
		case !b.splitLine(line, separator):
			b.cells, b.starts = b.cells[:first], b.starts[:first]
			return
		}
		b.lines++
		if n := len(b.cells) - first; n > 0 {
			b.rows = append(b.rows, row{int32(b.end), int32(b.lines), int32(n), int32(len(b.cells))})
		}
		b.end += size + 1
	}
}

// splitPlain adds the cells of a line without quotes that begins at b.end.
func (b *block) splitPlain(line string, separator byte) {
	start := 0
	for i := range len(line) {
		if line[i] == separator {
			b.add(line[start:i], start)
			start = i + 1
		}
	}
	b.add(line[start:], start)
}

// add adds a cell that begins at a place of the line at b.end.
func (b *block) add(cell string, start int) {
	if n := len(cell); n > 0 && (isOuter(cell[0]) || isOuter(cell[n-1])) {
		cell = strings.TrimSpace(cell)
	}
	b.cells = append(b.cells, cell)
	b.starts = append(b.starts, int32(b.end+start))
}

// splitLine adds the cells of a line that begins at b.end. It returns false for one that is
// left.
func (b *block) splitLine(line string, separator byte) bool {
	for start := 0; ; {
		if blanks := len(line[start:]) - len(strings.TrimLeft(line[start:], " ")); strings.HasPrefix(line[start+blanks:], `"`) {
			start += blanks // of the Bureau of Economic Analysis too
		}
		cell, end := "", len(line)
		if start < len(line) && line[start] == '"' {
			n := closingQuote(line[start:])
			if n < 0 {
				return false
			}
			cell, end = line[start+1:start+n], start+n+1
			if strings.IndexByte(cell, '"') >= 0 {
				cell = Unwrapped(strings.ReplaceAll(cell, `""`, `"`))
			}
			if end < len(line) && line[end] != separator {
				after := strings.TrimLeft(line[end:], " \t")
				switch {
				case after == "": // of the Bureau of Economic Analysis
					end = len(line)
				case start == 0 && strings.Trim(after, " \t0123456789") == "":
					cell += " " + after // the footnotes of a title of Statistics Canada: "Population" 1 2
					end = len(line)
				}
			}
		} else {
			if n := strings.IndexByte(line[start:], separator); n >= 0 {
				end = start + n
			}
			if cell = Unwrapped(line[start:end]); strings.IndexByte(cell, '"') >= 0 {
				return false
			}
		}
		b.add(cell, start)
		if end == len(line) {
			return true
		}
		if line[end] != separator {
			return false
		}
		start = end + 1
	}
}

// Unwrapped returns the number in a cell that is one in quotes, which spreadsheet programs
// leave as a text: ="00123", or "00123" with the quotes, as the Bureau of Economic Analysis
// writes.
func Unwrapped(cell string) string {
	number := strings.TrimPrefix(strings.TrimSpace(cell), "=")
	if n := len(number) - 1; n > 1 && number[0] == '"' && number[n] == '"' && strings.Trim(number[1:n], "0123456789") == "" {
		return number[1:n]
	}
	return cell
}

// closingQuote returns the place of the quote that ends a cell in quotes at the start of a
// text; -1 if there is none.
func closingQuote(text string) int {
	for at := 1; ; at += 2 {
		n := strings.IndexByte(text[min(at, len(text)):], '"')
		if n < 0 {
			return -1
		}
		if at += n; at+1 == len(text) || text[at+1] != '"' {
			return at
		}
	}
}

// isOuter reports whether a byte may belong to white space.
func isOuter(b byte) bool { return b <= ' ' || b >= 0x80 }
