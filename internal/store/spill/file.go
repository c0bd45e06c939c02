// Package spill keeps on disk what does not fit in memory while a dataset is imported:
// arrays in temporary files, and sorted runs of series that are merged.
package spill

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
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

// number is an element of an array that [WriteArray] writes.
type number interface {
	int32 | uint16 | ~uint8 | float64
}

// arrayPart is how many bytes are converted at a time.
const arrayPart = 64 << 10

var buffers = sync.Pool{New: func() any { return new([arrayPart]byte) }}

// WriteArray appends an array.
func WriteArray[T number](to io.Writer, array []T) error {
	buffer := buffers.Get().(*[arrayPart]byte)
	defer buffers.Put(buffer)
	for len(array) > 0 {
		part := array[:min(len(array), arrayPart/binary.Size(array[0]))]
		n, err := binary.Encode(buffer[:], binary.LittleEndian, part)
		if err == nil {
			_, err = to.Write(buffer[:n])
		}
		if err != nil {
			return err
		}
		array = array[len(part):]
	}
	return nil
}

// ReadArray reads n elements of an array into into, which it overwrites and may enlarge.
func ReadArray[T number](from io.Reader, into []T, n int) ([]T, error) {
	if cap(into) < n {
		into = make([]T, n)
	}
	into = into[:n]
	buffer := buffers.Get().(*[arrayPart]byte)
	defer buffers.Put(buffer)
	for rest := into; len(rest) > 0; {
		size := binary.Size(rest[0])
		part := rest[:min(len(rest), arrayPart/size)]
		text := buffer[:len(part)*size]
		_, err := io.ReadFull(from, text)
		if err == nil {
			_, err = binary.Decode(text, binary.LittleEndian, part)
		}
		if err != nil {
			return into, err
		}
		rest = rest[len(part):]
	}
	return into, nil
}
