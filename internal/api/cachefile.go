package api

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"

	"almanac/internal/encode/json"
)

// checksums has the CRC-32C of each block of a file, the last of which may be shorter. A CRC
// finds every change of up to 32 bits in a row, is several times as fast as a cryptographic
// digest, and nobody who can write the folder needs to be kept from it: it only has what the
// service sends. Blocks let a small range of a large file be checked alone.
type checksums []uint32

const checkedBlock = 64 << 10

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// extended returns the checksums of a file of a size after more bytes were appended to it.
func (sums checksums) extended(size int64, bytes []byte) checksums {
	for len(bytes) > 0 {
		room := checkedBlock - int(size%checkedBlock)
		if room == checkedBlock {
			sums = append(sums, 0)
		}
		n := min(room, len(bytes))
		last := &sums[len(sums)-1]
		*last = crc32.Update(*last, castagnoli, bytes[:n])
		size, bytes = size+int64(n), bytes[n:]
	}
	return sums
}

// responseFile is a response that is being written to the cache. A nil *responseFile
// discards everything.
type responseFile struct {
	*cachedResponse // its size is reserved in the cache

	cache      *responseCache
	file       *os.File
	buffer     *bufio.Writer // keeps the first error
	isTooLarge bool          // the cache has no room for it; nothing is kept
}

// begin starts to store a response that may be in the cache already when it is kept. It returns
// nil if the cache cannot be written.
func (c *responseCache) begin(key string) *responseFile {
	file, err := os.CreateTemp(c.dir, "*"+partialSuffix)
	if err != nil {
		return nil // a response must not fail because the cache cannot be written
	}
	return &responseFile{cachedResponse: &cachedResponse{key: key}, cache: c, file: file, buffer: bufio.NewWriterSize(file, json.ChunkSize)}
}

func (f *responseFile) write(bytes []byte) {
	if f == nil || f.isTooLarge {
		return
	}
	if f.isTooLarge = !f.cache.reserve(int64(len(bytes))); f.isTooLarge {
		_ = f.file.Truncate(0) // the response may take long; without it, the file stays until its end
		f.cache.release(f.size)
		f.size = 0
		return
	}
	f.sums = f.sums.extended(f.size, bytes)
	f.size += int64(len(bytes))
	_, _ = f.buffer.Write(bytes) // keep checks the error
}

func (f *responseFile) discard() {
	if f == nil {
		return
	}
	f.file.Close()
	os.Remove(f.file.Name())
	f.cache.release(f.size)
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	delete(f.cache.filling, f.key)
}

// open opens what was written for reading.
func (f *responseFile) open() (*cachedFile, error) {
	if err := f.buffer.Flush(); err != nil {
		return nil, err
	}
	file, err := os.Open(f.file.Name())
	if err != nil {
		return nil, err
	}
	return &cachedFile{cachedResponse: f.cachedResponse, cache: f.cache, file: file}, nil
}

// cachedFile is a response in the cache that is open for reading, by one goroutine.
type cachedFile struct {
	*cachedResponse
	cache *responseCache
	file  *os.File
	err   error               // the first of reading; the response was dropped then
	block *[checkedBlock]byte // nil: none is in memory
	which int                 // number of the block
}

var checkedBlocks = sync.Pool{New: func() any { return new([checkedBlock]byte) }}

func (f *cachedFile) Close() {
	f.file.Close()
	f.forgetBlock()
}

func (f *cachedFile) forgetBlock() {
	if f.block != nil {
		checkedBlocks.Put(f.block)
		f.block = nil
	}
}

// reader returns a reader of the response. It fails at the first block with other bytes than
// were written.
func (f *cachedFile) reader() *io.SectionReader { return io.NewSectionReader(f, 0, f.size) }

// ReadAt reads checked bytes.
func (f *cachedFile) ReadAt(bytes []byte, offset int64) (n int, err error) {
	for n < len(bytes) && offset < f.size {
		block, err := f.load(int(offset / checkedBlock))
		if err != nil {
			return n, err
		}
		copied := copy(bytes[n:], block[offset%checkedBlock:])
		n, offset = n+copied, offset+int64(copied)
	}
	if n < len(bytes) {
		return n, io.EOF
	}
	return n, nil
}

// check reads and checks the whole response.
func (f *cachedFile) check() error {
	defer f.forgetBlock()
	for i := range f.sums {
		if _, err := f.load(i); err != nil {
			return err
		}
	}
	return nil
}

// load reads and checks a block. If it is damaged, the response is dropped from the cache.
func (f *cachedFile) load(number int) ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	start := int64(number) * checkedBlock
	size := min(checkedBlock, f.size-start)
	if f.block != nil && f.which == number {
		return f.block[:size], nil
	}
	if f.block == nil {
		f.block = checkedBlocks.Get().(*[checkedBlock]byte)
	}
	f.which = number
	block := f.block[:size]
	_, err := f.file.ReadAt(block, start)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err == nil && crc32.Checksum(block, castagnoli) != f.sums[number] {
		err = fmt.Errorf("bytes %d to %d are not those that were written", start, start+size-1)
	}
	if err != nil {
		f.err = err
		f.cache.drop(f.cachedResponse, err)
		return nil, err
	}
	return block, nil
}
