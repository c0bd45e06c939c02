package people

import (
	"context"
	"net/mail"
	"net/netip"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"almanac/internal/people/register"
	"almanac/internal/stat"
)

// InvitationLife is how long an invitation can be used if nothing else is said.
const InvitationLife = 7 * 24 * time.Hour

// resetLife is how long a link for a new password can be used.
const resetLife = time.Hour

// ErrInvitation is the error for a link that is no invitation, was used, or has ended.
var ErrInvitation = stat.Errorf(stat.NotFound, "this link cannot be used: it was used before, has expired, or is incomplete")

// Bounds on texts that people type.
const (
	maxMail = 254
	maxName = 100
)

// normaliseMail checks a mail address and returns it without white space around it.
func normaliseMail(text string) (string, error) {
	text = strings.TrimSpace(text)
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text || len(text) > maxMail || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return "", stat.Errorf(stat.Invalid, "%q is not a mail address such as name@example.org", text)
	}
	return text, nil
}

// CheckMail returns an error of kind [stat.Invalid] for a text that is no mail address.
func CheckMail(text string) error {
	_, err := normaliseMail(text)
	return err
}

// normaliseName checks the name of a person and returns it with single spaces.
func normaliseName(text string) (string, error) {
	name := norm.NFC.String(strings.Join(strings.Fields(text), " "))
	n := utf8.RuneCountInString(name)
	if !utf8.ValidString(name) || n == 0 || n > maxName || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) || r == utf8.RuneError }) {
		return "", stat.Errorf(stat.Invalid, "the name must have 1 to %d readable characters", maxName)
	}
	return name, nil
}

// Invite creates an invitation to an organisation and returns its token, which cannot be read
// again. Of i, it takes the mail address, the organisation, the role, and the end; without an end
// it is [InvitationLife] away.
func (p *People) Invite(ctx context.Context, i Invitation) (token string, created Invitation, err error) {
	if i.Mail, err = normaliseMail(i.Mail); err != nil {
		return "", i, err
	}
	if i.Role != Owner && i.Role != MemberOnly {
		return "", i, stat.Errorf(stat.Invalid, "the role must be owner or member, not %q", i.Role)
	}
	i.Purpose = ToJoin
	return p.addInvitation(ctx, i, InvitationLife)
}

// InviteToReset creates a link with which the person with a mail address sets a new password, and
// returns its token. The error is [stat.NotFound] if there is nobody with the address.
func (p *People) InviteToReset(ctx context.Context, address string) (token string, created Invitation, err error) {
	person, err := p.db.PersonByMail(ctx, address)
	if err == nil && person.ID == "" {
		err = stat.Errorf(stat.NotFound, "nobody signs in with %q", address)
	}
	if err != nil {
		return "", created, err
	}
	return p.addInvitation(ctx, Invitation{Purpose: ToReset, Mail: person.Mail}, resetLife)
}

// InviteByMail creates a link that is to be sent to a mail address: for a new password if somebody
// signs in with the address, else to sign up if maySignUp is set. Without either, the token is
// empty. The error is a [WaitError] if the network has asked too often, or too many mails go to
// the address.
func (p *People) InviteByMail(ctx context.Context, address string, maySignUp bool, from netip.Prefix) (token string, i Invitation, err error) {
	if address, err = normaliseMail(address); err != nil {
		return "", i, err
	}
	if err := p.count(ctx, ofNetwork, from.String()); err != nil {
		return "", i, err
	}
	if err := p.count(ctx, ofMail, register.MailKey(address)); err != nil {
		return "", i, err
	}
	person, err := p.db.PersonByMail(ctx, address)
	switch {
	case err != nil:
		return "", i, err
	case person.ID != "":
		return p.addInvitation(ctx, Invitation{Purpose: ToPassword, Mail: person.Mail}, resetLife)
	case maySignUp:
		return p.addInvitation(ctx, Invitation{Purpose: ToSignUp, Mail: address, Role: Owner}, resetLife)
	}
	return "", i, nil
}

func (p *People) addInvitation(ctx context.Context, i Invitation, life time.Duration) (string, Invitation, error) {
	now := p.now().UTC().Truncate(time.Second)
	i.ID, i.Created = newID(), now
	if i.Ends.IsZero() {
		i.Ends = now.Add(life)
	}
	i.Ends = i.Ends.UTC().Truncate(time.Second)
	if !i.Ends.After(now) {
		return "", i, stat.Errorf(stat.Invalid, "the invitation cannot end at %s, which is in the past", i.Ends.Format(time.RFC3339))
	}
	token := newToken()
	i.MAC = p.secret.mac("invitation", token)
	return token, i, p.db.AddInvitation(ctx, i)
}

