package portal

import (
	"cmp"
	"errors"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/access"
	"almanac/internal/people"
	"almanac/internal/people/provider"
	"almanac/internal/stat"
)

// visitor is somebody who is signed in, or who has still to give the second factor.
type visitor struct {
	people.Session
	Person people.Person
}

// Cookies of people who sign in. Over HTTPS, their names begin so that browsers accept them from
// this service only, whole and encrypted.
const (
	sessionCookie = "almanac-session"
	browserCookie = "almanac-browser" // of a browser that is not asked for the second factor
	targetCookie  = "almanac-target"  // of somebody who makes an account: where they wanted to go
	attemptCookie = "almanac-attempt" // of an attempt to sign in with another service
	hostPrefix    = "__Host-"
)

// maxForm is the largest form.
const maxForm = 64 << 10

// addAccounts adds the pages for people who sign in. A form is sent to the address of the page that
// has it, so that it can be shown again.
func (p *Portal) addAccounts() (err error) {
	if p.opts.People == nil {
		return nil
	}
	if p.passkeys, err = people.NewPasskeys(p.opts.People, p.opts.BaseURL); err != nil {
		return err
	}
	pages := map[string]func(*page) error{
		"/signin":            (*page).signIn,
		"/signin/code":       (*page).signInCode,
		"/join/{token}":      (*page).join,
		"/account":           signedIn((*page).account),
		"/account/keys/new":  signedIn(fresh((*page).newKey)),
		"/account/keys/{id}": signedIn(fresh((*page).key)),
		"/account/follow":    signedIn((*page).follow),
		"/account/webhooks":  signedIn((*page).webhooks),
		"/account/changes":   signedIn((*page).showChanges),
		factorPath:           signedIn(fresh((*page).factor)),
		"/account/password":  signedIn(fresh((*page).password)),
		"/admin":             signedIn(admins(fresh((*page).admin))),
		"/account/delete":    signedIn(fresh((*page).deletion)),
	}
	if p.passkeys != nil {
		pages["/signin/passkey"] = (*page).signInWithPasskey
		pages["/account/passkeys"] = signedIn(fresh((*page).ownPasskeys))
	}
	if p.opts.SignIn.Provider != nil {
		pages[identitiesPath] = signedIn(fresh((*page).identities))
		p.pages.HandleFunc("GET /signin/provider", p.serve(private((*page).toProvider)))
		p.pages.HandleFunc("GET "+ReturnPath, p.serve(private((*page).fromProvider)))
	}
	if p.opts.Mail != nil {
		pages["/signin/reset"] = (*page).resetByMail
		if p.opts.FreeAccounts > 0 {
			pages["/signup"] = (*page).signUp
		}
	}
	if p.opts.Notices != nil {
		p.addNotices()
	}
	for address, show := range pages {
		p.pages.HandleFunc("GET "+address, p.serve(private(show)))
		p.pages.HandleFunc("POST "+address, p.serve(private(show)))
	}
	p.pages.HandleFunc("GET /admin/held/{dataset}", p.serve(private(signedIn(admins(fresh((*page).held))))))
	p.pages.HandleFunc("GET /account/export", p.serve(private(signedIn((*page).export))))
	p.pages.HandleFunc("POST /signout", p.serve(private((*page).signOut)))
	return nil
}

// signedIn shows a page to people who are signed in, and asks others to sign in.
func signedIn(show func(*page, *visitor) error) func(*page) error {
	return func(p *page) error {
		v, err := p.visitor()
		switch {
		case err != nil:
			return err
		case v == nil || v.Stage != people.SignedIn:
			return p.askToSignIn("/signin?to=")
		case p.opts.RequireFactor && v.Person.Factor == "" && p.r.URL.Path != factorPath:
			return p.leadTo(factorPath)
		}
		p.IsSignedIn, p.Section = true, "account"
		p.IsAdmin = v.Person.IsAdmin && (!p.opts.OwnAdmin || p.isForAdmin())
		return show(p, v)
	}
}

// addNotices adds the addresses for people who are told of changes. They are secret and need no
// signing in.
func (p *Portal) addNotices() {
	for address, show := range map[string]func(*page) error{
		"GET /unsubscribe/{token}":           (*page).unsubscribe,
		"POST /unsubscribe/{token}":          (*page).unsubscribe,
		"GET /followed/{token}/feed.atom":    (*page).followedFeed,
		"GET /followed/{token}/feed.json":    (*page).followedFeed,
		"GET /followed/{token}/calendar.ics": (*page).followedCalendar,
	} {
		p.pages.HandleFunc(address, p.serve(private(show)))
	}
}

// protect refuses requests that change something and come from pages of others.
func (p *Portal) protect(pages http.Handler) (http.Handler, error) {
	protection := http.NewCrossOriginProtection()
	if base, err := url.Parse(p.opts.BaseURL); err == nil && base.Host != "" {
		// Behind a proxy, the service may know another name of itself than browsers.
		if err := protection.AddTrustedOrigin(base.Scheme + "://" + base.Host); err != nil {
			return nil, err
		}
	}
	protection.SetDenyHandler(p.serve(func(p *page) error {
		p.w.Header().Add("Vary", "Sec-Fetch-Site, Origin")
		return p.refuse(http.StatusForbidden, p.lang.text("error.origin"))
	}))
	return protection.Handler(pages), nil
}

