// Package api is the JSON interface over HTTP.
//
// A request passes four files. routes.go lists all addresses. exchange.go is the
// wrapper around every handler: it finds the caller and admits the request
// (caller.go, limit.go), calls the handler, sends its reply, and writes every
// error. A handler, such as those of dataset.go, reads from top to bottom: it binds
// the parameters (package request), opens the vintage and returns a reply.
// reply.go sends that reply: as 304, from the cache of rendered answers, whole or
// streamed.
//
// An answer is a function of the vintage and the query, byte for byte. So its
// strong ETag is known before the query is run, and a 304 costs no query.
package api

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"almanac/internal/access"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// DefaultLimit is how many datasets are on a page of the catalog if the caller
// does not say.
const DefaultLimit = 100

// DefaultMaxLimit is the largest catalog page unless the options say otherwise.
const DefaultMaxLimit = 5000

// DefaultCacheBytes bounds the cache of rendered answers unless the options say
// otherwise.
const DefaultCacheBytes = 1 << 30

// Options are what an [API] is made from.
type Options struct {
	Store  *store.Store
	Access *access.Access
	// Watches is what is kept up to date, for the status of sources; nil: nothing.
	Watches *watch.DB
	// Offices are the sources of the datasets of each office's server, by the ID of
	// the server. A server that is missing is a source by its own ID.
	Offices map[string]stat.Source
	// Proxies are trusted to tell the client's address and whether its connection
	// is encrypted.
	Proxies access.Proxies
	// Public says that others may listen on the way to the service: then a key
	// that comes over plain HTTP is refused.
	Public bool
	// FreeAccounts is how many accounts anybody can make in a day from one
	// address; 0: none.
	FreeAccounts access.Limit
	// BaseURL is the address that callers know the service by, for links;
	// "http://127.0.0.1:8080". Empty: links are relative.
	BaseURL string
	// MaxLimit is the largest catalog page, at least DefaultLimit; 0: DefaultMaxLimit.
	MaxLimit int
	// CacheDir is the folder for rendered answers of whole datasets. It is
	// created, and emptied of earlier ones. Empty: nothing is kept.
	CacheDir string
	// CacheBytes bounds what is kept there; 0: DefaultCacheBytes.
	CacheBytes int64
	// Log gets the failures; nil: nothing is logged.
	Log *slog.Logger
	// Now is the clock that /healthz shows; nil: time.Now.
	Now func() time.Time
	// Version is that of the program, for the page of links.
	Version string
}

// API answers the requests of the interface.
type API struct {
	opts          Options // as given, with the defaults filled in
	limits        access.Limits
	policies      map[access.Tier]*limitPolicy
	accountPolicy *limitPolicy // of making accounts
	addressHeader string       // of the proxies, as http.Header spells it
	cache         *answerCache // nil: nothing is kept
	tags          tagCache
	status        statusCache
	renderer      *renderer
	mux           *http.ServeMux
	openapi       *reply
	idPrefix      string // of request ids, different in each process
	failures      atomic.Uint64
	unavailable   atomic.Int64 // the second in which a 503 was last logged
}

// New makes the interface. All mistakes in the options are reported together.
func New(o Options) (*API, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("options of the interface: %w", err)
	}
	o.BaseURL = strings.TrimSuffix(o.BaseURL, "/")
	o.MaxLimit = cmp.Or(o.MaxLimit, DefaultMaxLimit)
	o.CacheBytes = cmp.Or(o.CacheBytes, DefaultCacheBytes)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &API{
		opts: o, limits: o.Access.Limits(), accountPolicy: newLimitPolicy("accounts", o.FreeAccounts),
		addressHeader: http.CanonicalHeaderKey(cmp.Or(o.Proxies.Header, "X-Forwarded-For")),
		renderer:      newRenderer(), mux: http.NewServeMux(), idPrefix: randomPrefix(),
	}
	a.policies = map[access.Tier]*limitPolicy{}
	for _, tier := range []access.Tier{access.Anonymous, access.Essential, access.Pro} {
		a.policies[tier] = newLimitPolicy("daily", a.limits.Of(tier))
	}
	if o.CacheDir != "" {
		var err error
		if a.cache, err = openAnswerCache(o.CacheDir, o.CacheBytes); err != nil {
			return nil, err
		}
	}
	a.registerRoutes()
	a.openapi = constantReply(a.reference())
	return a, nil
}

func (o *Options) check() error {
	var errs []error
	if o.Store == nil {
		errs = append(errs, errors.New("no store"))
	}
	if o.Access == nil {
		errs = append(errs, errors.New("no register of callers"))
	}
	if u, err := url.Parse(o.BaseURL); err != nil || o.BaseURL != "" && (u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "") {
		errs = append(errs, fmt.Errorf("the base address must be like https://example.org or https://example.org/statistics, not %q", o.BaseURL))
	}
	if o.MaxLimit != 0 && o.MaxLimit < DefaultLimit {
		errs = append(errs, fmt.Errorf("the largest page must have at least %d datasets, not %d", DefaultLimit, o.MaxLimit))
	}
	if o.FreeAccounts < 0 {
		errs = append(errs, fmt.Errorf("the number of free accounts a day must be 0 or more, not %d", o.FreeAccounts))
	}
	if o.CacheBytes < 0 {
		errs = append(errs, fmt.Errorf("the size of the cache must be a positive number of bytes, not %d", o.CacheBytes))
	}
	return errors.Join(errs...)
}
