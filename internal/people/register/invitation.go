package register

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Purpose is what an invitation is for.
type Purpose string

// The purposes.
const (
	ToJoin  Purpose = "join"  // an organisation
	ToReset Purpose = "reset" // the password and the second factor
	// ToPassword is to set a new password alone; the link was sent by mail.
	ToPassword Purpose = "password"
	// ToSignUp is to found an organisation; the link was sent by mail.
	ToSignUp Purpose = "sign-up"
)

// Invitation lets whoever has its token join an organisation, or set a new password.
type Invitation struct {
	MAC          string // of its token
	ID           string // by which it is listed and withdrawn
	Purpose      Purpose
	Mail         string
	Organisation int64 // 0: none
	Role         Role
	Created      time.Time
	Ends         time.Time
	Used         time.Time // zero: not used
}

const invitationColumns = "mac, id, purpose, mail, organisation, role, created, ends, used"

func scanInvitation(row database.Row) (i Invitation, err error) {
	err = row.Scan(&i.MAC, &i.ID, &i.Purpose, &i.Mail, &i.Organisation, &i.Role, scanTime{&i.Created}, scanTime{&i.Ends}, scanTime{&i.Used})
	return i, err
}

// AddInvitation adds an invitation.
func (r *DB) AddInvitation(ctx context.Context, i Invitation) error {
	_, err := r.db.ExecContext(ctx, "INSERT INTO invitation ("+invitationColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0)",
		i.MAC, i.ID, i.Purpose, i.Mail, i.Organisation, i.Role, unixSeconds(i.Created), unixSeconds(i.Ends))
	return wrapChange(err, "adding an invitation")
}

// Invitation returns the invitation with the MAC of a token; its ID is empty if there is none.
func (r *DB) Invitation(ctx context.Context, mac string) (Invitation, error) {
	i, err := scanInvitation(r.db.QueryRowContext(ctx, "SELECT "+invitationColumns+" FROM invitation WHERE mac = $1", mac))
	return i, ifFound(err, "looking for an invitation")
}

// Invitations returns the invitations to an organisation that can still be used, the newest first.
func (r *DB) Invitations(ctx context.Context, organisation int64, now time.Time) ([]Invitation, error) {
	rows, err := r.db.QueryContext(ctx, "SELECT "+invitationColumns+" FROM invitation WHERE organisation = $1 AND used = 0 AND ends > $2 ORDER BY created DESC, id", organisation, now.Unix())
	list, err := database.Collect(rows, err, scanInvitation)
	return list, stat.Wrap(err, "listing invitations")
}

// InvitationsTo returns all invitations to a mail address that are stored, used ones too, the newest first.
func (r *DB) InvitationsTo(ctx context.Context, mail string) ([]Invitation, error) {
	list, err := invitationsTo(ctx, r.db, mail)
	return list, stat.Wrap(err, "listing the invitations to a mail address")
}

func invitationsTo(ctx context.Context, from querier, mail string) ([]Invitation, error) {
	rows, err := from.QueryContext(ctx, "SELECT "+invitationColumns+" FROM invitation ORDER BY created DESC, id")
	list, err := database.Collect(rows, err, scanInvitation)
	return slices.DeleteFunc(list, func(i Invitation) bool { return MailKey(i.Mail) != MailKey(mail) }), err
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Withdraw deletes an invitation to an organisation. It reports whether there was one.
func (r *DB) Withdraw(ctx context.Context, organisation int64, id string) (bool, error) {
	isDeleted, err := happened(ctx, r.db, "DELETE FROM invitation WHERE organisation = $1 AND id = $2", organisation, id)
	return isDeleted, wrapChange(err, "withdrawing an invitation")
}

// use marks an invitation as used. It reports false if it was used before, or has ended.
func use(ctx context.Context, tx *sql.Tx, mac string, now time.Time) (bool, error) {
	return happened(ctx, tx, "UPDATE invitation SET used = $1 WHERE mac = $2 AND used = 0 AND ends > $1", now.Unix(), mac)
}

// Join uses an invitation: the person becomes a member, and is added first if isNew. It reports
// false if the invitation was used before or has ended.
func (r *DB) Join(ctx context.Context, mac string, m Member, isNew bool) (isUsed bool, err error) {
	err = r.change(ctx, "joining an organisation", func(tx *sql.Tx) error {
		if isUsed, err = use(ctx, tx, mac, m.Since); err != nil || !isUsed {
			return err
		}
		if isNew {
			if err := addPerson(ctx, tx, &m.Person); err != nil {
				return err
			}
		}
		return addMember(ctx, tx, &m)
	})
	return isUsed && err == nil, err
}

// ResetPassword uses an invitation to set the hash of a new password. All sessions end. If the
// invitation is [ToReset], the second factor, the passkeys and the identities are removed. It reports false if the invitation was used before or has ended.
func (r *DB) ResetPassword(ctx context.Context, i Invitation, person, hash string, now time.Time) (isUsed bool, err error) {
	err = r.change(ctx, "setting a new password", func(tx *sql.Tx) error {
		if isUsed, err = use(ctx, tx, i.MAC, now); err != nil || !isUsed {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE person SET password = $1 WHERE id = $2", hash, person); err != nil {
			return err
		}
		tables := []string{"session", "browser"}
		if i.Purpose == ToReset {
			if _, err := tx.ExecContext(ctx, "UPDATE person SET factor = '' WHERE id = $1", person); err != nil {
				return err
			}
			tables = append(tables, "recovery_code", "passkey", "identity") // the device may be lost
		}
		for _, table := range tables {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE person = $1", person); err != nil {
				return err
			}
		}
		return nil
	})
	return isUsed && err == nil, err
}
