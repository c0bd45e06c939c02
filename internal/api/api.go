// Package api is the JSON interface: it turns a request's address into a
// question to the store and the answer into JSON.
//
// The way of a request, on one screen: [API.ServeHTTP] gives it the headers
// that every answer has, http.ServeMux finds its [place], which is a path with
// its routes, the gate says who asks and counts the request (gate.go), the
// route's handler reads the parameters (package request), opens the vintage and
// returns a reply, and exchange.send puts the reply on the wire: as 304, from
// the cache of rendered bodies, whole, or streamed. Handlers return errors;
// exchange.fail alone writes them.
//
// An answer is a function of the vintage and the query, byte for byte. So its
// strong ETag is known before the query is run, and a 304 costs no query.
package api

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"almanac/internal/access"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// DefaultLimit is how many datasets are on a page of the catalog if the caller
// does not say.
const DefaultLimit = 100

// DefaultMaxLimit is the largest catalog page unless the options say otherwise.
const DefaultMaxLimit = 5000

// DefaultCacheBytes bounds the cache of rendered bodies unless the options say
// otherwise.
const DefaultCacheBytes = 1 << 30

// Options are what an [API] is made from.
type Options struct {
	Store  *store.Store
	Access *access.Access
	// Watches is what is kept up to date, for the status of sources; nil: nothing.
	Watches *watch.DB
	// Offices are the sources that the datasets of offices' servers are of, by the
	// ID of the server. One that is missing is a source by its own ID.
	Offices map[string]stat.Source
	// Proxies are those whose word on the client's address and on its
	// connection is believed.
	Proxies access.Proxies
	// Public says that others may listen on the way to the service: then a key
	// that comes over plain HTTP is refused.
	Public bool
	// FreeAccounts is how many accounts a day can be made from one address by
	// anybody; 0: none.
	FreeAccounts access.Limit
	// BaseURL is the address that callers know the service by, for links;
	// "http://127.0.0.1:8080". Empty: links are relative.
	BaseURL string
	// MaxLimit is the largest catalog page, at least DefaultLimit; 0: DefaultMaxLimit.
	MaxLimit int
	// CacheDir is the folder for rendered bodies of whole datasets. It is
	// created, and emptied of earlier ones. Empty: nothing is kept.
	CacheDir string
	// CacheBytes bounds what is kept there; 0: DefaultCacheBytes.
	CacheBytes int64
	// Log is told of failures; nil: nobody is.
	Log *slog.Logger
	// Now is the clock that /healthz shows; nil: time.Now.
	Now func() time.Time
	// Version is that of the program, for the page of links.
	Version string
}

// API answers the requests of the interface.
type API struct {
	store         *store.Store
	access        *access.Access
	watches       *watch.DB // nil: nothing is watched
	offices       map[string]stat.Source
	statusMade    statusText
	limits        access.Limits
	allowances    allowances
	proxies       access.Proxies
	addressHeader string // of proxies, as http.Header has it
	public        bool
	freeAccounts  access.Limit
	baseURL       string
	maxLimit      int
	version       string
	log           *slog.Logger
	now           func() time.Time
	bodies        *bodies // nil: nothing is kept
	studio        *studio
	asked         asked
	mux           *http.ServeMux
	nowhere       *place // answers where there is no route
	openapi       reply
	prefix        string // of request ids, another in each process
	failures      atomic.Uint64
	unavailable   atomic.Int64 // the second in which a 503 was last logged
}

// New makes the interface. All mistakes in the options are reported together.
func New(o Options) (*API, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("options of the interface: %w", err)
	}
	a := &API{
		store: o.Store, access: o.Access, watches: o.Watches, offices: o.Offices, limits: o.Access.Limits(), allowances: newAllowances(o.Access.Limits(), o.FreeAccounts),
		proxies: o.Proxies, addressHeader: http.CanonicalHeaderKey(cmp.Or(o.Proxies.Header, "X-Forwarded-For")),
		public: o.Public, freeAccounts: o.FreeAccounts,
		baseURL: strings.TrimSuffix(o.BaseURL, "/"), maxLimit: o.MaxLimit,
		version: o.Version, log: o.Log, now: o.Now, studio: newStudio(), mux: http.NewServeMux(), prefix: processPrefix(),
	}
	if a.maxLimit == 0 {
		a.maxLimit = DefaultMaxLimit
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.now == nil {
		a.now = time.Now
	}
	if o.CacheDir != "" {
		var err error
		if a.bodies, err = openBodies(o.CacheDir, cmp.Or(o.CacheBytes, DefaultCacheBytes)); err != nil {
			return nil, err
		}
	}
	for path, place := range a.places(routes) {
		a.mux.Handle(path, place)
	}
	a.nowhere = a.place(checked)
	a.mux.Handle("/", a.nowhere)
	a.openapi = jsonReply(a.reference())
	return a, nil
}

