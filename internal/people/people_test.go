package people_test

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"almanac/internal/people"
	"almanac/internal/stat"
	"almanac/internal/stattest/postgres"
)

// clock is a clock that a test moves.
type clock struct{ nanos atomic.Int64 }

func TestMain(m *testing.M) { os.Exit(postgres.Run(m)) }

func (c *clock) Now() time.Time       { return time.Unix(0, c.nanos.Load()).UTC() }
func (c *clock) step(d time.Duration) { c.nanos.Add(int64(d)) }

func newClock() *clock {
	c := &clock{}
	c.nanos.Store(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).UnixNano())
	return c
}

var (
	ctx  = context.Background()
	here = netip.MustParsePrefix("192.0.2.1/32")
)

const secretWords = "seven grey herons at noon"

// open opens the register of a folder until the test ends.
func open(t testing.TB, dir string, c *clock) *people.People {
	t.Helper()
	p, err := people.Open(ctx, people.Options{Dir: dir, DatabaseURL: postgres.At(t, dir).URL, Now: c.Now})
	must(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// invite returns the token of an invitation.
func invite(t testing.TB, p *people.People, mail string, role people.Role) string {
	t.Helper()
	token, _, err := p.Invite(ctx, people.Invitation{Mail: mail, Organisation: 1, Role: role})
	must(t, err)
	return token
}

// join lets somebody join organisation 1 with the password secretWords.
func join(t testing.TB, p *people.People, mail string) people.Person {
	t.Helper()
	person, err := p.Join(ctx, invite(t, p, mail, people.Owner), "Ann", secretWords, nil)
	must(t, err)
	return person
}

func TestJoinAndSignIn(t *testing.T) {
	p := open(t, t.TempDir(), newClock())
	token := invite(t, p, " Ann@example.org ", people.Owner)
	for _, c := range []struct{ token, name, password, message string }{
		{"alm_unknown", "Ann", secretWords, "cannot be used"},
		{token, " ", secretWords, "1 to 100 readable characters"},
		{token, "Ann\u202e", secretWords, "readable"},
		{token, "Ann", "short", "at least 15 characters, not 5"},
		{token, "Ann", strings.Repeat("ab", 20), "guessed first"},
		{token, "Ann", "ann@example.org1", "guessed first"},
		{token, "Ann", "password-almanac1", "guessed first"},
		{token, "Ann", "policylab policylab", "guessed first"},
		{token, "Ann", "eldiario-ElDiario", "guessed first"},
		{token, "Ann", "Correct horse battery staple", "guessed first"},
		{token, "Ann", strings.Repeat("long", 70), "at most 256"},
	} {
		if _, err := p.Join(ctx, c.token, c.name, c.password, nil); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%.40q, %q, %.20q: error %v, want %q", c.token, c.name, c.password, err, c.message)
		}
	}
	ann, err := p.Join(ctx, token, "  Ann   Example ", secretWords, nil)
	if err != nil || ann.Name != "Ann Example" || ann.Mail != "Ann@example.org" {
		t.Fatalf("%+v, %v", ann, err)
	}
	if _, err := p.Join(ctx, token, "Ann", secretWords, nil); !errors.Is(err, people.ErrInvitation) {
		t.Errorf("an invitation is used twice: %v", err)
	}
	for _, c := range []struct {
		mail, password string
		want           error
	}{
		{"ann@EXAMPLE.org", secretWords, nil},
		{"ann@example.org", secretWords + " ", people.ErrPassword},
		{"ann@example.org", "", people.ErrPassword},
		{"bob@example.org", secretWords, people.ErrPassword},
		{"", "", people.ErrPassword},
	} {
		if got, err := p.CheckPassword(ctx, c.mail, c.password, here); !errors.Is(err, c.want) || (err == nil) != (got.ID == ann.ID) {
			t.Errorf("%s, %q: %+v, %v, want %v", c.mail, c.password, got, err, c.want)
		}
	}
	if members, err := p.Members(ctx, 1); err != nil || len(members) != 1 || members[0].Role != people.Owner {
		t.Errorf("%+v, %v", members, err)
	}
}

// An invitation of somebody who signs in already adds a membership. It is for one person.
func TestJoinAs(t *testing.T) {
	p := open(t, t.TempDir(), newClock())
	ann, bob := join(t, p, "ann@example.org"), join(t, p, "bob@example.org")
	token, _, err := p.Invite(ctx, people.Invitation{Mail: "ANN@example.org", Organisation: 2, Role: people.MemberOnly})
	must(t, err)
	if _, err := p.Join(ctx, token, "Ann", secretWords, nil); stat.KindOf(err) != stat.Conflict {
		t.Errorf("a second account with one mail address: %v", err)
	}
	if err := p.JoinAs(ctx, token, bob); stat.KindOf(err) != stat.Conflict {
		t.Errorf("somebody else uses the invitation: %v", err)
	}
	must(t, p.JoinAs(ctx, token, ann))
	mine, err := p.Memberships(ctx, ann.ID)
	if err != nil || len(mine) != 2 || mine[1].Organisation != 2 || mine[1].Role != people.MemberOnly {
		t.Errorf("%+v, %v", mine, err)
	}
	for _, mail := range []string{"", "ann", "Ann <ann@example.org>", "ann@example.org\n", strings.Repeat("a", 260) + "@example.org"} {
		if _, _, err := p.Invite(ctx, people.Invitation{Mail: mail, Organisation: 1, Role: people.Owner}); mail != "ann@example.org\n" && stat.KindOf(err) != stat.Invalid {
			t.Errorf("%.40q is invited: %v", mail, err)
		}
	}
}

// wait returns how long the next guess must wait; 0 if it was checked.
func wait(err error) time.Duration {
	if w, ok := errors.AsType[*people.WaitError](err); ok {
		return w.Wait
	}
	return 0
}

// Guesses of one account are delayed, also by the right password and from other networks; and the
// guesses of one network, also of different accounts. Guesses at once are not a way around it.
func TestGuessesAreLimited(t *testing.T) {
	c := newClock()
	p := open(t, t.TempDir(), c)
	join(t, p, "ann@example.org")
	network := func(i int) netip.Prefix {
		return netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 51, 100, byte(i)}), 32)
	}
	var waits []time.Duration
	for i := range 9 {
		_, err := p.CheckPassword(ctx, "ann@example.org", "wrong", network(i))
		if !errors.Is(err, people.ErrPassword) {
			t.Fatalf("guess %d: %v", i, err)
		}
		_, err = p.CheckPassword(ctx, "ann@example.org", secretWords+"x", network(100+i))
		if d := wait(err); d > 0 {
			waits = append(waits, d)
			c.step(d)
		}
	}
	if len(waits) < 5 || waits[0] != time.Second || waits[1] != 2*time.Second || waits[4] != 16*time.Second {
		t.Errorf("the waits are %v, want 1 s, 2 s, 4 s …", waits)
	}
	c.step(5 * time.Minute)
	if _, err := p.CheckPassword(ctx, "ann@example.org", secretWords, here); err != nil {
		t.Errorf("the right password after the wait: %v", err)
	}
	if _, err := p.CheckPassword(ctx, "ann@example.org", "wrong", here); !errors.Is(err, people.ErrPassword) {
		t.Errorf("the first guess after signing in: %v", err)
	}
	var checked atomic.Int32
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range 15 {
				mail := string(rune('a'+i)) + "@example.org"
				if _, err := p.CheckPassword(ctx, mail, "wrong", netip.MustParsePrefix("203.0.113.7/32")); errors.Is(err, people.ErrPassword) {
					checked.Add(1)
				}
			}
		})
	}
	group.Wait()
	if n := checked.Load(); n > 20 {
		t.Errorf("%d guesses from one network were checked, want at most 20", n)
	}
}

