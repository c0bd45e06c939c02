package api

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"sync"

	"almanac/internal/access"
	"almanac/internal/monitor"
	"almanac/internal/request"
	"almanac/internal/store"
)

// ServeHTTP handles one request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h["Access-Control-Allow-Origin"] = anyOrigin
	h["Access-Control-Expose-Headers"] = exposedHeaders
	if !isCanonical(r.URL.EscapedPath()) {
		a.serve(w, r, &unknownAddress)
		return
	}
	a.mux.ServeHTTP(w, withoutLastSlash(withEscapedCode(r))) // calls serve with the route
}

// isCanonical reports whether the mux accepts a path as it is. It redirects all others.
func isCanonical(p string) bool {
	clean := path.Clean(p)
	return strings.HasPrefix(p, "/") && (clean == p || clean != "/" && clean+"/" == p)
}

// exchange is a request and its response.
type exchange struct {
	api         *API
	route       *route
	w           http.ResponseWriter
	r           *http.Request
	caller      access.Caller   // the zero Caller if keys are ignored
	ticket      access.Ticket   // admitted if the request is counted
	more        int             // as how many requests it counts, beside one
	tickets     []access.Ticket // of these
	isContinued bool            // the request belongs to a download that is counted
	hasMade     bool            // a file was made for the request
	isBegun     bool            // the status is sent; after an error, the connection is closed
	inside      bool            // made by a tool of an agent for a known caller, and not counted
	isOfPage    bool            // see [AsPage]
	isAside     bool            // see [API.AsideCall]
	isOperator  bool            // see [API.OperatorCall]
	demand      demanded        // the dataset that the request is for
	link        *access.Link    // that the address is of; nil: none
	use         access.Ticket   // the use of the link, unless it is not counted

	// What a request for data needs is most of the memory that a request takes, so it is used
	// again by a later one.
	params    request.Data
	selection selection
	reply     reply
}

// exchanges has exchanges whose requests are done.
var exchanges = sync.Pool{New: func() any { return new(exchange) }}

// serve handles a request to a route. The order of errors is 403 and 401, 404 for an
// unknown address, 405, 429, then those of the handler.
func (a *API) serve(w http.ResponseWriter, r *http.Request, rt *route) {
	x := exchanges.Get().(*exchange)
	x.api, x.route, x.w, x.r = a, rt, w, r
	if w, ok := w.(*insideWriter); ok {
		x.inside, x.isAside, x.isOperator, x.caller = true, w.isAside, w.isOperator, w.caller
	}
	monitor.SetRoute(w, rt.path)
	defer x.recoverPanic()
	if err := x.respond(); err != nil {
		x.fail(err)
	}
	x.recordDemand()
	*x = exchange{} // not after a panic, when a part may still be in use
	exchanges.Put(x)
}

func (x *exchange) respond() error {
	if err := x.identify(); err != nil {
		return err
	}
	if err := x.admitOrDefer(); err != nil {
		return err
	}
	err := x.handle()
	if errors.Is(err, store.ErrDamaged) && !x.isBegun && x.route.body == "" {
		err = x.handle() // of the version that is served instead
	}
	return err
}

func (x *exchange) handle() error {
	rep, err := x.route.handle(x)
	if err != nil {
		return x.explained(err)
	}
	if rep.value != nil {
		x.w.(*insideWriter).value = rep.value
		x.begin(http.StatusOK)
		return nil
	}
	return x.send(rep)
}

// explained returns an error of reading the parameters of a dataset with what its dimensions tell about it.
func (x *exchange) explained(err error) error {
	if !request.IsUnknownFilter(err) || !strings.HasPrefix(x.route.path, "/api/datasets/{id}/") {
		return err
	}
	v, openErr := x.vintageAt(store.At{})
	if openErr != nil {
		return err
	}
	return request.ExplainUnknown(err, v.Dataset)
}

// admitOrDefer admits a request that will count. If the caller may already have the
// response, or the body may be unacceptable, it only checks that the limit is not used
// up; the handler, send or fail admits the request as soon as it is known to count.
func (x *exchange) admitOrDefer() error {
	x.isContinued = x.continuesDownload()
	if !x.counts() {
		return nil
	}
	if err := x.admitBurst(); err != nil {
		return err
	}
	h := x.r.Header
	isConditional := x.route.method == "" && (h["If-None-Match"] != nil || h["If-Modified-Since"] != nil)
	if x.route.body == "" && !isConditional {
		return x.admit()
	}
	standing, hasLeft, err := x.api.opts.Access.CanAdmit(x.r.Context(), x.caller)
	if err != nil || hasLeft {
		return err
	}
	x.ticket.Standing = standing
	return x.limitError()
}

// counts reports whether the request counts if its response does.
func (x *exchange) counts() bool {
	return x.route.counted && !x.inside && !x.isOfPage && !x.isContinued
}

// admit counts the request unless it is already counted or does not count.
func (x *exchange) admit() error {
	if !x.counts() || x.ticket.Admitted {
		return nil
	}
	var err error
	if x.ticket, err = x.api.opts.Access.Admit(x.caller); err != nil || x.ticket.Admitted {
		return err
	}
	return x.limitError()
}

// admitMore counts a request that counts as several as those beside the first.
func (x *exchange) admitMore() error {
	if x.more == 0 || !x.ticket.Admitted {
		return nil
	}
	left := x.ticket.Remaining()
	for range x.more {
		t, err := x.api.opts.Access.Admit(x.caller)
		if err != nil {
			return err
		}
		if !t.Admitted {
			x.refund()
			t.Used -= left + 1
			x.ticket.Standing = t.Standing
			return x.tooMany(&t.Standing, x.api.policies[t.Tier], fmt.Sprintf("the request counts as %d, one for each selection, and %d are left of the daily limit of %s; give fewer selections", x.more+1, t.Remaining(), t.Limit))
		}
		x.tickets = append(x.tickets, t)
		x.ticket.Standing = t.Standing
	}
	return nil
}

// countable reports whether a response with a status counts.
func countable(status int) bool {
	return status >= 200 && status < 300 || status == http.StatusBadRequest || status == http.StatusNotFound
}

// refund takes back the count of the request, if it is counted.
func (x *exchange) refund() {
	for i := range x.tickets {
		x.tickets[i].Refund()
	}
	x.tickets = nil
	if x.ticket.Admitted {
		x.ticket.Refund()
		x.ticket.Admitted = false
	}
}

// bind reads the parameters of the request. After an error, params holds the valid ones.
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
