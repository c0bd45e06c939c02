package api

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"

	"almanac/internal/access"
	"almanac/internal/encode/json"
	"almanac/internal/stat"
)

// refusal is an error with a status for which package stat has no kind.
type refusal struct {
	status  int
	message string
}

func (e *refusal) Error() string { return e.message }

// recoverPanic replies with an error after a panic. It must be deferred.
func (x *exchange) recoverPanic() {
	switch p := recover(); p {
	case nil:
	case http.ErrAbortHandler:
		panic(p)
	default:
		x.fail(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
	}
}

// fail replies with an error, or with 429 if the error counts and the limit is used up.
// If the response has begun or the caller has disconnected, it closes the connection,
// so that no client takes a part for the whole. The request of a response that breaks off
// is refunded; that of a caller who has disconnected stays counted.
func (x *exchange) fail(err error) {
	if x.r.Context().Err() != nil || errors.Is(err, errGone) {
		panic(http.ErrAbortHandler)
	}
	status, message := statusOf(err)
	if x.isBegun {
		x.logFailure(err, status, x.api.newRequestID())
		x.refund()
		x.use.Refund()
		panic(http.ErrAbortHandler)
	}
	if countable(status) {
		if limitErr := x.admit(); limitErr != nil {
			err = limitErr
			status, message = statusOf(err)
		}
	}
	id := x.api.newRequestID()
	x.logFailure(err, status, id)
	if message == "" {
		message = "internal error; the log has the details under request " + id
	}
	x.sendError(status, message, id)
}

// statusOf returns the status and the message of an error for the caller. The message of
// an internal error is empty.
func statusOf(err error) (status int, message string) {
	if e, ok := errors.AsType[*refusal](err); ok {
		return e.status, e.message
	}
	switch stat.KindOf(err) {
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
	// The wrapping errors are for the log.
	if e, ok := errors.AsType[*stat.Error](err); ok {
		message = e.Message
	}
	return status, message
}

// newRequestID returns an id for the response and the log. Only errors have one: other
// responses are not in the log, and a ninth header makes the header map grow, which
// costs as much as the other eight.
func (a *API) newRequestID() string { return a.idPrefix + strconv.FormatUint(a.failures.Add(1), 36) }

// logFailure logs an error if it is a failure of the service. Under overload or with a
// full disk, all requests fail alike, so it logs at most one 503 a second.
func (x *exchange) logFailure(err error, status int, id string) {
	level := slog.LevelError
	switch {
	case status < http.StatusInternalServerError, status == http.StatusNotImplemented:
		return
	case status == http.StatusServiceUnavailable:
		now := x.api.opts.Now().Unix()
		if x.api.unavailable.Swap(now) == now {
			return
		}
		level = slog.LevelWarn // a temporary condition, not a fault
	}
	x.api.opts.Log.Log(x.r.Context(), level, "request failed", "request", id, "method", x.r.Method, "url", redactURL(x.r.URL), "error", access.Redact(err.Error()))
}

// redactURL returns an address without the secrets of keys, also escaped ones.
func redactURL(u *url.URL) string {
	text := u.RequestURI()
	if clear, err := url.QueryUnescape(text); err == nil && access.Redact(clear) != clear {
		text = clear
	}
	return access.Redact(text)
}

func (x *exchange) sendError(status int, message, id string) {
	h := x.w.Header()
	for _, name := range []string{"Etag", "Last-Modified", "Content-Disposition", "Content-Encoding", "Content-Language", "Cache-Control", "Link", "X-Notice", "Content-Location"} {
		delete(h, name)
	}
	h["X-Request-Id"] = []string{id}
	switch status {
	case http.StatusServiceUnavailable:
		h["Retry-After"] = []string{"5"}
	case http.StatusUnauthorized:
		h["Www-Authenticate"] = bearer
	}
	if x.route.isSDMX {
		contentType, body := x.sdmxErrorBody(status, message)
		x.sendWhole(status, contentType, body)
		return
	}
	x.sendWhole(status, applicationJSON, errorObject(status, message))
}

// errorObject returns the body of an error, without the secrets of keys.
func errorObject(status int, message string) []byte {
	body := json.AppendInt([]byte{'{'}, "statusCode", int64(status))
	body = json.AppendString(json.AppendName(body, "statusMessage"), access.Redact(message))
	return append(body, '}')
}
