package portal

import (
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"almanac/internal/pace"
)

// pagesPerSecond bounds how fast one network reads pages, and pagesAtOnce how many it opens at once. A
// reader who types in the search field asks for a dozen pages a second at most.
const (
	pagesPerSecond = 20
	pagesAtOnce    = 80
)

// bound returns a handler that answers requests of networks which read too fast with 429.
func (p *Portal) bound(handler http.Handler) http.Handler {
	if p.opts.Network == nil {
		return handler
	}
	pages := pace.New[netip.Prefix](pace.Bound{Number: pagesAtOnce, Again: pagesAtOnce / pagesPerSecond * time.Second})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wait := pages.Take(p.opts.Network(r), p.opts.Now())
		if wait == 0 {
			handler.ServeHTTP(w, r)
			return
		}
		p.retryAfter(w, wait)
		p.serve((*page).tooFast)(w, r)
	})
}

func (p *Portal) retryAfter(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
}

// tooFast is the page of a reader who opens pages too fast.
func (p *page) tooFast() error {
	message := p.lang.text("error.fast")
	return &refusal{Status: http.StatusTooManyRequests, Message: message + "; " + p.lang.text("error.fast.lead", "n", pagesPerSecond), isTranslated: true}
}
