package api

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
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
// an encode, or its status says that it has none.
type reply struct {
	status      int // 0: 200
	contentType []string
	tag         tag
	modified    modified
	body        *body                 // ready in memory
	encode      func(*stream) error   // writes it; not called for a 304
	keep        bool                  // what encode writes is worth keeping
	make        func() (*body, error) // makes the body; not called for a 304
	packed      bool                  // the body does not get smaller by a coding
	cache       []string              // Cache-Control; nil: ask again each time, if there is a tag
	followed    bool                  // it depends on what the caller's organisation follows
	changed     bool                  // something was changed, which is told whatever coding the caller wants
}

// modified is when what is answered was published here, for Last-Modified. The
// zero one is not told.
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
	accepted := accept(x.r.Header["Accept-Encoding"])
	if accepted.none && !rep.changed {
		return &refusal{http.StatusNotAcceptable, "Accept-Encoding allows none of the codings that can be sent; these are zstd, gzip and identity"}
	}
	if rep.status == http.StatusNoContent {
		x.begin(rep.status)
		return nil
	}
	c := rep.coding(accepted)
	var key string
	if rep.cache != nil {
		h["Cache-Control"] = rep.cache
	}
	if rep.tag != (tag{}) {
		etag := rep.tag.etag(c)
		key = etag[1 : len(etag)-1]
		h["Etag"] = []string{etag}
		if rep.cache == nil {
			h["Cache-Control"] = x.revalidate()
		}
		if !rep.modified.at.IsZero() {
			h["Last-Modified"] = rep.modified.header
		}
		if notModified(x.r.Header, key, rep.modified.at) {
			x.begin(http.StatusNotModified)
			return nil
		}
	}
	if err := x.count(); err != nil {
		return err
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
		x.whole(cmp.Or(rep.status, http.StatusOK), rep.contentType, rep.body.in(c))
		return nil
	}
	if rep.keep {
		if file, size := x.api.bodies.open(key); file != nil {
			defer file.Close()
			return x.kept(rep, file, size)
		}
	}
	return x.stream(rep, c, key)
}

// kept answers with a file of the cache of rendered bodies.
func (x *exchange) kept(rep *reply, file *os.File, size int64) error {
	h := x.w.Header()
	h["Content-Type"] = rep.contentType
	h["Content-Length"] = []string{strconv.FormatInt(size, 10)}
	x.begin(http.StatusOK)
	if x.r.Method == http.MethodHead {
		return nil
	}
	// Between a file and a connection this copies inside of the kernel.
	n, err := io.Copy(x.w, file)
	if _, ours := errors.AsType[*fs.PathError](err); err != nil && !ours {
		return errors.Join(errGone, err)
	}
	if err == nil && n != size {
		err = fmt.Errorf("the kept answer %s has %d bytes of %d", file.Name(), n, size)
	}
	return err
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
