// Package spill keeps on disk what does not fit in memory while a dataset is imported:
// arrays in temporary files, and sorted runs of series that are merged.
package spill

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"slices"
	"sync"
)

// File is a temporary file. It is written to its end, then read in any order. Its
// bytes vanish with the process, because the file has no name or is in a folder that
// is cleaned at the next start.
type File struct {
	file *os.File
	out  *bufio.Writer
	size int64
}

// New returns a File that owns an empty file, opened for reading and writing.
func New(file *os.File) *File {
	return &File{file: file, out: bufio.NewWriterSize(file, 256<<10)}
}

// Size returns the number of bytes written.
func (f *File) Size() int64 { return f.size }

// Write appends bytes.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.out.Write(p)
	f.size += int64(n)
	return n, err
}

// Flush writes what is buffered to the disk.
func (f *File) Flush() error { return f.out.Flush() }

// Section returns a reader of the bytes from … to-1, which must be flushed.
func (f *File) Section(from, to int64) io.Reader {
	return io.NewSectionReader(f.file, from, to-from)
}

// ReadAt reads bytes, which must be flushed.
func (f *File) ReadAt(p []byte, offset int64) (int, error) { return f.file.ReadAt(p, offset) }

// Close closes the file and removes it. Closing a nil or a closed File does nothing.
func (f *File) Close() error {
	if f == nil || f.file == nil {
		return nil
	}
	err := f.file.Close()
	os.Remove(f.file.Name()) // it has no name any more, where the system allows that
	f.file = nil
	return err
}

// Arrays writes arrays, or reads them again, so that one function that calls [Array] for each
// serves both.
type Arrays struct {
	to   io.Writer
	from io.Reader
	err  error
}

// WriteTo returns Arrays that are written.
func WriteTo(to io.Writer) *Arrays { return &Arrays{to: to} }

// ReadFrom returns Arrays that are read.
func ReadFrom(from io.Reader) *Arrays { return &Arrays{from: from} }

// Err returns the first error.
func (a *Arrays) Err() error { return a.err }

// arrayPart is how many bytes are converted at a time.
const arrayPart = 64 << 10

var buffers = sync.Pool{New: func() any { return new([arrayPart]byte) }}

// Array writes an array and empties it, or reads n elements into its memory.
func Array[T int32 | uint16 | ~uint8 | float64](a *Arrays, array *[]T, n int) {
	if a.from != nil {
		*array = slices.Grow((*array)[:0], n)[:n]
	}
	buffer := buffers.Get().(*[arrayPart]byte)
	defer buffers.Put(buffer)
	for rest := *array; len(rest) > 0 && a.err == nil; {
		size := binary.Size(rest[0])
		part := rest[:min(len(rest), arrayPart/size)]
		text := buffer[:len(part)*size]
		if a.from != nil {
			_, a.err = io.ReadFull(a.from, text)
			_, _ = binary.Decode(text, binary.LittleEndian, part) // the lengths fit
		} else {
			_, _ = binary.Encode(text, binary.LittleEndian, part)
			_, a.err = a.to.Write(text)
		}
		rest = rest[len(part):]
	}
	if a.to != nil {
		*array = (*array)[:0]
	}
}
