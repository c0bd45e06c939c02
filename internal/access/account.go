package access

import (
	"context"
	"time"
)

// Organisation is a newsroom, an office, a company: who follows datasets.
type Organisation struct {
	Name     string    `json:"organisation"`
	Created  time.Time `json:"created"`
	Accounts int       `json:"accounts"`
	Followed int       `json:"followed"` // datasets
}

// Account belongs to one organisation. All of its keys share its daily count.
type Account struct {
	Name         string    `json:"account"`
	Organisation string    `json:"organisation"`
	Tier         Tier      `json:"tier"`
	Created      time.Time `json:"created"`
	Keys         int       `json:"keys"` // that are valid now
}

// Key is what is known of a key: not the key itself.
type Key struct {
	ID           string    `json:"id"` // the public part: what stands after the prefix, 8 characters
	Account      string    `json:"account"`
	Organisation string    `json:"organisation"`
	Tier         Tier      `json:"tier"`
	Created      time.Time `json:"created"`
	Expires      time.Time `json:"expires,omitzero"`
	Revoked      time.Time `json:"revoked,omitzero"`
	LastUsed     time.Time `json:"last_used,omitzero"` // to the minute
	State        string    `json:"state"`              // valid, expired or revoked
}

// NewKey is a key that was just made. The key itself is in Secret, and nowhere
// else: it cannot be shown again.
type NewKey struct {
	Secret string `json:"key"`
	Key
}

// KeyRequest says whose key is to be made.
type KeyRequest struct {
	Account      string    // made if there is none of this name
	Organisation string    // of a new account; empty: one with the account's name. Of another account: must be its own
	Tier         Tier      // of a new account; empty: Essential. Of another account: must be its own
	Expires      time.Time // zero: never
}

// Usage is how many requests of an account were counted on a UTC day.
type Usage struct {
	Day          string `json:"day"`     // 2026-11-21
	Account      string `json:"account"` // empty: all anonymous callers together
	Organisation string `json:"organisation,omitempty"`
	Tier         Tier   `json:"tier"`
	Requests     int64  `json:"requests"`
}

// Names of organisations and accounts are compared without regard to case. They
// have 1 to 100 characters, none of them a control character; white space at
// the ends is dropped and inner white space collapsed. The errors of the
// methods below are [stat.Invalid] for a name that is none, [stat.NotFound]
// for an account, organisation or key that is not there, and [stat.Conflict]
// for one that is there already or is another's.

// CreateOrganisation makes an organisation.
func (a *Access) CreateOrganisation(ctx context.Context, name string) (Organisation, error) {
	panic("not yet")
}

// Organisations lists all, by name.
func (a *Access) Organisations(ctx context.Context) ([]Organisation, error) { panic("not yet") }

// CreateAccount makes an account. An empty organisation is one with the name
// of the account, which is made; another must be there.
func (a *Access) CreateAccount(ctx context.Context, name, organisation string, tier Tier) (Account, error) {
	panic("not yet")
}

// Accounts lists all, by name.
func (a *Access) Accounts(ctx context.Context) ([]Account, error) { panic("not yet") }

// SetTier gives an account another tier. What it has used today stays.
func (a *Access) SetTier(ctx context.Context, account string, tier Tier) (Account, error) {
	panic("not yet")
}

// CreateKey makes a key, and the account and organisation if they are new.
func (a *Access) CreateKey(ctx context.Context, r KeyRequest) (NewKey, error) { panic("not yet") }

// SignUp makes a new account of the tier [Essential] in an organisation of its
// own, both named so, and its key. The error is [stat.Conflict] if one of the
// names is taken.
func (a *Access) SignUp(ctx context.Context, name string) (NewKey, error) { panic("not yet") }

// Keys lists the keys of an account, or of all if account is empty, by account
// and time of making.
func (a *Access) Keys(ctx context.Context, account string) ([]Key, error) { panic("not yet") }

// RevokeKey makes a key invalid, for every process within a second. The key is
// named by its public id, or by itself if it was found where it should not be.
// One that is revoked already stays as it was.
func (a *Access) RevokeKey(ctx context.Context, id string) (Key, error) { panic("not yet") }

// RotateKey makes a new key for the account of a valid one, which stays valid for the
// overlap (0 to [MaxOverlap]) and not longer.
func (a *Access) RotateKey(ctx context.Context, id string, overlap time.Duration) (NewKey, error) {
	panic("not yet")
}

// MaxOverlap is how long a rotated key may stay valid beside its successor.
const MaxOverlap = 7 * 24 * time.Hour

// Usage lists what was counted from one UTC day to another, both included, by
// day and account. Anonymous callers come last in each day.
func (a *Access) Usage(ctx context.Context, from, to time.Time) ([]Usage, error) { panic("not yet") }
