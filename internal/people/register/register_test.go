package register_test

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/people/register"
	"almanac/internal/stat"
	"almanac/internal/stattest/postgres"
)

func TestMain(m *testing.M) { os.Exit(postgres.Run(m)) }

// withRegister runs a test with an empty register.
func withRegister(t *testing.T, test func(t *testing.T, db *register.DB)) {
	db, err := register.Open(context.Background(), postgres.At(t, t.TempDir()))
	must(t, err)
	t.Cleanup(func() { db.Close() })
	test(t, db)
}

var (
	noon  = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	later = noon.Add(time.Hour)
)

// must fails the test for an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// join adds a person, who becomes a member of organisation 1 by an invitation.
func join(t testing.TB, db *register.DB, id string, role register.Role) register.Person {
	t.Helper()
	ctx := context.Background()
	p := register.Person{ID: id, Mail: id + "@example.org", Name: "Person " + id, Password: "hash " + id, Created: noon}
	must(t, db.AddInvitation(ctx, register.Invitation{MAC: "mac of " + id, ID: "to " + id, Purpose: register.ToJoin, Mail: p.Mail, Organisation: 1, Role: role, Created: noon, Ends: later}))
	isUsed, err := db.Join(ctx, "mac of "+id, register.Member{Person: p, Organisation: 1, Role: role, Since: noon}, true)
	if err != nil || !isUsed {
		t.Fatalf("joining: used %v, error %v", isUsed, err)
	}
	return p
}

func TestPerson(t *testing.T) {
	withRegister(t, func(t *testing.T, db *register.DB) {
		ctx := context.Background()
		want := join(t, db, "ann", register.Owner)
		for _, find := range []func() (register.Person, error){
			func() (register.Person, error) { return db.Person(ctx, "ann") },
			func() (register.Person, error) { return db.PersonByMail(ctx, " ANN@Example.org ") },
		} {
			got, err := find()
			must(t, err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		}
		must(t, db.SetPassword(ctx, "ann", "other hash"))
		must(t, db.SetName(ctx, "ann", "Ann"))
		must(t, db.SetSignedIn(ctx, "ann", later))
		for person, want := range map[string]bool{"ann": true, "nobody": false} {
			if isFound, err := db.SetAdmin(ctx, person, true); err != nil || isFound != want {
				t.Errorf("%s is found: %v, %v", person, isFound, err)
			}
		}
		want.Password, want.Name, want.SignedIn, want.IsAdmin = "other hash", "Ann", later, true
		list, err := db.People(ctx)
		must(t, err)
		if diff := cmp.Diff([]register.Person{want}, list); diff != "" {
			t.Error(diff)
		}
		must(t, db.AddSession(ctx, register.Session{MAC: "m", ID: "s", Person: "ann", Stage: register.SignedIn, Ends: later}))
		must(t, db.AddBrowser(ctx, "b", "ann", later))
		must(t, db.SetFactor(ctx, "ann", "sealed", []string{"one"}))
		must(t, db.DeletePerson(ctx, "ann"))
		if got, err := db.Person(ctx, "ann"); err != nil || got.ID != "" {
			t.Errorf("after deletion: %+v, %v", got, err)
		}
		if s, err := db.Session(ctx, "m"); err != nil || s.ID != "" {
			t.Errorf("the session of a deleted person: %+v, %v", s, err)
		}
		if members, err := db.Members(ctx, 1); err != nil || len(members) != 0 {
			t.Errorf("members after deletion: %v, %v", members, err)
		}
	})
}

// An invitation is used once, however many use it at the same time, and not after its end. Two
// people cannot have one mail address.
func TestInvitation(t *testing.T) {
	withRegister(t, func(t *testing.T, db *register.DB) {
		ctx := context.Background()
		invitation := func(mac string, ends time.Time) {
			must(t, db.AddInvitation(ctx, register.Invitation{MAC: mac, ID: "id of " + mac, Purpose: register.ToJoin, Mail: "x@example.org", Organisation: 1, Role: register.MemberOnly, Created: noon, Ends: ends}))
		}
		invitation("one", later)
		var used atomic.Int32
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				p := register.Person{ID: string(rune('a' + i)), Mail: string(rune('a'+i)) + "@example.org", Created: noon}
				isUsed, err := db.Join(ctx, "one", register.Member{Person: p, Organisation: 1, Role: register.MemberOnly, Since: noon}, true)
				if err != nil {
					t.Error(err)
				}
				if isUsed {
					used.Add(1)
				}
			})
		}
		group.Wait()
		if people, err := db.People(ctx); err != nil || len(people) != 1 || used.Load() != 1 {
			t.Errorf("%d joined with one invitation, %d reported so (%v)", len(people), used.Load(), err)
		}
		invitation("late", noon)
		if isUsed, err := db.Join(ctx, "late", register.Member{Person: register.Person{ID: "late"}, Organisation: 1, Since: noon}, true); err != nil || isUsed {
			t.Errorf("an invitation that has ended: used %v, error %v", isUsed, err)
		}
		people, _ := db.People(ctx)
		invitation("same mail", later)
		_, err := db.Join(ctx, "same mail", register.Member{Person: register.Person{ID: "other", Mail: people[0].Mail}, Organisation: 1, Since: noon}, true)
		if stat.KindOf(err) != stat.Conflict {
			t.Errorf("a second person with one mail address: %v", err)
		}
		open, err := db.Invitations(ctx, 1, noon)
		if err != nil || len(open) != 1 || open[0].MAC != "same mail" {
			t.Errorf("invitations that can be used: %+v, %v; want the one whose use failed", open, err)
		}
		if isWithdrawn, err := db.Withdraw(ctx, 2, "id of same mail"); err != nil || isWithdrawn {
			t.Errorf("withdrawn by another organisation: %v, %v", isWithdrawn, err)
		}
		if isWithdrawn, err := db.Withdraw(ctx, 1, "id of same mail"); err != nil || !isWithdrawn {
			t.Errorf("withdrawn: %v, %v", isWithdrawn, err)
		}
	})
}

