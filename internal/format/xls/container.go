package xls

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"

	"almanac/internal/format/workbook"
)

// Numbers of sectors that end a chain or are free are from here on.
const firstSpecial = 0xFFFFFFFA

// container is a compound file: streams in chains of sectors, which a table of numbers
// (the FAT) links, each to the next one. Small streams are in chains of short sectors
// within one of the streams.
type container struct {
	data       []byte
	sectorSize int
	fat        []uint32
	miniFAT    []uint32
	mini       []byte // the stream of short sectors
	miniBelow  uint32 // streams below this size consist of short sectors
}

const (
	signature  = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	headerSize = 512
	miniSize   = 64  // bytes of a short sector
	entrySize  = 128 // bytes of an entry of the directory
)

// stream returns the first stream of a compound file with one of the names.
func stream(data []byte, names ...string) ([]byte, error) {
	c := &container{data: data}
	if len(data) < headerSize || !bytes.HasPrefix(data, []byte(signature)) {
		return nil, workbook.BadFile("it is shorter than its header; it may be cut off")
	}
	shift := binary.LittleEndian.Uint16(data[30:])
	if shift != 9 && shift != 12 {
		return nil, workbook.BadFile("its sectors have a size that compound files do not have")
	}
	c.sectorSize = 1 << shift
	c.miniBelow = binary.LittleEndian.Uint32(data[56:])
	if err := c.readFAT(); err != nil {
		return nil, err
	}
	directory, err := c.chain(binary.LittleEndian.Uint32(data[48:]), len(data))
	if err != nil {
		return nil, err
	}
	if err := c.readMini(directory); err != nil {
		return nil, err
	}
	for _, name := range names {
		for at := 0; at+entrySize <= len(directory); at += entrySize {
			entry := directory[at : at+entrySize]
			if entryName(entry) == name && entry[66] == 2 {
				return c.open(entry)
			}
		}
	}
	return nil, nil
}

func entryName(entry []byte) string {
	size := min(int(binary.LittleEndian.Uint16(entry[64:])), 64)
	var units []uint16
	for i := 0; i+3 < size; i += 2 { // without the final zero
		units = append(units, binary.LittleEndian.Uint16(entry[i:]))
	}
	return string(utf16.Decode(units))
}

// sector returns the bytes of a sector; the last one may be cut off.
func (c *container) sector(n uint32) ([]byte, error) {
	from := (int64(n) + 1) * int64(c.sectorSize)
	if from >= int64(len(c.data)) {
		return nil, workbook.BadFile("it refers to a sector behind its end; it may be cut off")
	}
	return c.data[from:min(from+int64(c.sectorSize), int64(len(c.data)))], nil
}

// readFAT reads the sectors of the FAT: the header lists the first ones, and a chain of
// further sectors the others.
func (c *container) readFAT() error {
	list := numbers(c.data[76:headerSize])
	next, left := binary.LittleEndian.Uint32(c.data[68:]), len(c.data)/c.sectorSize+1
	for next < firstSpecial {
		sector, err := c.sector(next)
		if err != nil {
			return err
		}
		if left--; left < 0 || len(sector) < c.sectorSize {
			return workbook.BadFile("the list of its sectors is damaged")
		}
		all := numbers(sector)
		list, next = append(list, all[:len(all)-1]...), all[len(all)-1]
	}
	for _, n := range list {
		if n >= firstSpecial {
			continue
		}
		sector, err := c.sector(n)
		if err != nil {
			return err
		}
		if len(c.fat) > len(c.data)/c.sectorSize+2*c.sectorSize {
			return workbook.BadFile("the list of its sectors is longer than the file")
		}
		c.fat = append(c.fat, numbers(sector)...)
	}
	return nil
}

func numbers(data []byte) []uint32 {
	all := make([]uint32, 0, len(data)/4)
	for ; len(data) >= 4; data = data[4:] {
		all = append(all, binary.LittleEndian.Uint32(data))
	}
	return all
}

// chain joins the sectors of a chain, up to a size.
func (c *container) chain(first uint32, size int) ([]byte, error) {
	var joined []byte
	for n := first; n < firstSpecial && len(joined) < size; n = c.fat[n] {
		sector, err := c.sector(n)
		if err != nil {
			return nil, err
		}
		if int(n) >= len(c.fat) || len(joined) > len(c.data) {
			return nil, workbook.BadFile("a chain of its sectors is damaged; it may be cut off")
		}
		joined = append(joined, sector...)
	}
	return joined[:min(len(joined), size)], nil
}

// readMini reads the stream of short sectors, which the first entry of the directory
// describes, and their links.
func (c *container) readMini(directory []byte) error {
	if len(directory) < entrySize {
		return workbook.BadFile("it has no directory")
	}
	links, err := c.chain(binary.LittleEndian.Uint32(c.data[60:]), len(c.data))
	if err != nil {
		return err
	}
	c.miniFAT = numbers(links)
	c.mini, err = c.chain(binary.LittleEndian.Uint32(directory[116:]), len(c.data))
	return err
}

// open reads the stream of an entry.
func (c *container) open(entry []byte) ([]byte, error) {
	first, size := binary.LittleEndian.Uint32(entry[116:]), binary.LittleEndian.Uint32(entry[120:])
	if int64(size) > int64(len(c.data)) {
		return nil, workbook.BadFile("its workbook is longer than the file; it may be cut off")
	}
	joined := make([]byte, 0, size)
	if size >= c.miniBelow {
		all, err := c.chain(first, int(size))
		if err != nil {
			return nil, err
		}
		joined = all
	} else {
		for n := first; n < firstSpecial && len(joined) < int(size); n = c.miniFAT[n] {
			if int(n) >= len(c.miniFAT) || (int(n)+1)*miniSize > len(c.mini) {
				return nil, workbook.BadFile("a chain of its short sectors is damaged; it may be cut off")
			}
			joined = append(joined, c.mini[int(n)*miniSize:][:miniSize]...)
		}
		joined = joined[:min(len(joined), int(size))]
	}
	if len(joined) < int(size) {
		return nil, workbook.BadFile("its workbook has %d bytes, but should have %d; it may be cut off", len(joined), size)
	}
	return joined, nil
}
