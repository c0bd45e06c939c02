package register

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"golang.org/x/text/cases"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Person is someone who signs in.
type Person struct {
	ID       string
	Mail     string
	Name     string
	Password string    // a hash with its parameters
	Factor   string    // the encrypted secret of the second factor; empty: none
	IsAdmin  bool      // may change everything, in the name of the operator
	Created  time.Time // whole seconds, UTC, as all times
	SignedIn time.Time // zero: never
}

const personColumns = "person.id, person.mail, person.name, person.password, person.factor, person.admin, person.created, person.signed_in"

func (p *Person) fields() []any {
	return []any{&p.ID, &p.Mail, &p.Name, &p.Password, &p.Factor, &p.IsAdmin, scanTime{&p.Created}, scanTime{&p.SignedIn}}
}

// MailKey returns the form in which mail addresses are compared, without regard to case.
func MailKey(mail string) string { return cases.Fold().String(strings.TrimSpace(mail)) }

// Person returns the person with an id; the ID is empty if there is none.
func (r *DB) Person(ctx context.Context, id string) (p Person, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT "+personColumns+" FROM person WHERE id = $1", id).Scan(p.fields()...)
	return p, ifFound(err, "reading a person")
}

// PersonByMail returns the person with a mail address; the ID is empty if there is none.
func (r *DB) PersonByMail(ctx context.Context, mail string) (p Person, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT "+personColumns+" FROM person WHERE mail_key = $1", MailKey(mail)).Scan(p.fields()...)
	return p, ifFound(err, "looking for a person")
}

// People returns all people, by mail address.
func (r *DB) People(ctx context.Context) ([]Person, error) {
	rows, err := r.db.QueryContext(ctx, "SELECT "+personColumns+" FROM person ORDER BY mail_key")
	list, err := database.Collect(rows, err, func(row database.Row) (p Person, err error) {
		err = row.Scan(p.fields()...)
		return p, err
	})
	return list, stat.Wrap(err, "listing the people")
}

// addPerson adds a person. The error is [stat.Conflict] if the mail address is taken.
func addPerson(ctx context.Context, tx *sql.Tx, p *Person) error {
	isAdded, err := happened(ctx, tx, `INSERT INTO person (id, mail, mail_key, name, password, factor, step, created, signed_in)
		VALUES ($1, $2, $3, $4, $5, '', 0, $6, 0) ON CONFLICT DO NOTHING`, p.ID, p.Mail, MailKey(p.Mail), p.Name, p.Password, unixSeconds(p.Created))
	if err == nil && !isAdded {
		err = stat.Errorf(stat.Conflict, "there is an account with this mail address; sign in with it")
	}
	return err
}

// SetPassword sets the hash of a password.
func (r *DB) SetPassword(ctx context.Context, person, hash string) error {
	_, err := r.db.ExecContext(ctx, "UPDATE person SET password = $1 WHERE id = $2", hash, person)
	return wrapChange(err, "setting a password")
}

// SetName sets the name of a person.
func (r *DB) SetName(ctx context.Context, person, name string) error {
	_, err := r.db.ExecContext(ctx, "UPDATE person SET name = $1 WHERE id = $2", name, person)
	return wrapChange(err, "setting the name of a person")
}

// SetAdmin sets whether a person may change everything. It reports whether there is such a person.
func (r *DB) SetAdmin(ctx context.Context, person string, may bool) (bool, error) {
	value := 0
	if may {
		value = 1
	}
	isFound, err := happened(ctx, r.db, "UPDATE person SET admin = $1 WHERE id = $2", value, person)
	return isFound, wrapChange(err, "setting what a person may do")
}

// SetSignedIn records that a person signed in.
func (r *DB) SetSignedIn(ctx context.Context, person string, now time.Time) error {
	_, err := r.db.ExecContext(ctx, "UPDATE person SET signed_in = $1 WHERE id = $2", now.Unix(), person)
	return wrapChange(err, "recording that a person signed in")
}

// SetFactor sets the encrypted secret of the second factor, or removes it if empty, and replaces
// the recovery codes by those with the given MACs. Browsers that were not asked for it are
// forgotten.
func (r *DB) SetFactor(ctx context.Context, person, factor string, codes []string) error {
	return r.change(ctx, "setting a second factor", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "UPDATE person SET factor = $1 WHERE id = $2", factor, person); err != nil {
			return err
		}
		for _, table := range []string{"recovery_code", "browser"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE person = $1", person); err != nil {
				return err
			}
		}
		for _, code := range codes {
			if _, err := tx.ExecContext(ctx, "INSERT INTO recovery_code (person, mac, used) VALUES ($1, $2, 0)", person, code); err != nil {
				return err
			}
		}
		return nil
	})
}

// UseStep records that the code of a time step was used. It reports false if that code, or a
// later one, was used before.
func (r *DB) UseStep(ctx context.Context, person string, step int64) (bool, error) {
	isFirst, err := happened(ctx, r.db, "UPDATE person SET step = $1 WHERE id = $2 AND step < $1", step, person)
	return isFirst, wrapChange(err, "using a code of a second factor")
}

// UseRecoveryCode uses a recovery code. It reports false if there is none with the MAC that is
// unused.
func (r *DB) UseRecoveryCode(ctx context.Context, person, mac string, now time.Time) (bool, error) {
	isUsed, err := happened(ctx, r.db, "UPDATE recovery_code SET used = $1 WHERE person = $2 AND mac = $3 AND used = 0", now.Unix(), person, mac)
	return isUsed, wrapChange(err, "using a recovery code")
}

// RecoveryCodes returns the number of unused recovery codes of a person.
func (r *DB) RecoveryCodes(ctx context.Context, person string) (n int, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT count(*) FROM recovery_code WHERE person = $1 AND used = 0", person).Scan(&n)
	return n, stat.Wrap(err, "counting recovery codes")
}

// DeletePerson deletes a person with everything that belongs to only them, and the invitations to
// their mail address.
func (r *DB) DeletePerson(ctx context.Context, person string) error {
	return r.change(ctx, "deleting a person", func(tx *sql.Tx) error {
		if err := deleteInvitations(ctx, tx, person); err != nil {
			return err
		}
		for _, statement := range []string{
			"DELETE FROM session WHERE person = $1", "DELETE FROM browser WHERE person = $1", "DELETE FROM recovery_code WHERE person = $1", "DELETE FROM passkey WHERE person = $1", "DELETE FROM identity WHERE person = $1",
			"DELETE FROM member WHERE person = $1", "DELETE FROM person WHERE id = $1",
		} {
			if _, err := tx.ExecContext(ctx, statement, person); err != nil {
				return err
			}
		}
		return nil
	})
}

// deleteInvitations deletes the invitations to the mail address of a person, used ones too.
func deleteInvitations(ctx context.Context, tx *sql.Tx, person string) error {
	var mail string
	if err := tx.QueryRowContext(ctx, "SELECT mail FROM person WHERE id = $1", person).Scan(&mail); err != nil {
		return ifFound(err, "reading the mail address of a person")
	}
	list, err := invitationsTo(ctx, tx, mail)
	if err != nil {
		return err
	}
	for _, i := range list {
		if _, err := tx.ExecContext(ctx, "DELETE FROM invitation WHERE mac = $1", i.MAC); err != nil {
			return err
		}
	}
	return nil
}

// Erase removes what was deleted from the files of the database.
func (r *DB) Erase(ctx context.Context) error {
	return stat.Wrap(r.at.Erase(ctx, r.db), "erasing what was deleted")
}
