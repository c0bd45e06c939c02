package people

import (
	"context"
	"errors"
	"net/netip"

	"almanac/internal/people/register"
	"almanac/internal/stat"
)

// Errors of a guess that was wrong. They do not say why.
var (
	ErrPassword = errors.New("mail address and password do not belong together")
	ErrCode     = errors.New("the code is not right")
)

// CheckPassword returns the person with a mail address and a password. The error is [ErrPassword],
// after the same time, if there is nobody with the address or the password is another, or a
// [WaitError].
func (p *People) CheckPassword(ctx context.Context, mail, password string, from netip.Prefix) (Person, error) {
	p.tidy(ctx)
	account := register.MailKey(mail)
	if err := p.count(ctx, ofNetwork, from.String()); err != nil {
		return Person{}, err
	}
	if err := p.count(ctx, ofAccount, account); err != nil {
		return Person{}, err
	}
	found, err := p.db.PersonByMail(ctx, mail)
	if err != nil {
		return Person{}, err
	}
	hash := found.Password
	if hash == "" { // nobody has the address, or they sign in without a password
		hash = p.hasher.dummy
	}
	isEqual, isOld, err := p.hasher.matches(ctx, password, hash)
	switch {
	case err != nil:
		return Person{}, err
	case !isEqual || found.Password == "":
		return Person{}, ErrPassword
	}
	if isOld {
		if err := p.setPassword(ctx, found.ID, password); err != nil {
			return Person{}, err
		}
	}
	return found, p.forgive(ctx, account, "", from)
}

// ChangePassword replaces a password by a new one, given the old one, and ends all sessions but
// one. A person without a password sets the first one. The error is [ErrPassword] if the old one is wrong, and [stat.Invalid] if the new one is too
// easy to guess.
func (p *People) ChangePassword(ctx context.Context, session *Session, old, password string, from netip.Prefix) error {
	person, err := p.Person(ctx, session.Person)
	if err == nil && person.Password != "" {
		person, err = p.CheckPassword(ctx, person.Mail, old, from)
		if err == nil && old == password {
			err = stat.Errorf(stat.Invalid, "the password is the one that you have now; choose another")
		}
	}
	if err != nil {
		return err
	}
	if err := checkPassword(password, person.Name, person.Mail); err != nil {
		return err
	}
	if err := p.setPassword(ctx, person.ID, password); err != nil {
		return err
	}
	return p.db.EndSessions(ctx, person.ID, session.ID)
}

func (p *People) setPassword(ctx context.Context, person, password string) error {
	hash, err := p.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return p.db.SetPassword(ctx, person, hash)
}
