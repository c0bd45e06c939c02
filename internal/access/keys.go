package access

import (
	"cmp"
	"context"
	"crypto/hmac"
	"time"

	"almanac/internal/access/register"
	"almanac/internal/stat"
)

// Key describes a key. It does not contain the secret.
type Key struct {
	ID           string    `json:"id"`             // the public part: the 8 characters after the prefix
	Name         string    `json:"name,omitempty"` // what its owner calls it
	Maker        string    `json:"-"`              // ID of the person who made it; empty: nobody who signed in
	Account      string    `json:"account"`
	Organisation string    `json:"organisation"`
	Tier         Tier      `json:"tier"`
	Created      time.Time `json:"created"`
	Expires      time.Time `json:"expires,omitzero"`
	Revoked      time.Time `json:"revoked,omitzero"`
	LastUsed     time.Time `json:"last_used,omitzero"` // recorded about once a minute
	State        string    `json:"state"`              // valid, expired or revoked
}

// States of a key.
const (
	Valid   = "valid"
	Expired = "expired"
	Revoked = "revoked"
)

func keyAt(k *register.Key, now time.Time) Key {
	state := Valid
	switch {
	case !k.Revoked.IsZero():
		state = Revoked
	case !k.Expires.IsZero() && !k.Expires.After(now):
		state = Expired
	}
	return Key{
		ID: k.ID, Name: k.Name, Maker: k.Maker, Account: k.Account.Name, Organisation: k.Account.Organisation, Tier: k.Account.Tier,
		Created: k.Created, Expires: k.Expires, Revoked: k.Revoked, LastUsed: k.LastUsed, State: state,
	}
}

// NewKey is a key that was just created. Its Secret cannot be shown again.
type NewKey struct {
	Secret string `json:"key"`
	Key
}

// KeyRequest says whose key to create.
type KeyRequest struct {
	Account      string    // created if it does not exist
	Organisation string    // of a new account; empty: named like the account. Must match an existing account
	Tier         Tier      // of a new account; empty: Essential. Must match an existing account
	Expires      time.Time // zero: never
	Name         string    // what its owner calls it; empty: nothing
	Maker        string    // ID of the person who makes it; empty: nobody who signed in
}

// MaxOverlap is how long a rotated key may stay valid beside its successor.
const MaxOverlap = 7 * 24 * time.Hour

// CreateKey creates a key, and its account and organisation if they are new.
func (a *Access) CreateKey(ctx context.Context, r KeyRequest) (created NewKey, err error) {
	name, err := normaliseName("account", r.Account)
	if err == nil {
		err = a.checkExpiry(r.Expires)
	}
	if err == nil && r.Name != "" {
		r.Name, err = normaliseName("key", r.Name)
	}
	if err != nil {
		return created, err
	}
	err = a.changeKeys(ctx, func(ch *register.Change) error {
		account, err := a.accountFor(ctx, ch, name, &r)
		if err != nil {
			return err
		}
		created, err = a.addKey(ctx, ch, register.Key{Account: account, Expires: r.Expires, Name: r.Name, Maker: r.Maker})
		return err
	})
	return created, err
}

func (a *Access) checkExpiry(expires time.Time) error {
	if !expires.IsZero() && !expires.After(a.now()) {
		return stat.Errorf(stat.Invalid, "the key cannot expire on %s, which is in the past", expires.Format(time.RFC3339))
	}
	return nil
}

// changeKeys runs a change and refreshes the keys in memory. If the refresh fails,
// the change stands and the next poll reads it.
func (a *Access) changeKeys(ctx context.Context, do func(*register.Change) error) error {
	if err := a.db.Change(ctx, do); err != nil {
		return err
	}
	if err := a.refresh(context.WithoutCancel(ctx)); err != nil {
		a.log.Error("changed keys cannot be read", "error", err)
	}
	return nil
}

// accountFor finds or creates the account of a key. Tier and organisation of the
// request must match an existing account.
func (a *Access) accountFor(ctx context.Context, ch *register.Change, name string, r *KeyRequest) (Account, error) {
	account, err := ch.Account(ctx, name)
	if err != nil {
		return account, err
	}
	if account.ID == 0 {
		return a.addAccount(ctx, ch, name, r.Organisation, cmp.Or(r.Tier, Essential))
	}
	if r.Tier != "" && r.Tier != account.Tier {
		return account, stat.Errorf(stat.Conflict, "account %q has tier %s, not %s; leave the tier out or change the tier of the account first", account.Name, account.Tier, r.Tier)
	}
	if r.Organisation == "" {
		return account, nil
	}
	organisation, err := normaliseName("organisation", r.Organisation)
	if err != nil {
		return account, err
	}
	o, err := ch.Organisation(ctx, organisation)
	if err == nil && o.ID != account.OrganisationID {
		err = stat.Errorf(stat.Conflict, "account %q belongs to organisation %q, not to %q", account.Name, account.Organisation, r.Organisation)
	}
	return account, err
}

