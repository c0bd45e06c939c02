package api

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
)

// encoderVersion is part of every ETag. It goes up with every change to what
// the encoders write.
const encoderVersion = "1"

// tag identifies an answer: vintage, canonical query and encoder, without the
// content coding. The zero tag identifies nothing.
type tag [16]byte

// tagOf is the tag of an answer, from what it depends on.
func tagOf(what []byte) tag {
	sum := sha256.Sum256(what)
	return tag(sum[:16])
}

// etag is the ETag in its quotes. It differs by coding because the bytes do.
func (t tag) etag(c coding) string {
	var text [40]byte
	out := base64.RawURLEncoding.AppendEncode(append(text[:0], '"'), t[:])
	if c != identity {
		out = append(append(out, '-'), c.name()...)
	}
	return string(append(out, '"'))
}

// reply is an answer before it is put on the wire. It has a body, a make or
// an encode.
type reply struct {
	contentType []string
	tag         tag
	modified    modified
	body        *body                 // ready in memory
	encode      func(*stream) error   // writes it; not called for a 304
	keep        bool                  // what encode writes is worth keeping
	make        func() (*body, error) // makes the body; not called for a 304
	packed      bool                  // the body does not get smaller by a coding
	cache       []string              // Cache-Control; nil: ask again each time
}

// modified is when what is answered was published here, for Last-Modified.
type modified struct {
	at     time.Time // whole seconds
	header []string
}

func modifiedAt(t time.Time) modified {
	t = t.UTC().Truncate(time.Second)
	return modified{at: t, header: []string{t.Format(http.TimeFormat)}}
}

// jsonReply is the reply with a body that changes only with the program.
func jsonReply(text []byte) reply {
	return reply{contentType: applicationJSON, body: newBody(text), tag: tagOf(text)}
}

// coding is the one in which the reply is sent. What a query will give is not
// known before it is run, but the ETag must be, so all of these are compressed.
func (rep *reply) coding(a acceptance) coding {
	if rep.packed {
		return a.small
	}
	if rep.body != nil && len(rep.body.plain) < worthCompressing {
		return a.small
	}
	return a.large
}

// send puts a reply on the wire.
func (x *exchange) send(rep *reply) error {
	h := x.w.Header()
	h["Vary"] = varyEncoding
	accepted := accept(x.r.Header["Accept-Encoding"])
	if accepted.none {
		return &refusal{http.StatusNotAcceptable, "Accept-Encoding allows none of the codings that can be sent; these are zstd, gzip and identity"}
	}
	c := rep.coding(accepted)
	var key string
	if rep.tag != (tag{}) {
		etag := rep.tag.etag(c)
		key = etag[1 : len(etag)-1]
		h["Etag"] = []string{etag}
		h["Cache-Control"] = revalidate
		if rep.cache != nil {
			h["Cache-Control"] = rep.cache
		}
		if !rep.modified.at.IsZero() {
			h["Last-Modified"] = rep.modified.header
		}
		if notModified(x.r.Header, key, rep.modified.at) {
			x.begun = true
			x.w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	if rep.make != nil {
		h["Content-Security-Policy"] = nothingElse
		var err error
		if rep.body, err = rep.make(); err != nil {
			return err
		}
	}
	if c != identity {
		h["Content-Encoding"] = c.header()
	}
	if rep.body != nil {
		x.whole(http.StatusOK, rep.contentType, rep.body.in(c))
		return nil
	}
	if rep.keep && x.kept(rep, key) {
		return nil
	}
	return x.stream(rep, c, key)
}

// kept answers from the cache of rendered bodies, if it has the body.
func (x *exchange) kept(rep *reply, key string) bool {
	file, size := x.api.bodies.open(key)
	if file == nil {
		return false
	}
	defer file.Close()
	h := x.w.Header()
	h["Content-Type"] = rep.contentType
	h["Content-Length"] = []string{strconv.FormatInt(size, 10)}
	x.begun = true
	x.w.WriteHeader(http.StatusOK)
	if x.r.Method == http.MethodHead {
		return true
	}
	// Between a file and a connection this copies inside of the kernel.
	if n, err := io.Copy(x.w, file); err != nil || n != size {
		panic(http.ErrAbortHandler)
	}
	return true
}

// stream answers with what the reply's encode writes.
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