func (o *Options) check() error {
	var errs []error
	if o.Store == nil {
		errs = append(errs, errors.New("there is no store"))
	}
	if o.Access == nil {
		errs = append(errs, errors.New("there is no register of callers"))
	}
	if u, err := url.Parse(o.BaseURL); err != nil || o.BaseURL != "" && (u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "") {
		errs = append(errs, fmt.Errorf("the base address is %q; right is one such as https://example.org or https://example.org/statistics", o.BaseURL))
	}
	if o.MaxLimit != 0 && o.MaxLimit < DefaultLimit {
		errs = append(errs, fmt.Errorf("the largest page is %d datasets; right is %d or more", o.MaxLimit, DefaultLimit))
	}
	if o.FreeAccounts < 0 {
		errs = append(errs, fmt.Errorf("%d accounts may be asked for in a day; right is 0 or more", o.FreeAccounts))
	}
	if o.CacheBytes < 0 {
		errs = append(errs, fmt.Errorf("the cache holds %d bytes; right is a positive number", o.CacheBytes))
	}
	return errors.Join(errs...)
}

// routes are all addresses of the interface, in the order of the reference.
var routes = []route{
	{
		path: "/api/datasets", name: "listDatasets", summary: "List the datasets", guard: counted,
		params: request.Params[request.Catalog](), statuses: []int{200, 304, 400}, schema: "CatalogPage",
		handle: (*exchange).catalog,
	},
	{
		path: "/api/datasets/{id}", name: "readDataset", summary: "Read a dataset with all its data", guard: counted,
		params: request.Params[request.Details](), statuses: []int{200, 304, 400, 404}, schema: "DatasetWithData",
		handle: (*exchange).details,
	},
	{
		path: "/api/datasets/{id}/meta", name: "readMetadata", summary: "Read a dataset's metadata", guard: counted,
		statuses: []int{200, 304, 400, 404}, schema: "DatasetMeta",
		handle: (*exchange).meta,
	},
	{
		path: "/api/datasets/{id}/latest", name: "readLatest", summary: "Read the latest values of one series of a dataset", guard: counted,
		params: request.Params[request.Latest](), statuses: []int{200, 304, 400, 404}, schema: "Latest",
		handle: (*exchange).latest,
	},
	{
		path: "/api/datasets/{id}/data", name: "readData", summary: "Read a part of a dataset", guard: counted,
		params: request.Params[request.Data](), statuses: []int{200, 304, 400, 404}, schema: "FilteredData",
		handle: (*exchange).data, follows: (*exchange).dataFollows,
	},
	{
		path: "/api/datasets/{id}/dimensions", name: "readDimensions", summary: "Read the values that a dataset can be filtered by", guard: counted,
		statuses: []int{200, 304, 400, 404}, schema: "Dimensions",
		handle: (*exchange).dimensions,
	},
	{
		path: "/api/charts/generate-png", name: "generateChart", summary: "Draw a chart", guard: counted,
		method: http.MethodPost, statuses: []int{200, 400, 404, 413, 415, 503}, schema: "Chart", body: "ChartRequest",
		handle: (*exchange).generateChart, follows: (*exchange).requestFollows,
	},
	drawnRoute("png"), drawnRoute("jpeg"), drawnRoute("svg"),
	{
		path: "/api/followed", name: "listFollowed", summary: "List what the organisation follows", guard: keyed,
		params: request.Params[request.Paging](), statuses: []int{200, 400}, schema: "FollowedPage",
		handle: (*exchange).listFollowed,
	},
	{
		path: "/api/followed/{datasetId}", name: "readFollowed", summary: "Read what the organisation follows of a dataset", guard: keyed,
		statuses: []int{200, 400, 404}, schema: "Followed",
		handle: (*exchange).readFollowed,
	},
	{
		path: "/api/followed/{datasetId}", name: "follow", summary: "Follow a dataset, or set what is followed of it", guard: keyed,
		method: http.MethodPut, statuses: []int{200, 400, 404, 413, 415}, schema: "Followed", body: "Selection",
		handle: (*exchange).follow,
	},
	{
		path: "/api/followed/{datasetId}", name: "unfollow", summary: "Follow a dataset no longer", guard: keyed,
		method: http.MethodDelete, statuses: []int{204, 400, 404},
		handle: (*exchange).unfollow,
	},
	{
		path: "/api/limits", name: "readLimits", summary: "Read how much of the daily limit is left", guard: checked,
		statuses: []int{200, 400}, schema: "Limits",
		handle: (*exchange).limits,
	},
	{
		path: "/api/status", name: "readStatus", summary: "Read how old the data of each source are", guard: checked,
		statuses: []int{200, 304, 400}, schema: "Status",
		handle: (*exchange).status,
	},
	{
		path: "/api/accounts", name: "createAccount", summary: "Make a free account and its key", guard: inviting,
		method: http.MethodPost, statuses: []int{201, 400, 403, 409, 413, 415, 429}, schema: "NewAccount", body: "AccountRequest",
		handle: (*exchange).createAccount,
	},
	{
		path: "/charts/{file}", name: "readChart", summary: "Read the picture of a chart that was drawn", guard: open,
		statuses: []int{200, 304, 400, 404, 503}, pictures: []string{"png", "jpg", "svg"},
		handle: (*exchange).chartFile,
	},
	{path: "/openapi.json", name: "readReference", summary: "Read this description", guard: open, statuses: []int{200, 304}, schema: "Any", handle: (*exchange).describe},
	{path: "/healthz", name: "health", summary: "Whether the process answers", guard: open, statuses: []int{200}, schema: "Health", handle: (*exchange).health},
	{path: "/readyz", name: "readiness", summary: "Whether the data can be read and requests be counted", guard: open, statuses: []int{200, 503}, schema: "Health", handle: (*exchange).readiness},
	{path: "/{$}", name: "page", summary: "A page of links", guard: open, statuses: []int{200}, handle: (*exchange).page},
}

