// Package people manages the people who sign in: their passwords and second factors, sessions,
// invitations, and which organisation of the register of callers they belong to in which role. It
// does not depend on HTTP.
//
// A data directory has two files for it:
//
//	people.db   everything (package register has the SQL)
//	people.key  32 random bytes: the key of the MACs of all tokens, and of the secrets of second
//	            factors; back it up apart from the database
//
// A password is stored as a hash (password.go). Of a token that a browser or a link holds, only a
// MAC is stored (secret.go), so who reads the database can sign in as nobody. Guesses are counted
// before they are checked, for each account and for each network (guess.go).
package people

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"almanac/internal/database"
	"almanac/internal/people/register"
	"almanac/internal/secretfile"
	"almanac/internal/stat"
)

// The rows of the register, as the methods below return them.
type (
	Person     = register.Person
	Member     = register.Member
	Role       = register.Role
	Stage      = register.Stage
	Session    = register.Session
	Invitation = register.Invitation
)

// The roles of members, what a session has proved, and the purposes of invitations.
const (
	Owner        = register.Owner
	MemberOnly   = register.MemberOnly
	PasswordOnly = register.PasswordOnly
	SignedIn     = register.SignedIn
	ToJoin       = register.ToJoin
	ToReset      = register.ToReset
	ToPassword   = register.ToPassword
	ToSignUp     = register.ToSignUp
)

// KeyFile is the name of the file of the key in a data directory.
const KeyFile = "people.key"

// Options configure a [People].
type Options struct {
	Dir         string           // data directory; it must exist
	DatabaseURL string           // see [database.Location]; empty: a file in Dir
	Now         func() time.Time // nil: time.Now
	Log         *slog.Logger     // nil: none
}

// People is the open register of people. It is safe for concurrent use, also by several processes
// on one directory.
type People struct {
	db     *register.DB
	secret *secret
	hasher *hasher
	now    func() time.Time
	log    *slog.Logger
	tidied atomic.Int64 // when what has ended was last deleted, in Unix seconds
}

// Open opens the register in o.Dir. It creates a missing register and key, and fails if the key is
// not the one that the register was created with.
func Open(ctx context.Context, o Options) (*People, error) {
	if o.Dir == "" {
		return nil, stat.Errorf(stat.Invalid, "the data directory of the people is missing")
	}
	p := &People{now: o.Now, log: o.Log, hasher: newHasher(runtime.GOMAXPROCS(0))}
	if p.now == nil {
		p.now = time.Now
	}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	at := database.Location{Dir: o.Dir, URL: o.DatabaseURL}
	if !at.IsServer() {
		if err := secretfile.CheckDatabase(filepath.Join(o.Dir, KeyFile), at.File(register.Name)); err != nil {
			return nil, err
		}
	}
	var err error
	if p.db, err = register.Open(ctx, at); err != nil {
		return nil, err
	}
	if err := p.openSecret(ctx, filepath.Join(o.Dir, KeyFile)); err != nil {
		return nil, errors.Join(err, p.db.Close())
	}
	return p, nil
}

func (p *People) openSecret(ctx context.Context, path string) error {
	stored, err := p.db.SetFingerprint(ctx, "")
	if err != nil {
		return err
	}
	key, err := secretfile.Read(path, stored == "")
	if errors.Is(err, fs.ErrNotExist) && stored != "" {
		return fmt.Errorf("%s is missing; without it nobody can sign in; restore it from a backup, or copy it from a machine that serves the same installation", path)
	}
	if err != nil {
		return fmt.Errorf("reading the key of the people: %w", err)
	}
	p.secret = newSecret(key)
	if stored, err = p.db.SetFingerprint(ctx, p.secret.fingerprint()); err != nil {
		return err
	}
	if stored != p.secret.fingerprint() {
		return fmt.Errorf("%s is not the key that the register of people was created with; restore two files that belong together", path)
	}
	return nil
}

// Close closes the database.
func (p *People) Close() error { return p.db.Close() }

// Person returns the person with an id. The error is [stat.NotFound] if there is none.
func (p *People) Person(ctx context.Context, id string) (Person, error) {
	found, err := p.db.Person(ctx, id)
	if err == nil && found.ID == "" {
		err = stat.Errorf(stat.NotFound, "there is no such person")
	}
	return found, err
}

// All returns all people, by mail address.
func (p *People) All(ctx context.Context) ([]Person, error) { return p.db.People(ctx) }

// SetAdmin sets whether the person with a mail address may change everything, in the name of the
// operator. The error is [stat.NotFound] if there is nobody with the address.
func (p *People) SetAdmin(ctx context.Context, mail string, may bool) (Person, error) {
	found, err := p.db.PersonByMail(ctx, mail)
	if err != nil {
		return found, err
	}
	isFound, err := p.db.SetAdmin(ctx, found.ID, may)
	if err == nil && !isFound {
		err = stat.Errorf(stat.NotFound, "nobody signs in with %q", mail)
	}
	found.IsAdmin = may
	return found, err
}

// Rename sets the name of a person.
func (p *People) Rename(ctx context.Context, person, name string) error {
	name, err := normaliseName(name)
	if err != nil {
		return err
	}
	return p.db.SetName(ctx, person, name)
}

// Delete deletes a person, and erases what was deleted from the files. The error is [stat.Conflict] if that leaves members of an organisation
// without an owner.
func (p *People) Delete(ctx context.Context, person string) error {
	memberships, err := p.db.Memberships(ctx, person)
	if err != nil {
		return err
	}
	for _, m := range memberships {
		members, err := p.db.Members(ctx, m.Organisation)
		if err != nil {
			return err
		}
		if len(members) < 2 {
			continue // nobody is left
		}
		if err := p.db.RemoveMember(ctx, m.Organisation, person); err != nil {
			return err
		}
	}
	if err := p.db.DeletePerson(ctx, person); err != nil {
		return err
	}
	if err := p.db.Erase(ctx); err != nil { // they are deleted all the same
		p.log.Warn("a deleted person may still be in the file of the database; the next deletion erases both", "error", err)
	}
	return nil
}

// Members returns the members of an organisation, by mail address.
func (p *People) Members(ctx context.Context, organisation int64) ([]Member, error) {
	return p.db.Members(ctx, organisation)
}

// Memberships returns the organisations of a person, the oldest membership first.
func (p *People) Memberships(ctx context.Context, person string) ([]Member, error) {
	return p.db.Memberships(ctx, person)
}

// SetRole changes the role of a member. The error is [stat.Conflict] if no owner would be left.
func (p *People) SetRole(ctx context.Context, organisation int64, person string, role Role) error {
	return p.db.SetRole(ctx, organisation, person, role)
}

// RemoveMember removes a member. The error is [stat.Conflict] if no owner would be left.
func (p *People) RemoveMember(ctx context.Context, organisation int64, person string) error {
	return p.db.RemoveMember(ctx, organisation, person)
}

// tidyEvery is the time between deletions of what has ended, and how long it is kept.
const tidyEvery = 24 * time.Hour

// tidy deletes what has ended, once a day.
func (p *People) tidy(ctx context.Context) {
	now := p.now()
	last := p.tidied.Load()
	if now.Unix()-last < int64(tidyEvery.Seconds()) || !p.tidied.CompareAndSwap(last, now.Unix()) {
		return
	}
	if err := p.db.Tidy(ctx, now.Add(-tidyEvery)); err != nil {
		p.log.Warn("ended sessions and invitations cannot be deleted", "error", err)
	}
}
