package register

import (
	"context"
	"database/sql"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Identity is who a person is at another service with which they sign in.
type Identity struct {
	Issuer, Subject string
	Person          string
	Mail            string // as the issuer named it when the identity was linked
	Created         time.Time
	Used            time.Time // zero: not yet
}

const identityColumns = "issuer, subject, person, mail, created, used"

func scanIdentity(row database.Row) (i Identity, err error) {
	err = row.Scan(&i.Issuer, &i.Subject, &i.Person, &i.Mail, scanTime{&i.Created}, scanTime{&i.Used})
	return i, err
}

// AddIdentity links an identity to a person. It reports false if it is linked already.
func (r *DB) AddIdentity(ctx context.Context, i Identity) (bool, error) {
	isAdded, err := addIdentity(ctx, r.db, &i)
	return isAdded, wrapChange(err, "linking an identity")
}

func addIdentity(ctx context.Context, on executor, i *Identity) (bool, error) {
	return happened(ctx, on, "INSERT INTO identity ("+identityColumns+") VALUES ($1, $2, $3, $4, $5, 0) ON CONFLICT DO NOTHING",
		i.Issuer, i.Subject, i.Person, i.Mail, unixSeconds(i.Created))
}

// PersonByIdentity returns the person whom an identity is linked to; the ID is empty if there is none.
func (r *DB) PersonByIdentity(ctx context.Context, issuer, subject string) (p Person, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT "+personColumns+" FROM person JOIN identity ON identity.person = person.id WHERE identity.issuer = $1 AND identity.subject = $2",
		issuer, subject).Scan(p.fields()...)
	return p, ifFound(err, "looking for an identity")
}

// Identities returns the identities of a person, the oldest first.
func (r *DB) Identities(ctx context.Context, person string) ([]Identity, error) {
	rows, err := r.db.QueryContext(ctx, "SELECT "+identityColumns+" FROM identity WHERE person = $1 ORDER BY created, issuer, subject", person)
	list, err := database.Collect(rows, err, scanIdentity)
	return list, stat.Wrap(err, "listing identities")
}

// UseIdentity records that a person signed in with an identity.
func (r *DB) UseIdentity(ctx context.Context, issuer, subject string, now time.Time) error {
	_, err := r.db.ExecContext(ctx, "UPDATE identity SET used = $1 WHERE issuer = $2 AND subject = $3", now.Unix(), issuer, subject)
	return wrapChange(err, "recording the use of an identity")
}

// RemoveIdentity unlinks an identity of a person. It reports whether there was one.
func (r *DB) RemoveIdentity(ctx context.Context, person, issuer, subject string) (bool, error) {
	isRemoved, err := happened(ctx, r.db, "DELETE FROM identity WHERE person = $1 AND issuer = $2 AND subject = $3", person, issuer, subject)
	return isRemoved, wrapChange(err, "unlinking an identity")
}

// JoinWith adds a person with an identity, who becomes a member. mac is that of the invitation; empty:
// none is needed. It reports false if the invitation was used before or has ended. The error is
// [stat.Conflict] if the mail address or the identity is taken.
func (r *DB) JoinWith(ctx context.Context, mac string, m Member, i Identity) (isUsed bool, err error) {
	err = r.change(ctx, "joining an organisation", func(tx *sql.Tx) error {
		if isUsed = mac == ""; !isUsed {
			if isUsed, err = use(ctx, tx, mac, m.Since); err != nil || !isUsed {
				return err
			}
		}
		if err := addPerson(ctx, tx, &m.Person); err != nil {
			return err
		}
		isAdded, err := addIdentity(ctx, tx, &i)
		if err == nil && !isAdded {
			err = stat.Errorf(stat.Conflict, "the sign-in is linked to another account")
		}
		if err != nil {
			return err
		}
		return addMember(ctx, tx, &m)
	})
	return isUsed && err == nil, err
}
