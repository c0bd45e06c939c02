package portal

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"

	"almanac/internal/people"
)

// isLink reports whether a reader follows a link of a page to a file: what browsers say of such requests.
func isLink(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Site") == "same-origin" && r.Header.Get("Sec-Fetch-Dest") == "document" &&
		strings.Contains(r.Header.Get("Accept"), "text/html")
}

// asVisitor returns a request in the name of the first account of whoever is signed in, against whose limit it then counts.
func (p *Portal) asVisitor(r *http.Request) (*http.Request, error) {
	if p.opts.People == nil {
		return r, nil
	}
	one, chosen := &page{Portal: p, r: r}, &accountPage{}
	v, err := one.visitor()
	if err != nil || v == nil || v.Stage != people.SignedIn {
		return r, err
	}
	if err := one.chooseAccount(v, chosen); err != nil || chosen.Account.ID == 0 {
		return r, err
	}
	return p.opts.InNameOf(r, p.opts.Access.CallerOf(chosen.Account)), nil
}

// sendLinked sends a file of the interface to which a link of a page leads. If the interface refuses it, the reader gets a page
// that says why.
func (p *Portal) sendLinked(w http.ResponseWriter, r *http.Request) {
	named, err := p.asVisitor(r)
	if err != nil {
		p.serve(func(*page) error { return err })(w, r)
		return
	}
	p.sendOrExplain(w, named, func(show func(*page) error) func(*page) error { return show })
}

// sendOrExplain sends what the interface replies. If that is an error, the reader gets a page that says it; as says which.
func (p *Portal) sendOrExplain(w http.ResponseWriter, r *http.Request, as func(func(*page) error) func(*page) error) {
	sent := &fileWriter{ResponseWriter: w}
	p.opts.Else.ServeHTTP(sent, r)
	if sent.status < http.StatusBadRequest {
		return
	}
	for _, name := range []string{"Content-Length", "Content-Type", "Content-Encoding"} {
		w.Header().Del(name)
	}
	p.serve(as(func(p *page) error {
		refused := newRefusal(sent.status, sent.body.Bytes())
		if refused.Status == http.StatusTooManyRequests {
			refused.Message, refused.isTranslated = p.lang.text("error.limit")+"; "+p.lang.text("error.limit.lead"), true
		}
		return refused
	}))(w, r)
}

// fileWriter keeps the body of an error, and passes on everything else.
type fileWriter struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (w *fileWriter) WriteHeader(status int) {
	w.status = status
	if status < http.StatusBadRequest {
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *fileWriter) Write(b []byte) (int, error) {
	if w.status >= http.StatusBadRequest {
		return w.body.Write(b)
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap is for [http.ResponseController].
func (w *fileWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// offerMore leads a reader whose limit is used up back to the page, and to what has a higher limit.
func (p *page) offerMore(c *failure) {
	if back, err := url.Parse(p.r.Referer()); err == nil && back.Path != "" {
		c.Ways = append(c.Ways, link{p.lang.text("form.back"), localPath(back.RequestURI())})
	}
	c.Ways = append(c.Ways, link{p.lang.text("guide.keys"), "/guide/keys"})
	if p.opts.People != nil {
		c.Ways = append(c.Ways, link{p.lang.text("signin"), "/signin"})
	}
	if p.MaySignUp() {
		c.Ways = append(c.Ways, link{p.lang.text("signup"), "/signup"})
	}
}