// Invitation returns the invitation with a token, and the person with its mail address; the
// person's ID is empty if there is none. The error is [ErrInvitation] if it cannot be used.
func (p *People) Invitation(ctx context.Context, token string) (i Invitation, person Person, err error) {
	i, err = p.db.Invitation(ctx, p.secret.mac("invitation", token))
	if err == nil && (i.ID == "" || !i.Used.IsZero() || !i.Ends.After(p.now())) {
		err = ErrInvitation
	}
	if err == nil {
		person, err = p.db.PersonByMail(ctx, i.Mail)
	}
	return i, person, err
}

// Invitations returns the invitations to an organisation that can still be used.
func (p *People) Invitations(ctx context.Context, organisation int64) ([]Invitation, error) {
	return p.db.Invitations(ctx, organisation, p.now())
}

// InvitationsTo returns all invitations and links to a mail address that are stored, used ones too.
func (p *People) InvitationsTo(ctx context.Context, mail string) ([]Invitation, error) {
	return p.db.InvitationsTo(ctx, mail)
}

// Withdraw withdraws an invitation to an organisation. The error is [stat.NotFound] if there is
// none with the id.
func (p *People) Withdraw(ctx context.Context, organisation int64, id string) error {
	isWithdrawn, err := p.db.Withdraw(ctx, organisation, id)
	if err == nil && !isWithdrawn {
		err = stat.Errorf(stat.NotFound, "there is no such invitation; it may have been used")
	}
	return err
}

// Join uses an invitation for somebody who has not signed in before, and returns the new person.
// found is called for an invitation to sign up, once the rest is right, and returns the
// organisation that the person has founded.
func (p *People) Join(ctx context.Context, token, name, password string, found func() (organisation int64, err error)) (Person, error) {
	i, person, err := p.Invitation(ctx, token)
	if err != nil {
		return person, err
	}
	if person.ID != "" {
		return person, stat.Errorf(stat.Conflict, "there is an account with this mail address; sign in with it")
	}
	if i.Purpose != ToJoin && i.Purpose != ToSignUp {
		return person, ErrInvitation
	}
	if person.Name, err = normaliseName(name); err != nil {
		return person, err
	}
	if err := checkPassword(password, person.Name, i.Mail); err != nil {
		return person, err
	}
	if person.Password, err = p.hasher.hash(ctx, password); err != nil {
		return person, err
	}
	if i.Purpose == ToSignUp {
		if i.Organisation, err = found(); err != nil {
			return person, err
		}
	}
	person.ID, person.Mail, person.Created = newID(), i.Mail, p.now().UTC().Truncate(time.Second)
	return person, p.join(ctx, &i, person, true)
}

// JoinAs uses an invitation for a person who is signed in. The error is [stat.Conflict] if it is
// for another mail address.
func (p *People) JoinAs(ctx context.Context, token string, person Person) error {
	i, invited, err := p.Invitation(ctx, token)
	if err != nil {
		return err
	}
	if i.Purpose != ToJoin {
		return ErrInvitation
	}
	if invited.ID != person.ID {
		return stat.Errorf(stat.Conflict, "the invitation is for %s; sign in with that address", i.Mail)
	}
	return p.join(ctx, &i, person, false)
}

func (p *People) join(ctx context.Context, i *Invitation, person Person, isNew bool) error {
	m := Member{Person: person, Organisation: i.Organisation, Role: i.Role, Since: p.now()}
	isUsed, err := p.db.Join(ctx, i.MAC, m, isNew)
	if err == nil && !isUsed {
		err = ErrInvitation
	}
	return err
}

// ResetPassword uses a link of [People.InviteToReset] or [People.InviteByMail] to set a new
// password. All sessions end. A link of the former also removes the second factor.
func (p *People) ResetPassword(ctx context.Context, token, password string) (Person, error) {
	i, person, err := p.Invitation(ctx, token)
	if err == nil && (i.Purpose != ToReset && i.Purpose != ToPassword || person.ID == "") {
		err = ErrInvitation
	}
	if err == nil {
		err = checkPassword(password, person.Name, i.Mail)
	}
	if err != nil {
		return person, err
	}
	hash, err := p.hasher.hash(ctx, password)
	if err != nil {
		return person, err
	}
	isUsed, err := p.db.ResetPassword(ctx, i, person.ID, hash, p.now())
	if err == nil && !isUsed {
		err = ErrInvitation
	}
	if err != nil {
		return person, err
	}
	if err := p.db.Forgive(ctx, p.secret.mac(ofAccount.use, register.MailKey(i.Mail)), 0); err != nil {
		return person, err
	}
	return p.Person(ctx, person.ID)
}
