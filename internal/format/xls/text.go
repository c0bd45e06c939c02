package xls

import (
	"encoding/binary"
	"unicode/utf16"

	"almanac/internal/format/workbook"
)

// textReader reads texts from a record and its continuations.
type textReader struct {
	part []byte // what is left of the current part
	rest [][]byte
}

func newTextReader(r record, skip int) *textReader {
	return &textReader{r.parts[0][min(skip, len(r.parts[0])):], r.parts[1:]}
}

// Properties of a text.
const (
	isWide      = 1 // two bytes for each character
	hasPhonetic = 4 // the readings of Japanese words follow
	isRich      = 8 // runs of fonts follow
)

// text reads a text whose length has one or two bytes.
func (t *textReader) text(sizeBytes int) (string, error) {
	head := t.take(sizeBytes + 1)
	if len(head) < sizeBytes+1 {
		return "", workbook.BadFile("a text is cut off")
	}
	length, flags := int(head[0]), head[sizeBytes]
	if sizeBytes == 2 {
		length = int(binary.LittleEndian.Uint16(head))
	}
	runs, phonetic := 0, 0
	if flags&isRich != 0 {
		if data := t.take(2); len(data) == 2 {
			runs = int(binary.LittleEndian.Uint16(data))
		}
	}
	if flags&hasPhonetic != 0 {
		if data := t.take(4); len(data) == 4 {
			phonetic = int(binary.LittleEndian.Uint32(data))
		}
	}
	text, err := t.characters(length, flags)
	if after := runs*4 + phonetic; err == nil && (after < 0 || !t.skip(after)) {
		err = workbook.BadFile("a text is cut off")
	}
	return text, err
}

// characters reads the characters of a text. A continuation within a text begins with
// its properties again.
func (t *textReader) characters(length int, flags byte) (string, error) {
	units := make([]uint16, 0, min(length, 1<<10))
	for len(units) < length {
		width := 1 + int(flags&isWide)
		if len(t.part) < width {
			if !t.next() || len(t.part) == 0 {
				return "", workbook.BadFile("a text is cut off")
			}
			flags, t.part = t.part[0], t.part[1:]
			continue
		}
		n := min(len(t.part)/width, length-len(units))
		for i := range n {
			if width == 1 {
				units = append(units, uint16(t.part[i]))
			} else {
				units = append(units, binary.LittleEndian.Uint16(t.part[2*i:]))
			}
		}
		t.part = t.part[n*width:]
	}
	return string(utf16.Decode(units)), nil
}

// next goes on to the next part, if there is one.
func (t *textReader) next() bool {
	if len(t.rest) == 0 {
		return false
	}
	t.part, t.rest = t.rest[0], t.rest[1:]
	return true
}

// take reads n bytes, or fewer at the end of the record.
func (t *textReader) take(n int) []byte {
	for len(t.part) == 0 && t.next() {
	}
	taken := t.part[:min(n, len(t.part))]
	t.part = t.part[len(taken):]
	return taken
}

// skip passes over n bytes; false if there are fewer.
func (t *textReader) skip(n int) bool {
	for n > 0 {
		taken := len(t.take(n))
		if taken == 0 {
			return false
		}
		n -= taken
	}
	return true
}