// Headers of all responses. Pages and charts replace the policy, which allows nothing.
var (
	noSniff     = []string{"nosniff"}
	noContent   = []string{"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}
	noReferrer  = []string{"strict-origin-when-cross-origin"}
	onlyOverTLS = []string{"max-age=31536000; includeSubDomains"} // for a year
)

// protectResponse sets the headers of all responses, also of the interface.
func (p *Portal) protectResponse(h http.Header, r *http.Request) {
	h["X-Content-Type-Options"], h["Referrer-Policy"], h["Content-Security-Policy"] = noSniff, noReferrer, noContent
	if p.opts.Public && p.isEncrypted(r) {
		h["Strict-Transport-Security"] = onlyOverTLS
	}
}

// private shows a page that nobody keeps a copy of, over HTTPS if the service is public.
func private(show func(*page) error) func(*page) error {
	return func(p *page) error {
		p.isPrivate = true
		if p.opts.Public && !p.isEncrypted(p.r) && !p.isForAdmin() {
			return p.refuse(http.StatusForbidden, p.lang.text("error.plain"))
		}
		p.r.Body = http.MaxBytesReader(p.w, p.r.Body, maxForm)
		if err := p.r.ParseForm(); err != nil {
			return p.refuse(http.StatusBadRequest, p.lang.text("error.form"))
		}
		return show(p)
	}
}

// isPost reports whether the request sends a form.
func (p *page) isPost() bool { return p.r.Method == http.MethodPost }

// field returns a field of the form, which an address can fill in as well, unless it is secret.
func (p *page) field(name string) string {
	if p.isPost() {
		return p.r.PostForm.Get(name)
	}
	if slices.Contains(secretFields, name) {
		return ""
	}
	return p.r.Form.Get(name)
}

// secretFields are fields of forms that never become a part of an address. "do" is none, but what
// it causes must be chosen again.
var secretFields = []string{"password", "new", "code", "secret", "answer", "do", "once"}

// fresh shows a page to people who have proved lately who they are. Others sign in again: who finds a
// browser open must not be able to take over an account.
func fresh(show func(*page, *visitor) error) func(*page, *visitor) error {
	return func(p *page, v *visitor) error {
		if !p.opts.People.IsFresh(&v.Session) {
			return p.askToSignIn("/signin?again=yes&to=")
		}
		if p.isPost() {
			p.opts.Log.Info("somebody sent a form that needs a fresh check", "person", v.Person.ID, "page", p.r.Pattern)
		}
		return show(p, v)
	}
}

// askToSignIn leads to the page for it, and from there back to this one. The form that was sent is
// filled in again.
func (p *page) askToSignIn(at string) error {
	to := p.r.URL.Path
	query := p.r.URL.Query()
	if p.isPost() {
		query = url.Values{}
		for name, values := range p.r.PostForm {
			if !slices.Contains(secretFields, name) {
				query[name] = values
			}
		}
	}
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	address := at + url.QueryEscape(to)
	if p.isPost() {
		address += "&kept=yes"
	}
	return p.leadTo(address)
}

// leadTo answers with another address.
func (p *page) leadTo(address string) error {
	p.w.Header().Set("Cache-Control", "no-store")
	http.Redirect(p.w, p.r, address, http.StatusSeeOther)
	return nil
}

// clientAddress is the address of the reader.
func (p *page) clientAddress() netip.Addr {
	header := http.CanonicalHeaderKey(cmp.Or(p.opts.Proxies.Header, "X-Forwarded-For"))
	return p.opts.Proxies.Client(peerOf(p.r), p.r.Header[header])
}

func peerOf(r *http.Request) netip.Addr {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	return peer.Addr()
}

// network is where guesses come from.
func (p *page) network() netip.Prefix { return access.Network(p.clientAddress()) }

func (p *Portal) isEncrypted(r *http.Request) bool {
	return p.opts.Proxies.IsEncrypted(peerOf(r), r.Header["X-Forwarded-Proto"], r.TLS != nil)
}

// visitor returns who is signed in, nil if nobody is.
func (p *page) visitor() (*visitor, error) {
	token := p.cookie(p.r, sessionCookie)
	if token == "" {
		return nil, nil
	}
	session, person, err := p.opts.People.Session(p.r.Context(), token)
	if errors.Is(err, people.ErrSession) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &visitor{session, person}, nil
}

// signedInVisitor returns who is signed in, for a page that is also for others; nil if nobody is, as far as is known.
func (p *page) signedInVisitor() (*visitor, error) {
	if p.opts.People == nil || p.opts.Public && !p.isEncrypted(p.r) {
		return nil, nil
	}
	v, err := p.visitor()
	if err != nil || v == nil || v.Stage != people.SignedIn {
		return nil, err
	}
	return v, nil
}

// startSession signs a person in, in a new session, and ends the one before.
func (p *page) startSession(person string, stage people.Stage, isFresh bool) error {
	before, err := p.visitor()
	if err != nil {
		return err
	}
	token, session, err := p.opts.People.StartSession(p.r.Context(), person, stage, isFresh, p.client())
	if err != nil {
		return err
	}
	p.setCookie(sessionCookie, token, 0)
	if before != nil {
		if err := p.opts.People.EndSession(p.r.Context(), before.Session.Person, before.ID); err != nil && stat.KindOf(err) != stat.NotFound {
			return err
		}
	}
	p.opts.Log.Info("somebody signed in", "person", session.Person, "stage", string(stage), "page", p.r.Pattern)
	return nil
}

// cookie returns the value of a cookie; empty: the browser has none.
func (p *Portal) cookie(r *http.Request, name string) string {
	c, err := r.Cookie(p.cookieName(r, name))
	if err != nil {
		return ""
	}
	return c.Value
}

func (p *Portal) cookieName(r *http.Request, name string) string {
	if p.isEncrypted(r) {
		return hostPrefix + name
	}
	return name
}

// setCookie sets a cookie for some seconds, or until the browser closes if they are 0. An empty
// value deletes it.
func (p *page) setCookie(name, value string, seconds int) {
	if value == "" {
		seconds = -1
	}
	http.SetCookie(p.w, p.newCookie(p.r, name, value, seconds))
}

func (p *Portal) newCookie(r *http.Request, name, value string, seconds int) *http.Cookie {
	return &http.Cookie{Name: p.cookieName(r, name), Value: value, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: p.isEncrypted(r), SameSite: http.SameSiteLaxMode}
}

// client describes the browser for the list of sessions.
func (p *page) client() people.Client {
	family := "IPv6"
	if p.clientAddress().Is4() {
		family = "IPv4"
	}
	return people.Client{Family: family, Browser: browserOf(p.r.UserAgent())}
}

// Names of browsers and systems, in the order in which they are looked for: many browsers also name
// those that they are like.
var (
	browserMarks = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"Vivaldi/", "Vivaldi"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"}, {"CriOS/", "Chrome"}, {"Chromium/", "Chromium"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}}
	systemMarks  = [][2]string{{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"}}
)

// browserOf returns a browser in words: "Firefox, Windows".
func browserOf(agent string) string {
	find := func(marks [][2]string) string {
		for _, m := range marks {
			if strings.Contains(agent, m[0]) {
				return m[1]
			}
		}
		return ""
	}
	browser, system := find(browserMarks), find(systemMarks)
	if browser != "" && system != "" {
		return browser + ", " + system
	}
	return browser + system
}

// explain returns what a reader is told of an error that they can mend, and sets the status of the
// page. It returns false for other errors.
func (p *page) explain(err error) (text string, ok bool) {
	if w, isWait := errors.AsType[*people.WaitError](err); isWait {
		p.logFailure(err)
		seconds := int(math.Ceil(w.Wait.Seconds()))
		p.status = http.StatusTooManyRequests
		p.w.Header().Set("Retry-After", strconv.Itoa(seconds))
		if minutes := (seconds + 59) / 60; minutes > 2 {
			return p.lang.text("guess.minutes", "n", minutes), true
		}
		return p.lang.text("guess.wait", "n", seconds), true
	}
	p.status = http.StatusBadRequest
	switch {
	case errors.Is(err, people.ErrPassword):
		p.logFailure(err)
		return p.lang.text("signin.wrong"), true
	case errors.Is(err, people.ErrCode):
		p.logFailure(err)
		return p.lang.text("code.wrong"), true
	case errors.Is(err, people.ErrPasskey):
		p.logFailure(err)
		return p.lang.text("passkey.wrong"), true
	case errors.Is(err, provider.ErrAnswer):
		return p.lang.text("provider.wrong", "name", p.ProviderName()), true
	case errors.Is(err, provider.ErrRefused):
		return p.lang.text("provider.refused", "name", p.ProviderName()), true
	case errors.Is(err, errUnlinked):
		return p.lang.text("provider.unlinked", "name", p.ProviderName()), true
	}
	if status, isKnown := statuses[stat.KindOf(err)]; isKnown {
		p.status = status
		return p.sentence(messageOf(err)), true
	}
	p.status = http.StatusOK
	return "", false
}

// logFailure logs that somebody could not prove who they are.
func (p *page) logFailure(err error) {
	p.opts.Log.Warn("a sign-in failed", "page", p.r.Pattern, "network", p.network(), "error", err)
}

// statuses are those of errors that readers can mend.
var statuses = map[stat.Kind]int{
	stat.Invalid: http.StatusBadRequest, stat.NotFound: http.StatusNotFound, stat.Conflict: http.StatusConflict, stat.Unavailable: http.StatusServiceUnavailable,
}

// messageOf returns what an error with a kind says to readers, without its cause.
func messageOf(err error) string {
	if e, ok := errors.AsType[*stat.Error](err); ok {
		return e.Message
	}
	return err.Error()
}
