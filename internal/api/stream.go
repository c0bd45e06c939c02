package api

import (
	"errors"
	"io"
	"net/http"
	"sync"

	"almanac/internal/encode/json"
)

// stream sends a response while it is encoded. A response of one chunk is sent whole,
// with its length. A longer one is streamed in chunks, so that memory stays bounded,
// and copied to the cache if the reply is to be kept.
type stream struct {
	json.Writer

	x          *exchange
	rep        *reply
	coding     coding
	key        string        // in the cache
	compressor compressor    // nil: not compressed
	file       *responseFile // nil: not kept
	isMade     bool          // everything goes to file and nothing to the caller
}

var streams = sync.Pool{New: func() any {
	s := &stream{}
	s.Buf = make([]byte, 0, json.ChunkSize+json.ChunkSize/4)
	s.Send = s.sendChunk
	return s
}}

// maxPooled is the size of the largest buffer to reuse. Pictures may need a larger one.
const maxPooled = 1 << 20

// errHeadOnly ends the encoding of a response to HEAD once its headers are sent.
var errHeadOnly = errors.New("only the headers are sent")

// errGone means that the caller has disconnected.
var errGone = errors.New("the caller has disconnected")

func (x *exchange) stream(rep *reply, c coding, key string) error {
	s := streams.Get().(*stream)
	defer s.release()
	s.x, s.rep, s.coding, s.key = x, rep, c, key
	err := rep.encode(s)
	if err == nil {
		err = s.finish()
	}
	if errors.Is(err, errHeadOnly) {
		err = nil
	}
	return err
}

func (s *stream) release() {
	if s.compressor != nil {
		s.coding.release(s.compressor)
	}
	s.file.discard()
	if cap(s.Buf) > maxPooled {
		return
	}
	s.Buf = s.Buf[:0]
	*s = stream{Writer: s.Writer}
	streams.Put(s)
}

// sendChunk sends the encoded bytes, preceded by the headers if it is the first chunk.
func (s *stream) sendChunk() error {
	if s.isMade {
		return s.keepChunk()
	}
	isFirst := !s.x.isBegun
	if isFirst {
		s.x.w.Header()["Content-Type"] = s.rep.mediaType()
		s.x.begin(http.StatusOK)
		if s.x.r.Method == http.MethodHead {
			return errHeadOnly
		}
		if s.rep.isKept {
			s.file = s.x.api.cache.create(s.key, s.x.w.Header()["X-Notice"])
		}
		if s.coding != identity {
			s.compressor = s.coding.open(s)
		}
	}
	out := io.Writer(s)
	if s.compressor != nil {
		out = s.compressor
	}
	_, err := out.Write(s.Buf)
	s.Buf = s.Buf[:0]
	if isFirst && err == nil {
		// Send the first bytes at once, however well they compress.
		if s.compressor != nil {
			err = s.compressor.Flush()
		}
		if err == nil {
			err = http.NewResponseController(s.x.w).Flush()
		}
	}
	return err
}

// Write sends bytes, already compressed if necessary, to the caller and the cache.
func (s *stream) Write(bytes []byte) (int, error) {
	s.file.write(bytes)
	n, err := s.x.w.Write(bytes)
	if err != nil {
		return n, errors.Join(errGone, err)
	}
	return n, nil
}

func (s *stream) finish() error {
	if !s.x.isBegun {
		whole := s.Buf
		if s.coding != identity {
			whole = s.coding.compress(whole)
		}
		s.x.sendWhole(http.StatusOK, s.rep.mediaType(), whole)
		return nil
	}
	if err := s.sendChunk(); err != nil {
		return err
	}
	if s.compressor != nil {
		if err := s.compressor.Close(); err != nil {
			return err
		}
	}
	s.x.api.cache.keep(s.file)
	s.file = nil
	return nil
}