func TestSessionEnds(t *testing.T) {
	c := newClock()
	p := open(t, t.TempDir(), c)
	ann := join(t, p, "ann@example.org")
	start := func() string {
		token, _, err := p.StartSession(ctx, ann.ID, people.SignedIn, true, people.Client{Family: "IPv4", Browser: "Firefox on Linux"})
		must(t, err)
		return token
	}
	isOpen := func(token string) bool {
		t.Helper()
		_, person, err := p.Session(ctx, token)
		if err != nil && !errors.Is(err, people.ErrSession) || err == nil && person.ID != ann.ID {
			t.Fatalf("%+v, %v", person, err)
		}
		return err == nil
	}
	token := start()
	for range 23 { // in use all the time
		c.step(people.SessionIdle - time.Second)
		if !isOpen(token) {
			t.Fatal("a session in use has ended")
		}
	}
	c.step(25 * time.Minute)
	if !isOpen(token) {
		t.Error("a session has ended before its longest life")
	}
	c.step(6 * time.Minute)
	if isOpen(token) {
		t.Error("a session is open after its longest life")
	}
	token = start()
	c.step(people.SessionIdle)
	if isOpen(token) {
		t.Error("a session that nobody used is open")
	}
	one, two := start(), start()
	s, _, err := p.Session(ctx, one)
	must(t, err)
	if list, err := p.Sessions(ctx, ann.ID); err != nil || len(list) != 2 || list[0].Browser != "Firefox on Linux" {
		t.Errorf("%+v, %v", list, err)
	}
	must(t, p.ChangePassword(ctx, &s, secretWords, secretWords+" again", here))
	if !isOpen(one) || isOpen(two) {
		t.Error("a new password must end the other sessions, and only these")
	}
	if err := p.EndSession(ctx, "somebody", s.ID); stat.KindOf(err) != stat.NotFound {
		t.Errorf("ended by somebody else: %v", err)
	}
	must(t, p.EndSession(ctx, ann.ID, s.ID))
	if isOpen(one) || isOpen("alm_x") || isOpen("") {
		t.Error("an ended session is open")
	}
}

