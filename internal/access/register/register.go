// Package register stores organisations, accounts, keys, counts and followed
// datasets. It has all SQL of package access and the types of the rows.
package register

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

//go:embed migrations/*.sql
var migrations embed.FS

// waitToChange bounds how long a change waits for changes by other processes.
const waitToChange = 5 * time.Second

// DB is the register's database.
type DB struct {
	db       *sql.DB
	counting counting
}

// Name is the name of the database.
const Name = "access"

// Copy copies the database of one installation to another; see [database.Copy].
func Copy(ctx context.Context, from, to database.Location) (database.Copied, error) {
	return database.Copy(ctx, from, to, Name, database.Options{Migrations: migrations, Wait: waitToChange, IsPrivate: true})
}

// Open opens the register of an installation and creates it if needed.
func Open(ctx context.Context, at database.Location) (*DB, error) {
	db, err := open(ctx, at, waitToChange)
	if err != nil {
		return nil, err
	}
	r := &DB{db: db}
	if r.counting.db, err = open(ctx, at, waitToCount); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := r.counting.prepare(ctx, at); err != nil {
		return nil, errors.Join(fmt.Errorf("register of accounts: %w", err), r.Close())
	}
	return r, nil
}

// open opens the database. Names of accounts are private.
func open(ctx context.Context, at database.Location, wait time.Duration) (*sql.DB, error) {
	db, err := at.Open(ctx, Name, database.Options{Migrations: migrations, Wait: wait, IsPrivate: true})
	if err != nil {
		return nil, fmt.Errorf("register of accounts: %w", err)
	}
	return db, nil
}

// wrapChange adds to the error of a change what failed; nil stays nil. A temporary
// error becomes [stat.Unavailable].
func wrapChange(err error, doing string, args ...any) error {
	err = stat.Wrap(err, doing, args...)
	if database.IsTemporary(err) {
		return &stat.Error{Kind: stat.Unavailable, Message: "accounts cannot be changed at the moment; try again", Err: err}
	}
	return err
}

// Close closes the database.
func (r *DB) Close() error { return errors.Join(r.counting.db.Close(), r.db.Close()) }

// State returns the generation and the fingerprint of the pepper.
func (r *DB) State(ctx context.Context) (generation int64, pepper string, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT generation, pepper FROM state").Scan(&generation, &pepper)
	return generation, pepper, stat.Wrap(err, "reading the state of the register")
}

// SetPepper stores the fingerprint of the pepper if there is none, and returns the
// stored one.
func (r *DB) SetPepper(ctx context.Context, fingerprint string) (string, error) {
	if _, err := r.db.ExecContext(ctx, "UPDATE state SET pepper = $1 WHERE pepper = ''", fingerprint); err != nil {
		return "", fmt.Errorf("storing the fingerprint of the pepper: %w", err)
	}
	_, pepper, err := r.State(ctx)
	return pepper, err
}

// Tier is a class of callers with the same daily limit.
type Tier string

// Organisation is a newsroom, an office or a company; it follows datasets.
type Organisation struct {
	ID       int64     `json:"-"`
	Name     string    `json:"organisation"`
	Created  time.Time `json:"created"`
	Accounts int       `json:"accounts"`
	Followed int       `json:"followed"` // datasets
}

// Account belongs to one organisation. All of its keys share its daily count.
type Account struct {
	ID             int64     `json:"-"`
	OrganisationID int64     `json:"-"`
	Name           string    `json:"account"`
	Organisation   string    `json:"organisation"`
	Tier           Tier      `json:"tier"`
	MayBring       bool      `json:"may_bring,omitempty"` // its callers may have datasets of offices brought
	Created        time.Time `json:"created"`
	Keys           int       `json:"keys"` // valid keys; set only in lists of accounts
}

// Key is a key's row, with its account.
type Key struct {
	ID       string
	Name     string // empty: it has none
	Maker    string // ID of the person who made it; empty: nobody who signed in
	Account  Account
	MAC      []byte
	Created  time.Time
	Expires  time.Time // zero: never
	Revoked  time.Time // zero: not revoked
	LastUsed time.Time // zero: never
}

// Columns and tables of rows, in the order that the scan functions expect.
const (
	organisationColumns = `organisation.id, organisation.name, organisation.created`
	accountColumns      = `account.id, account.organisation, organisation.name, account.name, account.tier, account.may_bring, account.created`
	accountTables       = `account JOIN organisation ON organisation.id = account.organisation`
	keyColumns          = `key.id, key.name, key.maker, key.mac, key.created, key.expires, key.revoked, key.last_used, ` + accountColumns
	keyTables           = `key JOIN account ON account.id = key.account JOIN organisation ON organisation.id = account.organisation`
)

// fields returns the destinations of the columns of an organisation.
func (o *Organisation) fields() []any { return []any{&o.ID, &o.Name, scanTime{&o.Created}} }

