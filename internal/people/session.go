package people

import (
	"context"
	"errors"
	"time"

	"almanac/internal/people/register"
	"almanac/internal/stat"
)

// How long sessions last.
const (
	SessionIdle = 30 * time.Minute // since the last page
	SessionLife = 12 * time.Hour
	// passwordLife is how long the second factor may take.
	passwordLife = 10 * time.Minute
	// BrowserLife is how long a browser is not asked for the second factor.
	BrowserLife = 30 * 24 * time.Hour
	// CheckLife is how long a check of who somebody is allows changes of how they sign in, new keys, and
	// the work of operators.
	CheckLife = 15 * time.Minute
	// useEvery is the time between records of the use of a session.
	useEvery = time.Minute
)

// ErrSession is the error for the token of no session, and of one that has ended.
var ErrSession = errors.New("nobody is signed in")

// Client describes where somebody signs in, for the list of sessions.
type Client struct {
	Family  string // of the address: IPv4, IPv6
	Browser string // in words: Firefox on Windows
}

// StartSession starts a session and returns its token. isFresh says that the person has just proved
// who they are, with all that can be asked for.
func (p *People) StartSession(ctx context.Context, person string, stage register.Stage, isFresh bool, c Client) (token string, s Session, err error) {
	now := p.now().UTC().Truncate(time.Second)
	token = newToken()
	s = Session{
		MAC: p.secret.mac("session", token), ID: newID(), Person: person, Stage: stage,
		Created: now, Used: now, Ends: now.Add(SessionLife), Family: c.Family, Browser: c.Browser,
	}
	if isFresh {
		s.Checked = now
	}
	if stage == PasswordOnly {
		s.Ends = now.Add(passwordLife)
	}
	if err := p.db.AddSession(ctx, s); err != nil {
		return "", s, err
	}
	if stage == SignedIn {
		err = p.db.SetSignedIn(ctx, person, now)
	}
	return token, s, err
}

// Session returns the session with a token, and its person. The error is [ErrSession] if there is
// none, or if it has ended.
func (p *People) Session(ctx context.Context, token string) (s Session, person Person, err error) {
	if s, err = p.db.Session(ctx, p.secret.mac("session", token)); err != nil {
		return s, person, err
	}
	now := p.now()
	if s.ID == "" || !s.Ends.After(now) || now.Sub(s.Used) >= SessionIdle {
		return Session{}, person, ErrSession
	}
	if person, err = p.Person(ctx, s.Person); stat.KindOf(err) == stat.NotFound {
		return Session{}, person, ErrSession
	}
	if err == nil && now.Sub(s.Used) >= useEvery {
		err = p.db.UseSession(ctx, s.MAC, now)
	}
	return s, person, err
}

// IsFresh reports whether the owner of a session has proved lately who they are.
func (p *People) IsFresh(s *Session) bool { return p.now().Sub(s.Checked) < CheckLife }

// Sessions returns the sessions of a person that have not ended, the last used first.
func (p *People) Sessions(ctx context.Context, person string) ([]Session, error) {
	now := p.now()
	return p.db.Sessions(ctx, person, now, now.Add(-SessionIdle))
}

// EndSession ends a session of a person by its id. The error is [stat.NotFound] if there is none.
func (p *People) EndSession(ctx context.Context, person, id string) error {
	isEnded, err := p.db.EndSession(ctx, person, id)
	if err == nil && !isEnded {
		err = stat.Errorf(stat.NotFound, "there is no such session; it may have ended")
	}
	return err
}

// EndSessions ends all sessions of a person but the one with an id, and forgets the browsers that
// are not asked for the second factor. An empty id ends all.
func (p *People) EndSessions(ctx context.Context, person, but string) error {
	return p.db.EndSessions(ctx, person, but)
}

// SignOut ends all sessions of the person with a mail address; of everybody, if it is empty. It returns
// the number of people. The error is [stat.NotFound] if there is nobody with the address.
func (p *People) SignOut(ctx context.Context, address string) (int, error) {
	list, err := p.db.People(ctx)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, person := range list {
		if address != "" && register.MailKey(person.Mail) != register.MailKey(address) {
			continue
		}
		if err := p.db.EndSessions(ctx, person.ID, ""); err != nil {
			return n, err
		}
		n++
	}
	if n == 0 && address != "" {
		return 0, stat.Errorf(stat.NotFound, "nobody signs in with %q", address)
	}
	return n, nil
}

// TrustBrowser returns a token for a browser that is not asked for the second factor of a person
// for some time.
func (p *People) TrustBrowser(ctx context.Context, person string) (token string, err error) {
	token = newToken()
	return token, p.db.AddBrowser(ctx, p.secret.mac("browser", token), person, p.now().Add(BrowserLife))
}

// TrustsBrowser reports whether a token is that of a browser that is not asked for the second
// factor of a person.
func (p *People) TrustsBrowser(ctx context.Context, token, person string) (bool, error) {
	return p.db.KnowsBrowser(ctx, p.secret.mac("browser", token), person, p.now())
}