func TestSecondFactor(t *testing.T) {
	c := newClock()
	p := open(t, t.TempDir(), c)
	ann := join(t, p, "ann@example.org")
	_, s, err := p.StartSession(ctx, ann.ID, people.SignedIn, true, people.Client{})
	must(t, err)
	secret := people.NewFactor()
	sealed := p.SealFactor(ann.ID, secret)
	if _, err := p.OpenFactor("somebody", sealed); stat.KindOf(err) != stat.Invalid {
		t.Errorf("the form of somebody else: %v", err)
	}
	code := func() string {
		code, err := totp.GenerateCode(secret, c.Now())
		must(t, err)
		return code
	}
	if _, err := p.SetFactor(ctx, &s, secret, "000000"); !errors.Is(err, people.ErrCode) && code() != "000000" {
		t.Errorf("set with a wrong code: %v", err)
	}
	recovery, err := p.SetFactor(ctx, &s, secret, code())
	must(t, err)
	if ann, err = p.Person(ctx, ann.ID); err != nil || ann.Factor == "" || strings.Contains(ann.Factor, secret) {
		t.Fatalf("the secret is stored as %q (%v)", ann.Factor, err)
	}
	check := func(name, code string, want error) {
		t.Helper()
		if err := p.CheckCode(ctx, &ann, code, here); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", name, err, want)
		}
	}
	check("the code that set it", code(), people.ErrCode)
	c.step(30 * time.Second)
	check("the next code", code()[:3]+" "+code()[3:], nil)
	check("the same again", code(), people.ErrCode)
	c.step(time.Minute)
	old := code()
	c.step(time.Minute)
	check("an old code", old, people.ErrCode)
	check("a recovery code", strings.ToUpper(recovery[0]), nil)
	check("the same again", recovery[0], people.ErrCode)
	for range 3 {
		check("a wrong code", "12", people.ErrCode)
	}
	if err := p.CheckCode(ctx, &ann, recovery[1], here); wait(err) != 0 {
		c.step(wait(err))
	}
	if n, err := p.RecoveryCodes(ctx, ann.ID); err != nil || n < 8 {
		t.Errorf("%d recovery codes are left, %v", n, err)
	}
	token, _, err := p.InviteToReset(ctx, "ann@example.org")
	must(t, err)
	if _, err := p.Join(ctx, token, "Eve", secretWords, nil); err == nil {
		t.Error("a link for a new password made an account")
	}
	if _, err := p.ResetPassword(ctx, token, "another set of words"); err != nil {
		t.Error(err)
	}
	if ann, err = p.CheckPassword(ctx, "ann@example.org", "another set of words", here); err != nil || ann.Factor != "" {
		t.Errorf("after the reset: %+v, %v", ann, err)
	}
}

// The operator ends the sessions of one person, or of all.
func TestSignOut(t *testing.T) {
	p := open(t, t.TempDir(), newClock())
	ann, bob := join(t, p, "ann@example.org"), join(t, p, "bob@example.org")
	sessions := func() (n [2]int) {
		for i, person := range []people.Person{ann, bob} {
			list, err := p.Sessions(ctx, person.ID)
			must(t, err)
			n[i] = len(list)
		}
		return n
	}
	for _, person := range []people.Person{ann, ann, bob} {
		_, _, err := p.StartSession(ctx, person.ID, people.SignedIn, true, people.Client{})
		must(t, err)
	}
	for _, c := range []struct {
		address string
		people  int
		left    [2]int
	}{{"carla@example.org", 0, [2]int{2, 1}}, {"ANN@example.org", 1, [2]int{0, 1}}, {"", 2, [2]int{0, 0}}} {
		n, err := p.SignOut(ctx, c.address)
		if n != c.people || (stat.KindOf(err) == stat.NotFound) != (n == 0) || sessions() != c.left {
			t.Errorf("%q: %d people, %v, left %v", c.address, n, err, sessions())
		}
	}
}

// A browser that is trusted belongs to one person, for some time.
func TestTrustedBrowser(t *testing.T) {
	c := newClock()
	p := open(t, t.TempDir(), c)
	ann, bob := join(t, p, "ann@example.org"), join(t, p, "bob@example.org")
	token, err := p.TrustBrowser(ctx, ann.ID)
	must(t, err)
	trusted := func(person people.Person) bool {
		is, err := p.TrustsBrowser(ctx, token, person.ID)
		must(t, err)
		return is
	}
	if !trusted(ann) || trusted(bob) {
		t.Error("the browser must be trusted for Ann, and not for Bob")
	}
	if c.step(people.BrowserLife); trusted(ann) {
		t.Error("the browser is trusted for ever")
	}
}

