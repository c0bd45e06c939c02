package api

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"

	"almanac/internal/access"
	"almanac/internal/request"
	"almanac/internal/stat"
)

// route is one address and method of the interface, with what the reference
// says of it.
type route struct {
	path     string // as http.ServeMux writes it
	name     string // of the operation
	summary  string
	params   []request.Param
	statuses []int    // those that a caller can bring about, beside those of the guard
	schema   string   // of the answer; empty: it is no JSON
	method   string   // empty: GET, and HEAD with it
	body     string   // schema of the request's body; empty: it has none
	pictures []string // endings of the pictures that are answered
	guard    guard    // the same for all routes of a path
	handle   func(*exchange) (reply, error)
	// follows reports whether a request asks for what the caller's organisation
	// follows; nil: none of the route does.
	follows func(*exchange) bool
}

// takes reports whether a method is the route's.
func (rt *route) takes(method string) bool {
	if rt.method != "" {
		return method == rt.method
	}
	return method == http.MethodGet || method == http.MethodHead
}

// place is a path with its routes, one for each method. One without routes
// answers for all addresses where there is nothing.
type place struct {
	api     *API
	routes  []*route
	guard   guard
	vary    []string // what the answers depend on beside the address
	allowed []string // the methods, for Allow
}

// places puts routes together by path.
func (a *API) places(all []route) map[string]*place {
	byPath := map[string][]*route{}
	for i := range all {
		byPath[all[i].path] = append(byPath[all[i].path], &all[i])
	}
	places := map[string]*place{}
	for path, routes := range byPath {
		places[path] = a.place(routes[0].guard, routes...)
	}
	return places
}

func (a *API) place(g guard, routes ...*route) *place {
	p := &place{api: a, routes: routes, guard: g, vary: varyEncoding}
	if g != open {
		p.vary = varyCaller
	}
	methods := ""
	for _, rt := range routes {
		if rt.method == "" {
			methods += "GET, HEAD, "
		} else {
			methods += rt.method + ", "
		}
	}
	p.allowed = []string{methods + "OPTIONS"}
	return p
}

// exchange is one request on its way to being answered.
type exchange struct {
	api    *API
	w      http.ResponseWriter
	r      *http.Request
	caller access.Caller // the zero Caller behind an open guard
	ticket access.Ticket // not admitted: the request is not counted, not yet or no longer
	// admitting is the route of a request that is counted or may be; nil: it is
	// not to be counted.
	admitting *route
	left      [3]string // values of headers that say what is left of the limit
	begun     bool      // the status is sent: an error can only cut the answer off
}

// ServeHTTP answers a request for the place.
func (p *place) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{api: p.api, w: w, r: r}
	defer x.recover()
	if err := p.answer(x); err != nil {
		x.fail(err)
	}
}

// answer finds the route for an exchange, lets it pass the gate and sends what
// the route replies. The order of what can be wrong is that of the interface.
func (p *place) answer(x *exchange) error {
	if x.r.Method == http.MethodOptions && p.routes != nil {
		x.preflight(p.allowed)
		return nil
	}
	x.w.Header()["Vary"] = p.vary
	if x.r.Method != http.MethodOptions {
		if err := x.identify(p.guard); err != nil {
			return err
		}
	}
	if p.routes == nil {
		return stat.Errorf(stat.NotFound, "there is nothing at %s; the addresses are listed at /openapi.json", x.r.URL.Path)
	}
	i := slices.IndexFunc(p.routes, func(rt *route) bool { return rt.takes(x.r.Method) })
	if i < 0 {
		x.w.Header()["Allow"] = p.allowed
		return &refusal{http.StatusMethodNotAllowed, fmt.Sprintf("method %s is not allowed at %s; right are %s", x.r.Method, x.r.URL.Path, p.allowed[0])}
	}
	if p.guard.counts() {
		if err := x.admit(p.routes[i]); err != nil {
			return err
		}
	}
	rep, err := p.routes[i].handle(x)
	if err != nil {
		return err
	}
	return x.send(&rep)
}

// preflight answers a browser that asks what another page may send.
func (x *exchange) preflight(allowed []string) {
	h := x.w.Header()
	h["Allow"] = allowed
	h["Access-Control-Allow-Methods"] = allowed
	h["Access-Control-Allow-Headers"] = allowedHeaders
	h["Access-Control-Max-Age"] = preflightAge
	x.begin(http.StatusNoContent)
}

