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
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/store"
)

// reply is a response before it is sent. It has body or encode, unless its status
// allows neither.
type reply struct {
	status        int      // 0: 200
	contentType   []string // nil: JSON
	tag           tag
	modified      lastModified
	body          *body               // complete, in memory
	encode        func(*stream) error // writes the body; not called for a 304
	isKept        bool                // the output of encode goes into the cache
	inRanges      bool                // ranges of the output of encode may be read
	value         any                 // in place of a body, if it is wanted: see [AgentCall.Value]
	download      *store.File         // the body in place of body and encode, of which ranges may be read
	isPacked      bool                // the body does not compress
	ignoresCoding bool                // it is sent whatever coding the caller accepts, because something was changed
	cacheControl  []string            // nil: revalidate each time, if there is a tag
}

func jsonReply(text []byte) *reply { return &reply{body: newBody(text)} }

// constantReply returns a reply with a JSON body whose ETag is a digest of the body.
func constantReply(text []byte) *reply { return &reply{body: newBody(text), tag: tagOf(text)} }

func (rep *reply) mediaType() []string {
	if rep.contentType == nil {
		return applicationJSON
	}
	return rep.contentType
}

// coding returns the coding in which the reply is sent. The ETag includes it and is
// needed before the query runs, so streamed replies are compressed whatever their length.
func (rep *reply) coding(a acceptance) coding {
	if rep.isPacked || rep.body != nil && len(rep.body.plain) < worthCompressing {
		return a.small
	}
	return a.large
}

// send sends a reply: as 304, whole, from the cache or streamed. It admits a request that
// counts and is not admitted yet, unless the caller has the response.
func (x *exchange) send(rep *reply) error {
	if rep.download != nil {
		return x.sendDownload(rep)
	}
	h := x.w.Header()
	accepted := parseAccept(x.r.Header["Accept-Encoding"])
	if accepted.none && !rep.ignoresCoding {
		return &refusal{http.StatusNotAcceptable, "Accept-Encoding allows none of the supported codings, which are zstd, gzip and identity"}
	}
	if rep.body == nil && rep.encode == nil && rep.tag == (tag{}) {
		x.begin(rep.status)
		return nil
	}
	c := rep.coding(accepted)
	if rep.cacheControl != nil {
		h["Cache-Control"] = rep.cacheControl
	}
	etag := ""
	if rep.tag != (tag{}) {
		etag = rep.tag.etag(c)
		h["Etag"] = []string{etag}
		if rep.cacheControl == nil {
			h["Cache-Control"] = x.revalidate()
		}
		if !rep.modified.at.IsZero() {
			h["Last-Modified"] = rep.modified.header
		}
		if rep.status == http.StatusNotModified || notModified(x.r.Header, etag, x.dateOf(rep)) {
			x.begin(http.StatusNotModified)
			return nil
		}
	}
	if x.readsMadeFile(rep, accepted) {
		if err := x.sendMade(rep); !errors.Is(err, errNotMade) {
			return err
		}
		x.isContinued = false // the whole file is sent
	}
	if err := x.admit(); err != nil {
		return err
	}
	if err := x.admitMore(); err != nil {
		return err
	}
	if c != identity {
		h["Content-Encoding"] = c.header()
	}
	if rep.body != nil {
		x.sendWhole(cmp.Or(rep.status, http.StatusOK), rep.mediaType(), rep.body.in(c))
		return nil
	}
	key := strings.Trim(etag, `"`)
	if rep.isKept || rep.inRanges {
		if file := x.api.cache.openChecked(key); file != nil {
			defer file.Close()
			return x.sendFile(rep, file)
		}
	}
	return x.stream(rep, c, key)
}

