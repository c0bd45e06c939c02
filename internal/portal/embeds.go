package portal

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"almanac/internal/pace"
)

// isEmbed reports whether a page of somebody else shows a chart: its frame, or a picture that a browser loads for it. Who sends a key
// is no reader of a page.
func isEmbed(r *http.Request) bool {
	hasKey := r.Header["X-Api-Key"] != nil || r.Header["Authorization"] != nil
	if r.Method != http.MethodGet && r.Method != http.MethodHead || hasKey {
		return false
	}
	switch {
	case strings.HasPrefix(r.URL.Path, "/charts/"):
		return strings.HasSuffix(r.URL.Path, ".html") || isLoaded(r)
	case strings.HasPrefix(r.URL.Path, "/api/datasets/") && strings.Contains(r.URL.Path, "/chart."):
		return r.URL.Query().Get("embed") == "html" || isLoaded(r)
	}
	return false
}

// isLoaded reports whether a browser loads something as a part of a page.
func isLoaded(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "iframe", "frame", "object", "embed", "image":
		return true
	}
	return false
}

// embedHandler serves charts in the pages of others, which are free and bounded by rate as pages are. A reader in a frame gets a page
// that says what is wrong.
func (p *Portal) embedHandler() http.Handler {
	pages := pace.New[netip.Prefix](pace.Bound{Number: pagesAtOnce, Again: pagesAtOnce / pagesPerSecond * time.Second})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.opts.Network != nil {
			if wait := pages.Take(p.opts.Network(r), p.opts.Now()); wait > 0 {
				p.retryAfter(w, wait)
				p.serve(framed((*page).tooFast))(w, r)
				return
			}
		}
		if !strings.Contains(r.Header.Get("Accept"), "text/html") {
			p.opts.Else.ServeHTTP(w, p.opts.AsPage(r))
			return
		}
		p.sendOrExplain(w, p.opts.AsPage(r), framed)
	})
}

// framed shows an error as a page for a frame on any other page.
func framed(show func(*page) error) func(*page) error {
	return func(p *page) error {
		p.IsFramed = true
		return show(p)
	}
}

// showInFrame makes the page of an error fit a frame, in the colours of the chart.
func (p *page) showInFrame(c *failure) {
	p.template, p.Theme = "inframe", "light"
	if p.r.URL.Query().Get("theme") == "dark" {
		p.Theme = "dark"
	}
	c.Ways = []link{{p.lang.text("inframe.open"), "/"}}
	id, _, isOfDataset := strings.Cut(strings.TrimPrefix(p.r.URL.Path, "/api/datasets/"), "/")
	switch {
	case c.Status == http.StatusNotFound:
		c.Lead = "" // what it names helps programs
	case isOfDataset:
		c.Ways[0].Address = "/datasets/" + id
	}
}
