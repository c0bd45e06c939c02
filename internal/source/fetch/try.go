package fetch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxRedirects is how many redirects are followed.
const maxRedirects = 3

// maxSaid bounds what is kept of what a server says beside data.
const maxSaid = 4 << 10

// step is one question to one address: the first of a try, or one that a
// redirect led to.
type step struct {
	Request
	client *Client
	to     *url.URL
	most   int64 // bytes of the answer
	keep   keeper
	queue  *queue
}

// try asks once, and follows redirects.
func (c *Client) try(ctx context.Context, r Request, most int64, keep keeper) (Answer, error) {
	to, err := url.Parse(r.Address)
	if err != nil {
		// The parser's own words would show the whole text.
		return Answer{}, &Error{Reason: Unsafe, Address: cleaned(r.Address), Err: errors.New("it is no address")}
	}
	s := &step{Request: r, client: c, to: to, most: most, keep: keep}
	for redirects := 0; ; redirects++ {
		if err := c.guard.mayAsk(s.to); err != nil {
			return Answer{}, s.fail(Unsafe, err)
		}
		answer, next, err := s.ask(ctx)
		if err != nil || next == nil {
			return answer, err
		}
		switch {
		case redirects == maxRedirects:
			return Answer{}, s.fail(Unsafe, fmt.Errorf("more than %d redirects", maxRedirects))
		case s.to.Scheme == "https" && next.Scheme == "http":
			return Answer{}, s.fail(Unsafe, fmt.Errorf("a redirect from https to %s", cleaned(next.String())))
		}
		s.to = next
	}
}

// fail makes the error of this step. It names the address that was asked for,
// and the one that a redirect led to.
func (s *step) fail(reason Reason, err error) *Error {
	var failed *Error
	if errors.As(err, &failed) {
		return failed
	}
	failed = &Error{Reason: reason, Address: cleaned(s.Address), Err: err}
	if here := cleaned(s.to.String()); here != failed.Address {
		failed.Address += " → " + here
	}
	return failed
}

// ask waits for its turn, asks, and looks at the answer. next is where a
// redirect leads.
func (s *step) ask(ctx context.Context) (answer Answer, next *url.URL, err error) {
	s.queue = s.client.queues.at(strings.ToLower(s.to.Host), s.client.options.PerHost)
	done, postponed, err := s.client.turn(ctx, s.queue, s.Pause)
	if err != nil {
		return Answer{}, nil, err
	}
	if postponed > 0 {
		failed := s.fail(Busy, errors.New("the host wants to be left alone"))
		failed.After = postponed
		return Answer{}, nil, failed
	}
	defer done()
	watched, pace, end := startPace(ctx, &s.client.options)
	defer end()
	response, err := s.send(watched)
	if err != nil {
		return Answer{}, nil, s.unsent(ctx, watched, err)
	}
	defer func() { _ = response.Body.Close() }()
	b := &body{step: s, response: response, pace: pace, ended: func() error { return s.ended(ctx, watched) }}
	switch status := response.StatusCode; {
	case status == http.StatusNotModified && s.conditional():
		return s.notModified(response), nil, nil
	case redirects(status):
		next, err := s.follow(response)
		return Answer{}, next, err
	case status == http.StatusOK, status == http.StatusAccepted, status == http.StatusNonAuthoritativeInfo, status == http.StatusNoContent:
		answer, err := b.kept()
		return answer, nil, err
	}
	return Answer{}, nil, b.refusal()
}

