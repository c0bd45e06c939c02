// Package register keeps organisations, accounts, keys, counts and what is
// followed in SQLite. All SQL of access stands here; what the rows mean is
// said there.
package register

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"time"

	"almanac/internal/sqlitefile"
	"almanac/internal/stat"
)

//go:embed migrations/*.sql
var migrations embed.FS

// waitToChange is for how long a change waits for those of other processes.
const waitToChange = 5 * time.Second

// DB is the register's database.
type DB struct {
	db       *sql.DB
	counting counting
}

// Open opens the register in a file and creates it if there is none.
func Open(ctx context.Context, path string) (*DB, error) {
	db, err := openFile(ctx, path, waitToChange)
	if err != nil {
		return nil, err
	}
	r := &DB{db: db}
	if r.counting.db, err = openFile(ctx, path, waitToCount); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := r.counting.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("the register of accounts: %w", err), r.Close())
	}
	return r, nil
}

func openFile(ctx context.Context, path string, wait time.Duration) (*sql.DB, error) {
	db, err := sqlitefile.Open(ctx, path, sqlitefile.Options{Migrations: migrations, Wait: wait})
	if err != nil {
		return nil, fmt.Errorf("the register of accounts: %w", err)
	}
	return db, nil
}

// changing wraps an error of a change. One that passes is [stat.Unavailable].
func changing(err error, doing string, args ...any) error {
	err = fmt.Errorf(doing+": %w", append(args, err)...)
	if sqlitefile.Passes(err) {
		return &stat.Error{Kind: stat.Unavailable, Message: "accounts cannot be changed at the moment; try again", Err: err}
	}
	return err
}

// Close closes the database.
func (r *DB) Close() error { return errors.Join(r.counting.db.Close(), r.db.Close()) }

// State returns the generation and the fingerprint of the pepper.
func (r *DB) State(ctx context.Context) (generation int64, pepper string, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT generation, pepper FROM state").Scan(&generation, &pepper)
	if err != nil {
		return 0, "", fmt.Errorf("reading the register's state: %w", err)
	}
	return generation, pepper, nil
}

// SetPepper notes the fingerprint of the pepper if there is none, and returns
// the one that is there then.
func (r *DB) SetPepper(ctx context.Context, fingerprint string) (string, error) {
	if _, err := r.db.ExecContext(ctx, "UPDATE state SET pepper = ? WHERE pepper = ''", fingerprint); err != nil {
		return "", fmt.Errorf("noting the pepper's fingerprint: %w", err)
	}
	_, pepper, err := r.State(ctx)
	return pepper, err
}

// Account is an account's row.
type Account struct {
	ID             int64
	OrganisationID int64
	Organisation   string
	Name           string
	Tier           string
	Created        time.Time
	Keys           int // that are valid
}

// Key is a key's row, with what its account says.
type Key struct {
	ID       string
	Account  Account // without Keys
	MAC      []byte
	Created  time.Time
	Expires  time.Time // zero: never
	Revoked  time.Time // zero: not
	LastUsed time.Time // zero: not yet
}

const keyColumns = `key.id, key.mac, key.created, key.expires, key.revoked, key.last_used,
	account.id, account.organisation, organisation.name, account.name, account.tier, account.created`

const keyTables = `key JOIN account ON account.id = key.account JOIN organisation ON organisation.id = account.organisation`

func scanKey(row sqlitefile.Row) (k Key, err error) {
	var created, expires, revoked, used, accountCreated int64
	err = row.Scan(&k.ID, &k.MAC, &created, &expires, &revoked, &used,
		&k.Account.ID, &k.Account.OrganisationID, &k.Account.Organisation, &k.Account.Name, &k.Account.Tier, &accountCreated)
	k.Created, k.Expires, k.Revoked, k.LastUsed = moment(created), moment(expires), moment(revoked), moment(used)
	k.Account.Created = moment(accountCreated)
	return k, err
}

