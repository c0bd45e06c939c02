package portal

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
)

// isLink reports whether a reader follows a link of a page to a file: what browsers say of such requests.
func isLink(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Site") == "same-origin" && r.Header.Get("Sec-Fetch-Dest") == "document" &&
		strings.Contains(r.Header.Get("Accept"), "text/html")
}

// sendLinked sends a file of the interface to which a link of a page leads. If the interface refuses it, the reader gets a page
// that says why.
func (p *Portal) sendLinked(w http.ResponseWriter, r *http.Request) {
	sent := &fileWriter{ResponseWriter: w}
	p.opts.Else.ServeHTTP(sent, r)
	if sent.status < http.StatusBadRequest {
		return
	}
	for _, name := range []string{"Content-Length", "Content-Type", "Content-Encoding"} {
		w.Header().Del(name)
	}
	p.serve(func(p *page) error {
		refused := newRefusal(sent.status, sent.body.Bytes())
		if refused.Status == http.StatusTooManyRequests {
			refused.Message, refused.isTranslated = p.lang.text("error.limit")+"; "+p.lang.text("error.limit.lead"), true
		}
		return refused
	})(w, r)
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
	if p.MaySignUp() {
		c.Ways = append(c.Ways, link{p.lang.text("signup"), "/signup"})
	}
}