// fields returns the destinations of the columns of an account.
func (a *Account) fields() []any {
	return []any{&a.ID, &a.OrganisationID, &a.Organisation, &a.Name, &a.Tier, &a.MayBring, scanTime{&a.Created}}
}

func scanKey(row database.Row) (k Key, err error) {
	own := []any{&k.ID, &k.Name, &k.Maker, &k.MAC, scanTime{&k.Created}, scanTime{&k.Expires}, scanTime{&k.Revoked}, scanTime{&k.LastUsed}}
	err = row.Scan(append(own, k.Account.fields()...)...)
	return k, err
}

// scanTime scans a time of the database: Unix seconds, 0 for the zero time.
type scanTime struct{ into *time.Time }

func (t scanTime) Scan(value any) error {
	seconds, ok := value.(int64)
	if !ok {
		return fmt.Errorf("a time has type %T, want an integer", value)
	}
	*t.into = time.Time{}
	if seconds != 0 {
		*t.into = time.Unix(seconds, 0).UTC()
	}
	return nil
}

func unixSeconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// ifFound is wrap for a query for one row; no row is not an error.
func ifFound(err error, doing string, args ...any) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return stat.Wrap(err, doing, args...)
}

// Changed returns the keys that changed after a generation, or whose accounts did.
// After generation 0 these are all keys.
func (r *DB) Changed(ctx context.Context, generation int64) ([]Key, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT `+keyColumns+` FROM `+keyTables+`
		WHERE key.generation > $1 OR account.generation > $1`, generation)
	keys, err := database.Collect(rows, err, scanKey)
	return keys, stat.Wrap(err, "reading the keys")
}

// Keys returns the keys of an account, or of all accounts if account is 0, by account
// and time of creation.
func (r *DB) Keys(ctx context.Context, account int64) ([]Key, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT `+keyColumns+` FROM `+keyTables+`
		WHERE CAST($1 AS BIGINT) = 0 OR account.id = $1 ORDER BY account.name_key, key.created, key.id`, account)
	keys, err := database.Collect(rows, err, scanKey)
	return keys, stat.Wrap(err, "listing the keys")
}

// Accounts returns the accounts of an organisation, or all if organisation is 0, by name, with the
// number of keys valid at now.
func (r *DB) Accounts(ctx context.Context, organisation int64, now time.Time) ([]Account, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT `+accountColumns+`,
			(SELECT count(*) FROM key WHERE key.account = account.id AND revoked = 0 AND (expires = 0 OR expires > $1))
		FROM `+accountTables+` WHERE CAST($2 AS BIGINT) = 0 OR account.organisation = $2 ORDER BY account.name_key`, now.Unix(), organisation)
	list, err := database.Collect(rows, err, func(row database.Row) (a Account, err error) {
		err = row.Scan(append(a.fields(), &a.Keys)...)
		return a, err
	})
	return list, stat.Wrap(err, "listing the accounts")
}

// Organisations returns the organisations, by name.
func (r *DB) Organisations(ctx context.Context) ([]Organisation, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT `+organisationColumns+`,
			(SELECT count(*) FROM account WHERE account.organisation = organisation.id),
			(SELECT count(*) FROM followed WHERE followed.organisation = organisation.id)
		FROM organisation ORDER BY name_key`)
	list, err := database.Collect(rows, err, func(row database.Row) (o Organisation, err error) {
		err = row.Scan(append(o.fields(), &o.Accounts, &o.Followed)...)
		return o, err
	})
	return list, stat.Wrap(err, "listing the organisations")
}

// Organisation returns the organisation with a name; its ID is 0 if there is none. Accounts are
// not counted.
func (r *DB) Organisation(ctx context.Context, name string) (o Organisation, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT "+organisationColumns+" FROM organisation WHERE name_key = $1", NameKey(name)).Scan(o.fields()...)
	return o, ifFound(err, "looking for organisation %q", name)
}

// Account returns the account with a name; its ID is 0 if there is none. Keys are
// not counted.
func (r *DB) Account(ctx context.Context, name string) (Account, error) {
	return findAccount(ctx, r.db, name)
}

func findAccount(ctx context.Context, from interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, name string) (a Account, err error) {
	err = from.QueryRowContext(ctx, `SELECT `+accountColumns+` FROM `+accountTables+` WHERE account.name_key = $1`, NameKey(name)).Scan(a.fields()...)
	return a, ifFound(err, "looking for account %q", name)
}

// MarkUsed records when keys were last used.
func (r *DB) MarkUsed(ctx context.Context, used map[string]time.Time) error {
	return stat.Wrap(inTx(ctx, r.db, func(tx *sql.Tx) error {
		for id, at := range used {
			if _, err := tx.ExecContext(ctx, "UPDATE key SET last_used = $1 WHERE id = $2 AND last_used < $1", at.Unix(), id); err != nil {
				return err
			}
		}
		return nil
	}), "recording the use of keys")
}

// inTx runs do in a transaction and commits it if do returns nil.
func inTx(ctx context.Context, db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}
