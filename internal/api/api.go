// Package api is the JSON interface over HTTP.
//
// A request passes through four files. exchange.go identifies the caller, admits the
// request and calls the handler, which routes.go lists by address. A handler, such as
// those in dataset.go, binds the parameters, opens the vintage, lets package request turn
// the parameters into a query, and returns a reply. reply.go sends the reply and settles
// the count: as 304, from the cache of rendered responses, whole or streamed (stream.go).
//
// A response depends only on the vintage and the query. So its strong ETag is known
// before the query runs, and a 304 needs no query. Equal queries of different
// addresses, with parameters in another order or values in another spelling, share an
// ETag, although the notice of an empty response repeats the parameters as written.
package api

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/access"
	"almanac/internal/chart/atlas"
	"almanac/internal/demand"
	"almanac/internal/search"
	"almanac/internal/search/hits"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// Defaults of the request and of the options.
const (
	DefaultLimit      = 100     // datasets on a page of the catalogue
	DefaultMaxLimit   = 5000    // datasets on the largest page
	DefaultCacheBytes = 1 << 30 // of rendered responses and pictures
)

// Options configure an [API].
type Options struct {
	Store  *store.Store
	Access *access.Access
	// Watches has the datasets that are kept up to date; nil: none.
	Watches *watch.DB
	// Demand counts searches and requests for datasets; nil: they are not counted.
	Demand *demand.DB
	// Search finds datasets of the store and of the offices' lists; nil: there is no search.
	Search *search.Search
	// SearchWait is how long a search waits for values that are not in memory; 0: a tenth of a second. If it is negative, hits
	// have no values.
	SearchWait time.Duration
	// Offices maps the ID of an office's server to the source of its datasets, unless
	// the server is a source of its own.
	Offices map[string]stat.Source
	// Bringing says who may have which datasets of offices brought; zero: nobody.
	Bringing Bringing
	// Agents answers the messages of agents at /mcp, whose context has an [AgentCall]; nil:
	// there is no such address.
	Agents http.Handler
	// Proxies are trusted to report the address of a client and whether its connection
	// is encrypted.
	Proxies access.Proxies
	// Public refuses keys sent over plain HTTP, because others may listen on the way.
	Public bool
	// FreeAccounts is the number of accounts that can be created per client address
	// and day; 0: none.
	FreeAccounts access.Limit
	// BaseURL is the public address of the service, for links, such as
	// "http://127.0.0.1:8080". If empty, links are relative.
	BaseURL string
	// MaxLimit is the size of the largest catalogue page, at least DefaultLimit; 0:
	// DefaultMaxLimit.
	MaxLimit int
	// CacheDir is the folder for rendered responses; it is created or cleared. If
	// empty, there is no cache.
	CacheDir string
	// CacheBytes bounds the size of the cache, of responses and pictures together; 0: DefaultCacheBytes.
	CacheBytes int64
	// Log receives failures; nil: no log.
	Log *slog.Logger
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Version is the version of the program.
	Version string
	// Atlas has the outlines of maps; nil: the embedded ones.
	Atlas *atlas.Atlas
}

// API serves the JSON interface. It is an [http.Handler].
type API struct {
	opts          Options // as given, with the defaults filled in
	limits        access.Limits
	policies      map[access.Tier]*limitPolicy
	accountPolicy *limitPolicy   // of new accounts
	addressHeader string         // of the proxies, as http.Header spells it
	cache         *responseCache // nil: no cache
	tags          tagCache
	status        statusCache
	downloads     downloads
	renderer      *renderer
	hits          *hits.Reader
	mux           *http.ServeMux
	readable      []string // paths that GET reads, in the order of routes
	openapi       func() *reply
	idPrefix      string // of request ids, different in each process
	failures      atomic.Uint64
	unavailable   atomic.Int64 // the Unix second in which a 503 was last logged
	isStopping    atomic.Bool
	tallies       map[access.Tier]*tally
	refusedKeys   atomic.Uint64
}

// New returns an API. It reports all errors in the options together.
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
		opts: o, limits: o.Access.Limits(), accountPolicy: newLimitPolicy("accounts", o.FreeAccounts, dayLong),
		addressHeader: http.CanonicalHeaderKey(cmp.Or(o.Proxies.Header, "X-Forwarded-For")),
		renderer:      newRenderer(), hits: hits.NewReader(o.Store, o.Bringing.Offers), mux: http.NewServeMux(), idPrefix: fmt.Sprintf("%010x-", rand.Uint64N(1<<40)),
	}
	a.hits.Now = o.Now
	a.hits.Wait = cmp.Or(o.SearchWait, a.hits.Wait)
	a.policies, a.tallies = map[access.Tier]*limitPolicy{}, map[access.Tier]*tally{}
	for _, tier := range []access.Tier{access.Anonymous, access.Essential, access.Pro} {
		a.tallies[tier] = new(tally)
		a.policies[tier] = newLimitPolicy("daily", a.limits.Of(tier), dayLong)
	}
	if o.CacheDir != "" {
		var err error
		if a.cache, err = openResponseCache(o.CacheDir, o.CacheBytes, o.Log); err != nil {
			return nil, err
		}
	}
	a.registerRoutes()
	a.openapi = sync.OnceValue(func() *reply { return constantReply(a.reference()) })
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
