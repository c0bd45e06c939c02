package access

import (
	"time"

	"almanac/internal/access/register"
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
	LastUsed     time.Time `json:"last_used,omitzero"` // written down about once a minute
	State        string    `json:"state"`              // valid, expired or revoked
}

// States of a key.
const (
	Valid   = "valid"
	Expired = "expired"
	Revoked = "revoked"
)

// keyAt is what is known of a key at a moment.
func keyAt(k *register.Key, now time.Time) Key {
	state := Valid
	switch {
	case !k.Revoked.IsZero():
		state = Revoked
	case !k.Expires.IsZero() && !k.Expires.After(now):
		state = Expired
	}
	return Key{
		ID: k.ID, Account: k.Account.Name, Organisation: k.Account.Organisation, Tier: Tier(k.Account.Tier),
		Created: k.Created, Expires: k.Expires, Revoked: k.Revoked, LastUsed: k.LastUsed, State: state,
	}
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

// MaxOverlap is how long a rotated key may stay valid beside its successor.
const MaxOverlap = 7 * 24 * time.Hour

// Usage is how many requests of an account were counted on a UTC day.
type Usage struct {
	Day          string `json:"day"`     // 2026-11-21
	Account      string `json:"account"` // empty: all anonymous callers together
	Organisation string `json:"organisation,omitempty"`
	Tier         Tier   `json:"tier"`
	Requests     int64  `json:"requests"`
}