// An organisation keeps an owner, also when two owners remove each other at once.
func TestLastOwner(t *testing.T) {
	withRegister(t, func(t *testing.T, db *register.DB) {
		ctx := context.Background()
		join(t, db, "ann", register.Owner)
		join(t, db, "bob", register.MemberOnly)
		for name, err := range map[string]error{
			"removed": db.RemoveMember(ctx, 1, "ann"), "demoted": db.SetRole(ctx, 1, "ann", register.MemberOnly),
		} {
			if stat.KindOf(err) != stat.Conflict {
				t.Errorf("the last owner is %s: %v", name, err)
			}
		}
		if err := db.RemoveMember(ctx, 2, "bob"); stat.KindOf(err) != stat.NotFound {
			t.Errorf("a member of another organisation is removed: %v", err)
		}
		must(t, db.SetRole(ctx, 1, "bob", register.Owner))
		var group sync.WaitGroup
		for _, person := range []string{"ann", "bob"} {
			group.Go(func() { db.RemoveMember(ctx, 1, person) })
		}
		group.Wait()
		members, err := db.Members(ctx, 1)
		if err != nil || len(members) != 1 || members[0].Role != register.Owner {
			t.Errorf("members: %+v, %v; want one owner", members, err)
		}
		mine, err := db.Memberships(ctx, members[0].Person.ID)
		if err != nil || len(mine) != 1 || mine[0].Organisation != 1 {
			t.Errorf("memberships: %+v, %v", mine, err)
		}
	})
}

func TestSessions(t *testing.T) {
	withRegister(t, func(t *testing.T, db *register.DB) {
		ctx := context.Background()
		join(t, db, "ann", register.Owner)
		want := register.Session{MAC: "m1", ID: "s1", Person: "ann", Stage: register.PasswordOnly, Checked: noon.Add(-time.Minute), Created: noon, Used: noon, Ends: later, Family: "IPv6", Browser: "Firefox on Linux"}
		must(t, db.AddSession(ctx, want))
		got, err := db.Session(ctx, "m1")
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		for _, id := range []string{"2", "3", "4"} {
			must(t, db.AddSession(ctx, register.Session{MAC: "m" + id, ID: "s" + id, Person: "ann", Stage: register.SignedIn, Created: noon, Used: noon, Ends: later}))
		}
		must(t, db.UseSession(ctx, "m3", noon.Add(time.Minute)))
		must(t, db.UseSession(ctx, "m3", noon)) // a clock that goes back changes nothing
		if isEnded, err := db.EndSession(ctx, "bob", "s4"); err != nil || isEnded {
			t.Errorf("the session of another person: ended %v, error %v", isEnded, err)
		}
		if isEnded, err := db.EndSession(ctx, "ann", "s4"); err != nil || !isEnded {
			t.Errorf("ended %v, error %v", isEnded, err)
		}
		ids := func(now, idle time.Time) (ids []string) {
			list, err := db.Sessions(ctx, "ann", now, idle)
			must(t, err)
			for _, s := range list {
				ids = append(ids, s.ID)
			}
			return ids
		}
		if diff := cmp.Diff([]string{"s3", "s1", "s2"}, ids(noon, noon.Add(-time.Minute))); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"s3"}, ids(noon, noon)); diff != "" {
			t.Errorf("used since noon: %s", diff)
		}
		if got := ids(later, noon.Add(-time.Minute)); got != nil {
			t.Errorf("after their end: %v", got)
		}
		must(t, db.AddBrowser(ctx, "b", "ann", later))
		for mac, want := range map[string]bool{"b": true, "c": false} {
			if knows, err := db.KnowsBrowser(ctx, mac, "ann", noon); err != nil || knows != want {
				t.Errorf("browser %s is known: %v, %v", mac, knows, err)
			}
		}
		must(t, db.EndSessions(ctx, "ann", "s2"))
		if diff := cmp.Diff([]string{"s2"}, ids(noon, noon.Add(-time.Minute))); diff != "" {
			t.Errorf("all but one ended: %s", diff)
		}
		if knows, _ := db.KnowsBrowser(ctx, "b", "ann", noon); knows {
			t.Error("the browser is still known")
		}
	})
}

