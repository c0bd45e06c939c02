package register

import (
	"context"
	"database/sql"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Role is what a member may do in an organisation.
type Role string

// The roles.
const (
	Owner      Role = "owner"  // may invite and remove members, too
	MemberOnly Role = "member" // works with keys and with what is followed
)

// Member is a person in an organisation.
type Member struct {
	Person       Person
	Organisation int64 // its id in the register of callers
	Role         Role
	Since        time.Time
}

const memberQuery = "SELECT member.organisation, member.role, member.since, " + personColumns + " FROM member JOIN person ON person.id = member.person"

func scanMember(row database.Row) (m Member, err error) {
	err = row.Scan(append([]any{&m.Organisation, &m.Role, scanTime{&m.Since}}, m.Person.fields()...)...)
	return m, err
}

// Members returns the members of an organisation, by mail address.
func (r *DB) Members(ctx context.Context, organisation int64) ([]Member, error) {
	rows, err := r.db.QueryContext(ctx, memberQuery+" WHERE member.organisation = $1 ORDER BY person.mail_key", organisation)
	list, err := database.Collect(rows, err, scanMember)
	return list, stat.Wrap(err, "listing the members of an organisation")
}

// Memberships returns the organisations of a person, the oldest membership first.
func (r *DB) Memberships(ctx context.Context, person string) ([]Member, error) {
	rows, err := r.db.QueryContext(ctx, memberQuery+" WHERE member.person = $1 ORDER BY member.since, member.organisation", person)
	list, err := database.Collect(rows, err, scanMember)
	return list, stat.Wrap(err, "listing the organisations of a person")
}

// addMember adds a person to an organisation. Somebody who is a member keeps the role.
func addMember(ctx context.Context, tx *sql.Tx, m *Member) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO member (person, organisation, role, since) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
		m.Person.ID, m.Organisation, m.Role, unixSeconds(m.Since))
	return err
}

// otherOwner is the condition that an organisation has an owner besides a person.
const otherOwner = "EXISTS (SELECT 1 FROM member AS other WHERE other.organisation = $1 AND other.role = 'owner' AND other.person <> $2)"

// SetRole changes the role of a member. The error is [stat.Conflict] if no owner would be left,
// and [stat.NotFound] if the person is no member.
func (r *DB) SetRole(ctx context.Context, organisation int64, person string, role Role) error {
	return r.changeMember(ctx, organisation, person,
		"UPDATE member SET role = $3 WHERE organisation = $1 AND person = $2 AND ($3 = 'owner' OR "+otherOwner+")", role)
}

// RemoveMember removes a member. The errors are those of [DB.SetRole].
func (r *DB) RemoveMember(ctx context.Context, organisation int64, person string) error {
	return r.changeMember(ctx, organisation, person, "DELETE FROM member WHERE organisation = $1 AND person = $2 AND "+otherOwner)
}

// changeMember runs a statement that may change one member, and says why it did not. Two owners
// who remove each other at once must not both succeed: all rows of the organisation are written
// first, which makes the second wait and see what the first did.
func (r *DB) changeMember(ctx context.Context, organisation int64, person, statement string, more ...any) error {
	return r.change(ctx, "changing a member", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "UPDATE member SET since = since WHERE organisation = $1", organisation); err != nil {
			return err
		}
		isChanged, err := happened(ctx, tx, statement, append([]any{organisation, person}, more...)...)
		if err != nil || isChanged {
			return err
		}
		var n int
		err = tx.QueryRowContext(ctx, "SELECT count(*) FROM member WHERE organisation = $1 AND person = $2", organisation, person).Scan(&n)
		switch {
		case err != nil:
			return err
		case n == 0:
			return stat.Errorf(stat.NotFound, "there is no such member")
		}
		return stat.Errorf(stat.Conflict, "an organisation needs an owner; make another member the owner first")
	})
}
