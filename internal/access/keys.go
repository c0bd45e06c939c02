package access

import (
	"context"
	"crypto/hmac"
	"time"

	"almanac/internal/access/register"
	"almanac/internal/stat"
)

// CreateKey makes a key, and the account and organisation if they are new.
func (a *Access) CreateKey(ctx context.Context, r KeyRequest) (NewKey, error) {
	name, err := nameOf("account", r.Account)
	if err != nil {
		return NewKey{}, err
	}
	if err := a.checkEnd(r.Expires); err != nil {
		return NewKey{}, err
	}
	var made NewKey
	err = a.changeKeys(ctx, func(ch *register.Change) error {
		account, err := a.accountFor(ctx, ch, name, &r)
		if err != nil {
			return err
		}
		made, err = a.addKey(ctx, ch, account, r.Expires)
		return err
	})
	return made, err
}

// checkEnd checks when a new key is to expire.
func (a *Access) checkEnd(expires time.Time) error {
	if !expires.IsZero() && !expires.After(a.now()) {
		return stat.Errorf(stat.Invalid, "the key would have expired at %s, which is over", expires.Format(time.RFC3339))
	}
	return nil
}

// changeKeys runs a change, and brings the keys in memory up to date at once. If
// that fails, the change is made all the same, and the next poll sees it.
func (a *Access) changeKeys(ctx context.Context, do func(*register.Change) error) error {
	if err := a.db.Change(ctx, do); err != nil {
		return err
	}
	if err := a.refresh(context.WithoutCancel(ctx)); err != nil {
		a.log.Error("reading keys that were changed", "error", err)
	}
	return nil
}

// accountFor finds the account that a key is for, or makes it.
func (a *Access) accountFor(ctx context.Context, ch *register.Change, name string, r *KeyRequest) (register.Account, error) {
	account, err := ch.Account(ctx, name)
	if err != nil {
		return account, err
	}
	if account.ID != 0 {
		return account, a.sameAccount(ctx, ch, &account, r)
	}
	tier := r.Tier
	if tier == "" {
		tier = Essential
	}
	return a.addAccount(ctx, ch, name, r.Organisation, tier)
}

// sameAccount holds what was said of an account against what it is.
func (a *Access) sameAccount(ctx context.Context, ch *register.Change, there *register.Account, r *KeyRequest) error {
	if r.Tier != "" && string(r.Tier) != there.Tier {
		return stat.Errorf(stat.Conflict, "account %q is %s, not %s; leave the tier out, or change that of the account first", there.Name, there.Tier, r.Tier)
	}
	if r.Organisation == "" {
		return nil
	}
	name, err := nameOf("organisation", r.Organisation)
	if err != nil {
		return err
	}
	o, err := ch.Organisation(ctx, name)
	if err == nil && o.ID != there.OrganisationID {
		err = stat.Errorf(stat.Conflict, "account %q belongs to organisation %q, not to %q", there.Name, there.Organisation, r.Organisation)
	}
	return err
}

// addKey makes a key of an account.
func (a *Access) addKey(ctx context.Context, ch *register.Change, account register.Account, expires time.Time) (NewKey, error) {
	for {
		secret := newKey()
		id, _ := publicID(secret)
		m := a.pepper.mac(secret)
		now := a.now().UTC().Truncate(time.Second)
		row := register.Key{ID: id, Account: account, MAC: m[:], Created: now, Expires: expires.UTC().Truncate(time.Second)}
		if expires.IsZero() {
			row.Expires = time.Time{}
		}
		added, err := ch.AddKey(ctx, row)
		if err != nil {
			return NewKey{}, err
		}
		if added { // else another has the public part: once in 10^14
			return NewKey{Secret: secret, Key: keyAt(&row, now)}, nil
		}
	}
}

