package portal

import (
	"bytes"
	"encoding/base64"
	"html/template"
	"image/png"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/access"
	"almanac/internal/people"
)

// personPage is the content of the pages on which people change how they sign in.
type personPage struct {
	Person      people.Person
	Error       string
	Wrong       string       // the field with the error
	Codes       []string     // recovery codes that were just made; shown once
	Sealed      string       // the secret of a new second factor, encrypted
	Secret      string       // the same, to be typed into an app
	Picture     template.URL // the same, to be read by a camera
	MinPassword int
	OnlyMember  []string // organisations of which nobody else is a member
	OnlyOwner   []link   // the members of organisations with others, of whom none is an owner
}

// pictureSize is the size of the picture of a second factor, in pixels.
const pictureSize = 232

// factorPath is the address of the page of the second factor.
const factorPath = "/account/factor"

// factor is the page that sets up or removes a second factor.
func (p *page) factor(v *visitor) error {
	c := &personPage{Person: v.Person}
	p.showPerson("factor", c)
	if p.isPost() {
		err := p.changeFactor(v, c)
		if err == nil && c.Codes == nil {
			return p.leave("/account?done=factor#name")
		}
		if err != nil {
			if err := p.mend(err, &c.Error); err != nil {
				return err
			}
		}
	}
	if v.Person.Factor != "" || c.Codes != nil {
		return nil
	}
	if c.Secret == "" {
		c.Secret = people.NewFactor()
	}
	c.Sealed = p.opts.People.SealFactor(v.Person.ID, c.Secret)
	return p.drawFactor(c)
}

// showPerson shows a page on how somebody signs in.
func (p *page) showPerson(template string, c *personPage) {
	title := p.lang.text(template)
	p.template, p.Title, p.Content = template, title, c
	p.Trail = []link{{p.lang.text("account"), "/account"}, {title, ""}}
}

// changeFactor sets a second factor, makes new recovery codes, or removes it.
func (p *page) changeFactor(v *visitor, c *personPage) (err error) {
	ctx, register := p.r.Context(), p.opts.People
	if v.Person.Factor != "" {
		return register.RemoveFactor(ctx, v.Person.ID)
	}
	if c.Secret, err = register.OpenFactor(v.Person.ID, p.field("secret")); err != nil {
		return err
	}
	if c.Codes, err = register.SetFactor(ctx, &v.Session, c.Secret, p.field("code")); err != nil {
		return err
	}
	return p.startSession(v.Person.ID, people.SignedIn, true)
}

// drawFactor draws what the camera of a phone reads.
func (p *page) drawFactor(c *personPage) error {
	key, err := people.FactorKey(&c.Person, "Almanac", c.Secret)
	if err != nil {
		return err
	}
	picture, err := key.Image(pictureSize, pictureSize)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := png.Encode(&body, picture); err != nil {
		return err
	}
	c.Picture = template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(body.Bytes()))
	return nil
}

// password is the page that changes the password.
func (p *page) password(v *visitor) error {
	c := &personPage{Person: v.Person, MinPassword: people.MinPassword}
	p.showPerson("password", c)
	if !p.isPost() {
		return nil
	}
	if err := p.opts.People.ChangePassword(p.r.Context(), &v.Session, p.field("password"), p.field("new"), p.network()); err != nil {
		c.Wrong = "password"
		if v.Person.Password == "" || strings.HasPrefix(messageOf(err), "the password") { // it is of the new one
			c.Wrong = "new"
		}
		return p.mend(err, &c.Error)
	}
	p.tellPasswordChanged(&v.Person)
	if err := p.startSession(v.Person.ID, people.SignedIn, true); err != nil {
		return err
	}
	return p.leave("/account?done=password#name")
}

// deletion is the page that deletes the visitor's data.
func (p *page) deletion(v *visitor) error {
	ctx, register := p.r.Context(), p.opts.People
	c := &personPage{Person: v.Person}
	p.showPerson("delete", c)
	memberships, err := register.Memberships(ctx, v.Person.ID)
	if err != nil {
		return err
	}
	var alone []int64
	for _, m := range memberships {
		members, err := register.Members(ctx, m.Organisation)
		if err != nil {
			return err
		}
		name, err := p.organisationName(m.Organisation)
		if err != nil {
			return err
		}
		isOther := func(one people.Member) bool { return one.Role == people.Owner && one.Person.ID != v.Person.ID }
		if len(members) > 1 && !slices.ContainsFunc(members, isOther) {
			address, err := p.membersAddress(m.Organisation)
			if err != nil {
				return err
			}
			c.OnlyOwner = append(c.OnlyOwner, link{name, address})
		}
		if len(members) == 1 {
			c.OnlyMember, alone = append(c.OnlyMember, name), append(alone, m.Organisation)
		}
	}
	if !p.isPost() {
		return nil
	}
	if err := register.Delete(ctx, v.Person.ID); err != nil {
		return p.mend(err, &c.Error)
	}
	if p.opts.Notices != nil {
		if err := p.opts.Notices.Forget(ctx, v.Person.ID); err != nil {
			return err
		}
		for _, organisation := range alone { // nobody is left who could revoke the address of its feed
			if err := p.opts.Notices.RevokeFeed(ctx, organisation); err != nil {
				return err
			}
		}
	}
	if p.field("revoke") != "" {
		if err := p.revokeAll(alone); err != nil {
			return err
		}
	}
	p.setCookie(sessionCookie, "", 0)
	p.setCookie(browserCookie, "", 0)
	p.IsSignedIn = false
	p.template, p.Title, p.Trail, p.Content = "deleted", p.lang.text("deleted"), nil, nil
	return nil
}

// membersAddress is that of the members of an organisation on the page of its account.
func (p *page) membersAddress(organisation int64) (string, error) {
	accounts, err := p.opts.Access.AccountsOf(p.r.Context(), organisation)
	if err != nil || len(accounts) == 0 {
		return "/account#members", err
	}
	return "/account?account=" + url.QueryEscape(accounts[0].Name) + "#members", nil
}

// revokeAll revokes all keys of organisations.
func (p *page) revokeAll(organisations []int64) error {
	ctx := p.r.Context()
	for _, organisation := range organisations {
		accounts, err := p.opts.Access.AccountsOf(ctx, organisation)
		if err != nil {
			return err
		}
		for _, account := range accounts {
			keys, err := p.opts.Access.Keys(ctx, account.Name)
			if err != nil {
				return err
			}
			for _, k := range keys {
				if k.State != access.Valid {
					continue
				}
				if _, err := p.opts.Access.RevokeKey(ctx, k.ID); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
