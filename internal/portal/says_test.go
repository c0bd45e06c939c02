package portal_test

import (
	"strings"
	"testing"

	"almanac/internal/people"
)

// Who is invited a second time is told what holds for them, and lands on the page of the new organisation.
func TestInvitedWhileSignedIn(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.open(o.invite(t, "ann@example.org", "Other Times", people.MemberOnly)).want(200, "/join/", "signed in with the address")
	if strings.Contains(r.text(), "Choose a password") {
		t.Error("a password is asked for")
	}
	r.post(r.path).want(200, "/account?account=Other", "Other Times")
	r.open("/account?account=Example+Times")
	r.post("/account", "account", "Example Times", "do", "invite", "mail", " Ann@example.org ").want(409, "/account", "is a member already")
}

// A form that was sent after the session ended says that nothing was saved, and that it comes back.
func TestSessionEnded(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	o.clock.Add(int64(people.SessionIdle) * 2)
	r.post("/account", "do", "rename", "name", "Ann Lee").want(200, "/signin?to=", "The session has ended. Nothing was saved. What you typed comes back")
	o.newReader(t).open("/account/follow?dataset=1").want(200, "/signin?to=", "To follow a dataset, you need an account")
}

// What was done is said in the section that the address leads to.
func TestDoneIsSaidInItsSection(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.post("/account", "do", "rename", "name", "Ann Lee").want(200, "/account?")
	if text := textOf(withID(t, r.root, "name")); !strings.Contains(text, "The name was changed") {
		t.Errorf("the section says %s", text)
	}
}

// The page of a rotated key is about the new one, and says until when the old one is valid.
func TestRotatedKeySaysUntilWhen(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.post("/account/keys/new").want(201, "/account/keys/new")
	r.open("/account")
	revoke, _ := attribute(elements(withID(t, r.root, "keys"), "a", "class=btn slim")[1], "href")
	id, _, _ := strings.Cut(revoke, "?")
	r.open(revoke).want(200, id, "Revoke")
	if strings.Contains(r.text(), "Make the successor") {
		t.Error("the page that revokes also rotates")
	}
	r.post(id, "do", "rotate", "overlap", "1").want(201, id, "The successor of ", "is valid until 22 Nov 2025", "urllib.request.Request(")
}
