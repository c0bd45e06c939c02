package register

import (
	"context"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Stage is what the owner of a session has proved.
type Stage string

// The stages.
const (
	PasswordOnly Stage = "password" // the second factor is still missing
	SignedIn     Stage = "signed-in"
)

// Session is a browser in which somebody signs in.
type Session struct {
	MAC     string // of its token
	ID      string // by which it is listed and ended
	Person  string
	Stage   Stage
	Checked time.Time // when its owner proved that; zero: not as fully as can be asked for
	Created time.Time
	Used    time.Time
	Ends    time.Time
	Family  string // of the address
	Browser string // in words
}

const sessionColumns = "mac, id, person, stage, checked, created, used, ends, family, browser"

func scanSession(row database.Row) (s Session, err error) {
	err = row.Scan(&s.MAC, &s.ID, &s.Person, &s.Stage, scanTime{&s.Checked}, scanTime{&s.Created}, scanTime{&s.Used}, scanTime{&s.Ends}, &s.Family, &s.Browser)
	return s, err
}

// AddSession adds a session.
func (r *DB) AddSession(ctx context.Context, s Session) error {
	_, err := r.db.ExecContext(ctx, "INSERT INTO session ("+sessionColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		s.MAC, s.ID, s.Person, s.Stage, unixSeconds(s.Checked), unixSeconds(s.Created), unixSeconds(s.Used), unixSeconds(s.Ends), s.Family, s.Browser)
	return wrapChange(err, "adding a session")
}

// Session returns the session with the MAC of a token; its ID is empty if there is none.
func (r *DB) Session(ctx context.Context, mac string) (Session, error) {
	s, err := scanSession(r.db.QueryRowContext(ctx, "SELECT "+sessionColumns+" FROM session WHERE mac = $1", mac))
	return s, ifFound(err, "looking for a session")
}

// Sessions returns the sessions of a person that have not ended, the last used first. idle is the
// time since which they must have been used.
func (r *DB) Sessions(ctx context.Context, person string, now, idle time.Time) ([]Session, error) {
	rows, err := r.db.QueryContext(ctx, "SELECT "+sessionColumns+" FROM session WHERE person = $1 AND ends > $2 AND used > $3 ORDER BY used DESC, id", person, now.Unix(), idle.Unix())
	list, err := database.Collect(rows, err, scanSession)
	return list, stat.Wrap(err, "listing sessions")
}

// UseSession records that a session was used.
func (r *DB) UseSession(ctx context.Context, mac string, now time.Time) error {
	_, err := r.db.ExecContext(ctx, "UPDATE session SET used = $1 WHERE mac = $2 AND used < $1", now.Unix(), mac)
	return wrapChange(err, "recording the use of a session")
}

// EndSession ends a session of a person. It reports whether there was one with that id.
func (r *DB) EndSession(ctx context.Context, person, id string) (bool, error) {
	isEnded, err := happened(ctx, r.db, "DELETE FROM session WHERE person = $1 AND id = $2", person, id)
	return isEnded, wrapChange(err, "ending a session")
}

// EndSessions ends all sessions of a person but one, and forgets the browsers that are not asked
// for the second factor. An empty id ends all.
func (r *DB) EndSessions(ctx context.Context, person, but string) error {
	if _, err := r.db.ExecContext(ctx, "DELETE FROM browser WHERE person = $1", person); err != nil {
		return wrapChange(err, "forgetting browsers")
	}
	_, err := r.db.ExecContext(ctx, "DELETE FROM session WHERE person = $1 AND id <> $2", person, but)
	return wrapChange(err, "ending sessions")
}

// AddBrowser adds a browser that is not asked for the second factor of a person.
func (r *DB) AddBrowser(ctx context.Context, mac, person string, ends time.Time) error {
	_, err := r.db.ExecContext(ctx, "INSERT INTO browser (mac, person, ends) VALUES ($1, $2, $3)", mac, person, ends.Unix())
	return wrapChange(err, "adding a browser")
}

// KnowsBrowser reports whether a browser is not asked for the second factor of a person.
func (r *DB) KnowsBrowser(ctx context.Context, mac, person string, now time.Time) (bool, error) {
	var n int
	err := r.db.QueryRowContext(ctx, "SELECT count(*) FROM browser WHERE mac = $1 AND person = $2 AND ends > $3", mac, person, now.Unix()).Scan(&n)
	return n > 0, stat.Wrap(err, "looking for a browser")
}
