package font

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
)

// knownTags are the tables that WOFF 2.0 identifies by a number: the position of their
// tag in section 4.1 of the specification, of which only the beginning is needed here.
var knownTags = strings.Split("cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB", " ")

// compareTags orders tables as WOFF 2.0 lists them: loca after glyf.
func compareTags(a, b string) int {
	return cmp.Compare(slices.Index(knownTags, a), slices.Index(knownTags, b))
}

// fontQuality is the level of brotli. Higher ones take several times as long and save
// a few per cent.
const fontQuality = 6

// woff2 returns the font in the format WOFF 2.0 of the W3C, without the optional
// transformation of outlines.
func (t *trueType) woff2(copied ...string) ([]byte, error) {
	tables, err := t.tables(copied...)
	if err != nil {
		return nil, err
	}
	var directory []byte
	var content bytes.Buffer
	compress := brotli.NewWriterLevel(&content, fontQuality)
	size := 12 + 16*len(tables) // of the font without compression
	for _, tb := range tables {
		number := byte(slices.Index(knownTags, tb.tag))
		if tb.tag == "glyf" || tb.tag == "loca" {
			number |= 3 << 6 // not transformed
		}
		directory = appendBase128(append(directory, number), uint32(len(tb.data)))
		size += (len(tb.data) + 3) &^ 3
		compress.Write(tb.data) // to memory
	}
	if err := compress.Close(); err != nil {
		return nil, err
	}
	const header = 48
	length := (header + len(directory) + content.Len() + 3) &^ 3
	b := []byte("wOF2\x00\x01\x00\x00")
	b = be.AppendUint32(b, uint32(length))
	b = append(b, u16s(uint16(len(tables)), 0)...)
	b = be.AppendUint32(b, uint32(size))
	b = be.AppendUint32(b, uint32(content.Len()))
	b = append(b, u16s(1, 0)...)
	b = append(b, make([]byte, header-len(b))...) // no metadata, no private data
	b = append(append(b, directory...), content.Bytes()...)
	return append(b, make([]byte, length-len(b))...), nil
}

// appendBase128 appends a number in groups of seven bits, the highest first.
func appendBase128(b []byte, n uint32) []byte {
	for shift := 28; shift > 0; shift -= 7 {
		if n>>shift != 0 {
			b = append(b, byte(n>>shift)|0x80)
		}
	}
	return append(b, byte(n&0x7f))
}
