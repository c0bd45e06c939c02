package charset

import "unicode/utf8"

// Place is where a byte is, from 1 on.
type Place struct{ Line, Column int }

// Collector collects what [Collector.Detect] needs of a text: each distinct piece with
// bytes above 127, between spaces and separators. Its memory is bounded. Write never
// fails.
type Collector struct {
	words []string
	seen  map[string]bool
	bytes [256]bool // that occur above 127
	piece []byte    // that is not ended
	high  int       // bytes above 127 in the words
	size  int

	line, column int // of the last byte
	pending      []byte
	pendingAt    Place
	// Sequences counts the characters of several bytes that are valid UTF-8, Strays the
	// bytes above 127 that are not.
	Sequences, Strays int
	// First is where the first stray byte is, and Byte the byte.
	First Place
	Byte  byte
}

const (
	maxPieces    = 128 << 10 // bytes of words
	maxPieceSize = 512
)

// Write adds text.
func (c *Collector) Write(text []byte) (int, error) {
	for _, b := range text {
		c.addByte(b)
	}
	return len(text), nil
}

// Close ends the text.
func (c *Collector) Close() error {
	c.endPiece()
	c.endSequence()
	return nil
}

func (c *Collector) addByte(b byte) {
	if c.line == 0 {
		c.line = 1
	}
	c.column++
	c.checkUTF8(b)
	switch b {
	case ' ', '\t', '\r', '\n', ',', ';', '"', '<', '>':
		c.endPiece()
		if b == '\n' {
			c.line, c.column = c.line+1, 0
		}
		return
	}
	if len(c.piece) < maxPieceSize {
		c.piece = append(c.piece, b)
	}
}

func (c *Collector) endPiece() {
	piece := c.piece
	c.piece = c.piece[:0]
	high, isNew := 0, false
	for _, b := range piece {
		if b >= utf8.RuneSelf {
			high++
			isNew = isNew || !c.bytes[b]
		}
	}
	if high == 0 || len(piece) == maxPieceSize || c.seen[string(piece)] || c.size > maxPieces && !isNew {
		return
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	word := string(piece)
	c.seen[word] = true
	c.words = append(c.words, word)
	c.high += high
	c.size += len(word)
	for _, b := range piece {
		c.bytes[b] = c.bytes[b] || b >= utf8.RuneSelf
	}
}

// checkUTF8 counts valid characters and stray bytes.
func (c *Collector) checkUTF8(b byte) {
	if b < utf8.RuneSelf || utf8.RuneStart(b) {
		c.endSequence()
	}
	if b < utf8.RuneSelf {
		return
	}
	if len(c.pending) == 0 {
		c.pendingAt = Place{Line: c.line, Column: c.column}
	}
	c.pending = append(c.pending, b)
	if utf8.Valid(c.pending) {
		c.Sequences++
		c.pending = c.pending[:0]
	} else if len(c.pending) >= utf8.UTFMax {
		c.stray()
	}
}

func (c *Collector) endSequence() {
	if len(c.pending) > 0 {
		c.stray()
	}
}

func (c *Collector) stray() {
	if c.Strays == 0 {
		c.First, c.Byte = c.pendingAt, c.pending[0]
	}
	c.Strays += len(c.pending)
	c.pending = c.pending[:0]
}

// IsDamagedUTF8 reports whether the text is UTF-8 with a few stray bytes. In other encodings
// of letters, bytes that look like UTF-8 are rare, but not in those of East Asia.
func (c *Collector) IsDamagedUTF8() bool {
	return c.Strays > 0 && c.Sequences >= c.Strays
}
