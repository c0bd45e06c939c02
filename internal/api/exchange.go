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
	"almanac/internal/request"
	"almanac/internal/stat"
)

// exchange is a request and its response.
type exchange struct {
	api     *API
	route   *route
	w       http.ResponseWriter
	r       *http.Request
	caller  access.Caller // the zero Caller if keys are ignored
	ticket  access.Ticket // admitted if the request is counted
	counts  bool          // the request is counted, or may still be
	isBegun bool          // the status is sent; after an error, the connection is closed
}

// serve handles one request. The order of errors is 403 and 401, 404 for an unknown
// address, 405, 429, then those of the handler.
func (a *API) serve(w http.ResponseWriter, r *http.Request, rt *route) {
	x := &exchange{api: a, route: rt, w: w, r: r, counts: rt.counted}
	defer x.recover()
	if err := x.answer(); err != nil {
		x.fail(err)
	}
}

func (x *exchange) answer() error {
	x.w.Header()["Vary"] = varyCaller
	if x.route.guard == unchecked {
		x.w.Header()["Vary"] = varyEncoding
	} else if x.r.Method != http.MethodOptions {
		if err := x.identify(); err != nil {
			return err
		}
	}
	if err := x.admit(); err != nil {
		return err
	}
	rep, err := x.route.handle(x)
	if err != nil {
		return err
	}
	return x.send(rep)
}

// bind reads the parameters of the request. After an error, they have the valid values.
func bind[P any](x *exchange) (params P, err error) {
	err = request.Bind(x.r.URL.RawQuery, &params)
	return params, err
}

// withoutParams returns a handler that also refuses parameters.
func withoutParams(handle func(*exchange) (*reply, error)) func(*exchange) (*reply, error) {
	return func(x *exchange) (*reply, error) {
		if _, err := bind[request.None](x); err != nil {
			return nil, err
		}
		return handle(x)
	}
}

// begin sends the status and the headers of the response, and settles the count of the
// request by its status. If the response breaks later, fail refunds it; the request of
// a caller who disconnects before stays counted.
func (x *exchange) begin(status int) {
	x.settle(status)
	x.isBegun = true
	x.w.WriteHeader(status)
}

// sendWhole sends a status and a complete body.
func (x *exchange) sendWhole(status int, contentType []string, body []byte) {
	h := x.w.Header()
	h["Content-Type"] = contentType
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	x.begin(status)
	if x.r.Method != http.MethodHead {
		_, _ = x.w.Write(body) // an error means that the caller has disconnected
	}
}

// refusal is an error with a status for which package stat has no kind.
type refusal struct {
	status  int
	message string
}

func (e *refusal) Error() string { return e.message }

// statusOf returns the status and the message of an error for the caller.
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
	// The wrapping errors are for the log.
	if e, ok := errors.AsType[*stat.Error](err); ok {
		message = e.Message
	}
	return status, message
}

// fail replies with an error, or with 429 if the error counts and the limit is used up.
// If the response has begun or the caller has disconnected, it closes the connection,
// so that no client takes a part for the whole.
func (x *exchange) fail(err error) {
	isGone := x.r.Context().Err() != nil || errors.Is(err, errGone)
	status, message := statusOf(err)
	if countable(status) && !x.isBegun && !isGone {
		if limitErr := x.count(); limitErr != nil {
			err = limitErr
			status, message = statusOf(err)
		}
	}
	// Only errors have an id: other responses are not in the log, and a ninth header
	// makes the header map grow, which costs as much as the other eight.
	id := x.api.idPrefix + strconv.FormatUint(x.api.failures.Add(1), 36)
	if status >= http.StatusInternalServerError && !isGone {
		x.logFailure(status, id, err)
		if message == "" {
			message = "internal error; the log has the details under request " + id
		}
	}
	if x.isBegun && !isGone {
		x.refund()
	}
	if x.isBegun || isGone {
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
	x.sendWhole(status, applicationJSON, errorObject(status, message))
}

// recover turns a panic into an error that is logged.
func (x *exchange) recover() {
	switch p := recover(); p {
	case nil:
	case http.ErrAbortHandler:
		panic(p)
	default:
		x.fail(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
	}
}

// logFailure logs a failure of the service. Under overload or with a full disk, all
// requests fail alike, so it logs at most one 503 a second.
func (x *exchange) logFailure(status int, id string, err error) {
	level := slog.LevelError
	if status == http.StatusServiceUnavailable {
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

// errorObject returns the body of an error, without the secrets of keys.
func errorObject(status int, message string) []byte {
	body := json.AppendInt([]byte{'{'}, "statusCode", int64(status))
	body = json.AppendString(json.AppendName(body, "statusMessage"), access.Redact(message))
	return append(body, '}')
}
