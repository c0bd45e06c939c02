package api

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"

	"almanac/internal/request"
	"almanac/internal/stat"
)

// route is one address of the interface, with what the reference says of it.
type route struct {
	path     string // as http.ServeMux writes it
	name     string // of the operation
	summary  string
	params   []request.Param
	statuses []int    // those that a caller can bring about
	schema   string   // of the answer; empty: it is no JSON
	method   string   // empty: GET, and HEAD with it
	body     string   // schema of the request's body; empty: it has none
	pictures []string // endings of the pictures that are answered
	handle   func(*API, *http.Request) (reply, error)
}

// unknownRoute answers for every address that is none.
func unknownRoute(_ *API, r *http.Request) (reply, error) {
	return reply{}, stat.Errorf(stat.NotFound, "there is nothing at %s; the addresses are listed at /openapi.json", r.URL.Path)
}

// exchange is one request on its way to being answered.
type exchange struct {
	api   *API
	w     http.ResponseWriter
	r     *http.Request
	begun bool // the status is sent: an error can only cut the answer off
}

// serve makes the handler of a route.
func (a *API) serve(rt *route) http.Handler {
	known := rt.path != ""
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{api: a, w: w, r: r}
		defer x.recover()
		if known && !rt.takes(r.Method) {
			x.otherMethod(rt.allowed())
			return
		}
		rep, err := rt.handle(a, r)
		if err == nil {
			err = x.send(&rep)
		}
		if err != nil {
			x.fail(err)
		}
	})
}

// takes reports whether a method is the route's.
func (rt *route) takes(method string) bool {
	if rt.method != "" {
		return method == rt.method
	}
	return method == http.MethodGet || method == http.MethodHead
}

// allowed are the methods that a route answers, for Allow.
func (rt *route) allowed() []string {
	if rt.method != "" {
		return []string{rt.method + ", OPTIONS"}
	}
	return allowedToRead
}

var allowedToRead = []string{"GET, HEAD, OPTIONS"}

// otherMethod answers a request by a method that is not the route's.
func (x *exchange) otherMethod(allowed []string) {
	h := x.w.Header()
	h["Allow"] = allowed
	if x.r.Method == http.MethodOptions {
		h["Access-Control-Allow-Methods"] = allowed
		h["Access-Control-Allow-Headers"] = allowedHeaders
		h["Access-Control-Max-Age"] = preflightAge
		x.w.WriteHeader(http.StatusNoContent)
		return
	}
	x.fail(&refusal{http.StatusMethodNotAllowed, fmt.Sprintf("method %s is not allowed at %s; right are %s", x.r.Method, x.r.URL.Path, allowed[0])})
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

// fail answers with an error. If the answer has begun, or nobody waits for it
// any more, the connection is cut, so that a part is never taken for the whole.
func (x *exchange) fail(err error) {
	gone := x.r.Context().Err() != nil || errors.Is(err, errGone)
	status, message := statusOf(err)
	id := x.api.requestID()
	if status >= http.StatusInternalServerError && !gone {
		level := slog.LevelError
		if status == http.StatusServiceUnavailable {
			level = slog.LevelWarn // more was asked for than can be done: nothing is broken
		}
		x.api.log.Log(x.r.Context(), level, "request failed", "request", id, "method", x.r.Method, "url", x.r.URL.RequestURI(), "error", err)
		if message == "" {
			message = "something went wrong here; the log has it under request " + id
		}
	}
	if x.begun || gone {
		panic(http.ErrAbortHandler)
	}
	h := x.w.Header()
	h["X-Request-Id"] = []string{id}
	for _, name := range []string{"Etag", "Last-Modified", "Content-Encoding", "Cache-Control"} {
		delete(h, name)
	}
	if status == http.StatusServiceUnavailable {
		h["Retry-After"] = []string{"5"}
	}
	x.whole(status, applicationJSON, errorObject(status, message))
}

// errorObject is the body of every error.
func errorObject(status int, message string) []byte {
	body := appendName([]byte{'{'}, "statusCode")
	body = strconv.AppendInt(body, int64(status), 10)
	body = appendString(appendName(body, "statusMessage"), message)
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

// whole sends a status and a body whose length is known.
func (x *exchange) whole(status int, contentType []string, body []byte) {
	h := x.w.Header()
	h["Content-Type"] = contentType
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	x.begun = true
	x.w.WriteHeader(status)
	if x.r.Method != http.MethodHead {
		_, _ = x.w.Write(body) // an error means that the caller is gone
	}
}
