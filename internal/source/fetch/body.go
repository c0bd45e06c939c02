package fetch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// A response of more than minBomb bytes that unpacks to more than maxRatio times its
// size is treated as a decompression bomb.
const (
	maxRatio = 100
	minBomb  = 1 << 20
)

// body reads the body of a response.
type body struct {
	*step
	response *http.Response
	pace     *pace
	timedOut func() error

	packed   int64
	unpacked int64
	head     []byte
}

// errKnown reports that the body has the digest in Request.Known.
var errKnown = errors.New("the response is already known")

// save reads the body and stores it through b.keep.
func (b *body) save() (Answer, error) {
	answer := Answer{
		Address:     b.client.hide(b.to.String()),
		Validators:  validatorsOf(b.response),
		ContentType: mediaType(b.response.Header.Get("Content-Type")),
		Filename:    b.client.hide(filename(b.response.Header.Get("Content-Disposition"))),
	}
	err := b.keep(func(w io.Writer) error {
		var err error
		answer.Validators.Digest, err = b.copyTo(w, answer.ContentType)
		if err == nil && answer.Validators.Digest == b.Known.Digest {
			return errKnown
		}
		return err
	})
	answer.Size, answer.Head = b.unpacked, b.head
	if errors.Is(err, errKnown) {
		answer.NotModified = true
		return answer, nil
	}
	if err != nil {
		return Answer{}, err
	}
	return answer, nil
}

// copyTo writes the unpacked body and returns its digest. A web page is an error, and
// nothing of it is written.
func (b *body) copyTo(w io.Writer, contentType string) (digest string, err error) {
	if length := b.response.ContentLength; length > b.limit {
		return "", b.tooBig("it has %d bytes, more than the limit of %d", length, b.limit)
	}
	in, err := b.open()
	if err != nil {
		return "", b.readError(err)
	}
	if b.head, err = readHead(in); err != nil {
		return "", b.readError(err)
	}
	if len(b.head) == 0 {
		failed := b.fail(Empty, nil)
		failed.Status = b.response.StatusCode
		return "", failed
	}
	if contentType == "text/html" || contentType == "application/xhtml+xml" || looksLikeHTML(b.head) {
		failed := b.fail(WebPage, nil)
		failed.Status, failed.Body, failed.After = b.response.StatusCode, []byte(b.client.hide(string(b.head))), b.postpone(b.response)
		return "", failed
	}
	sum := sha256.New()
	out := &errWriter{to: w}
	open := b.client.hideIn(b.to, io.MultiWriter(sum, out))
	_, err = io.Copy(open, io.MultiReader(bytes.NewReader(b.head), in))
	if err == nil {
		err = open.flush()
	}
	b.head = []byte(b.client.hide(string(b.head)))
	if out.err != nil {
		return "", fmt.Errorf("saving the response of %s: %w", redact(b.Address), out.err)
	} else if err != nil {
		return "", b.readError(err)
	}
	if b.endsAtClose() && !isPacked(b.head) && !strings.ContainsRune("\n\r>}];", rune(out.last)) {
		return "", b.readError(fmt.Errorf("it states no length and ends with %q, where data would end with a line break or a bracket", string(out.last)))
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// endsAtClose reports whether only the closed connection marks the end of the
// response. A truncated response then looks complete.
func (b *body) endsAtClose() bool {
	return b.response.ProtoMajor == 1 && b.response.ContentLength < 0 && len(b.response.TransferEncoding) == 0 && b.unpacked == b.packed && b.unpacked > 0
}

// isPacked reports whether a body is gzip or zip, which mark their own end.
func isPacked(head []byte) bool {
	return bytes.HasPrefix(head, []byte(gzipMagic)) || bytes.HasPrefix(head, []byte("PK"))
}

// errWriter records the last byte and the error of writing, which io.Copy would mix
// up with an error of reading.
type errWriter struct {
	to   io.Writer
	err  error
	last byte
}

func (w *errWriter) Write(p []byte) (n int, err error) {
	if len(p) > 0 {
		w.last = p[len(p)-1]
	}
	n, w.err = w.to.Write(p)
	return n, w.err
}

// open returns a reader of the unpacked body. It counts and limits the bytes both as
// received and as unpacked.
func (b *body) open() (io.Reader, error) {
	packed := bufio.NewReader(readerFunc(b.readPacked))
	coding := strings.ToLower(b.response.Header.Get("Content-Encoding"))
	if head, _ := packed.Peek(2); coding == "" && string(head) == gzipMagic && b.isRead && b.saysText() { // an error occurs again
		coding = "gzip"
	}
	switch coding {
	case "", "identity":
		return b.limitUnpacked(packed), nil
	case "gzip", "x-gzip":
		if b.response.ContentLength == 0 {
			return packed, nil
		}
		unpacked, err := gzip.NewReader(packed)
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		return b.limitUnpacked(unpacked), nil
	default:
		return nil, b.fail(Denied, fmt.Errorf("the content coding %.40q was not requested", coding))
	}
}

// gzipMagic is the beginning of packed data.
const gzipMagic = "\x1f\x8b"

// saysText reports whether the media type is one of text, so that a packed body is one whose
// coding the server has left out.
func (b *body) saysText() bool {
	kind := mediaType(b.response.Header.Get("Content-Type"))
	return strings.HasPrefix(kind, "text/") || strings.Contains(kind, "json") || strings.Contains(kind, "xml") || strings.Contains(kind, "csv")
}

// readerFunc is a function that serves as an io.Reader.
type readerFunc func([]byte) (int, error)

func (read readerFunc) Read(p []byte) (int, error) { return read(p) }

// readPacked reads the body as received.
func (b *body) readPacked(p []byte) (int, error) {
	n, err := b.response.Body.Read(p)
	b.pace.add(n)
	if b.packed += int64(n); b.packed > b.limit {
		return n, b.tooBig("it has more than the limit of %d bytes", b.limit)
	}
	return n, err
}

// limitUnpacked counts and limits the unpacked bytes.
func (b *body) limitUnpacked(in io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		n, err := in.Read(p)
		b.unpacked += int64(n)
		switch {
		case b.unpacked > b.limit:
			return n, b.tooBig("it has more than the limit of %d bytes", b.limit)
		case b.unpacked > minBomb && b.unpacked/maxRatio > b.packed:
			return n, b.tooBig("it unpacks to more than %d times its size", maxRatio)
		}
		return n, err
	})
}