// ServeHTTP answers one request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h["Access-Control-Allow-Origin"] = anyOrigin
	h["Access-Control-Expose-Headers"] = exposedHeaders
	if !canonical(r.URL.EscapedPath()) {
		a.nowhere.ServeHTTP(w, r)
		return
	}
	a.mux.ServeHTTP(w, r)
}

// canonical reports whether the mux would take a path as it is: for any other
// it answers with a redirect of its own.
func canonical(p string) bool {
	clean := path.Clean(p)
	return strings.HasPrefix(p, "/") && (clean == p || clean != "/" && clean+"/" == p)
}

// requestID is different for each failed request of each process. An answer
// that is no error has none: the log would not know it, and a ninth header
// makes the server's map of headers grow, which costs as much as the other
// eight.
func (a *API) requestID() string {
	var text [32]byte
	return string(strconv.AppendUint(append(text[:0], a.prefix...), a.failures.Add(1), 36))
}

func processPrefix() string {
	var random [5]byte
	_, _ = rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:]) + "-"
}

// Values of headers that are the same on every answer. Nobody changes them.
var (
	anyOrigin       = []string{"*"}
	exposedHeaders  = []string{"ETag, Last-Modified, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"}
	allowedHeaders  = []string{"X-API-Key, Authorization, Content-Type, If-None-Match, If-Modified-Since"}
	preflightAge    = []string{"86400"}
	applicationJSON = []string{"application/json"}
	textHTML        = []string{"text/html; charset=utf-8"}
	varyEncoding    = []string{"Accept-Encoding"}
	varyCaller      = []string{"Accept-Encoding, X-API-Key, Authorization"}
	bearer          = []string{"Bearer"}
	noCache         = []string{"no-cache"}
	privateNoCache  = []string{"private, no-cache"}
	privateNoStore  = []string{"private, no-store"}
	noStore         = []string{"no-store"}
	nothingElse     = []string{"default-src 'none'; style-src 'unsafe-inline'"} // an SVG on its own is a document
	forEver         = []string{"public, max-age=31536000, immutable"}
)
