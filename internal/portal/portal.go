// Package portal serves the pages: where people find a dataset, look at it, and take it away as a
// chart, a file, a citation or the request that gives it.
//
// A page reads the JSON interface in this process, like any other client but without counting
// against a daily limit. So it shows what the interface has, selects and refuses as the interface
// does, and each page becomes a request of the interface by changing its path. What is long or
// asked for several times, counts of thousands of areas and charts, it reads as the Go values from
// which the interface writes its responses.
//
// portal.go has the addresses, page.go what all pages share, read.go reads the interface, and there
// is a file for each page with its template in templates/. All texts are in texts/, one file for
// each language. Pages are HTML that works without scripts; static/almanac.js only adds to it.
package portal

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"
	textlanguage "golang.org/x/text/language"

	"almanac/internal/access"
	"almanac/internal/chart"
	"almanac/internal/mail"
	"almanac/internal/monitor"
	"almanac/internal/notice"
	"almanac/internal/people"
)

// Interface reads the JSON interface.
type Interface interface {
	// Read writes the response to a request of the interface to w: to POST if there is a
	// body, else to GET. It stops at an error of w and returns it.
	Read(ctx context.Context, address string, body []byte, w io.Writer) (status int, err error)
	// Value returns the Go value from which the response to GET is written: a [request.Left] for
	// an availability, a [chart.Spec] for the description of a chart. A response that is an
	// error is written to w.
	Value(ctx context.Context, address string, w io.Writer) (value any, status int, err error)
	// Pictures draws a chart as SVG in several looks. ok is false if each picture has to be read
	// at an address of its own.
	Pictures(ctx context.Context, s *chart.Spec, looks []chart.Look) (pictures [][]byte, ok bool, err error)
}

// Sender also changes what the interface stores for its caller.
type Sender interface {
	Interface
	// Send is like Read, for any method.
	Send(ctx context.Context, method, address string, body []byte, w io.Writer) (status int, err error)
}