// refusal is an error with a status that statistics have no word for.
type refusal struct {
	status  int
	message string
}

func (e *refusal) Error() string { return e.message }

// statusOf is the status and the message that a caller gets for an error.
func statusOf(err error) (status int, message string) {
	if e, ok := errors.AsType[*refusal](err); ok {
		return e.status, e.message
	}
	switch kind := stat.KindOf(err); kind {
	case stat.Invalid:
		status = http.StatusBadRequest
	case stat.NotFound:
		status = http.StatusNotFound
	case stat.Conflict:
		status = http.StatusConflict
	case stat.Unavailable:
		status = http.StatusServiceUnavailable
	default:
		return http.StatusInternalServerError, ""
	}
	// What was being done when it happened, around the error, is for the log.
	if e, ok := errors.AsType[*stat.Error](err); ok {
		message = e.Message
	}
	return status, message
}

// fail answers with an error, or with that of the limit if the error counts and
// the limit is used up. If the answer has begun, or nobody waits for it
// any more, the connection is cut, so that a part is never taken for the whole.
func (x *exchange) fail(err error) {
	gone := x.r.Context().Err() != nil || errors.Is(err, errGone)
	status, message := statusOf(err)
	if countable(status) && !x.begun && !gone {
		if used := x.count(); used != nil {
			status, message = statusOf(used)
			err = used
		}
	}
	id := x.api.requestID()
	if status >= http.StatusInternalServerError && !gone {
		x.logFailure(status, id, err)
		if message == "" {
			message = "something went wrong here; the log has it under request " + id
		}
	}
	if x.begun && !gone {
		x.refund()
	}
	if x.begun || gone {
		panic(http.ErrAbortHandler)
	}
	h := x.w.Header()
	h["X-Request-Id"] = []string{id}
	for _, name := range []string{"Etag", "Last-Modified", "Content-Encoding", "Cache-Control"} {
		delete(h, name)
	}
	switch status {
	case http.StatusServiceUnavailable:
		h["Retry-After"] = []string{"5"}
	case http.StatusUnauthorized:
		h["Www-Authenticate"] = bearer
	}
	x.whole(status, applicationJSON, errorObject(status, message))
}

// logFailure writes a failure of ours into the log. When more is asked for than
// can be done, or a disk is full, all requests fail alike: of these one a second
// is enough.
func (x *exchange) logFailure(status int, id string, err error) {
	level := slog.LevelError
	if status == http.StatusServiceUnavailable {
		now := x.api.now().Unix()
		if x.api.unavailable.Swap(now) == now {
			return
		}
		level = slog.LevelWarn // nothing is broken here
	}
	x.api.log.Log(x.r.Context(), level, "request failed", "request", id, "method", x.r.Method, "url", urlForLog(x.r.URL), "error", access.Redact(err.Error()))
}

// urlForLog is an address without the keys that it may hold, also where these
// are escaped.
func urlForLog(u *url.URL) string {
	text := u.RequestURI()
	if clear, err := url.QueryUnescape(text); err == nil && access.Redact(clear) != clear {
		text = clear
	}
	return access.Redact(text)
}

// errorObject is the body of every error. Of a key that somebody put where it
// does not belong, the secret is not repeated.
func errorObject(status int, message string) []byte {
	body := appendName([]byte{'{'}, "statusCode")
	body = strconv.AppendInt(body, int64(status), 10)
	body = appendString(appendName(body, "statusMessage"), access.Redact(message))
	return append(body, '}')
}

// recover turns a panic into a failure that is logged.
func (x *exchange) recover() {
	switch p := recover(); p {
	case nil:
	case http.ErrAbortHandler:
		panic(p)
	default:
		x.fail(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
	}
}

// begin sends the status and the headers of the answer. It is the one place
// where a request is settled: counted, or taken back.
func (x *exchange) begin(status int) {
	x.settle(status)
	x.begun = true
	x.w.WriteHeader(status)
}

// whole sends a status and a body whose length is known.
func (x *exchange) whole(status int, contentType []string, body []byte) {
	h := x.w.Header()
	h["Content-Type"] = contentType
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	x.begin(status)
	if x.r.Method != http.MethodHead {
		_, _ = x.w.Write(body) // an error means that the caller is gone
	}
}