// SignUp makes a new account of the tier [Essential] in an organisation of its
// own, both named so, and its key. The error is [stat.Conflict] if one of the
// names is taken.
func (a *Access) SignUp(ctx context.Context, text string) (NewKey, error) {
	name, err := nameOf("account", text)
	if err != nil {
		return NewKey{}, err
	}
	var made NewKey
	err = a.changeKeys(ctx, func(ch *register.Change) error {
		there, err := ch.Account(ctx, name)
		if err != nil {
			return err
		}
		o, err := ch.Organisation(ctx, name)
		if err != nil {
			return err
		}
		if there.ID != 0 || o.ID != 0 {
			return stat.Errorf(stat.Conflict, "the name %q is taken; choose another", name)
		}
		account, err := a.addAccount(ctx, ch, name, name, Essential)
		if err != nil {
			return err
		}
		made, err = a.addKey(ctx, ch, account, time.Time{})
		return err
	})
	return made, err
}

// Keys lists the keys of an account, or of all if account is empty, by account
// and time of making.
func (a *Access) Keys(ctx context.Context, account string) ([]Key, error) {
	id := int64(0)
	if account != "" {
		there, err := theAccount(ctx, a.db, account)
		if err != nil {
			return nil, err
		}
		id = there.ID
	}
	rows, err := a.db.Keys(ctx, id)
	now := a.now()
	var list []Key
	for i := range rows {
		list = append(list, keyAt(&rows[i], now))
	}
	return list, err
}

// RevokeKey makes a key invalid, for every process within a second. The key is
// named by its public id, or by itself if it was found where it should not be.
// One that is revoked already stays as it was.
func (a *Access) RevokeKey(ctx context.Context, text string) (Key, error) {
	var revoked register.Key
	now := a.now().UTC().Truncate(time.Second)
	err := a.changeKeys(ctx, func(ch *register.Change) (err error) {
		if revoked, err = a.key(ctx, ch, text); err != nil || !revoked.Revoked.IsZero() {
			return err
		}
		revoked.Revoked = now
		return ch.SetKey(ctx, revoked)
	})
	return keyAt(&revoked, now), err
}

// key finds a key that must be there, by its public id or by itself. A text
// with the id of a key and another secret is none: somebody may have put it
// where lost keys are looked for.
func (a *Access) key(ctx context.Context, ch *register.Change, text string) (register.Key, error) {
	id, whole := publicID(text)
	if !whole {
		id = text
	}
	k, err := ch.Key(ctx, id)
	if err != nil {
		return k, err
	}
	if m := a.pepper.mac(text); k.ID == "" || whole && !hmac.Equal(m[:], k.MAC) {
		return k, stat.Errorf(stat.NotFound, "there is no key %q", Redact(text))
	}
	return k, nil
}

// RotateKey makes a new key, which expires as said (zero: never), for the
// account of a valid one, which stays valid for the overlap (0 to [MaxOverlap])
// and not longer. It returns both.
func (a *Access) RotateKey(ctx context.Context, text string, overlap time.Duration, expires time.Time) (made NewKey, old Key, err error) {
	if overlap < 0 || overlap > MaxOverlap {
		return made, old, stat.Errorf(stat.Invalid, "the overlap is %s; right are 0 to %s", overlap, MaxOverlap)
	}
	if err := a.checkEnd(expires); err != nil {
		return made, old, err
	}
	err = a.changeKeys(ctx, func(ch *register.Change) error {
		row, err := a.key(ctx, ch, text)
		if err != nil {
			return err
		}
		now := a.now().UTC().Truncate(time.Second)
		if old = keyAt(&row, now); old.State != Valid {
			return stat.Errorf(stat.Conflict, "key %s is %s; make a new one for account %q", old.ID, old.State, old.Account)
		}
		if end := now.Add(overlap); row.Expires.IsZero() || end.Before(row.Expires) {
			row.Expires = end
		}
		if err := ch.SetKey(ctx, row); err != nil {
			return err
		}
		old = keyAt(&row, now)
		made, err = a.addKey(ctx, ch, row.Account, expires)
		return err
	})
	return made, old, err
}
