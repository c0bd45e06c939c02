package register

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/cases"
)

// Change is one transaction that changes accounts or keys. It holds the write
// lock from its beginning.
type Change struct {
	tx         *sql.Tx
	generation int64 // of what it changes; 0: nothing yet
}

// Change runs do in a transaction and commits it if do returns nil. The error is
// [stat.Unavailable] if it cannot be changed at the moment.
func (r *DB) Change(ctx context.Context, do func(*Change) error) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return changing(err, "taking the register's write lock")
	}
	defer tx.Rollback()
	if err := do(&Change{tx: tx}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return changing(err, "committing a change of the register")
	}
	return nil
}

// next is the generation of what is changed: servers look for it.
func (ch *Change) next(ctx context.Context) (int64, error) {
	if ch.generation != 0 {
		return ch.generation, nil
	}
	err := ch.tx.QueryRowContext(ctx, "UPDATE state SET generation = generation + 1 RETURNING generation").Scan(&ch.generation)
	if err != nil {
		return 0, changing(err, "counting the register's generation")
	}
	return ch.generation, nil
}

// Joiners are characters that cannot be seen and yet belong to words, of
// Persian and of many languages of India, and to composed emoji.
const Joiners = "\u200c\u200d"

// NameKey is what names are compared by: without regard to case and to
// characters that cannot be seen.
func NameKey(name string) string {
	seen := func(r rune) rune {
		if strings.ContainsRune(Joiners, r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return r
	}
	return strings.TrimSpace(cases.Fold().String(strings.Map(seen, name)))
}

// Organisation finds an organisation by its name; its ID is 0 if there is none.
func (ch *Change) Organisation(ctx context.Context, name string) (o Organisation, err error) {
	var created int64
	err = ch.tx.QueryRowContext(ctx, "SELECT id, name, created FROM organisation WHERE name_key = ?", NameKey(name)).
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
		name, NameKey(name), now.Unix()).Scan(&o.ID)
	if err != nil {
		return o, changing(err, "adding organisation %q", name)
	}
	return o, nil
}

// Account finds an account by its name; its ID is 0 if there is none. Keys
// are not counted.
func (ch *Change) Account(ctx context.Context, name string) (Account, error) {
	return findAccount(ctx, ch.tx, name)
}

// AddAccount adds one whose name is free to an organisation.
func (ch *Change) AddAccount(ctx context.Context, o Organisation, name, tier string, now time.Time) (Account, error) {
	a := Account{OrganisationID: o.ID, Organisation: o.Name, Name: name, Tier: tier, Created: moment(now.Unix())}
	generation, err := ch.next(ctx)
	if err != nil {
		return a, err
	}
	err = ch.tx.QueryRowContext(ctx, `INSERT INTO account (organisation, name, name_key, tier, created, generation)
		VALUES (?, ?, ?, ?, ?, ?) RETURNING id`, o.ID, name, NameKey(name), tier, now.Unix(), generation).Scan(&a.ID)
	if err != nil {
		return a, changing(err, "adding account %q", name)
	}
	return a, nil
}

// SetTier gives an account another tier.
func (ch *Change) SetTier(ctx context.Context, account int64, tier string) error {
	generation, err := ch.next(ctx)
	if err != nil {
		return err
	}
	if _, err := ch.tx.ExecContext(ctx, "UPDATE account SET tier = ?, generation = ? WHERE id = ?", tier, generation, account); err != nil {
		return changing(err, "setting the tier of account %d", account)
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
	generation, err := ch.next(ctx)
	if err != nil {
		return false, err
	}
	result, err := ch.tx.ExecContext(ctx, `INSERT INTO key (id, account, mac, created, expires, revoked, generation)
		VALUES (?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING`,
		k.ID, k.Account.ID, k.MAC, seconds(k.Created), seconds(k.Expires), generation)
	if err != nil {
		return false, changing(err, "adding a key")
	}
	n, err := result.RowsAffected()
	return n == 1, err
}

// SetKey sets when a key expires and when it was revoked.
func (ch *Change) SetKey(ctx context.Context, k Key) error {
	generation, err := ch.next(ctx)
	if err != nil {
		return err
	}
	_, err = ch.tx.ExecContext(ctx, "UPDATE key SET expires = ?, revoked = ?, generation = ? WHERE id = ?",
		seconds(k.Expires), seconds(k.Revoked), generation, k.ID)
	if err != nil {
		return changing(err, "changing key %s", k.ID)
	}
	return nil
}
