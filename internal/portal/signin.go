package portal

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"almanac/internal/people"
)

// signInPage is the content of the pages for signing in.
type signInPage struct {
	To       string // where the reader wants to go
	Mail     string
	Error    string
	Recovery bool // a recovery code is asked for
	Again    bool // who is signed in proves it again
	Ended    bool // the session of the browser has ended
	Kept     bool // a form was sent, and comes back

	Challenge    challenge // for a passkey
	PasskeyError string

	NoPassword    bool // who is signed in has none
	ProviderError string
}

// IsToFollow reports whether the reader wants to follow a dataset.
func (c *signInPage) IsToFollow() bool { return strings.HasPrefix(c.To, "/account/follow?") }

// Feed is the address of the feed of the dataset that the reader wants to follow, without its extension; empty: none.
func (c *signInPage) Feed() string {
	to, err := url.Parse(c.To)
	if err != nil || !c.IsToFollow() {
		return ""
	}
	id, err := strconv.Atoi(to.Query().Get("dataset"))
	if err != nil {
		return ""
	}
	return feedAddress(id)
}

// target is the address of this service that a reader wants to go to after signing in.
func (p *page) target() string {
	if to := localPath(p.r.Form.Get("to")); to != "/" {
		return to
	}
	return "/account"
}

// signIn is the page that asks for mail address and password.
func (p *page) signIn() error {
	c := &signInPage{To: p.target(), Mail: p.field("mail"), Again: p.r.Form.Get("again") != "", Kept: p.r.Form.Get("kept") != ""}
	p.template, p.Section, p.Title, p.Content = "signin", "account", p.lang.text("signin"), c
	v, err := p.visitor()
	switch {
	case err != nil:
		return err
	case v == nil || v.Stage != people.SignedIn:
		c.Again, c.Ended = false, v == nil && p.cookie(p.r, sessionCookie) != ""
	case c.Again:
		p.Title, c.Mail, c.NoPassword = p.lang.text("again"), v.Person.Mail, v.Person.Password == ""
	case !p.isPost():
		return p.leave(c.To)
	}
	if !p.isPost() {
		return p.offerPasskey(c)
	}
	person, err := p.opts.People.CheckPassword(p.r.Context(), c.Mail, p.field("password"), p.network())
	if err == nil {
		return p.enter(&proof{person: person, to: c.To, isAgain: c.Again})
	}
	if err := p.mend(err, &c.Error); err != nil {
		return err
	}
	return p.offerPasskey(c)
}

// mend shows the page again with what is wrong, if it is an error that the reader can mend.
func (p *page) mend(err error, into *string) error {
	text, ok := p.explain(err)
	if !ok {
		return err
	}
	*into = text
	return nil
}

// leave leads to another address instead of showing the page.
func (p *page) leave(address string) error {
	p.template = ""
	return p.leadTo(address)
}

// proof is what somebody has proved: who they are, but for the second factor.
type proof struct {
	person  people.Person
	to      string // where the reader wants to go
	isAgain bool   // who is signed in proves it again: the second factor is asked for in every browser
	isStale bool   // that was proved some time ago
}

// enter signs a person in. The second factor is asked for, unless the browser is known.
func (p *page) enter(e *proof) error {
	stage, to, isKnown, hasFactor := people.SignedIn, e.to, false, e.person.Factor != ""
	if token := p.cookie(p.r, browserCookie); hasFactor && !e.isAgain && token != "" {
		var err error
		if isKnown, err = p.opts.People.TrustsBrowser(p.r.Context(), token, e.person.ID); err != nil {
			return err
		}
	}
	if hasFactor && !isKnown {
		stage, to = people.PasswordOnly, "/signin/code?to="+url.QueryEscape(to)
	}
	if err := p.startSession(e.person.ID, stage, !isKnown && !e.isStale); err != nil {
		return err
	}
	return p.leave(to)
}

// signInCode is the page that asks for the second factor.
func (p *page) signInCode() error {
	c := &signInPage{To: p.target(), Recovery: p.r.Form.Get("with") == "recovery"}
	v, err := p.visitor()
	switch {
	case err != nil:
		return err
	case v == nil:
		return p.leadTo("/signin?to=" + url.QueryEscape(c.To))
	case v.Stage == people.SignedIn:
		return p.leadTo(c.To)
	}
	p.template, p.Section, p.Title, p.Content = "code", "account", p.lang.text("code"), c
	if !p.isPost() {
		return nil
	}
	if err := p.opts.People.CheckCode(p.r.Context(), &v.Person, p.field("code"), p.network()); err != nil {
		return p.mend(err, &c.Error)
	}
	if p.field("remember") != "" {
		token, err := p.opts.People.TrustBrowser(p.r.Context(), v.Person.ID)
		if err != nil {
			return err
		}
		p.setCookie(browserCookie, token, int(people.BrowserLife.Seconds()))
	}
	if err := p.startSession(v.Person.ID, people.SignedIn, !v.Checked.IsZero()); err != nil {
		return err
	}
	return p.leave(c.To)
}

