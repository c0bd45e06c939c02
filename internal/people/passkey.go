package people

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"almanac/internal/people/register"
	"almanac/internal/stat"
)

// Passkey is a key of a device with which a person signs in.
type Passkey = register.Passkey

// ErrPasskey is the error for an answer of a device that is not right.
var ErrPasskey = errors.New("the passkey was not accepted")

// challengeLife is how long a challenge can be answered: a page may stay open for a while.
const challengeLife = 30 * time.Minute

// Passkeys lets people sign in with keys of their devices (WebAuthn) at one site. The device asks for
// a fingerprint or a code itself, so a passkey needs no second factor.
//
// A challenge and what belongs to it is encrypted in the form that answers it. The answer counts
// once.
type Passkeys struct {
	people *People
	site   *webauthn.WebAuthn
}

// NewPasskeys returns the passkeys for the public address of a service, nil if it has none, because
// its address is a number.
func NewPasskeys(p *People, base string) (*Passkeys, error) {
	u, err := url.Parse(base)
	if err != nil || u.Hostname() == "" {
		return nil, nil
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return nil, nil
	}
	site, err := webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: "Almanac", RPOrigins: []string{u.Scheme + "://" + u.Host},
		AuthenticatorSelection: protocol.AuthenticatorSelection{ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired},
	})
	if err != nil {
		return nil, stat.Wrap(err, "passkeys for %s", base)
	}
	return &Passkeys{people: p, site: site}, nil
}

// owner is a person as the library knows one.
type owner struct {
	Person
	keys []webauthn.Credential
}

func (o *owner) WebAuthnID() []byte                         { return []byte(o.ID) }
func (o *owner) WebAuthnName() string                       { return o.Mail }
func (o *owner) WebAuthnDisplayName() string                { return o.Name }
func (o *owner) WebAuthnCredentials() []webauthn.Credential { return o.keys }

// ownerOf returns a person with the passkeys.
func (k *Passkeys) ownerOf(ctx context.Context, person Person) (*owner, error) {
	list, err := k.people.db.Passkeys(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	o := &owner{Person: person}
	for _, one := range list {
		var c webauthn.Credential
		if err := json.Unmarshal([]byte(one.Credential), &c); err != nil {
			return nil, stat.Wrap(err, "reading a passkey")
		}
		o.keys = append(o.keys, c)
	}
	return o, nil
}

// seal encrypts a challenge, and writes the options for the device as JSON.
func (k *Passkeys) seal(use string, options any, data *webauthn.SessionData) (text, sealed string, err error) {
	if text, err = marshal(options); err != nil {
		return "", "", err
	}
	sealed, err = k.people.sealTicket("passkey "+use, challengeLife, data)
	return text, sealed, err
}

func marshal(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), stat.Wrap(err, "writing a challenge")
}

// open returns the challenge of a form, which is answered by it. The error is [ErrPasskey] if it
// was answered before or has ended.
func (k *Passkeys) open(ctx context.Context, use, sealed string) (*webauthn.SessionData, error) {
	var data webauthn.SessionData
	err := k.people.openTicket(ctx, "passkey "+use, sealed, &data)
	if errors.Is(err, errTicket) {
		err = ErrPasskey
	}
	return &data, err
}

// Begin returns the options for a device that makes a passkey for a person, and the encrypted
// challenge for the form.
func (k *Passkeys) Begin(ctx context.Context, person Person) (options, sealed string, err error) {
	o, err := k.ownerOf(ctx, person)
	if err != nil {
		return "", "", err
	}
	creation, data, err := k.site.BeginRegistration(o, webauthn.WithExclusions(webauthn.Credentials(o.keys).CredentialDescriptors()))
	if err != nil {
		return "", "", stat.Wrap(err, "making a challenge")
	}
	return k.seal(person.ID, creation.Response, data)
}

// Add adds the passkey that a device has made for a person. The error is [ErrPasskey] if the answer
// of the device is not right.
func (k *Passkeys) Add(ctx context.Context, person Person, sealed, answer, name string) error {
	name, err := normaliseName(name)
	if err != nil {
		return err
	}
	data, err := k.open(ctx, person.ID, sealed)
	if err != nil {
		return err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer))
	if err != nil {
		return ErrPasskey
	}
	credential, err := k.site.CreateCredential(&owner{Person: person}, *data, parsed)
	if err != nil {
		return ErrPasskey
	}
	text, err := marshal(credential)
	if err != nil {
		return err
	}
	isAdded, err := k.people.db.AddPasskey(ctx, Passkey{ID: idOf(credential.ID), Person: person.ID, Name: name, Credential: text, Created: k.people.now()})
	if err == nil && !isAdded {
		err = ErrPasskey
	}
	return err
}

func idOf(credential []byte) string { return base64.RawURLEncoding.EncodeToString(credential) }

// BeginSignIn returns the options for a device with a passkey of anybody, and the encrypted
// challenge for the form.
func (k *Passkeys) BeginSignIn() (options, sealed string, err error) {
	assertion, data, err := k.site.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return "", "", stat.Wrap(err, "making a challenge")
	}
	return k.seal("", assertion.Response, data)
}

// SignIn returns the person whose passkey a device has used. The error is [ErrPasskey] if the answer
// of the device is not right, or a [WaitError].
func (k *Passkeys) SignIn(ctx context.Context, sealed, answer string, from netip.Prefix) (Person, error) {
	if err := k.people.count(ctx, ofNetwork, from.String()); err != nil {
		return Person{}, err
	}
	data, err := k.open(ctx, "", sealed)
	if err != nil {
		return Person{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return Person{}, ErrPasskey
	}
	var found *owner
	_, credential, err := k.site.ValidatePasskeyLogin(func(_, id []byte) (webauthn.User, error) {
		person, err := k.people.db.Person(ctx, string(id))
		if err != nil || person.ID == "" {
			return nil, errors.Join(ErrPasskey, err)
		}
		found, err = k.ownerOf(ctx, person)
		return found, err
	}, *data, parsed)
	if err != nil || credential.Authenticator.CloneWarning {
		return Person{}, ErrPasskey
	}
	text, err := marshal(credential)
	if err == nil {
		err = k.people.db.UsePasskey(ctx, idOf(credential.ID), text, k.people.now())
	}
	if err == nil {
		err = k.people.forgive(ctx, "", "", from)
	}
	return found.Person, err
}

// Passkeys returns the passkeys of a person, the oldest first.
func (p *People) Passkeys(ctx context.Context, person string) ([]Passkey, error) {
	return p.db.Passkeys(ctx, person)
}

// RemovePasskey removes a passkey of a person. The error is [stat.NotFound] if there is none.
func (p *People) RemovePasskey(ctx context.Context, person, id string) error {
	isRemoved, err := p.db.RemovePasskey(ctx, person, id)
	if err == nil && !isRemoved {
		err = stat.Errorf(stat.NotFound, "there is no such passkey")
	}
	return err
}
