package importer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"almanac/internal/stat"
)

// Bounds of data from a pipe, a device or a request, whose size nobody knows.
const (
	maxInMemory = 1 << 20 // bytes that are read before the format must be known
	maxStream   = 4 << 30 // bytes that are copied to a temporary file
)

// openPipe reads a pipe or device. Opening a pipe blocks until somebody writes to it, so
// openPipe returns when ctx ends.
func (im *Importer) openPipe(ctx context.Context, path string) (rawFile, error) {
	type result struct {
		raw rawFile
		err error
	}
	done := make(chan result)
	go func() {
		raw, err := im.readPipe(ctx, path)
		select {
		case done <- result{raw, err}:
		case <-ctx.Done(): // nobody waits any more
			if err == nil {
				raw.Close()
			}
		}
	}()
	select {
	case r := <-done:
		return r.raw, r.err
	case <-ctx.Done():
		return rawFile{}, ctx.Err()
	}
}

func (im *Importer) readPipe(ctx context.Context, path string) (rawFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return rawFile{}, openError(path, err)
	}
	defer f.Close()
	return im.readStream(ctx, path, f)
}

// readStream reads data into memory, or into a temporary file if they are long and their
// beginning is of a known format.
func (im *Importer) readStream(ctx context.Context, name string, data io.Reader) (rawFile, error) {
	head := make([]byte, maxInMemory)
	n, err := io.ReadFull(data, head)
	head = head[:n]
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return rawFile{name: name, at: bytes.NewReader(head), size: int64(n), Closer: io.NopCloser(nil)}, nil
	case err != nil:
		return rawFile{}, fmt.Errorf("reading %s: %w", name, err)
	}
	if err := im.checkHead(name, head); err != nil {
		return rawFile{}, err
	}
	file, err := im.store.Scratch()
	if err != nil {
		return rawFile{}, err
	}
	rest := stopped{ctx, io.LimitReader(data, maxStream)}
	_, err = io.Copy(file, io.MultiReader(bytes.NewReader(head), rest))
	if err = errors.Join(err, file.Flush()); err == nil && file.Size() > maxStream {
		err = stat.BadFile(start, "the data are larger than %d MiB: save them to a file and import the file", maxStream>>20)
	}
	if err != nil {
		file.Close()
		return rawFile{}, stat.Wrap(err, "reading %s", name)
	}
	return rawFile{name: name, at: file, size: file.Size(), Closer: file}, nil
}

// checkHead refuses data whose beginning is of no known format. The members of a zip
// archive are known at its end only.
func (im *Importer) checkHead(name string, head []byte) error {
	if bytes.HasPrefix(head, []byte("PK")) {
		return nil
	}
	contents, err := im.recognise(rawFile{name: name, at: bytes.NewReader(head), size: int64(len(head))})
	if err != nil {
		return err
	}
	for i := range contents {
		if contents[i].format != nil {
			return nil
		}
	}
	return contents[0].errUnknown()
}

// stopped is a reader that ends with the error of a context.
type stopped struct {
	ctx context.Context
	io.Reader
}

func (r stopped) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