func (b *body) tooBig(format string, args ...any) error {
	failed := b.fail(TooBig, fmt.Errorf(format, args...))
	failed.Status = b.response.StatusCode
	return failed
}

// readError turns an error of reading into an [Error].
func (b *body) readError(err error) error {
	var failed *Error
	if errors.As(err, &failed) {
		return failed
	}
	if timeout := b.timedOut(); timeout != nil {
		return timeout
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("it ended after %d bytes", b.packed)
	}
	failed = b.fail(Cut, hideLocal(err))
	failed.Status = b.response.StatusCode
	return failed
}

// statusError returns the error of a response whose status says that it contains no
// data.
func (b *body) statusError() error {
	failed := b.fail(reasonOf(b.response.StatusCode), nil)
	failed.Status, failed.After = b.response.StatusCode, b.postpone(b.response)
	b.limit = max(b.limit, maxExcerpt)
	if in, err := b.open(); err == nil {
		// The status is the error, even if the body cannot be read.
		failed.Body, _ = readHead(in)
		failed.Body = []byte(b.client.hide(string(failed.Body)))
	}
	if b.Body == nil && b.Form == nil && failed.Status == http.StatusForbidden && looksLikeHTML(failed.Body) {
		failed.Reason = Blocked
	}
	return failed
}

func reasonOf(status int) Reason {
	switch {
	case status == http.StatusNotFound, status == http.StatusGone, status == http.StatusNoContent:
		return Missing
	case status == http.StatusRequestEntityTooLarge, status == http.StatusRequestURITooLong:
		return TooBig
	case status == http.StatusRequestTimeout:
		return Slow
	case status == http.StatusTooManyRequests, status >= 500 && status != http.StatusNotImplemented:
		return Busy
	}
	return Denied
}

// readHead reads the first 4 KiB, or everything if there is less. Unlike
// io.ReadFull, it distinguishes a short body from a truncated one.
func readHead(in io.Reader) ([]byte, error) {
	head := make([]byte, 0, maxExcerpt)
	for len(head) < cap(head) {
		n, err := in.Read(head[len(head):cap(head)])
		head = head[:len(head)+n]
		if errors.Is(err, io.EOF) {
			return head, nil
		}
		if err != nil {
			return head, err
		}
	}
	return head, nil
}

// looksLikeHTML reports whether a text begins like a web page.
func looksLikeHTML(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	for {
		head = bytes.TrimSpace(head)
		end := ""
		switch {
		case bytes.HasPrefix(head, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(head, []byte("<?xml")):
			end = "?>"
		default:
			start := bytes.ToLower(head[:min(len(head), len("<!doctype html"))])
			return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
		}
		_, after, found := bytes.Cut(head, []byte(end))
		if !found {
			return false
		}
		head = after
	}
}

// mediaType returns the media type of a Content-Type, without its parameters.
func mediaType(contentType string) string {
	if media, _, err := mime.ParseMediaType(contentType); err == nil {
		return media
	}
	media, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(media))
}
