package register

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/cases"

	"almanac/internal/stat"
)

// Change is one transaction that changes accounts or keys. It holds the write
// lock from its beginning.
type Change struct {
	tx         *sql.Tx
	generation int64
}

// Change runs do in a transaction and commits it if do returns nil.
func (r *DB) Change(ctx context.Context, do func(*Change) error) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return &stat.Error{Kind: stat.Unavailable, Message: "the register of accounts cannot be changed at the moment; try again", Err: err}
	}
	defer tx.Rollback()
	ch := &Change{tx: tx}
	err = tx.QueryRowContext(ctx, "UPDATE state SET generation = generation + 1 RETURNING generation").Scan(&ch.generation)
	if err != nil {
		return fmt.Errorf("counting the register's generation: %w", err)
	}
	if err := do(ch); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("committing a change of the register: %w", err)
	}
	return nil
}

// nameKey is what names are compared by: without regard to case, and to the
// characters that only join others.
func nameKey(name string) string {
	return cases.Fold().String(joiners.Replace(name))
}

var joiners = strings.NewReplacer("\u200c", "", "\u200d", "")

// Organisation finds an organisation by its name; its ID is 0 if there is none.
func (ch *Change) Organisation(ctx context.Context, name string) (o Organisation, err error) {
	var created int64
	err = ch.tx.QueryRowContext(ctx, "SELECT id, name, created FROM organisation WHERE name_key = ?", nameKey(name)).
		Scan(&o.ID, &o.Name, &created)
	o.Created = moment(created)
	return o, orNone(err, "looking for organisation %q", name)
}

// orNone wraps an error, but for the one that says that there is no such row.
func orNone(err error, doing string, args ...any) error {
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return fmt.Errorf(doing+": %w", append(args, err)...)
}

// AddOrganisation adds one whose name is free.
func (ch *Change) AddOrganisation(ctx context.Context, name string, now time.Time) (Organisation, error) {
	o := Organisation{Name: name, Created: moment(now.Unix())}
	err := ch.tx.QueryRowContext(ctx, "INSERT INTO organisation (name, name_key, created) VALUES (?, ?, ?) RETURNING id",
		name, nameKey(name), now.Unix()).Scan(&o.ID)
	if err != nil {
		return o, fmt.Errorf("adding organisation %q: %w", name, err)
	}
	return o, nil
}

// Account finds an account by its name; its ID is 0 if there is none. Keys
// are not counted.
func (ch *Change) Account(ctx context.Context, name string) (a Account, err error) {
	var created int64
	err = ch.tx.QueryRowContext(ctx, `SELECT `+accountColumns+` FROM account
		JOIN organisation ON organisation.id = account.organisation WHERE account.name_key = ?`, nameKey(name)).
		Scan(&a.ID, &a.OrganisationID, &a.Organisation, &a.Name, &a.Tier, &created)
	a.Created = moment(created)
	return a, orNone(err, "looking for account %q", name)
}

// AddAccount adds one whose name is free to an organisation.
func (ch *Change) AddAccount(ctx context.Context, o Organisation, name, tier string, now time.Time) (Account, error) {
	a := Account{OrganisationID: o.ID, Organisation: o.Name, Name: name, Tier: tier, Created: moment(now.Unix())}
	err := ch.tx.QueryRowContext(ctx, `INSERT INTO account (organisation, name, name_key, tier, created, generation)
		VALUES (?, ?, ?, ?, ?, ?) RETURNING id`, o.ID, name, nameKey(name), tier, now.Unix(), ch.generation).Scan(&a.ID)
	if err != nil {
		return a, fmt.Errorf("adding account %q: %w", name, err)
	}
	return a, nil
}

// SetTier gives an account another tier.
func (ch *Change) SetTier(ctx context.Context, account int64, tier string) error {
	_, err := ch.tx.ExecContext(ctx, "UPDATE account SET tier = ?, generation = ? WHERE id = ?", tier, ch.generation, account)
	if err != nil {
		return fmt.Errorf("setting the tier of account %d: %w", account, err)
	}
	return nil
}

// Key finds a key by its public id; its ID is empty if there is none.
func (ch *Change) Key(ctx context.Context, id string) (Key, error) {
	k, err := scanKey(ch.tx.QueryRowContext(ctx, `SELECT `+keyColumns+` FROM `+keyTables+` WHERE key.id = ?`, id))
	return k, orNone(err, "looking for key %s", id)
}

// AddKey adds a key to its account. added is false if the public id is taken.
func (ch *Change) AddKey(ctx context.Context, k Key) (added bool, err error) {
	result, err := ch.tx.ExecContext(ctx, `INSERT INTO key (id, account, mac, created, expires, revoked, generation)
		VALUES (?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING`,
		k.ID, k.Account.ID, k.MAC, seconds(k.Created), seconds(k.Expires), ch.generation)
	if err != nil {
		return false, fmt.Errorf("adding a key: %w", err)
	}
	n, err := result.RowsAffected()
	return n == 1, err
}

// SetKey sets when a key expires and when it was revoked.
func (ch *Change) SetKey(ctx context.Context, k Key) error {
	_, err := ch.tx.ExecContext(ctx, "UPDATE key SET expires = ?, revoked = ?, generation = ? WHERE id = ?",
		seconds(k.Expires), seconds(k.Revoked), ch.generation, k.ID)
	if err != nil {
		return fmt.Errorf("changing key %s: %w", k.ID, err)
	}
	return nil
}