// Codes of the second factor and recovery codes are used once.
func TestFactor(t *testing.T) {
	withRegister(t, func(t *testing.T, db *register.DB) {
		ctx := context.Background()
		join(t, db, "ann", register.Owner)
		must(t, db.SetFactor(ctx, "ann", "sealed", []string{"one", "two"}))
		for i, c := range []struct {
			step int64
			want bool
		}{{10, true}, {10, false}, {9, false}, {11, true}} {
			if isFirst, err := db.UseStep(ctx, "ann", c.step); err != nil || isFirst != c.want {
				t.Errorf("%d: step %d is accepted: %v, %v", i, c.step, isFirst, err)
			}
		}
		for i, c := range []struct {
			person, code string
			want         bool
		}{{"ann", "one", true}, {"ann", "one", false}, {"bob", "two", false}, {"ann", "three", false}} {
			if isUsed, err := db.UseRecoveryCode(ctx, c.person, c.code, noon); err != nil || isUsed != c.want {
				t.Errorf("%d: code %s of %s is accepted: %v, %v", i, c.code, c.person, isUsed, err)
			}
		}
		if n, err := db.RecoveryCodes(ctx, "ann"); err != nil || n != 1 {
			t.Errorf("%d codes are left, %v", n, err)
		}
		reset := register.Invitation{MAC: "reset", ID: "r", Purpose: register.ToReset, Mail: "ann@example.org", Created: noon, Ends: later}
		byMail := reset
		byMail.MAC, byMail.ID, byMail.Purpose = "mail", "m", register.ToPassword
		must(t, db.AddInvitation(ctx, reset))
		must(t, db.AddInvitation(ctx, byMail))
		if isUsed, err := db.ResetPassword(ctx, byMail, "ann", "a hash", noon); err != nil || !isUsed {
			t.Errorf("by mail: used %v, %v", isUsed, err)
		}
		if p, err := db.Person(ctx, "ann"); err != nil || p.Password != "a hash" || p.Factor != "sealed" {
			t.Errorf("after a new password by mail: %+v, %v", p, err)
		}
		must(t, db.AddSession(ctx, register.Session{MAC: "m", ID: "s", Person: "ann", Stage: register.SignedIn, Ends: later}))
		for i, want := range []bool{true, false} {
			if isUsed, err := db.ResetPassword(ctx, reset, "ann", "new hash", noon); err != nil || isUsed != want {
				t.Errorf("reset %d: used %v, %v", i, isUsed, err)
			}
		}
		p, err := db.Person(ctx, "ann")
		n, _ := db.RecoveryCodes(ctx, "ann")
		s, _ := db.Session(ctx, "m")
		if err != nil || p.Password != "new hash" || p.Factor != "" || n != 0 || s.ID != "" {
			t.Errorf("after a reset: %+v, %d recovery codes, session %q, %v", p, n, s.ID, err)
		}
	})
}

// Of guesses that are counted at once, each is counted.
func TestGuesses(t *testing.T) {
	withRegister(t, func(t *testing.T, db *register.DB) {
		ctx := context.Background()
		var group sync.WaitGroup
		const guesses = 10
		for range guesses {
			group.Go(func() {
				for {
					before, err := db.Guesses(ctx, "x")
					if err != nil {
						t.Error(err)
						return
					}
					isSet, err := db.SetGuesses(ctx, "x", before, register.Guesses{Failed: before.Failed + 1, Last: noon, Until: later})
					if err != nil || isSet {
						return
					}
				}
			})
		}
		group.Wait()
		got, err := db.Guesses(ctx, "x")
		must(t, err)
		if diff := cmp.Diff(register.Guesses{Failed: guesses, Last: noon, Until: later}, got); diff != "" {
			t.Error(diff)
		}
		must(t, db.Forgive(ctx, "x", 1))
		if got, _ := db.Guesses(ctx, "x"); got.Failed != guesses-1 || !got.Until.IsZero() {
			t.Errorf("after one was forgiven: %+v", got)
		}
		must(t, db.Forgive(ctx, "x", 0))
		if got, _ := db.Guesses(ctx, "x"); got.Failed != 0 {
			t.Errorf("after all were forgiven: %+v", got)
		}
	})
}