// begin sends the status and the headers of the response. This settles the count: the
// headers of a response that counts say what is left of the limit; any other is
// refunded, unless a file was made for it.
func (x *exchange) begin(status int) {
	if status >= http.StatusBadRequest {
		x.use.Refund() // the reader of the link gets no data
	}
	if !countable(status) && !x.hasMade {
		x.refund()
	} else if x.ticket.Admitted {
		x.setLimitHeaders(&x.ticket.Standing, x.api.policies[x.ticket.Tier])
		x.api.tallies[x.ticket.Tier].counted.Add(uint64(1 + len(x.tickets)))
	}
	x.isBegun = true
	x.w.WriteHeader(status)
}

func (x *exchange) sendWhole(status int, contentType []string, body []byte) {
	h := x.w.Header()
	h["Content-Type"] = contentType
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	x.begin(status)
	if x.r.Method != http.MethodHead {
		_, _ = x.w.Write(body) // an error means that the caller has disconnected
	}
}

func (x *exchange) sendFile(rep *reply, file *cachedFile) error {
	h, size := x.w.Header(), file.size
	h["X-Notice"] = file.notices
	h["Content-Type"] = rep.mediaType()
	h["Content-Length"] = []string{strconv.FormatInt(size, 10)}
	x.begin(http.StatusOK)
	if x.r.Method == http.MethodHead {
		return nil
	}
	// From a file to a connection, this copies in the kernel.
	n, err := io.CopyN(x.w, file.file, size)
	if err == io.EOF {
		return fmt.Errorf("the cached response %s has %d bytes, want %d", file.file.Name(), n, size)
	}
	if _, isFileError := errors.AsType[*fs.PathError](err); err != nil && !isFileError {
		return errors.Join(errGone, err)
	}
	return err
}

// encoderVersion is part of every ETag. Increase it with every change to the output of
// the encoders.
const encoderVersion = "8"

// tag identifies a response by vintage, canonical query and encoder, without the
// content coding. The zero tag identifies nothing.
type tag [16]byte

// tagOf returns the tag of a response that depends on what.
func tagOf(what []byte) tag {
	sum := sha256.Sum256(what)
	return tag(sum[:16])
}

// etag returns the ETag in quotes. It differs by coding because the bytes do.
func (t tag) etag(c coding) string {
	var text [40]byte
	out := base64.RawURLEncoding.AppendEncode(append(text[:0], '"'), t[:])
	if c != identity {
		out = append(append(out, '-'), c.header()[0]...)
	}
	return string(append(out, '"'))
}

// lastModified is when the data were published here. The zero value is not sent.
type lastModified struct {
	at     time.Time // whole seconds
	header []string
}

func modifiedAt(t time.Time) lastModified {
	t = t.UTC().Truncate(time.Second)
	return lastModified{at: t, header: []string{t.Format(http.TimeFormat)}}
}

// dateOf returns the date by which a caller may know a reply, zero if it knows it only by its
// ETag: a response that depends on Accept-Language is another one in each language, with the
// same date.
func (x *exchange) dateOf(rep *reply) time.Time {
	if x.variesByLanguage() {
		return time.Time{}
	}
	return rep.modified.at
}

// notModified reports whether the caller has the response. If-None-Match takes precedence.
func notModified(h http.Header, etag string, modified time.Time) bool {
	if lists, isGiven := h["If-None-Match"]; isGiven {
		return slices.ContainsFunc(lists, func(list string) bool { return listsETag(list, etag) })
	}
	since := h["If-Modified-Since"]
	if len(since) != 1 || modified.IsZero() {
		return false
	}
	at, err := http.ParseTime(since[0])
	return err == nil && !modified.After(at)
}

// listsETag reports whether a list of ETags, or *, contains an ETag. The comparison is
// weak, as RFC 9110 requires for If-None-Match.
func listsETag(list, etag string) bool {
	for {
		list = strings.TrimLeft(list, " \t,")
		if strings.HasPrefix(list, "*") {
			return true
		}
		list = strings.TrimPrefix(list, "W/")
		if !strings.HasPrefix(list, `"`) {
			return false
		}
		end := strings.IndexByte(list[1:], '"') + 2
		if end < 2 {
			return false
		}
		if list[:end] == etag {
			return true
		}
		list = list[end:]
	}
}