// Options configure a [Portal].
type Options struct {
	// Interface is what pages show.
	Interface Interface
	// Aside reads what pages show beside their subject, such as what is found while somebody types and small pictures of many
	// datasets. It says nothing of what readers look for. Nil: Interface.
	Aside Interface
	// Else answers addresses that are no pages: the interface.
	Else http.Handler
	// Network returns the network that a request comes from, whose pages are bounded by rate;
	// nil: they are not.
	Network func(*http.Request) netip.Prefix
	// BaseURL is the public address of the service, for addresses that readers copy.
	BaseURL string
	// OfficePage returns the address of the page that the site of an office has for a dataset, by its place in the office's list, and
	// OfficeSite that of the site; empty: it is not known. Nil: none is.
	OfficePage func(source, code, theme string) string
	OfficeSite func(source string) string
	// Changelog says in Markdown what changed in the program.
	Changelog string
	// InterfaceOf reads the interface in the name of a caller.
	InterfaceOf func(access.Caller) Sender
	// InNameOf returns a request to Else that comes from a caller.
	InNameOf func(*http.Request, access.Caller) *http.Request
	// AsPage returns a request to Else for what a page shows, which needs no key and is not counted.
	AsPage func(*http.Request) *http.Request
	// Access and People are the callers and the people of the service. Without People, nobody can
	// sign in.
	Access *access.Access
	People *people.People
	// Notices tell organisations of changes; nil: there are none.
	Notices *notice.DB
	// Proxies are trusted to report the address of a client and whether its connection is
	// encrypted.
	Proxies access.Proxies
	// Public accepts passwords only over HTTPS.
	Public bool
	// SignIn is another service at which people sign in.
	SignIn SignInService
	// Mail sends links for new passwords; nil: there is no mail.
	Mail *mail.Sender
	// FreeAccounts is the number of accounts that can be created for each client address and UTC
	// day, if there is mail.
	FreeAccounts access.Limit
	// Quarantine is what operators decide on.
	Quarantine Quarantine
	// RequireFactor makes people set up a second factor before they do anything else.
	RequireFactor bool
	// OwnAdmin serves the page of the operator only with [Portal.Admin].
	OwnAdmin bool
	// Log receives failures; nil: no log.
	Log *slog.Logger
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// Portal serves the pages, and passes on all other requests. It is an [http.Handler].
type Portal struct {
	opts      Options
	pages     *http.ServeMux
	handler   http.Handler // pages, compressed and bounded by rate
	files     http.Handler // styles, scripts and fonts
	embeds    http.Handler // charts in the pages of others
	unknown   http.Handler // the page of addresses that are no pages
	languages []*language
	failures  []knownFailure       // messages that the languages have texts for
	remarks   []knownFailure       // likewise, parts of remarks on series
	lacks     []knownFailure       // likewise, what updates lack
	matcher   textlanguage.Matcher // of languages
	static    *static
	passkeys  *people.Passkeys // nil: the service has no name that they could belong to
	memory    *memory
	sentForms sync.Map // the tokens of forms that made a key since the service was started
}

// New returns a Portal.
func New(o Options) (*Portal, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Aside == nil {
		o.Aside = o.Interface
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	p := &Portal{opts: o, pages: http.NewServeMux(), memory: newMemory(o.Now)}
	var err error
	if p.static, err = readStatic(); err != nil {
		return nil, err
	}
	if p.languages, err = p.readLanguages(); err != nil {
		return nil, fmt.Errorf("texts and templates of the pages: %w", err)
	}
	p.matcher, p.failures = matcherOf(p.languages), knownFailuresOf(p.languages[0], failurePrefix, ".*")
	p.remarks = knownFailuresOf(p.languages[0], remarkPrefix, "[0-9,]+")
	p.lacks = knownFailuresOf(p.languages[0], lacksPrefix, ".*")
	p.addPages()
	if err := p.addAccounts(); err != nil {
		return nil, err
	}
	// The length of a page depends a little on chance, so that it tells nothing of what is in it.
	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.CompressionLevel(3), gzhttp.ZstdCompressionLevel(1), gzhttp.RandomJitter(32, 0, false))
	if err != nil {
		return nil, err
	}
	protected, err := p.protect(p.pages)
	if err != nil {
		return nil, fmt.Errorf("the public address of the service: %w", err)
	}
	p.files = compress(p.static)
	p.handler = compress(p.bound(protected))
	p.embeds = p.embedHandler()
	p.unknown = compress(p.bound(p.serve((*page).unknownAddress)))
	return p, nil
}

// addPages adds all pages.
func (p *Portal) addPages() {
	for address, show := range map[string]func(*page) error{
		"/{$}":                  (*page).home,
		"/search":               (*page).search,
		"/datasets":             (*page).allDatasets,
		"/suggest":              (*page).suggest,
		"/compare":              (*page).compareSources,
		"/areas":                (*page).areas,
		"/areas/{area}":         (*page).area,
		"/sources":              (*page).sources,
		"/sources/{source}":     (*page).source,
		"/datasets/{id}":        (*page).dataset,
		"/datasets/{id}/{code}": (*page).dataset,

		"/catalog.ttl":                      (*page).dcat,
		"/catalog.jsonld":                   (*page).dcat,
		"/sitemap.xml":                      (*page).sitemap,
		"/datasets/{id}/{code}/picture.png": (*page).picture,
		"/guide":                            (*page).guide,
		"/guide/{page}":                     (*page).guide,
		"/reference":                        (*page).reference,
		"/reference/{operation}":            (*page).reference,
		"/changes":                          (*page).changelog,
		"/status":                           (*page).state,

		"/datasets/{id}/feed.atom":       (*page).datasetFeed,
		"/datasets/{id}/feed.json":       (*page).datasetFeed,
		"/sources/{source}/feed.atom":    (*page).catalogueFeed,
		"/sources/{source}/feed.json":    (*page).catalogueFeed,
		"/datasets/{id}/calendar.ics":    (*page).datasetCalendar,
		"/sources/{source}/calendar.ics": (*page).sourceCalendar,
		"/feed.atom":                     (*page).catalogueFeed,
		"/feed.json":                     (*page).catalogueFeed,

		"/datasets/{id}/{code}/studio":   (*page).studio,
		"/datasets/{id}/{code}/versions": (*page).versions,
		"/datasets/{id}/{code}/cite.bib": (*page).citationFile,
		"/datasets/{id}/{code}/cite.ris": (*page).citationFile,
	} {
		p.pages.HandleFunc("GET "+address, p.serve(show))
	}
	p.pages.HandleFunc("POST /bring", p.serve((*page).bring))
	p.pages.HandleFunc("GET /jobs/{job}", p.serve((*page).job))
	p.pages.HandleFunc("GET /set", p.setPreference)
	p.pages.HandleFunc("GET /robots.txt", p.robots)
}

// notPages begin the addresses of the interface.
var notPages = []string{"/api/", "/sdmx/", "/charts/", "/l/", "/mcp", "/healthz", "/readyz", "/openapi.json", "/llms.txt"}

// ServeHTTP answers a request for a page, and for an unknown address if a page is what the caller
// accepts. An address of a page in capitals, or with a slash at its end, leads to the page.
func (p *Portal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.protectResponse(w.Header(), r)
	if strings.HasPrefix(r.URL.Path, "/static/") {
		monitor.SetRoute(w, "/static/")
		p.files.ServeHTTP(w, r)
		return
	}
	if _, pattern := p.pages.Handler(r); pattern != "" {
		_, route, _ := strings.Cut(pattern, " ")
		monitor.SetRoute(w, route)
		p.handler.ServeHTTP(w, r)
		return
	}
	isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !isRead || hasPrefix(r.URL.Path, notPages) {
		switch {
		case isEmbed(r):
			p.embeds.ServeHTTP(w, r)
		case isLink(r):
			p.sendLinked(w, r)
		default:
			p.opts.Else.ServeHTTP(w, r)
		}
		return
	}
	usual := r.Clone(r.Context())
	usual.URL.Path, usual.URL.RawPath = strings.ToLower(strings.TrimRight(r.URL.Path, "/")), ""
	switch {
	case strings.HasPrefix(usual.URL.Path, "/") && !strings.HasPrefix(usual.URL.Path, "//") && p.isPage(usual):
		http.Redirect(w, r, usual.URL.RequestURI(), http.StatusMovedPermanently)
	case strings.Contains(r.Header.Get("Accept"), "text/html"):
		p.unknown.ServeHTTP(w, r)
	default:
		p.opts.Else.ServeHTTP(w, r)
	}
}

func (p *Portal) isPage(r *http.Request) bool {
	_, pattern := p.pages.Handler(r)
	return pattern != ""
}

func hasPrefix(path string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
