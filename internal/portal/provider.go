package portal

import (
	"errors"
	"net/url"
	"strings"

	"almanac/internal/people"
	"almanac/internal/people/provider"
)

// SignInService is another service at which people sign in.
type SignInService struct {
	*provider.Provider        // nil: there is none
	Name               string // as people know it
	// Organisations are those that people join who sign in for the first time, by the domain of the
	// mail address that the service has verified, in lower case.
	Organisations map[string]string
}

// ReturnPath is the address to which the service leads browsers back.
const ReturnPath = "/signin/provider/return"

// identitiesPath is the page of a person's identities.
const identitiesPath = "/account/provider"

// errUnlinked is the error for an identity that is linked to nobody and may not join.
var errUnlinked = errors.New("no account is linked to the identity")

// identitiesPage is the content of the page of a person's identities.
type identitiesPage struct {
	Identities []people.Identity
	Sealed     string // an identity that is to be linked; empty: none
	New        provider.Identity
	Done       bool
	Error      string
}

// HasProvider reports whether people can sign in with another service.
func (p *page) HasProvider() bool { return p.opts.SignIn.Provider != nil && !p.isForAdmin() }

// ProviderName is the name of that service.
func (p *page) ProviderName() string { return p.opts.SignIn.Name }

// toProvider leads to the other service.
func (p *page) toProvider() error {
	c := &signInPage{To: p.target(), Again: p.r.Form.Get("again") != ""}
	address, sealed, err := p.opts.People.BeginIdentity(p.r.Context(), p.opts.SignIn.Provider, c.To, c.Again)
	if err != nil {
		return p.showProviderError(c, err)
	}
	p.setCookie(attemptCookie, sealed, people.AttemptLife)
	return p.leadTo(address)
}

// fromProvider is where the other service leads the browser back to.
func (p *page) fromProvider() error {
	sealed := p.cookie(p.r, attemptCookie)
	p.setCookie(attemptCookie, "", 0)
	a, err := p.opts.People.FinishIdentity(p.r.Context(), p.opts.SignIn.Provider, sealed, p.r.URL.Query())
	if err == nil {
		err = p.arrive(&a)
	}
	if err == nil {
		return nil
	}
	return p.showProviderError(&signInPage{To: localPath(a.To)}, err)
}

// showProviderError shows the page for signing in with what went wrong.
func (p *page) showProviderError(c *signInPage, err error) error {
	p.logFailure(err)
	p.template, p.Section, p.Title, p.Content = "signin", "account", p.lang.text("signin"), c
	if err := p.mend(err, &c.ProviderError); err != nil {
		return err
	}
	return p.offerPasskey(c)
}

// arrive signs in somebody who comes from the other service. Whoever is signed in and wants to link
// the identity is asked first.
func (p *page) arrive(a *people.Arrival) error {
	v, err := p.visitor()
	if err != nil {
		return err
	}
	if a.To == identitiesPath && v != nil && v.Stage == people.SignedIn && a.Person.ID != v.Person.ID {
		p.IsSignedIn = true
		c := &identitiesPage{New: a.Identity}
		c.Sealed, err = p.opts.People.SealIdentity(v.Person.ID, a.Identity)
		p.showIdentities(c)
		return err
	}
	if a.Person.ID == "" {
		if a.Person, err = p.joinFrom(a); err != nil {
			return err
		}
	}
	return p.enter(&proof{person: a.Person, to: localPath(a.To), isAgain: a.IsAgain, isStale: a.IsStale})
}

// joinFrom adds somebody new, who comes with an invitation or from the domain of an organisation.
func (p *page) joinFrom(a *people.Arrival) (people.Person, error) {
	ctx, register := p.r.Context(), p.opts.People
	if token, isInvited := strings.CutPrefix(a.To, "/join/"); isInvited {
		a.To = "/account"
		return register.JoinWithIdentity(ctx, token, a)
	}
	_, domain, _ := strings.Cut(strings.ToLower(a.Mail), "@")
	name := p.opts.SignIn.Organisations[domain]
	if name == "" {
		return people.Person{}, errUnlinked
	}
	organisation, err := p.opts.Access.CreateOrganisationAccount(ctx, name)
	if err != nil {
		return people.Person{}, err
	}
	return register.JoinByDomain(ctx, organisation.ID, a)
}

func (p *page) showIdentities(c *identitiesPage) {
	title := p.lang.text("provider", "name", p.ProviderName())
	p.template, p.Section, p.Title, p.Content = "provider", "account", title, c
	p.Trail = []link{{p.lang.text("account"), "/account"}, {title, ""}}
}

// identities is the page where people link and unlink how they sign in with the other service.
func (p *page) identities(v *visitor) (err error) {
	ctx, register := p.r.Context(), p.opts.People
	c := &identitiesPage{Done: p.r.URL.Query().Get("done") != ""}
	if p.isPost() {
		if p.field("do") == "unlink" {
			err = register.UnlinkIdentity(ctx, v.Person, p.field("issuer"), p.field("subject"))
		} else {
			err = register.LinkIdentity(ctx, v.Person.ID, p.field("secret"))
		}
		if err == nil {
			return p.leave(identitiesPath + "?" + url.Values{"done": {"yes"}}.Encode())
		}
		if err := p.mend(err, &c.Error); err != nil {
			return err
		}
	}
	p.showIdentities(c)
	c.Identities, err = register.Identities(ctx, v.Person.ID)
	return err
}
