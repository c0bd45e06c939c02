// Package notice tells organisations what changed in the datasets that they follow, by signed
// webhooks (standardwebhooks.com), and their people by mail.
//
// A [Notifier] compares the versions of all datasets with those up to which notices were made, and
// queues one message for each webhook of an organisation that follows what changed. The change is
// also kept as news, from which a mail is made for each person who wants one, in the rhythm of the
// person. Messages are rows in notices.db: they are sent by any process of the service that takes a
// lease, retried with growing pauses over restarts, and kept as a log. A webhook can arrive twice, with
// the same id, if a process ends between sending it and writing that down; it is never lost. A mail
// never arrives twice. An endpoint that fails for a week is disabled.
//
// The statements are those that SQLite and PostgreSQL share, and none relies on a lock that only one of
// them takes.
//
// endpoint.go, delivery.go, subscription.go and token.go hold the SQL, notifier.go finds what changed,
// send.go sends webhooks and digest.go mail.
package notice

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Name is the name of the database.
const Name = "notices"

var options = database.Options{Migrations: migrations, IsPrivate: true}

// Copy copies the database of one installation to another; see [database.Copy].
func Copy(ctx context.Context, from, to database.Location) (database.Copied, error) {
	return database.Copy(ctx, from, to, Name, options)
}

// KeyLength is the length of the key that encrypts the secrets of endpoints, in bytes.
const KeyLength = 32

// DB is the open database. Its methods may be called at once by several goroutines.
type DB struct {
	// Networks are private networks to which the operator allows messages, also by http.
	Networks []netip.Prefix

	db     *sql.DB
	sealer cipher.AEAD
}

// Open opens the database of an installation and creates it if needed. The key encrypts the
// secrets of endpoints.
func Open(ctx context.Context, at database.Location, key [KeyLength]byte) (*DB, error) {
	db, err := at.Open(ctx, Name, options)
	if err != nil {
		return nil, fmt.Errorf("opening the notices: %w", err)
	}
	return New(db, key)
}

// New returns the notices in an open database that has their tables.
func New(db *sql.DB, key [KeyLength]byte) (*DB, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	sealer, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	return &DB{db: db, sealer: sealer}, nil
}

// Close closes the database.
func (d *DB) Close() error { return d.db.Close() }

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// scanTime reads a time of a row.
type scanTime struct{ t *time.Time }

// Scan implements [sql.Scanner].
func (s scanTime) Scan(from any) error {
	n, ok := from.(int64)
	if !ok {
		return fmt.Errorf("a time is %T, not an integer", from)
	}
	if *s.t = (time.Time{}); n != 0 {
		*s.t = time.UnixMilli(n).UTC()
	}
	return nil
}

// ifFound returns an error of a query for one row; no row is none.
func ifFound(err error, doing string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return stat.Wrap(err, "%s", doing)
}
