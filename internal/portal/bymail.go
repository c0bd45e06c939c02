package portal

import (
	"context"
	"strings"
	"time"

	"almanac/internal/mail"
	"almanac/internal/people"
)

// byMailPage is the content of the pages that send a link to a mail address.
type byMailPage struct {
	Mail  string
	Sent  bool
	Error string
}

// HasMail reports whether links can be sent.
func (p *page) HasMail() bool { return p.opts.Mail != nil }

// MaySignUp reports whether people can make accounts themselves.
func (p *page) MaySignUp() bool { return p.opts.Mail != nil && p.opts.FreeAccounts > 0 }

// resetByMail is the page for people who have lost their password.
func (p *page) resetByMail() error {
	p.Title = p.lang.text("reset")
	return p.inviteByMail(false)
}

// signUp is the page for people who make an account themselves.
func (p *page) signUp() error {
	p.Title = p.lang.text("signup")
	if p.r.Form.Has("to") {
		p.setCookie(targetCookie, p.target(), 0)
	}
	return p.inviteByMail(true)
}

// inviteByMail asks for a mail address and sends a link to it. What the page says does not tell
// whether there is an account for the address.
func (p *page) inviteByMail(maySignUp bool) error {
	c := &byMailPage{Mail: p.field("mail")}
	p.template, p.Section, p.Content = "bymail", "account", c
	if !p.isPost() {
		return nil
	}
	if maySignUp {
		ticket, err := p.opts.Access.AdmitAccount(p.clientAddress(), p.opts.FreeAccounts)
		if err == nil && !ticket.Admitted {
			err = &people.WaitError{Wait: ticket.Left}
		}
		if err != nil {
			return p.mend(err, &c.Error)
		}
	}
	token, invitation, err := p.opts.People.InviteByMail(p.r.Context(), c.Mail, maySignUp, p.network())
	if err != nil {
		return p.mend(err, &c.Error)
	}
	if c.Sent = true; token != "" {
		p.sendInvitation(token, invitation, inviter{})
	}
	return nil
}

// sendTime is how long sending a mail may take.
const sendTime = time.Minute

// inviter is who invites to an organisation.
type inviter struct{ person, organisation string }

// tellPasswordChanged tells a person by mail that the password was changed, after the page.
func (p *page) tellPasswordChanged(person *people.Person) {
	if !p.HasMail() {
		return
	}
	account := strings.TrimSuffix(p.opts.BaseURL, "/")
	m := mail.Message{To: person.Mail, Subject: p.lang.text("mail.changed.subject"), Text: p.lang.text("mail.changed", "time", p.lang.moment(p.opts.Now()), "address", account+"/signin/reset")}
	ctx, log, send := context.WithoutCancel(p.r.Context()), p.opts.Log, p.opts.Mail
	go func() {
		ctx, cancel := context.WithTimeout(ctx, sendTime)
		defer cancel()
		if err := send.Send(ctx, m); err != nil {
			log.Error("a mail on a changed password could not be sent", "person", person.ID, "error", err)
		}
	}()
}

// sendInvitation sends the address of an invitation after the page, which does not wait for it.
func (p *page) sendInvitation(token string, i people.Invitation, from inviter) {
	address := strings.TrimSuffix(p.opts.BaseURL, "/") + "/join/" + token
	key := "mail." + string(i.Purpose)
	subject := p.lang.text(key+".subject", "organisation", from.organisation)
	text := p.lang.text(key, "person", from.person, "organisation", from.organisation, "address", address, "time", p.lang.moment(i.Ends))
	ctx := context.WithoutCancel(p.r.Context())
	log, send := p.opts.Log, p.opts.Mail
	go func() {
		ctx, cancel := context.WithTimeout(ctx, sendTime)
		defer cancel()
		if err := send.Send(ctx, mail.Message{To: i.Mail, Subject: subject, Text: text}); err != nil {
			log.Error("a mail with a link could not be sent", "invitation", i.ID, "error", err)
		}
	}()
}
