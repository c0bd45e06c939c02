package blob

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"

	"almanac/internal/stat"
	"almanac/internal/trace"
)

// remote reads parts of a blob from the object store.
type remote struct {
	bucket *Bucket
	name   string
	spans  context.Context // its span has those of the requests
	etag   string
	size   int64
	digest []byte // that the object should have, nil if it does not say that

	mu     sync.Mutex
	parts  []part // in memory
	next   int64  // where the last read ended
	loaded int    // how many parts are fixed: the end of the blob
}

// part is a part of a blob in memory.
type part struct {
	from  int64
	bytes []byte
}

const (
	tailSize    = 64 << 10 // what is read when a blob is opened: the end of a file says what is where
	aheadSize   = 4 << 20  // what is read ahead if a blob is read from one end to the other
	loadsAtOnce = 8
	maxGap      = 32 << 10 // what is read although nobody needs it, to save a request
)

// openRemote opens a blob in the object store and reads its end.
func (b *Bucket) openRemote(ctx context.Context, name string) (*Blob, error) {
	r := &remote{bucket: b, name: name, spans: context.WithoutCancel(ctx)}
	tail, err := r.get(-tailSize, tailSize)
	if err != nil {
		return nil, err
	}
	r.parts, r.loaded = []part{{r.size - int64(len(tail)), tail}}, 1
	return &Blob{ReaderAt: r, Size: r.size, remote: r}, nil
}

// ReadAt implements [io.ReaderAt].
func (r *remote) ReadAt(p []byte, at int64) (n int, err error) {
	if at >= r.size {
		return 0, io.EOF
	}
	wanted := p[:min(int64(len(p)), r.size-at)]
	r.mu.Lock()
	defer r.mu.Unlock()
	for n < len(wanted) {
		from := at + int64(n)
		copied := r.copy(wanted[n:], from)
		if copied == 0 {
			length := int64(len(wanted) - n)
			if from == r.next && from > 0 || length == r.size {
				length = max(length, aheadSize)
			}
			bytes, err := r.get(from, min(length, r.size-from))
			if err != nil {
				return n, err
			}
			r.parts = append(r.parts[:r.loaded], part{from, bytes})
			copied = r.copy(wanted[n:], from)
		}
		n += copied
	}
	r.next = at + int64(n)
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// copy copies from the parts in memory and returns how many bytes.
func (r *remote) copy(to []byte, at int64) int {
	for _, p := range r.parts {
		if at >= p.from && at < p.from+int64(len(p.bytes)) {
			return copy(to, p.bytes[at-p.from:])
		}
	}
	return 0
}

// load reads parts into memory, several at once, instead of those before.
func (r *remote) load(spans []Span) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	spans = joined(spans)
	parts := make([]part, len(spans))
	var loads errgroup.Group
	loads.SetLimit(loadsAtOnce)
	for i, s := range spans {
		loads.Go(func() error {
			if tail := r.parts[0]; s.From >= tail.from {
				return nil
			}
			bytes, err := r.get(s.From, min(s.To, r.size)-s.From)
			parts[i] = part{s.From, bytes}
			return err
		})
	}
	if err := loads.Wait(); err != nil {
		return err
	}
	r.parts = append(r.parts[:1:1], parts...)
	r.loaded = len(r.parts)
	return nil
}

// joined joins spans that are close to each other.
func joined(spans []Span) (list []Span) {
	for _, s := range spans {
		if last := len(list) - 1; last >= 0 && s.From >= list[last].From && s.From <= list[last].To+maxGap {
			list[last].To = max(list[last].To, s.To)
			continue
		}
		list = append(list, s)
	}
	return list
}

