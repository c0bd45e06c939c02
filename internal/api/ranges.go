package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// errNotMade means that a file cannot be made before it is sent: there is no cache, or the file
// has no room in it.
var errNotMade = errors.New("the file has no room in the cache")

// readsMadeFile reports whether a request needs a file that is made before it is sent: one for
// ranges of it, for a certain version of it, or for its length. Ranges are those of the file
// without a content coding.
func (x *exchange) readsMadeFile(rep *reply, a acceptance) bool {
	if !rep.inRanges || a.small != identity {
		return false
	}
	h := x.r.Header
	return h["Range"] != nil || h["If-Match"] != nil || x.r.Method == http.MethodHead && rep.coding(a) == identity
}

// sendMade makes the file of a reply, unless it is in the cache, and sends it or ranges of it.
// The error is errNotMade if it cannot be made; nothing is sent then.
func (x *exchange) sendMade(rep *reply) error {
	etag := rep.tag.etag(identity)
	if notModified(x.r.Header, etag, x.dateOf(rep)) {
		x.w.Header()["Etag"] = []string{etag}
		x.begin(http.StatusNotModified)
		return nil
	}
	file, err := x.made(rep)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := x.sendRanges(rep, file.reader(), file.size); err != nil {
		return err
	}
	return file.err // the response is cut off, because its head was sent
}

// made returns the file of a reply, from the cache or made now. The caller closes it. A request
// for which a file is made counts, also if it belongs to a download and whatever its status:
// otherwise callers could have files made without limit.
func (x *exchange) made(rep *reply) (*cachedFile, error) {
	cache := x.api.cache
	if cache == nil {
		return nil, errNotMade
	}
	key := strings.Trim(rep.tag.etag(identity), `"`)
	unlock, err := cache.lock(x.r.Context(), key)
	if err != nil {
		return nil, errors.Join(errGone, err)
	}
	defer unlock()
	if file := cache.open(key); file != nil {
		x.w.Header()["X-Notice"] = file.notices
		return file, x.admit()
	}
	x.isContinued = false
	if err := x.admit(); err != nil {
		return nil, err
	}
	out := cache.begin(key)
	if out == nil {
		return nil, errNotMade
	}
	file, err := x.make(rep, out)
	x.hasMade = err == nil
	return file, err
}

// make writes the output of a reply to a file of the cache and opens it.
func (x *exchange) make(rep *reply, out *responseFile) (*cachedFile, error) {
	s := streams.Get().(*stream)
	defer s.release() // discards the file, unless it is kept
	s.x, s.rep, s.file, s.isMade = x, rep, out, true
	if err := rep.encode(s); err != nil {
		return nil, err
	}
	if err := s.sendChunk(); err != nil {
		return nil, err
	}
	s.file = nil
	out.notices = x.w.Header()["X-Notice"]
	file, err := out.open()
	x.api.cache.keep(out)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotMade, err)
	}
	return file, nil
}

// keepChunk writes the encoded bytes of a file that is made before it is sent.
func (s *stream) keepChunk() error {
	if err := s.x.r.Context().Err(); err != nil {
		return errors.Join(errGone, err)
	}
	s.file.write(s.Buf)
	s.Buf = s.Buf[:0]
	if s.file.isTooLarge {
		return errNotMade
	}
	return nil
}

// lock waits until no other request makes the file with a key. The caller calls unlock.
func (c *responseCache) lock(ctx context.Context, key string) (unlock func(), err error) {
	for {
		c.mu.Lock()
		done := c.making[key]
		if done == nil {
			done = make(chan struct{})
			c.making[key] = done
			c.mu.Unlock()
			return func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				delete(c.making, key)
				close(done)
			}, nil
		}
		c.mu.Unlock()
		select {
		case <-done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