// send sends the question.
func (s *step) send(ctx context.Context) (*http.Response, error) {
	method, content := http.MethodGet, io.Reader(nil)
	if s.Body != nil {
		method, content = http.MethodPost, bytes.NewReader(s.Body)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.to.String(), content)
	if err != nil {
		return nil, err
	}
	h := request.Header
	h.Set("User-Agent", s.client.options.Agent)
	h.Set("Accept", cmp.Or(s.Accept, "*/*"))
	h.Set("Accept-Encoding", "gzip")
	if s.Body != nil {
		h.Set("Content-Type", "application/json")
		// A POST is a query here: the transport may send it again where a
		// connection that it kept turns out to be closed. The name alone says so and
		// is not sent.
		h["Idempotency-Key"] = nil
	} else {
		setUnlessEmpty(h, "If-None-Match", s.Known.ETag)
		setUnlessEmpty(h, "If-Modified-Since", s.Known.LastModified)
	}
	if s.to.Scheme == "http" {
		return s.client.open.RoundTrip(request)
	}
	return s.client.secure.RoundTrip(request)
}

func setUnlessEmpty(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, value)
	}
}

// conditional reports whether the question was a conditional one.
func (s *step) conditional() bool {
	return s.Body == nil && (s.Known.ETag != "" || s.Known.LastModified != "")
}

// unsent tells why a question came to no answer.
func (s *step) unsent(ctx, watched context.Context, err error) error {
	var notSafe *unsafeError
	if errors.As(err, &notSafe) {
		return s.fail(Unsafe, notSafe)
	}
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		return s.fail(Unsafe, certificate)
	}
	if ended := s.ended(ctx, watched); ended != nil {
		return ended
	}
	return s.fail(Unreachable, plain(err))
}

// plain is what went wrong on the network without the addresses of this machine
// and of who tells it names: errors are shown to others.
func plain(err error) error {
	var lookup *net.DNSError
	if errors.As(err, &lookup) {
		return fmt.Errorf("looking for %s: %s", lookup.Name, lookup.Err)
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return op.Err
	}
	return err
}

// ended tells whether a question failed because its time was over: the asker's,
// or its own. It is nil if neither was.
func (s *step) ended(ctx, watched context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if cause := context.Cause(watched); cause != nil {
		return s.fail(Slow, cause)
	}
	return nil
}

// notModified is the answer of a server that has no other than the known one.
func (s *step) notModified(response *http.Response) Answer {
	v := validatorsOf(response)
	return Answer{
		NotModified: true,
		Status:      response.StatusCode,
		Address:     s.to.String(),
		Validators: Validators{
			ETag:         cmp.Or(v.ETag, s.Known.ETag),
			LastModified: cmp.Or(v.LastModified, s.Known.LastModified),
			Digest:       s.Known.Digest,
		},
	}
}

// maxValidator bounds what is remembered of an answer.
const maxValidator = 1 << 10

// validatorsOf are the validators that an answer comes with.
func validatorsOf(response *http.Response) Validators {
	v := Validators{ETag: response.Header.Get("ETag"), LastModified: response.Header.Get("Last-Modified")}
	if len(v.ETag) > maxValidator {
		v.ETag = ""
	}
	if len(v.LastModified) > maxValidator {
		v.LastModified = ""
	}
	return v
}

// redirects reports whether a status leads somewhere else.
func redirects(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// after reads how long the server wants to be left alone, and sees to it that it
// is.
func (s *step) after(response *http.Response) time.Duration {
	now := s.client.options.Now()
	after := retryAfter(response.Header.Get("Retry-After"), now)
	if after > 0 {
		s.queue.postpone(now.Add(after))
	}
	return after
}

// follow returns where a redirect leads, and prepares the question that is asked
// there: 303 is asked for with GET, the others as the first was, since a
// query that lost its body would bring another answer.
func (s *step) follow(response *http.Response) (*url.URL, error) {
	location := response.Header.Get("Location")
	next, err := s.to.Parse(location)
	if location == "" || err != nil {
		failed := s.fail(Denied, fmt.Errorf("a redirect to %.100q, which is no address", cleaned(location)))
		failed.Status = response.StatusCode
		return nil, failed
	}
	if response.StatusCode == http.StatusSeeOther {
		s.Body = nil
	}
	next.Fragment = ""
	return next, nil
}
