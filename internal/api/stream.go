package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

// chunk is how much is encoded before it is sent on.
const chunk = 64 << 10

// stream takes an answer while it is encoded. An encoder appends to buf and
// calls pass between rows. What fits into one chunk is sent whole, with its
// length; more is streamed in chunks, so that memory stays bounded, and copied
// to the cache on the way if the reply is to be kept.
type stream struct {
	buf    []byte
	blocks blockWriter // memory for the encoder of blocks

	x      *exchange
	rep    *reply
	coding coding
	key    string
	z      coder    // nil while nothing is compressed
	kept   *newFile // nil: not kept
}

var streams = sync.Pool{New: func() any { return &stream{buf: make([]byte, 0, chunk+chunk/4)} }}

// maxPooled is the largest buffer that is kept for reuse; only rows of very
// many areas make a larger one.
const maxPooled = 1 << 20

// errHeadOnly ends the encoding of an answer to HEAD when all that is sent of
// it is known.
var errHeadOnly = errors.New("only the headers are sent")

// errGone says that the caller takes no more of the answer.
var errGone = errors.New("the caller is gone")

// release gives the stream's memory back.
func (s *stream) release() {
	if s.z != nil {
		s.coding.release(s.z)
	}
	s.kept.discard()
	buf, blocks := s.buf[:0], s.blocks
	if cap(buf) > maxPooled {
		return
	}
	*s = stream{buf: buf, blocks: blocks}
	streams.Put(s)
}

// context is that of the request.
func (s *stream) context() context.Context { return s.x.r.Context() }

// pass sends what is encoded if it fills a chunk. The encoder ends with its error.
func (s *stream) pass() error {
	if len(s.buf) < chunk {
		return nil
	}
	return s.forward()
}

// forward sends what is encoded, and before the first time the headers.
func (s *stream) forward() error {
	first := !s.x.begun
	if first {
		s.begin()
		if s.x.r.Method == http.MethodHead {
			return errHeadOnly
		}
	}
	out := io.Writer(s)
	if s.z != nil {
		out = s.z
	}
	_, err := out.Write(s.buf)
	s.buf = s.buf[:0]
	if first && err == nil {
		// The caller gets its first bytes at once, however well they compress.
		err = s.flush()
	}
	return err
}

// begin sends the headers of an answer whose length is not known.
func (s *stream) begin() {
	s.x.w.Header()["Content-Type"] = s.rep.contentType
	s.x.begin(http.StatusOK)
	if s.x.r.Method == http.MethodHead {
		return
	}
	if s.rep.keep {
		s.kept = s.x.api.bodies.create(s.key)
	}
	if s.coding != identity {
		s.z = s.coding.open(s)
	}
}

// Write puts bytes, compressed if they are to be, on the wire and into the cache.
func (s *stream) Write(bytes []byte) (int, error) {
	s.kept.write(bytes)
	n, err := s.x.w.Write(bytes)
	if err != nil {
		return n, errors.Join(errGone, err)
	}
	return n, nil
}

func (s *stream) flush() error {
	if s.z != nil {
		if err := s.z.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(s.x.w).Flush()
}

// finish ends the answer.
func (s *stream) finish() error {
	if !s.x.begun {
		whole := s.buf
		if s.coding != identity {
			whole = s.coding.compress(whole)
		}
		s.x.whole(http.StatusOK, s.rep.contentType, whole)
		return nil
	}
	if err := s.forward(); err != nil {
		return err
	}
	if s.z != nil {
		if err := s.z.Close(); err != nil {
			return err
		}
	}
	s.x.api.bodies.keep(s.kept)
	s.kept = nil
	return nil
}
