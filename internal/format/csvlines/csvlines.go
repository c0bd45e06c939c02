// Package csvlines splits CSV text into rows, several blocks of lines at once.
//
// It reads what nearly all rows of offices are: one line, whose cells have no quotes, or
// quotes around the whole cell and doubled ones within. Unlike in RFC 4180, blanks may
// precede a cell in quotes and follow the last one, and numbers of footnotes may follow the
// only one. The first line that is anything else ends the rows: the caller reads that line
// and all after it with a parser of its own, which also finds the errors.
package csvlines

import (
	"bytes"
	"io"
	"runtime"
	"slices"
)

// blockSize is the size of a block in bytes; a longer line is left. Only the first block is
// split by the caller's own goroutine, so that reading the beginning of a file costs little.
const blockSize = 64 << 10

// Rows reads the rows of a text. It reads up to a few blocks ahead.
type Rows struct {
	// Separator stands between cells. It is set before the first row is read.
	Separator byte

	blockSize int // as the constant, except in tests

	text    io.Reader
	isBegun bool
	err     error  // that ended the text
	last    byte   // of the text so far
	tail    []byte // the beginning of a line that the next block completes

	current *block
	row     int      // in the current block
	before  int      // lines before the current block
	queue   []*block // the next ones
	free    []*block
	left    string // what the caller reads, of the current block
	isLeft  bool
}

// New returns the rows of a text in UTF-8.
func New(text io.Reader) *Rows {
	return &Rows{blockSize: blockSize, text: text, current: &block{}, row: -1}
}

// Next returns the cells of the next row, without white space around them, valid until the
// following call. It skips empty lines. It returns nil at the end, at an error, and at a line
// that it leaves.
func (r *Rows) Next() []string {
	for !r.isLeft {
		if b := r.current; r.row+1 < len(b.rows) {
			r.row++
			return b.cellsOf(r.row)
		}
		if b := r.current; b.end < len(b.text) {
			r.left, r.isLeft = b.text[b.end:], true
			break
		}
		if len(r.queue) == 0 && !r.readAhead() {
			r.row = len(r.current.rows)
			return nil
		}
		r.before += r.current.lines
		r.free = append(r.free, r.current)
		r.current, r.queue, r.row = r.queue[0], r.queue[1:], -1
		r.readAhead()
		<-r.current.done
	}
	r.row = len(r.current.rows)
	return nil
}

// LeaveAll leaves all lines. It is called before the first row is read.
func (r *Rows) LeaveAll() { r.isLeft = true }

// Err returns the error that ended the text; nil for [io.EOF], and if lines are left.
func (r *Rows) Err() error {
	if r.err == io.EOF || r.isLeft {
		return nil
	}
	return r.err
}

// Lines returns the number of lines that were read as rows or are empty.
func (r *Rows) Lines() int { return r.before + r.current.lines }

// LastByte returns the last byte of the text that was read; 0 if there is none.
func (r *Rows) LastByte() byte { return r.last }

// At returns the line of the last row and where one of its cells begins there, both counted
// from 1. After the end it returns the last line.
func (r *Rows) At(cell int) (line, column int) {
	b := r.current
	if r.row < 0 || r.row >= len(b.rows) {
		return r.Lines(), 1
	}
	row := b.rows[r.row]
	return r.before + int(row.line), int(b.starts[row.end-row.cells+int32(cell)]-row.start) + 1
}

// Read reads the text that is left.
func (r *Rows) Read(p []byte) (n int, err error) {
	for r.left == "" && len(r.queue) > 0 {
		<-r.queue[0].done
		r.left, r.queue = r.queue[0].text, r.queue[1:]
	}
	switch {
	case r.left != "":
		n = copy(p, r.left)
		r.left = r.left[n:]
		return n, nil
	case len(r.tail) > 0:
		n = copy(p, r.tail)
		r.tail = r.tail[n:]
		return n, nil
	case r.err != nil:
		return 0, r.err
	}
	if n, r.err = r.text.Read(p); n > 0 {
		r.last = p[n-1]
		return n, nil
	}
	return n, r.err
}

// readAhead reads the next blocks and splits them. It reports whether there are any.
func (r *Rows) readAhead() bool {
	if !r.isBegun {
		r.isBegun = true
		b := r.read()
		b.split(r.Separator)
		if r.Separator == ',' || r.Separator == ';' {
			b.joinTitles(r.Separator)
		}
		r.queue = append(r.queue, b)
		return len(b.text) > 0
	}
	for len(r.queue) <= runtime.GOMAXPROCS(0) && r.err == nil {
		b := r.read()
		r.queue = append(r.queue, b)
		go b.split(r.Separator)
	}
	return len(r.queue) > 0
}

// read reads a block of whole lines, or the last line without an end, or the beginning of a
// line that is longer than a block.
func (r *Rows) read() *block {
	b := &block{}
	if last := len(r.free) - 1; last >= 0 {
		b, r.free = r.free[last], r.free[:last]
	}
	buffer := slices.Grow(b.buffer[:0], r.blockSize)[:r.blockSize]
	n := copy(buffer, r.tail)
	var read int
	read, r.err = io.ReadFull(r.text, buffer[n:])
	if r.err == io.ErrUnexpectedEOF {
		r.err = io.EOF
	}
	b.buffer, b.done = buffer[:n+read], make(chan struct{})
	if read > 0 {
		r.last = buffer[n+read-1]
	}
	r.tail = r.tail[:0]
	if end := bytes.LastIndexByte(b.buffer, '\n') + 1; r.err != io.EOF && (end > 0 || r.err != nil) {
		if r.err == nil {
			r.tail = append(r.tail, b.buffer[end:]...)
		}
		b.buffer = b.buffer[:end]
	}
	return b
}
