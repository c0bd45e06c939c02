package portal_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/people"
)

// wantFocus checks that one field of the page has the focus when it opens, and that it is described by the error, if there is one.
func (r *reader) wantFocus(name, problem string) {
	r.t.Helper()
	focused := elements(r.root, "input", "autofocus")
	if len(focused) != 1 {
		r.t.Fatalf("%s has %d fields with the focus, want that of %s", r.path, len(focused), name)
	}
	got, _ := attribute(focused[0], "name")
	described, _ := attribute(focused[0], "aria-describedby")
	_, isInvalid := attribute(focused[0], "aria-invalid")
	if got != name || isInvalid != (problem != "") {
		r.t.Errorf("%s: the focus is on %q (invalid: %t), want %q with the error %q", r.path, got, isInvalid, name, problem)
	}
	if problem == "" {
		return
	}
	if !slices.Contains(strings.Fields(described), "wrong") || !strings.Contains(textOf(withID(r.t, r.root, "wrong")), problem) {
		r.t.Errorf("%s: the field is described by %q, want the error %q", r.path, described, problem)
	}
}

// After an error, the focus is on the field that it is about; else on the only field.
func TestFocusOfForms(t *testing.T) {
	o := openOffice(t, nil)
	r := o.newReader(t)
	invitation := o.invite(t, "ann@example.org", "Example Times", people.Owner)
	r.post(invitation, "name", "Ann", "password", "short").wantFocus("password", "at least 15 characters")
	r.post(invitation, "name", " ", "password", somePassword).wantFocus("name", "readable characters")
	r.post(invitation, "name", "Ann", "password", somePassword).want(200, "/account")
	r.post("/account", "do", "invite", "mail", "bob", "role", "member").wantFocus("mail", "not a mail address")
	r.post("/account", "do", "rename", "name", " ").wantFocus("name", "readable characters")
	r.post("/account/keys/new", "name", "?").wantFocus("name", "a letter or a digit")
	r.post("/account/keys/new", "expires", "2020-01-31").wantFocus("expires", "cannot expire on 31 Jan 2020, which")
	r.post("/account/password", "password", "wrong", "new", somePassword+" now").wantFocus("password", "password is wrong")
	r.post("/account/password", "password", somePassword, "new", "short").wantFocus("new", "at least 15 characters")
	secret, sealed := r.open("/account/factor").find(`\b[A-Z2-7]{32}\b`), r.value("secret")
	r.post("/account/factor", "secret", sealed, "code", "12345").wantFocus("code", "not right")
	code := o.code(t, secret)
	r.post("/account/factor", "secret", sealed, "code", code[:3]+" "+code[3:]).want(200, "/account/factor", "shown only now")
	recovery := r.find(`[2-9a-z]{5}-[2-9a-z]{5}`)

	r.post("/signout")
	r.post("/signin", "mail", "ann@example.org", "password", "wrong").wantFocus("password", "password is wrong")
	mail := elements(r.root, "input", "name=mail")
	if described, _ := attribute(mail[0], "aria-describedby"); len(elements(r.root, "input", "aria-invalid=true")) != 2 || described != "wrong" {
		t.Error("mail and password do not belong together, but the field of the mail is not described by that")
	}
	r.post("/signin", "mail", "ann@example.org", "password", somePassword).wantFocus("code", "")
	r.post("/signin/code", "code", "000 000").wantFocus("code", "not right")
	r.open("/signin/code?with=recovery").wantFocus("code", "")
	r.post("/signin/code", "with", "recovery", "code", "\t"+strings.ToUpper(strings.Replace(recovery, "-", " – ", 1))+" ").want(200, "/account")
	o.clock.Add(int64(time.Minute))
	r.post("/signout")
	r.post("/signin", "mail", "ann@example.org", "password", somePassword)
	code = o.code(t, secret)
	r.post("/signin/code", "code", code[:3]+"\u202f"+code[3:]).want(200, "/account")
}

// Loading the page of a new key again says that it was shown once, and where it is. It makes no other one.
func TestNewKeyIsShownOnce(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	once := r.open("/account/keys/new").value("once")
	r.post("/account/keys/new", "once", once).want(201, "/account/keys/new")
	id := r.find(keyPattern)[4:12]
	r.post("/account/keys/new", "once", once).want(200, "/account?", "shown only once", "in the list", id)
	if strings.Contains(r.text(), "was changed") {
		t.Error("the page says that something was changed")
	}
	once = r.open("/account/keys/" + id).value("once")
	r.post("/account/keys/"+id, "do", "rotate", "overlap", "1", "once", once).want(201, "/account/keys/")
	r.post("/account/keys/"+id, "do", "rotate", "overlap", "1", "once", once).want(200, "/account?", "shown only once")
	if n := len(elements(withID(t, r.root, "keys"), "tr")); n != 3 { // with the heading
		t.Errorf("the list of keys has %d rows, want 2 keys", n-1)
	}
}