// A new password is not the one before.
func TestSamePassword(t *testing.T) {
	p := open(t, t.TempDir(), newClock())
	ann := join(t, p, "ann@example.org")
	token, _, err := p.StartSession(ctx, ann.ID, people.SignedIn, true, people.Client{})
	must(t, err)
	session, _, err := p.Session(ctx, token)
	must(t, err)
	if err := p.ChangePassword(ctx, &session, secretWords, secretWords, here); stat.KindOf(err) != stat.Invalid {
		t.Errorf("the same password again: %v", err)
	}
}

// Who deletes an account leaves no organisation with members but without an owner.
func TestDelete(t *testing.T) {
	p := open(t, t.TempDir(), newClock())
	ann := join(t, p, "ann@example.org")
	bob, err := p.Join(ctx, invite(t, p, "bob@example.org", people.MemberOnly), "Bob", secretWords, nil)
	must(t, err)
	if err := p.Delete(ctx, ann.ID); stat.KindOf(err) != stat.Conflict {
		t.Errorf("the only owner is deleted: %v", err)
	}
	must(t, p.SetRole(ctx, 1, bob.ID, people.Owner))
	must(t, p.Delete(ctx, ann.ID))
	must(t, p.Delete(ctx, bob.ID))
	if all, err := p.All(ctx); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// Of a deleted person, no file has the mail address any more, whatever was sent to it.
func TestDeletedFromFiles(t *testing.T) {
	postgres.FilesOnly(t)
	dir := t.TempDir()
	p := open(t, dir, newClock())
	ann := join(t, p, "Ann.Gone@example.org")
	_, err := p.Join(ctx, invite(t, p, "bob@example.org", people.Owner), "Bob", secretWords, nil)
	must(t, err)
	invite(t, p, "ann.gone@Example.org", people.MemberOnly)
	for _, mail := range []string{"ann.gone@example.org", "bob@example.org"} { // links to set a password
		_, _, err := p.InviteByMail(ctx, mail, true, here)
		must(t, err)
	}
	if !holds(t, dir, "ann.gone@example.org") {
		t.Error("the test looks in the wrong files")
	}
	must(t, p.Delete(ctx, ann.ID))
	if holds(t, dir, "ann.gone@example.org") || holds(t, dir, ann.ID) {
		t.Error("a file has the mail address or the id of a deleted person")
	}
	if !holds(t, dir, "bob@example.org") {
		t.Error("others are deleted too")
	}
}

// holds reports whether a file of a folder has a text, in small or capital letters.
func holds(t *testing.T, dir, text string) bool {
	files, err := os.ReadDir(dir)
	must(t, err)
	isThere := false
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		must(t, err)
		isThere = isThere || strings.Contains(strings.ToLower(string(data)), strings.ToLower(text))
	}
	return isThere
}

// The files of a data directory belong together, and have no token and no password in them.
func TestFiles(t *testing.T) {
	postgres.FilesOnly(t)
	dir := t.TempDir()
	p := open(t, dir, newClock())
	token := invite(t, p, "ann@example.org", people.Owner)
	ann, err := p.Join(ctx, token, "Ann", secretWords, nil)
	must(t, err)
	session, _, err := p.StartSession(ctx, ann.ID, people.SignedIn, true, people.Client{})
	must(t, err)
	p.Close()
	file, err := os.ReadFile(filepath.Join(dir, "people.db"))
	must(t, err)
	for _, secret := range []string{token[4:20], session[4:20], secretWords} {
		if strings.Contains(string(file), secret) {
			t.Errorf("the database contains %q", secret)
		}
	}
	key := filepath.Join(dir, people.KeyFile)
	for _, path := range []string{key, filepath.Join(dir, "people.db")} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", path, info.Mode(), err)
		}
	}
	if p = open(t, dir, newClock()); p != nil {
		if _, err := p.CheckPassword(ctx, "ann@example.org", secretWords, here); err != nil {
			t.Errorf("opened again: %v", err)
		}
		p.Close()
	}
	must(t, os.Rename(key, key+".away"))
	if _, err := people.Open(ctx, people.Options{Dir: dir, DatabaseURL: postgres.At(t, dir).URL}); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("without the key: %v", err)
	}
	must(t, os.WriteFile(key, make([]byte, 32), 0o600))
	if _, err := people.Open(ctx, people.Options{Dir: dir, DatabaseURL: postgres.At(t, dir).URL}); err == nil || !strings.Contains(err.Error(), "belong together") {
		t.Errorf("with another key: %v", err)
	}
}