// moment is a time of the database.
func moment(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

// seconds is a time for the database.
func seconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// Changed lists the keys that changed after a generation, themselves or their
// accounts. After generation 0, which is before all, these are all.
func (r *DB) Changed(ctx context.Context, generation int64) ([]Key, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT `+keyColumns+` FROM `+keyTables+`
		WHERE key.generation > ?1 OR account.generation > ?1`, generation)
	keys, err := sqlitefile.Collect(rows, err, scanKey)
	if err != nil {
		return nil, fmt.Errorf("reading the keys: %w", err)
	}
	return keys, nil
}

// Keys lists the keys of an account, or of all if account is 0, by account and
// time of making.
func (r *DB) Keys(ctx context.Context, account int64) ([]Key, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT `+keyColumns+` FROM `+keyTables+`
		WHERE ?1 = 0 OR account.id = ?1 ORDER BY account.name_key, key.created, key.id`, account)
	keys, err := sqlitefile.Collect(rows, err, scanKey)
	if err != nil {
		return nil, fmt.Errorf("listing the keys: %w", err)
	}
	return keys, nil
}

const accountColumns = `account.id, account.organisation, organisation.name, account.name, account.tier, account.created`

// Accounts lists the accounts, by name. Keys are counted as valid at now.
func (r *DB) Accounts(ctx context.Context, now time.Time) ([]Account, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT `+accountColumns+`,
			(SELECT count(*) FROM key WHERE key.account = account.id AND revoked = 0 AND (expires = 0 OR expires > ?))
		FROM account JOIN organisation ON organisation.id = account.organisation ORDER BY account.name_key`, now.Unix())
	list, err := sqlitefile.Collect(rows, err, func(row sqlitefile.Row) (a Account, err error) {
		var created int64
		err = row.Scan(&a.ID, &a.OrganisationID, &a.Organisation, &a.Name, &a.Tier, &created, &a.Keys)
		a.Created = moment(created)
		return a, err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the accounts: %w", err)
	}
	return list, nil
}

// Organisation is an organisation's row.
type Organisation struct {
	ID       int64
	Name     string
	Created  time.Time
	Accounts int
	Followed int
}

// Organisations lists the organisations, by name.
func (r *DB) Organisations(ctx context.Context) ([]Organisation, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT id, name, created,
			(SELECT count(*) FROM account WHERE account.organisation = organisation.id),
			(SELECT count(*) FROM followed WHERE followed.organisation = organisation.id)
		FROM organisation ORDER BY name_key`)
	list, err := sqlitefile.Collect(rows, err, func(row sqlitefile.Row) (o Organisation, err error) {
		var created int64
		err = row.Scan(&o.ID, &o.Name, &created, &o.Accounts, &o.Followed)
		o.Created = moment(created)
		return o, err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the organisations: %w", err)
	}
	return list, nil
}

// Account finds an account by its name; its ID is 0 if there is none. Keys are
// not counted.
func (r *DB) Account(ctx context.Context, name string) (Account, error) {
	return findAccount(ctx, r.db, name)
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func findAccount(ctx context.Context, from querier, name string) (a Account, err error) {
	var created int64
	err = from.QueryRowContext(ctx, `SELECT `+accountColumns+` FROM account
		JOIN organisation ON organisation.id = account.organisation WHERE account.name_key = ?`, NameKey(name)).
		Scan(&a.ID, &a.OrganisationID, &a.Organisation, &a.Name, &a.Tier, &created)
	a.Created = moment(created)
	return a, orNone(err, "looking for account %q", name)
}

// MarkUsed notes when keys were last used.
func (r *DB) MarkUsed(ctx context.Context, used map[string]time.Time) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("noting the use of keys: %w", err)
	}
	defer tx.Rollback()
	for id, at := range used {
		if _, err := tx.ExecContext(ctx, "UPDATE key SET last_used = max(last_used, ?) WHERE id = ?", at.Unix(), id); err != nil {
			return fmt.Errorf("noting the use of key %s: %w", id, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("noting the use of keys: %w", err)
	}
	return nil
}
