package register

import (
	"context"
	"database/sql"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/cases"
)

// Change is a transaction that changes accounts or keys. It holds the write lock
// from the start.
type Change struct {
	tx         *sql.Tx
	generation int64 // of the rows that it changes: servers poll it
}

// Change runs do in a transaction and commits it if do returns nil. The error is
// [stat.Unavailable] if the register is temporarily locked.
func (r *DB) Change(ctx context.Context, do func(*Change) error) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return wrapChange(err, "locking the register for writing")
	}
	defer tx.Rollback()
	ch := &Change{tx: tx}
	err = tx.QueryRowContext(ctx, "UPDATE state SET generation = generation + 1 RETURNING generation").Scan(&ch.generation)
	if err != nil {
		return wrapChange(err, "incrementing the generation of the register")
	}
	if err := do(ch); err != nil {
		return err
	}
	return wrapChange(tx.Commit(), "committing a change to the register")
}

// Joiners are invisible characters that are parts of words in Persian and in many
// languages of India, and of composed emoji.
const Joiners = "\u200c\u200d"

// NameKey returns the form in which names are compared, without regard to case and
// invisible characters.
func NameKey(name string) string {
	visible := func(r rune) rune {
		if strings.ContainsRune(Joiners, r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return r
	}
	return strings.TrimSpace(cases.Fold().String(strings.Map(visible, name)))
}

// Organisation returns the organisation with a name; its ID is 0 if there is none.
func (ch *Change) Organisation(ctx context.Context, name string) (o Organisation, err error) {
	err = ch.tx.QueryRowContext(ctx, "SELECT "+organisationColumns+" FROM organisation WHERE name_key = $1", NameKey(name)).Scan(o.fields()...)
	return o, ifFound(err, "looking for organisation %q", name)
}

// AddOrganisation adds an organisation with an unused name.
func (ch *Change) AddOrganisation(ctx context.Context, name string, now time.Time) (o Organisation, err error) {
	err = ch.tx.QueryRowContext(ctx, "INSERT INTO organisation (name, name_key, created) VALUES ($1, $2, $3) RETURNING id, name, created",
		name, NameKey(name), now.Unix()).Scan(o.fields()...)
	return o, wrapChange(err, "adding organisation %q", name)
}

// Account returns the account with a name; its ID is 0 if there is none. Keys are
// not counted.
func (ch *Change) Account(ctx context.Context, name string) (Account, error) {
	return findAccount(ctx, ch.tx, name)
}

// AddAccount adds an account with an unused name to an organisation.
func (ch *Change) AddAccount(ctx context.Context, o Organisation, name string, tier Tier, now time.Time) (Account, error) {
	a := Account{OrganisationID: o.ID, Organisation: o.Name, Name: name, Tier: tier}
	err := ch.tx.QueryRowContext(ctx, `INSERT INTO account (organisation, name, name_key, tier, created, generation)
		VALUES ($1, $2, $3, $4, $5, $6) RETURNING id, created`, o.ID, name, NameKey(name), tier, now.Unix(), ch.generation).Scan(&a.ID, scanTime{&a.Created})
	return a, wrapChange(err, "adding account %q", name)
}

// SetTier changes the tier of an account.
func (ch *Change) SetTier(ctx context.Context, account int64, tier Tier) error {
	_, err := ch.tx.ExecContext(ctx, "UPDATE account SET tier = $1, generation = $2 WHERE id = $3", tier, ch.generation, account)
	return wrapChange(err, "setting the tier of account %d", account)
}

// SetMayBring sets whether the callers of an account may have datasets brought.
func (ch *Change) SetMayBring(ctx context.Context, account int64, may bool) error {
	_, err := ch.tx.ExecContext(ctx, "UPDATE account SET may_bring = $1, generation = $2 WHERE id = $3", may, ch.generation, account)
	return wrapChange(err, "changing account %d", account)
}

// Key returns the key with a public id; its ID is empty if there is none.
func (ch *Change) Key(ctx context.Context, id string) (Key, error) {
	k, err := scanKey(ch.tx.QueryRowContext(ctx, `SELECT `+keyColumns+` FROM `+keyTables+` WHERE key.id = $1`, id))
	return k, ifFound(err, "looking for key %s", id)
}

// AddKey adds a key to its account. isAdded is false if the public id is taken.
func (ch *Change) AddKey(ctx context.Context, k Key) (isAdded bool, err error) {
	result, err := ch.tx.ExecContext(ctx, `INSERT INTO key (id, name, maker, account, mac, created, expires, revoked, generation)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8) ON CONFLICT DO NOTHING`,
		k.ID, k.Name, k.Maker, k.Account.ID, k.MAC, unixSeconds(k.Created), unixSeconds(k.Expires), ch.generation)
	if err != nil {
		return false, wrapChange(err, "adding a key")
	}
	n, err := result.RowsAffected()
	return n == 1, err
}

// SetKey sets when a key expires and when it was revoked.
func (ch *Change) SetKey(ctx context.Context, k Key) error {
	_, err := ch.tx.ExecContext(ctx, "UPDATE key SET expires = $1, revoked = $2, generation = $3 WHERE id = $4",
		unixSeconds(k.Expires), unixSeconds(k.Revoked), ch.generation, k.ID)
	return wrapChange(err, "changing key %s", k.ID)
}
