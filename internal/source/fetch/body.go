package fetch

import (
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

// What unpacks to more than maxRatio times its size is a bomb and no table,
// unless it is small.
const (
	maxRatio   = 100
	freeOfRate = 1 << 20
)

// body is the body of an answer while it is read.
type body struct {
	*step
	response *http.Response
	pace     *pace
	ended    func() error // of the step

	packed   int64
	unpacked int64
	head     []byte
}

// errKnown says that a body is the one that the asker has.
var errKnown = errors.New("the answer is known")

// kept reads the body and has it kept.
func (b *body) kept() (Answer, error) {
	answer := Answer{
		Status:      b.response.StatusCode,
		Address:     b.to.String(),
		Validators:  validatorsOf(b.response),
		ContentType: mediaType(b.response.Header.Get("Content-Type")),
		Filename:    filename(b.response.Header.Get("Content-Disposition")),
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

// copyTo writes the unpacked body, once its head has shown that it is no web
// page, and returns its digest.
func (b *body) copyTo(w io.Writer, contentType string) (digest string, err error) {
	if length := b.response.ContentLength; length > b.most {
		return "", b.tooBig("it has %d bytes, at most %d are read", length, b.most)
	}
	in, err := b.open()
	if err != nil {
		return "", b.broken(err)
	}
	if b.head, err = readHead(in); err != nil {
		return "", b.broken(err)
	}
	if contentType == "text/html" || contentType == "application/xhtml+xml" || looksLikeHTML(b.head) {
		failed := b.fail(WebPage, nil)
		failed.Status, failed.Body, failed.After = b.response.StatusCode, b.head, b.after(b.response)
		return "", failed
	}
	sum := sha256.New()
	out := &keptWriter{to: w}
	if _, err = io.Copy(io.MultiWriter(sum, out), io.MultiReader(bytes.NewReader(b.head), in)); out.err != nil {
		return "", fmt.Errorf("keeping the answer of %s: %w", cleaned(b.Address), out.err)
	} else if err != nil {
		return "", b.broken(err)
	}
	if b.endless() && !packed(b.head) && !strings.ContainsRune("\n\r>}];", rune(out.last)) {
		return "", b.broken(fmt.Errorf("the server does not say where it ends, and it ends with %q, which no text of data does", string(out.last)))
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// endless reports whether the answer ends only because the server hangs up: then
// nothing tells an answer that was cut off from a whole one.
func (b *body) endless() bool {
	return b.response.ProtoMajor == 1 && b.response.ContentLength < 0 && len(b.response.TransferEncoding) == 0 && b.unpacked == b.packed && b.unpacked > 0
}

// packed reports whether a body is gzip or zip, which have ends of their own.
func packed(head []byte) bool {
	return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || bytes.HasPrefix(head, []byte("PK"))
}

// keptWriter remembers that it was the writing that failed, not the reading, and
// the last byte.
type keptWriter struct {
	to   io.Writer
	err  error
	last byte
}

func (w *keptWriter) Write(p []byte) (n int, err error) {
	if len(p) > 0 {
		w.last = p[len(p)-1]
	}
	n, w.err = w.to.Write(p)
	return n, w.err
}

// open takes the content coding off. What it returns counts, and so does what
// lies below.
func (b *body) open() (io.Reader, error) {
	packed := readerFunc(b.readPacked)
	switch coding := strings.ToLower(b.response.Header.Get("Content-Encoding")); coding {
	case "", "identity":
		return b.bounded(packed), nil
	case "gzip", "x-gzip":
		if b.response.ContentLength == 0 || b.response.StatusCode == http.StatusNoContent {
			return packed, nil
		}
		unpacked, err := gzip.NewReader(packed)
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		return b.bounded(unpacked), nil
	default:
		return nil, b.fail(Denied, fmt.Errorf("the answer is coded as %.40q, which was not asked for", coding))
	}
}

// readerFunc is a function that reads.
type readerFunc func([]byte) (int, error)

func (read readerFunc) Read(p []byte) (int, error) { return read(p) }

// readPacked reads the body as it comes.
func (b *body) readPacked(p []byte) (int, error) {
	n, err := b.response.Body.Read(p)
	b.pace.add(n)
	if b.packed += int64(n); b.packed > b.most {
		return n, b.tooBig("it has more than %d bytes", b.most)
	}
	return n, err
}

// bounded counts what was unpacked.
func (b *body) bounded(in io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		n, err := in.Read(p)
		b.unpacked += int64(n)
		switch {
		case b.unpacked > b.most:
			return n, b.tooBig("it has more than %d bytes", b.most)
		case b.unpacked > freeOfRate && b.unpacked/maxRatio > b.packed:
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

// broken tells why reading came to no end.
func (b *body) broken(err error) error {
	var failed *Error
	if errors.As(err, &failed) {
		return failed
	}
	if ended := b.ended(); ended != nil {
		return ended
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("it ended after %d bytes", b.packed)
	}
	failed = b.fail(Cut, plain(err))
	failed.Status = b.response.StatusCode
	return failed
}

// refusal is the error that an answer without data is.
func (b *body) refusal() error {
	failed := b.fail(reasonOf(b.response.StatusCode), nil)
	failed.Status, failed.After = b.response.StatusCode, b.after(b.response)
	b.most = max(b.most, maxSaid)
	if in, err := b.open(); err == nil {
		// The status is known: a body that breaks changes nothing of it.
		failed.Body, _ = readHead(in)
	}
	return failed
}

// reasonOf says what a status means.
func reasonOf(status int) Reason {
	switch {
	case status == http.StatusNotFound, status == http.StatusGone:
		return Missing
	case status == http.StatusRequestEntityTooLarge:
		return TooBig
	case status == http.StatusRequestTimeout:
		return Slow
	case status == http.StatusTooManyRequests, status >= 500 && status != http.StatusNotImplemented:
		return Busy
	}
	return Denied
}

// readHead reads the first 4 KiB, or all if there is less. Unlike io.ReadFull it
// tells a short body from one that was cut.
func readHead(in io.Reader) ([]byte, error) {
	head := make([]byte, 0, maxSaid)
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

// looksLikeHTML reports whether a text begins as web pages do.
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

// mediaType is the media type alone of a Content-Type.
func mediaType(contentType string) string {
	if is, _, err := mime.ParseMediaType(contentType); err == nil {
		return is
	}
	is, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(is))
}
