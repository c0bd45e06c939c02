package people

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"net/netip"
	"strings"
	"unicode"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"almanac/internal/stat"
)

// The second factor is a code of six figures that changes every 30 seconds (RFC 6238), as the
// apps for it expect. The code of the period before and after is accepted too, because clocks
// differ, and each code once.
const (
	factorPeriod = 30 // seconds
	factorSkew   = 1  // periods
	factorLength = 20 // bytes
	// numberOfCodes is the number of recovery codes.
	numberOfCodes = 10
	codeLength    = 10
	// codeLetters are easy to read and to type.
	codeLetters = "23456789abcdefghjkmnpqrstuvwxyz"
)

var secretCoding = base32.StdEncoding.WithPadding(base32.NoPadding)

var factorOptions = hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}

// NewFactor returns the secret of a new second factor, which is not stored yet.
func NewFactor() string {
	raw := make([]byte, factorLength)
	_, _ = rand.Read(raw) // never fails
	return secretCoding.EncodeToString(raw)
}

// FactorKey returns what apps read from a picture, for a secret of [NewFactor]. issuer is the name
// of the service.
func FactorKey(person *Person, issuer, secret string) (*otp.Key, error) {
	raw, err := secretCoding.DecodeString(secret)
	if err != nil {
		return nil, stat.Wrap(err, "reading the secret of a second factor")
	}
	key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: person.Mail, Period: factorPeriod, Secret: raw})
	return key, stat.Wrap(err, "making a second factor")
}

// SealFactor encrypts the secret of a new second factor for a form, so that nobody can have
// another one set.
func (p *People) SealFactor(person, secret string) string {
	return p.secret.seal("new "+person, secret)
}

// OpenFactor returns the secret that [People.SealFactor] encrypted for the same person.
func (p *People) OpenFactor(person, sealed string) (string, error) {
	secret, err := p.secret.open("new "+person, sealed)
	if err != nil {
		return "", stat.Errorf(stat.Invalid, "the form is incomplete; load the page again")
	}
	return secret, nil
}

// SetFactor sets a second factor, given a code that it made, and returns the recovery codes. They
// cannot be read again. All other sessions end. The error is [ErrCode] if the code is wrong.
func (p *People) SetFactor(ctx context.Context, session *Session, secret, code string) ([]string, error) {
	if err := p.count(ctx, ofCode, session.Person); err != nil {
		return nil, err
	}
	step, isRight := p.stepOf(secret, plainCode(code))
	if !isRight {
		return nil, ErrCode
	}
	var codes, macs []string
	for range numberOfCodes {
		one := randomText(codeLength, codeLetters)
		codes = append(codes, one[:codeLength/2]+"-"+one[codeLength/2:])
		macs = append(macs, p.recoveryMAC(session.Person, one))
	}
	if err := p.db.SetFactor(ctx, session.Person, p.secret.seal(session.Person, secret), macs); err != nil {
		return nil, err
	}
	if _, err := p.db.UseStep(ctx, session.Person, step); err != nil {
		return nil, err
	}
	if err := p.db.EndSessions(ctx, session.Person, session.ID); err != nil {
		return nil, err
	}
	return codes, p.db.Forgive(ctx, p.secret.mac(ofCode.use, session.Person), 0)
}

// RemoveFactor removes the second factor of a person, and the recovery codes.
func (p *People) RemoveFactor(ctx context.Context, person string) error {
	return p.db.SetFactor(ctx, person, "", nil)
}

// RecoveryCodes returns the number of unused recovery codes of a person.
func (p *People) RecoveryCodes(ctx context.Context, person string) (int, error) {
	return p.db.RecoveryCodes(ctx, person)
}

// CheckCode checks a code of the second factor of a person, or a recovery code. The error is
// [ErrCode] if it is wrong or was used before, or a [WaitError].
func (p *People) CheckCode(ctx context.Context, person *Person, code string, from netip.Prefix) error {
	if err := p.count(ctx, ofNetwork, from.String()); err != nil {
		return err
	}
	if err := p.count(ctx, ofCode, person.ID); err != nil {
		return err
	}
	isRight, err := p.useCode(ctx, person, code)
	if err == nil && !isRight {
		err = ErrCode
	}
	if err != nil {
		return err
	}
	return p.forgive(ctx, "", person.ID, from)
}

func (p *People) useCode(ctx context.Context, person *Person, code string) (bool, error) {
	code = plainCode(code)
	if len(code) == codeLength {
		return p.db.UseRecoveryCode(ctx, person.ID, p.recoveryMAC(person.ID, code), p.now())
	}
	secret, err := p.secret.open(person.ID, person.Factor)
	if err != nil {
		return false, err
	}
	step, isRight := p.stepOf(secret, code)
	if !isRight {
		return false, nil
	}
	return p.db.UseStep(ctx, person.ID, step)
}

// plainCode returns a code without what apps and people write between its groups: "123 456", "ABCDE-FGHIJ".
func plainCode(code string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Dash, r) {
			return -1
		}
		return r
	}, code))
}

func (p *People) recoveryMAC(person, code string) string {
	return p.secret.mac("recovery code", person+":"+code)
}

// stepOf returns the period whose code it is. isRight is false if it is that of no period near.
func (p *People) stepOf(secret, code string) (step int64, isRight bool) {
	now := p.now().Unix() / factorPeriod
	for step = now - factorSkew; step <= now+factorSkew; step++ {
		isRight, err := hotp.ValidateCustom(code, uint64(step), secret, factorOptions)
		if err == nil && isRight {
			return step, true
		}
	}
	return 0, false
}