// Tidy deletes what has ended, and nothing else.
func TestTidy(t *testing.T) {
	withRegister(t, func(t *testing.T, db *register.DB) {
		ctx := context.Background()
		join(t, db, "ann", register.Owner)
		for id, ends := range map[string]time.Time{"old": noon, "new": later} {
			must(t, db.AddSession(ctx, register.Session{MAC: id, ID: id, Person: "ann", Stage: register.SignedIn, Ends: ends}))
			must(t, db.AddInvitation(ctx, register.Invitation{MAC: id, ID: id, Purpose: register.ToJoin, Mail: "x@example.org", Organisation: 1, Role: register.Owner, Created: noon, Ends: ends}))
			_, err := db.SetGuesses(ctx, id, register.Guesses{}, register.Guesses{Failed: 1, Last: ends})
			must(t, err)
		}
		must(t, db.Tidy(ctx, noon.Add(time.Minute)))
		for id, want := range map[string]bool{"old": false, "new": true} {
			s, _ := db.Session(ctx, id)
			i, _ := db.Invitation(ctx, id)
			g, _ := db.Guesses(ctx, id)
			if (s.ID != "") != want || (i.ID != "") != want || (g.Failed != 0) != want {
				t.Errorf("%s: session %q, invitation %q, %d guesses; want that they are kept: %v", id, s.ID, i.ID, g.Failed, want)
			}
		}
	})
}

// The fingerprint of the key is set once.
func TestFingerprint(t *testing.T) {
	withRegister(t, func(t *testing.T, db *register.DB) {
		for _, c := range []struct{ set, want string }{{"", ""}, {"one", "one"}, {"two", "one"}, {"", "one"}} {
			if got, err := db.SetFingerprint(context.Background(), c.set); err != nil || got != c.want {
				t.Errorf("setting %q: %q, %v, want %q", c.set, got, err, c.want)
			}
		}
	})
}

func TestPasskeys(t *testing.T) {
	withRegister(t, func(t *testing.T, db *register.DB) {
		ctx := context.Background()
		join(t, db, "ann", register.Owner)
		want := register.Passkey{ID: "k", Person: "ann", Name: "phone", Credential: "{}", Created: noon}
		for i, isNew := range []bool{true, false} {
			if isAdded, err := db.AddPasskey(ctx, want); err != nil || isAdded != isNew {
				t.Errorf("%d: added %v, %v", i, isAdded, err)
			}
		}
		must(t, db.UsePasskey(ctx, "k", "{1}", later))
		want.Credential, want.Used = "{1}", later
		list, err := db.Passkeys(ctx, "ann")
		must(t, err)
		if diff := cmp.Diff([]register.Passkey{want}, list); diff != "" {
			t.Error(diff)
		}
		for _, c := range []struct {
			person string
			want   bool
		}{{"bob", false}, {"ann", true}, {"ann", false}} {
			if isRemoved, err := db.RemovePasskey(ctx, c.person, "k"); err != nil || isRemoved != c.want {
				t.Errorf("removed by %s: %v, %v", c.person, isRemoved, err)
			}
		}
		for i, want := range []bool{true, false} {
			if isFirst, err := db.Answer(ctx, "challenge", later); err != nil || isFirst != want {
				t.Errorf("answer %d is the first: %v, %v", i, isFirst, err)
			}
		}
	})
}

func TestSelections(t *testing.T) {
	withRegister(t, func(t *testing.T, db *register.DB) {
		ctx := context.Background()
		for i, hash := range []string{"a", "b", "a", "c"} { // a is stored twice
			must(t, db.PutSelection(ctx, hash, "country="+hash, noon.Add(time.Duration(i)*time.Hour), 3))
		}
		if _, err := db.Selection(ctx, "a", noon.Add(48*time.Hour)); err != nil { // used after b
			t.Fatal(err)
		}
		must(t, db.PutSelection(ctx, "d", "country=d", noon.Add(49*time.Hour), 3))
		for hash, want := range map[string]string{"a": "country=a", "b": "", "c": "country=c", "d": "country=d", "e": ""} {
			if got, err := db.Selection(ctx, hash, noon.Add(50*time.Hour)); err != nil || got != want {
				t.Errorf("%s: %q, %v, want %q", hash, got, err, want)
			}
		}
	})
}
