package portal

import (
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Bounds on how fast one network reads pages. A reader who types in the search field asks for a
// dozen pages a second at most.
const (
	pagesPerSecond = 20
	pagesAtOnce    = 80
	// forgetAfter is when a network that asks no more may open pagesAtOnce again.
	forgetAfter = pagesAtOnce / pagesPerSecond * time.Second
)

// visits counts the pages that networks read. It is safe for concurrent use.
type visits struct {
	mu     sync.Mutex
	counts map[netip.Prefix]*pace
	swept  time.Time
}

// pace is how fast a network reads.
type pace struct {
	limit *rate.Limiter
	last  time.Time
}

// admit counts a page. If it is one too many, wait is how long it takes until the next may be read.
func (v *visits) admit(network netip.Prefix, now time.Time) (wait time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if now.Sub(v.swept) > forgetAfter {
		for network, one := range v.counts {
			if now.Sub(one.last) > forgetAfter {
				delete(v.counts, network)
			}
		}
		v.swept = now
	}
	one := v.counts[network]
	if one == nil {
		one = &pace{limit: rate.NewLimiter(pagesPerSecond, pagesAtOnce)}
		v.counts[network] = one
	}
	one.last = now
	if one.limit.AllowN(now, 1) {
		return 0
	}
	missing := 1 - one.limit.TokensAt(now)
	return time.Duration(missing / pagesPerSecond * float64(time.Second))
}

// bound returns a handler that answers requests of networks which read too fast with 429.
func (p *Portal) bound(handler http.Handler) http.Handler {
	if p.opts.Network == nil {
		return handler
	}
	v := &visits{counts: map[netip.Prefix]*pace{}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wait := v.admit(p.opts.Network(r), p.opts.Now())
		if wait == 0 {
			handler.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		p.serve((*page).tooFast)(w, r)
	})
}

// tooFast is the page of a reader who opens pages too fast.
func (p *page) tooFast() error {
	message := p.lang.text("error.fast")
	return &refusal{Status: http.StatusTooManyRequests, Message: message + "; " + p.lang.text("error.fast.lead", "n", pagesPerSecond), isTranslated: true}
}
