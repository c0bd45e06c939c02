package portal

import (
	"almanac/internal/people"
)

// passkeysPage is the content of the page of a person's passkeys.
type passkeysPage struct {
	Passkeys  []people.Passkey
	Challenge challenge
	Name      string // of a new one
	Done      bool
	Error     string
}

// challenge is what a device answers to.
type challenge struct {
	Options string // for the device: JSON
	Sealed  string // for the form that carries the answer
}

// HasPasskeys reports whether people can sign in with passkeys.
func (p *page) HasPasskeys() bool { return p.passkeys != nil }

// signInWithPasskey signs in whoever's passkey a device has used.
func (p *page) signInWithPasskey() error {
	c := &signInPage{To: p.target()}
	if !p.isPost() {
		return p.leadTo("/signin")
	}
	person, err := p.passkeys.SignIn(p.r.Context(), p.field("secret"), p.field("answer"), p.network())
	if err == nil {
		if err := p.startSession(person.ID, people.SignedIn, true); err != nil {
			return err
		}
		return p.leadTo(c.To)
	}
	p.template, p.Section, p.Title, p.Content = "signin", "account", p.lang.text("signin"), c
	if err := p.mend(err, &c.PasskeyError); err != nil {
		return err
	}
	return p.offerPasskey(c)
}

// offerPasskey makes a challenge for the page for signing in.
func (p *page) offerPasskey(c *signInPage) (err error) {
	if p.passkeys != nil {
		c.Challenge.Options, c.Challenge.Sealed, err = p.passkeys.BeginSignIn()
	}
	return err
}

// ownPasskeys is the page where people add and remove passkeys.
func (p *page) ownPasskeys(v *visitor) (err error) {
	ctx := p.r.Context()
	c := &passkeysPage{Name: p.field("name")}
	p.template, p.Title, p.Content = "passkeys", p.lang.text("passkeys"), c
	p.Trail = []link{{p.lang.text("account"), "/account"}, {p.Title, ""}}
	if p.isPost() {
		if p.field("do") == "remove" {
			err = p.opts.People.RemovePasskey(ctx, v.Person.ID, p.field("passkey"))
		} else {
			err = p.passkeys.Add(ctx, v.Person, p.field("secret"), p.field("answer"), c.Name)
		}
		if err == nil {
			return p.leave("/account/passkeys?done=yes")
		}
		if err := p.mend(err, &c.Error); err != nil {
			return err
		}
	}
	c.Done = p.r.URL.Query().Get("done") != ""
	if c.Passkeys, err = p.opts.People.Passkeys(ctx, v.Person.ID); err != nil {
		return err
	}
	c.Challenge.Options, c.Challenge.Sealed, err = p.passkeys.Begin(ctx, v.Person)
	return err
}
