package portal

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	textlanguage "golang.org/x/text/language"

	"almanac/internal/stat"
)

// page is a request for a page, and what all templates show around their content.
type page struct {
	*Portal
	r        *http.Request
	w        http.ResponseWriter
	lang     *language
	reader   Interface // what the page reads
	status   int
	topics   map[string]string // their names by code, see [page.topicName]
	sel      string            // the hash of the stored selection that the page shows; empty: it is in the address
	template string            // the file in templates/, without its extension

	Title   string
	Section string // of the navigation: "datasets", "areas"
	Trail   []link // the way to the page
	Aside   string // on the right of the trail
	Query   string // in the search field
	Theme   string // "light", "dark"; empty: that of the system
	Content any    // of the template of the page
	IsHome  bool
	Card    *card  // nil: there is none
	Feed    string // the address of the page's feed, without its extension; empty: there is none

	IsSignedIn bool // somebody is, and may sign out
	IsAdmin    bool // who is signed in is an operator
	IsFramed   bool // pages of others may show it in a frame
	isPrivate  bool // nobody keeps a copy
}

// link is a text that may lead somewhere.
type link struct{ Text, Address string }

// Code, Languages and Here are for templates.
func (p *page) Code() string           { return p.lang.Code }
func (p *page) Languages() []*language { return p.languages }

// Here is the address of the page, to come back to.
func (p *page) Here() string { return p.r.URL.RequestURI() }

// HasAccounts reports whether people can sign in.
func (p *page) HasAccounts() bool { return p.opts.People != nil }

// csp allows what pages load: their own files, and pictures of this service.
const csp = "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// serve returns the handler of a page.
func (p *Portal) serve(show func(*page) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		one := &page{Portal: p, r: r, w: w, reader: p.opts.Interface, status: http.StatusOK, lang: p.languageOf(r), Theme: p.cookie(r, "theme")}
		one.keepLanguage()
		if err := show(one); err != nil {
			if r.Context().Err() != nil { // nobody waits for it: the reader has chosen something else meanwhile
				p.opts.Log.Debug("a page was given up", "address", r.URL.Path, "error", err)
				panic(http.ErrAbortHandler)
			}
			one.fail(err)
		}
		one.send()
	}
}

// send executes the template and sends the page, or 304 if the reader has it.
func (p *page) send() {
	if p.template == "" {
		return // sent already
	}
	var body bytes.Buffer
	if err := p.lang.templates.ExecuteTemplate(&body, p.template+".html", p); err != nil {
		p.opts.Log.Error("writing a page failed", "page", p.template, "address", p.r.URL.Path, "error", err)
		http.Error(p.w, "the page could not be written", http.StatusInternalServerError)
		return
	}
	h := p.w.Header()
	h.Set("Content-Security-Policy", csp)
	if p.IsFramed {
		h.Set("Content-Security-Policy", strings.TrimSuffix(csp, "; frame-ancestors 'none'"))
	}
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	if p.isPrivate {
		h.Set("Referrer-Policy", "no-referrer") // addresses of invitations are secret
	}
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Add("Vary", "Cookie, Accept-Language")
	p.sendFile("text/html; charset=utf-8", body.Bytes())
}

// sendFile sends what was made for the request, or 304 if the reader has it.
func (p *page) sendFile(kind string, body []byte) {
	h := p.w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Language", p.lang.Code)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-cache")
	if p.isPrivate {
		h.Set("Cache-Control", "no-store")
	}
	if p.status == http.StatusOK && !p.isPrivate {
		sum := sha256.Sum256(body)
		tag := `W/"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
		h.Set("ETag", tag)
		if hasTag(p.r.Header.Values("If-None-Match"), tag) {
			p.w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	p.w.WriteHeader(p.status)
	p.w.Write(body)
}

// hasTag reports whether the lines of If-None-Match name a tag. Weak and strong tags are the same
// here, because proxies change the one into the other.
func hasTag(lines []string, tag string) bool {
	for _, line := range lines {
		for one := range strings.SplitSeq(line, ",") {
			one = strings.TrimSpace(one)
			if one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
	}
	return false
}

// languageOf chooses the language of a page: that of the address, else of the cookie, else of
// Accept-Language, else English.
func (p *Portal) languageOf(r *http.Request) *language {
	for _, chosen := range []string{r.URL.Query().Get("lang"), p.cookie(r, "lang")} {
		if i := slices.IndexFunc(p.languages, func(l *language) bool { return l.Code == chosen }); i >= 0 {
			return p.languages[i]
		}
	}
	wanted, _, _ := textlanguage.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	_, i, confidence := p.matcher.Match(wanted...)
	if confidence == textlanguage.No {
		i = 0
	}
	return p.languages[i]
}

// keepLanguage has the browser remember the language that the address chooses until it is closed, so that the next page has it as
// well. A language that the reader chose stays.
func (p *page) keepLanguage() {
	isChosen := p.r.URL.Query().Get("lang") == p.lang.Code && !isEmbed(p.r)
	if isChosen && p.cookie(p.r, "lang") == "" && strings.Contains(p.r.Header.Get("Accept"), "text/html") {
		p.setCookie("lang", p.lang.Code, 0)
		p.w.Header().Set("Cache-Control", "private, no-cache") // also of redirects
	}
}

// redirect sends the reader to another page, in the language that the address of this one chooses.
func (p *page) redirect(address string, status int) {
	if chosen := p.r.URL.Query().Get("lang"); chosen != "" {
		sep := "?"
		if strings.Contains(address, sep) {
			sep = "&"
		}
		address += sep + url.Values{"lang": {chosen}}.Encode()
	}
	http.Redirect(p.w, p.r, address, status)
}

// preferenceLife is how long a browser keeps a preference, in seconds.
const preferenceLife = 365 * 24 * 3600

// setPreference stores the theme or language that a reader chose, and leads back to the page.
func (p *Portal) setPreference(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	query := r.URL.Query()
	for name, allowed := range map[string][]string{"theme": {"", "light", "dark"}, "lang": p.codes()} {
		if values, ok := query[name]; ok && slices.Contains(allowed, values[0]) {
			http.SetCookie(w, p.newCookie(r, name, values[0], preferenceLife))
		}
	}
	http.Redirect(w, r, localPath(query.Get("to")), http.StatusSeeOther)
}

func (p *Portal) codes() []string {
	var codes []string
	for _, l := range p.languages {
		codes = append(codes, l.Code)
	}
	return codes
}

// localPath returns an address of this service, or that of the first page.
func localPath(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") || strings.Contains(u.Path, `\`) {
		return "/"
	}
	return u.RequestURI()
}

func upperFirst(text string) string {
	if text == "" {
		return ""
	}
	first := []rune(text)[0]
	return strings.ToUpper(string(first)) + text[len(string(first)):]
}

// known returns the parameters of the page without empty ones and the language. Another one than those of the page is an error, whose
// message has its name.
func (p *page) known(message string, names ...string) (url.Values, error) {
	query := without(p.r.URL.Query())
	delete(query, "lang")
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !slices.Contains(names, name) {
			return nil, stat.Errorf(stat.Invalid, message, name)
		}
	}
	return query, nil
}
