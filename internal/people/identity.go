package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"almanac/internal/people/provider"
	"almanac/internal/people/register"
	"almanac/internal/stat"
)

// Identity is who a person is at another service with which they sign in.
type Identity = register.Identity

// attemptLife is how long signing in at the other service may take.
const attemptLife = 10 * time.Minute

// AttemptLife is how long the browser keeps an attempt, in seconds.
const AttemptLife = int(attemptLife / time.Second)

// attempt is what the browser keeps of an attempt, encrypted.
type attempt struct {
	provider.Attempt
	To string
}

// BeginIdentity begins an attempt to sign in at another service. It returns the address there, and the
// encrypted attempt, which the browser keeps. to is where the reader wants to go.
func (p *People) BeginIdentity(ctx context.Context, at *provider.Provider, to string, isAgain bool) (address, sealed string, err error) {
	address, a, err := at.Begin(ctx, isAgain)
	if err != nil {
		return "", "", err
	}
	sealed, err = p.sealTicket("attempt", attemptLife, attempt{a, to})
	return address, sealed, err
}

// Arrival is somebody who comes back from another service.
type Arrival struct {
	provider.Identity
	Person  Person // whom the identity is linked to; the ID is empty if there is nobody
	To      string // where the reader wants to go
	IsAgain bool   // who is signed in proves it again
	IsStale bool   // the other service asked for the password some time ago
}

// FinishIdentity finishes an attempt of [People.BeginIdentity], given the parameters with which the
// other service led the browser back. An attempt counts once. The errors are those of
// [provider.Provider.Finish].
func (p *People) FinishIdentity(ctx context.Context, at *provider.Provider, sealed string, answer url.Values) (a Arrival, err error) {
	var began attempt
	if err := p.openTicket(ctx, "attempt", sealed, &began); errors.Is(err, errTicket) {
		return a, fmt.Errorf("%w: %w", provider.ErrAnswer, err)
	} else if err != nil {
		return a, err
	}
	a.To, a.IsAgain = began.To, began.IsAgain
	if a.Identity, err = at.Finish(ctx, &began.Attempt, answer); err != nil {
		return a, err
	}
	a.IsStale = !a.SignedIn.IsZero() && p.now().Sub(a.SignedIn) >= CheckLife
	if a.Person, err = p.db.PersonByIdentity(ctx, a.Issuer, a.Subject); err == nil && a.Person.ID != "" {
		err = p.db.UseIdentity(ctx, a.Issuer, a.Subject, p.now())
	}
	return a, err
}

// SealIdentity encrypts an identity for a form with which its owner links it.
func (p *People) SealIdentity(person string, i provider.Identity) (string, error) {
	return p.sealTicket("identity of "+person, attemptLife, i)
}

// LinkIdentity links the identity of a form of [People.SealIdentity] to a person. The error is
// [stat.Conflict] if it is linked to somebody already.
func (p *People) LinkIdentity(ctx context.Context, person, sealed string) error {
	var i provider.Identity
	if err := p.openTicket(ctx, "identity of "+person, sealed, &i); errors.Is(err, errTicket) {
		return stat.Errorf(stat.Invalid, "the form was used or has expired; begin again")
	} else if err != nil {
		return err
	}
	isAdded, err := p.db.AddIdentity(ctx, p.identityOf(&i, person))
	if err == nil && !isAdded {
		err = errLinked
	}
	return err
}

var errLinked = stat.Errorf(stat.Conflict, "this sign-in is linked to an account already")

func (p *People) identityOf(i *provider.Identity, person string) Identity {
	return Identity{Issuer: i.Issuer, Subject: i.Subject, Person: person, Mail: i.Mail, Created: p.now()}
}

// Identities returns the identities of a person, the oldest first.
func (p *People) Identities(ctx context.Context, person string) ([]Identity, error) {
	return p.db.Identities(ctx, person)
}

// UnlinkIdentity unlinks an identity. The error is [stat.Conflict] if the person could sign in no
// more, and [stat.NotFound] if they do not have it.
func (p *People) UnlinkIdentity(ctx context.Context, person Person, issuer, subject string) error {
	keys, err := p.db.Passkeys(ctx, person.ID)
	if err != nil {
		return err
	}
	if person.Password == "" && len(keys) == 0 {
		return stat.Errorf(stat.Conflict, "you could sign in no more; set a password or add a passkey first")
	}
	isRemoved, err := p.db.RemoveIdentity(ctx, person.ID, issuer, subject)
	if err == nil && !isRemoved {
		err = stat.Errorf(stat.NotFound, "there is no such sign-in")
	}
	return err
}

// JoinWithIdentity uses an invitation to an organisation for somebody who has not signed in before and
// comes from another service, and returns the new person, who has no password. The error is
// [stat.Conflict] if the other service has not verified the mail address of the invitation.
func (p *People) JoinWithIdentity(ctx context.Context, token string, a *Arrival) (Person, error) {
	i, person, err := p.Invitation(ctx, token)
	switch {
	case err != nil:
		return person, err
	case i.Purpose != ToJoin:
		return person, ErrInvitation
	case a.Mail == "" || register.MailKey(a.Mail) != register.MailKey(i.Mail):
		return person, stat.Errorf(stat.Conflict, "the invitation is for %s; the sign-in service has not verified that this address is yours", i.Mail)
	}
	return p.joinWithIdentity(ctx, i.MAC, a, Member{Organisation: i.Organisation, Role: i.Role})
}

// JoinByDomain adds somebody who has not signed in before and whose mail address another service has
// verified to an organisation. The first member is an owner.
func (p *People) JoinByDomain(ctx context.Context, organisation int64, a *Arrival) (Person, error) {
	members, err := p.db.Members(ctx, organisation)
	if err != nil {
		return Person{}, err
	}
	m := Member{Organisation: organisation, Role: MemberOnly}
	if len(members) == 0 {
		m.Role = Owner
	}
	return p.joinWithIdentity(ctx, "", a, m)
}

func (p *People) joinWithIdentity(ctx context.Context, mac string, a *Arrival, m Member) (Person, error) {
	mail, err := normaliseMail(a.Mail)
	if err != nil {
		return Person{}, err
	}
	local, _, _ := strings.Cut(mail, "@")
	name, err := normaliseName(cmp.Or(a.Name, local))
	if err != nil {
		name = local
	}
	m.Since = p.now().UTC().Truncate(time.Second)
	m.Person = Person{ID: newID(), Mail: mail, Name: name, Created: m.Since}
	isUsed, err := p.db.JoinWith(ctx, mac, m, p.identityOf(&a.Identity, m.Person.ID))
	if err == nil && !isUsed {
		err = ErrInvitation
	}
	return m.Person, err
}
