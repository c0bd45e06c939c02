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

// maxRedirects limits the redirects of an attempt.
const maxRedirects = 3

// maxExcerpt limits the part of a response body that an [Error] contains.
const maxExcerpt = 4 << 10

// step is one request to one address: the first of an attempt, or the target of a
// redirect.
type step struct {
	Request
	client *Client
	to     *url.URL
	limit  int64 // bytes of the response
	keep   keeper
	queue  *queue
}

// try makes one attempt and follows redirects.
func (c *Client) try(ctx context.Context, r Request, limit int64, keep keeper) (Answer, error) {
	to, err := url.Parse(r.Address)
	if err != nil {
		// The parser's error would reveal the whole text.
		return Answer{}, &Error{Reason: Unsafe, Address: redact(r.Address), Err: errors.New("not a valid address")}
	}
	s := &step{Request: r, client: c, to: to, limit: limit, keep: keep}
	for redirects := 0; ; redirects++ {
		if err := c.guard.check(s.to); err != nil {
			return Answer{}, s.fail(Unsafe, err)
		}
		answer, next, err := s.do(ctx)
		if err != nil || next == nil {
			return answer, err
		}
		switch {
		case redirects == maxRedirects:
			return Answer{}, s.fail(Unsafe, fmt.Errorf("more than %d redirects", maxRedirects))
		case s.to.Scheme == "https" && next.Scheme == "http":
			return Answer{}, s.fail(Unsafe, fmt.Errorf("redirect from https to %s", redact(next.String())))
		}
		s.to = next
	}
}

// fail returns err as an [Error] of this step. It names the requested address and,
// after a redirect, its target.
func (s *step) fail(reason Reason, err error) *Error {
	var failed *Error
	if errors.As(err, &failed) {
		return failed
	}
	failed = &Error{Reason: reason, Address: s.client.hide(redact(s.Address)), Err: err}
	if err != nil {
		if text := s.client.hide(err.Error()); text != err.Error() {
			failed.Err = errors.New(text)
		}
	}
	if here := s.client.hide(redact(s.to.String())); here != failed.Address {
		failed.Address += " → " + here
	}
	return failed
}

// do waits for its turn, sends the request and reads the response. next is the
// target of a redirect.
func (s *step) do(ctx context.Context) (answer Answer, next *url.URL, err error) {
	s.queue = s.client.queues.at(strings.ToLower(s.to.Host))
	done, postponed, err := s.client.turn(ctx, s.queue, &s.Request)
	if err != nil {
		return Answer{}, nil, err
	}
	if postponed > 0 {
		failed := s.fail(Busy, errors.New("the server has asked for a pause"))
		failed.After = postponed
		return Answer{}, nil, failed
	}
	defer done()
	watched, pace, end := startPace(ctx, &s.client.options)
	defer end()
	response, err := s.send(watched)
	if err != nil {
		return Answer{}, nil, s.sendError(ctx, watched, err)
	}
	defer func() { _ = response.Body.Close() }()
	b := &body{step: s, response: response, pace: pace, timedOut: func() error { return s.timeoutError(ctx, watched) }}
	switch status := response.StatusCode; {
	case status == http.StatusNotModified && s.conditional():
		return s.notModified(response), nil, nil
	case isRedirect(status):
		next, err := s.follow(response)
		return Answer{}, next, err
	case status == http.StatusOK, status == http.StatusAccepted, status == http.StatusNonAuthoritativeInfo:
		answer, err := b.save()
		return answer, nil, err
	}
	return Answer{}, nil, b.statusError()
}

