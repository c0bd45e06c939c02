package register_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/people/register"
	"almanac/internal/stat"
)

// An identity belongs to one person. A person with one is added only if the invitation, the mail
// address and the identity are free.
func TestIdentity(t *testing.T) {
	withRegister(t, func(t *testing.T, db *register.DB) {
		ctx := context.Background()
		join(t, db, "ann", register.Owner)
		want := register.Identity{Issuer: "https://login.example.org", Subject: "1", Person: "ann", Mail: "a@example.org", Created: noon}
		for i, expect := range []bool{true, false} {
			if isAdded, err := db.AddIdentity(ctx, want); err != nil || isAdded != expect {
				t.Errorf("%d: added: %v, %v", i, isAdded, err)
			}
		}
		for subject, person := range map[string]string{"1": "ann", "2": ""} {
			if got, err := db.PersonByIdentity(ctx, want.Issuer, subject); err != nil || got.ID != person {
				t.Errorf("%s: %+v, %v", subject, got, err)
			}
		}
		must(t, db.UseIdentity(ctx, want.Issuer, "1", later))
		want.Used = later
		got, err := db.Identities(ctx, "ann")
		must(t, err)
		if diff := cmp.Diff([]register.Identity{want}, got); diff != "" {
			t.Error(diff)
		}
		bob := register.Member{Person: register.Person{ID: "bob", Mail: "bob@example.org", Created: noon}, Organisation: 1, Role: register.MemberOnly, Since: noon}
		for _, c := range []struct {
			name, mac, mail, subject string
			isUsed                   bool
			kind                     stat.Kind
		}{
			{"an unknown invitation", "x", "bob@example.org", "2", false, stat.Internal},
			{"the address of Ann", "", "ANN@example.org", "2", false, stat.Conflict},
			{"the identity of Ann", "", "bob@example.org", "1", false, stat.Conflict},
			{"a new person", "", "bob@example.org", "2", true, stat.Internal},
		} {
			bob.Person.Mail = c.mail
			isUsed, err := db.JoinWith(ctx, c.mac, bob, register.Identity{Issuer: want.Issuer, Subject: c.subject, Person: "bob", Created: noon})
			if isUsed != c.isUsed || (err != nil) != (c.kind != stat.Internal) || stat.KindOf(err) != c.kind {
				t.Errorf("%s: used %v, error %v", c.name, isUsed, err)
			}
		}
		if isRemoved, err := db.RemoveIdentity(ctx, "ann", want.Issuer, "2"); err != nil || isRemoved {
			t.Errorf("the identity of somebody else is removed: %v, %v", isRemoved, err)
		}
		if isRemoved, err := db.RemoveIdentity(ctx, "ann", want.Issuer, "1"); err != nil || !isRemoved {
			t.Errorf("removed: %v, %v", isRemoved, err)
		}
		must(t, db.DeletePerson(ctx, "bob"))
		if got, err := db.PersonByIdentity(ctx, want.Issuer, "2"); err != nil || got.ID != "" {
			t.Errorf("after deletion: %+v, %v", got, err)
		}
	})
}