// get reads a part, or the last bytes if from is negative. It tries again if the response is cut off.
func (r *remote) get(from, length int64) (bytes []byte, err error) {
	b := r.bucket
	if err := b.state.enter(); err != nil {
		return nil, err
	}
	ctx, span := trace.BeginCall(r.spans, "S3 GetObject")
	span.Set("rpc.system.name", "aws-api")
	span.Set("aws.s3.bucket", b.place.bucket)
	span.Set("aws.s3.key", b.object(r.name))
	defer func() {
		span.SetNumber("almanac.bytes", int64(len(bytes)))
		span.End(err)
	}()
	ctx, stop := context.WithTimeout(ctx, readTime*maxTries+timeFor(length))
	defer stop()
	for range maxTries {
		if bytes, err = r.try(ctx, from, length); err == nil || !errors.Is(err, errCutOff) {
			break
		}
	}
	if err != nil {
		err = b.failed("reading", r.name, err)
	}
	b.state.leave(err)
	return bytes, err
}

// errCutOff says that a body is not the one that was asked for.
var errCutOff = errors.New("the response is cut off")

func (r *remote) try(ctx context.Context, from, length int64) ([]byte, error) {
	var o minio.GetObjectOptions
	if from < 0 {
		o.Set("Range", fmt.Sprintf("bytes=%d", from))
	} else {
		o.Set("Range", fmt.Sprintf("bytes=%d-%d", from, from+length-1))
		if err := o.SetMatchETag(r.etag); err != nil {
			return nil, err
		}
	}
	body, info, header, err := r.bucket.reads.GetObject(ctx, r.bucket.place.bucket, r.bucket.object(r.name), o)
	if from < 0 && minio.ToErrorResponse(err).Code == minio.InvalidRange {
		return nil, nil // it is empty
	}
	if err != nil {
		return nil, err
	}
	defer body.Close()
	first, size := int64(0), info.Size // of a response with all bytes
	if stated := header.Get("Content-Range"); stated != "" {
		if first, size, err = parseRange(stated); err != nil {
			return nil, err
		}
	}
	if from < 0 {
		r.size, r.etag = size, info.ETag
		r.digest, _ = hex.DecodeString(info.UserMetadata[digestName])
		from, length = max(0, size+from), min(size, -from)
	}
	if size != r.size || first > from {
		return nil, fmt.Errorf("%w: it begins at byte %d of %d, not at %d of %d", errCutOff, first, size, from, r.size)
	}
	if _, err := io.CopyN(io.Discard, body, from-first); err != nil {
		return nil, fmt.Errorf("%w: %w", errCutOff, err)
	}
	bytes := make([]byte, length)
	if n, err := io.ReadFull(body, bytes); err != nil {
		return nil, fmt.Errorf("%w after %d of %d bytes: %w", errCutOff, n, length, err)
	}
	return bytes, nil
}

// parseRange reads Content-Range: bytes 100-199/1000.
func parseRange(text string) (first, size int64, err error) {
	at, total, _ := strings.Cut(strings.TrimPrefix(text, "bytes "), "/")
	begin, _, _ := strings.Cut(at, "-")
	first, err1 := strconv.ParseInt(begin, 10, 64)
	size, err2 := strconv.ParseInt(total, 10, 64)
	if errors.Join(err1, err2) != nil {
		return 0, 0, fmt.Errorf("invalid Content-Range %q in the response", text)
	}
	return first, size, nil
}

// state says whether the object store can be reached. If it cannot, one reader tries it again from
// time to time, and the others are told at once, so that they do not all wait.
type state struct {
	mu       sync.Mutex
	failed   error
	isWaited bool // whether somebody tries it, or it failed less than retryAfter ago
}

const retryAfter = time.Second

func (s *state) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isWaited {
		return s.failed
	}
	s.isWaited = s.failed != nil
	return nil
}

func (s *state) leave(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stat.KindOf(err) != stat.Unavailable {
		s.failed, s.isWaited = nil, false
		return
	}
	s.failed, s.isWaited = err, true
	time.AfterFunc(retryAfter, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.isWaited = false
	})
}
