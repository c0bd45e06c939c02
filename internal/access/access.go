// Package access knows who calls and how often they may: organisations and
// their accounts, keys, daily limits by tier, the count of today's requests,
// and what an organisation follows.
//
// A request passes in two steps. [Access.Verify] finds the caller of a key in
// memory: keys and accounts are read at start and brought up to date when their
// generation in the database has changed, which is looked at twice a second. So a
// key that another process made or revoked is known within a second.
// [Access.Admit] then counts the request if it is below the caller's limit;
// the count is on the disk before Admit returns (meter.go says how thousands a
// second share one write).
//
// A data directory holds two files for it:
//
//	access.db      all of this (package register holds the SQL)
//	access.pepper  32 random bytes without which no key in the database can be
//	               checked or guessed; a backup of one does without the other
//
// It knows nothing of HTTP.
package access

import (
	"context"
	"log/slog"
	"time"
)

// Options are what an [Access] is opened with.
type Options struct {
	Dir    string           // data directory; created if it is not there
	Limits Limits           // of the tiers
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger     // nil: none
}

// Access is the open register of callers. It is safe for concurrent use, also
// by several processes on one directory.
type Access struct{}

// Open opens the register in o.Dir and makes it, and the pepper, if there is
// none. The error says so if the pepper is not the one that the keys in the
// database were made with.
func Open(ctx context.Context, o Options) (*Access, error) { panic("not yet") }

// Exists reports whether a data directory has a register.
func Exists(dir string) bool { panic("not yet") }

// Close gives back what was reserved but not used, and closes the database.
func (a *Access) Close() error { panic("not yet") }

// Limits are the limits that the register was opened with.
func (a *Access) Limits() Limits { panic("not yet") }