// addKey adds a key with an account, an expiry and a name.
func (a *Access) addKey(ctx context.Context, ch *register.Change, row register.Key) (NewKey, error) {
	row.Expires = row.Expires.UTC().Truncate(time.Second)
	for {
		secret := KeyPrefix + randomText(publicLength+secretLength)
		secret += checksum(secret)
		id, _ := publicID(secret)
		m := a.pepper.mac(secret)
		now := a.now().UTC().Truncate(time.Second)
		row.ID, row.MAC, row.Created = id, m[:], now
		isAdded, err := ch.AddKey(ctx, row)
		if err != nil {
			return NewKey{}, err
		}
		if isAdded { // else the public part is taken: once in 10^14
			return NewKey{Secret: secret, Key: keyAt(&row, now)}, nil
		}
	}
}

// SignUp creates an account of tier [Essential], an organisation of the same name and a
// key. The error is [stat.Conflict] if an account or an organisation has the name.
func (a *Access) SignUp(ctx context.Context, name string) (created NewKey, err error) {
	if name, err = normaliseName("account", name); err != nil {
		return created, err
	}
	err = a.changeKeys(ctx, func(ch *register.Change) error {
		account, err := a.found(ctx, ch, name)
		if err != nil {
			return err
		}
		created, err = a.addKey(ctx, ch, register.Key{Account: account})
		return err
	})
	return created, err
}

// Found creates an account of tier [Essential] and an organisation of the same name. The error is
// [stat.Conflict] if an account or an organisation has the name.
func (a *Access) Found(ctx context.Context, name string) (created Account, err error) {
	if name, err = normaliseName("organisation", name); err != nil {
		return created, err
	}
	err = a.db.Change(ctx, func(ch *register.Change) (err error) {
		created, err = a.found(ctx, ch, name)
		return err
	})
	return created, err
}

// found adds an account and an organisation with a name that neither has.
func (a *Access) found(ctx context.Context, ch *register.Change, name string) (Account, error) {
	existing, err := ch.Account(ctx, name)
	if err != nil {
		return existing, err
	}
	o, err := ch.Organisation(ctx, name)
	if err != nil {
		return existing, err
	}
	if existing.ID != 0 || o.ID != 0 {
		return Account{}, stat.Errorf(stat.Conflict, "the name %q is taken; choose another, or ask its members or the operator to invite you", name)
	}
	return a.addAccount(ctx, ch, name, name, Essential)
}

// Keys returns the keys of an account, or of all accounts if account is empty, by
// account and time of creation.
func (a *Access) Keys(ctx context.Context, account string) ([]Key, error) {
	id := int64(0)
	if account != "" {
		found, err := findAccount(ctx, a.db.Account, account)
		if err != nil {
			return nil, err
		}
		id = found.ID
	}
	rows, err := a.db.Keys(ctx, id)
	now := a.now()
	var list []Key
	for i := range rows {
		list = append(list, keyAt(&rows[i], now))
	}
	return list, err
}

// RevokeKey revokes a key; every process knows within a second. The text is the
// public id or, for a key that was leaked, the key itself. A key that is already
// revoked stays as it is.
func (a *Access) RevokeKey(ctx context.Context, text string) (Key, error) {
	var revoked register.Key
	now := a.now().UTC().Truncate(time.Second)
	err := a.changeKeys(ctx, func(ch *register.Change) (err error) {
		if revoked, err = a.findKey(ctx, ch, text); err != nil || !revoked.Revoked.IsZero() {
			return err
		}
		revoked.Revoked = now
		return ch.SetKey(ctx, revoked)
	})
	return keyAt(&revoked, now), err
}

// findKey returns a key by its public id or by the key itself. A text with the id of a key
// but another secret is not that key: anyone could plant one among leaked keys.
func (a *Access) findKey(ctx context.Context, ch *register.Change, text string) (register.Key, error) {
	id, isWhole := publicID(text)
	if !isWhole {
		id = text
	}
	k, err := ch.Key(ctx, id)
	if err != nil {
		return k, err
	}
	if m := a.pepper.mac(text); k.ID == "" || isWhole && !hmac.Equal(m[:], k.MAC) {
		return k, stat.Errorf(stat.NotFound, "there is no key %q", Redact(text))
	}
	return k, nil
}

// RotateKey creates a new key for the account of a valid key and returns both. The new one
// expires at expires (zero: never), the old one at the latest after the overlap. maker is as in [KeyRequest].
func (a *Access) RotateKey(ctx context.Context, text string, overlap time.Duration, expires time.Time, maker string) (created NewKey, old Key, err error) {
	if overlap < 0 || overlap > MaxOverlap {
		return created, old, stat.Errorf(stat.Invalid, "the overlap must be between 0 and %s, not %s", MaxOverlap, overlap)
	}
	if err := a.checkExpiry(expires); err != nil {
		return created, old, err
	}
	err = a.changeKeys(ctx, func(ch *register.Change) error {
		row, err := a.findKey(ctx, ch, text)
		if err != nil {
			return err
		}
		now := a.now().UTC().Truncate(time.Second)
		if old = keyAt(&row, now); old.State != Valid {
			return stat.Errorf(stat.Conflict, "key %s is %s; create a new one for account %q", old.ID, old.State, old.Account)
		}
		if end := now.Add(overlap); row.Expires.IsZero() || end.Before(row.Expires) {
			row.Expires = end
		}
		if err := ch.SetKey(ctx, row); err != nil {
			return err
		}
		old = keyAt(&row, now)
		created, err = a.addKey(ctx, ch, register.Key{Account: row.Account, Expires: expires, Name: row.Name, Maker: maker})
		return err
	})
	return created, old, err
}