func (s *step) send(ctx context.Context) (*http.Response, error) {
	method, content, contentType := http.MethodGet, io.Reader(nil), "application/json"
	switch {
	case s.Body != nil:
		method, content = http.MethodPost, bytes.NewReader(s.Body)
	case s.Form != nil:
		method, content, contentType = http.MethodPost, strings.NewReader(s.Form.Encode()), "application/x-www-form-urlencoded"
	}
	request, err := http.NewRequestWithContext(ctx, method, s.to.String(), content)
	if err != nil {
		return nil, err
	}
	h := request.Header
	h.Set("User-Agent", s.client.options.Agent)
	h.Set("Accept", cmp.Or(s.Accept, "*/*"))
	h.Set("Accept-Encoding", "gzip")
	if method == http.MethodPost {
		h.Set("Content-Type", contentType)
		// A POST is only a query here. This entry allows the transport to repeat it
		// if an idle connection turns out to be closed. The header itself is not sent.
		h["Idempotency-Key"] = nil
	} else {
		setNonEmpty(h, "If-None-Match", s.Known.ETag)
		setNonEmpty(h, "If-Modified-Since", s.Known.LastModified)
	}
	s.client.addSecrets(request)
	if s.to.Scheme == "http" {
		return s.client.insecure.RoundTrip(request)
	}
	return s.client.secure.RoundTrip(request)
}

func setNonEmpty(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, value)
	}
}

func (s *step) conditional() bool {
	return s.Body == nil && s.Form == nil && (s.Known.ETag != "" || s.Known.LastModified != "")
}

// sendError turns an error of sending into an [Error].
func (s *step) sendError(ctx, watched context.Context, err error) error {
	var unsafeErr *unsafeError
	if errors.As(err, &unsafeErr) {
		return s.fail(Unsafe, unsafeErr)
	}
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		return s.fail(Unsafe, certificate)
	}
	if timeout := s.timeoutError(ctx, watched); timeout != nil {
		return timeout
	}
	return s.fail(Unreachable, hideLocal(err))
}

// hideLocal removes the addresses of this machine and of its name server from a
// network error, because errors are shown to others.
func hideLocal(err error) error {
	var lookup *net.DNSError
	if errors.As(err, &lookup) {
		return fmt.Errorf("looking up %s: %s", lookup.Name, lookup.Err)
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return op.Err
	}
	return err
}

// timeoutError returns the error of the caller's context or of the request's own
// time limit; nil if neither has ended.
func (s *step) timeoutError(ctx, watched context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if cause := context.Cause(watched); cause != nil {
		return s.fail(Slow, cause)
	}
	return nil
}

// notModified returns the answer to a request whose known version is current.
func (s *step) notModified(response *http.Response) Answer {
	v := validatorsOf(response)
	return Answer{
		NotModified: true,
		Address:     s.to.String(),
		Validators: Validators{
			ETag:         cmp.Or(v.ETag, s.Known.ETag),
			LastModified: cmp.Or(v.LastModified, s.Known.LastModified),
			Digest:       s.Known.Digest,
		},
	}
}

// maxValidator limits the length of a stored validator.
const maxValidator = 1 << 10

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

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// postpone reads Retry-After, delays all requests to the host for that time, and
// returns it.
func (s *step) postpone(response *http.Response) time.Duration {
	now := s.client.options.Now()
	after := retryAfter(response.Header.Get("Retry-After"), now)
	if after > 0 {
		onlyData := s.DataPause > 0 && response.StatusCode == http.StatusTooManyRequests
		s.queue.postpone(now.Add(after), onlyData)
	}
	return after
}

// follow returns the target of a redirect and prepares the next request. A 303 is
// followed with GET. The others keep the method, since a query without its body
// would get a different response.
func (s *step) follow(response *http.Response) (*url.URL, error) {
	location := response.Header.Get("Location")
	next, err := s.to.Parse(location)
	if location == "" || err != nil {
		failed := s.fail(Denied, fmt.Errorf("redirect to %.100q, which is not a valid address", redact(location)))
		failed.Status = response.StatusCode
		return nil, failed
	}
	if response.StatusCode == http.StatusSeeOther {
		s.Body, s.Form = nil, nil
	}
	next.Fragment = ""
	return next, nil
}