// signOut ends the session.
func (p *page) signOut() error {
	v, err := p.visitor()
	if err != nil {
		return err
	}
	if v != nil {
		if err := p.opts.People.EndSession(p.r.Context(), v.Person.ID, v.ID); err != nil {
			return err
		}
	}
	p.setCookie(sessionCookie, "", 0)
	return p.leadTo("/")
}

// joinPage is the content of the page of an invitation.
type joinPage struct {
	Invitation   people.Invitation
	Organisation string
	Account      string // of the organisation
	Name         string
	Error        string
	Wrong        string // the field with the error; empty: it is of none
	IsReset      bool   // a new password is all that it is for
	IsSignUp     bool   // the person founds an organisation, and names it
	IsKnown      bool   // the person has signed in before
	IsSignedIn   bool   // as that person
	SignIn       string
}

// join is the page of an invitation: a new person chooses a name and a password, one who has
// signed in before only agrees.
func (p *page) join() error {
	token := p.r.PathValue("token")
	i, person, err := p.opts.People.Invitation(p.r.Context(), token)
	if err != nil {
		return err
	}
	v, err := p.visitor()
	if err != nil {
		return err
	}
	c := &joinPage{Invitation: i, Name: p.field("name"), IsReset: i.Purpose == people.ToReset || i.Purpose == people.ToPassword, IsSignUp: i.Purpose == people.ToSignUp, IsKnown: person.ID != ""}
	c.IsSignedIn = c.IsKnown && v != nil && v.Stage == people.SignedIn && v.Person.ID == person.ID
	c.SignIn = "/signin?mail=" + url.QueryEscape(i.Mail) + "&to=" + url.QueryEscape(p.r.URL.Path)
	accounts, err := p.opts.Access.AccountsOf(p.r.Context(), i.Organisation)
	if err != nil {
		return err
	}
	if len(accounts) > 0 {
		c.Organisation, c.Account = accounts[0].Organisation, accounts[0].Name
	}
	p.template, p.Section, p.Content = "join", "account", c
	p.Title = p.lang.text("join", "organisation", c.Organisation)
	switch {
	case c.IsReset:
		p.Title = p.lang.text("join.reset")
	case c.IsSignUp:
		p.Title, c.Organisation = p.lang.text("signup"), p.field("organisation")
	}
	if !p.isPost() {
		return nil
	}
	switch {
	case c.IsReset:
		person, err = p.opts.People.ResetPassword(p.r.Context(), token, p.field("password"))
	case c.IsSignedIn:
		err = p.opts.People.JoinAs(p.r.Context(), token, person)
	default:
		person, err = p.opts.People.Join(p.r.Context(), token, c.Name, p.field("password"), func() (int64, error) {
			account, err := p.opts.Access.Found(p.r.Context(), c.Organisation)
			if err != nil {
				c.Wrong = "organisation"
			}
			return account.OrganisationID, err
		})
	}
	switch {
	case err != nil:
		c.setWrong(err)
		return p.mend(err, &c.Error)
	case c.IsSignedIn:
		return p.leave("/account?account=" + url.QueryEscape(c.Account))
	}
	to := p.cookie(p.r, targetCookie)
	if to != "" {
		p.setCookie(targetCookie, "", 0)
	}
	return p.enter(&proof{person: person, to: localPath(cmp.Or(to, "/account"))})
}

// setWrong sets the field that an error is of, unless it is known.
func (c *joinPage) setWrong(err error) {
	for _, field := range []string{"password", "name"} {
		if c.Wrong == "" && strings.HasPrefix(messageOf(err), "the "+field) { // as messages on a field begin
			c.Wrong = field
		}
	}
}

// organisationName returns the name of an organisation of the register of callers.
func (p *page) organisationName(id int64) (string, error) {
	accounts, err := p.opts.Access.AccountsOf(p.r.Context(), id)
	if err != nil || len(accounts) == 0 {
		return "", err
	}
	return accounts[0].Organisation, nil
}
