package portal_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"golang.org/x/net/html"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/people"
	"almanac/internal/portal"
	"almanac/internal/stattest"
)

const keyPattern = `alm_[0-9A-Za-z]{46}`

// From an invitation to a password, a second factor, a key, its use, and its end.
func TestWalkFromInvitationToKey(t *testing.T) {
	o := openOffice(t, nil)
	r := o.newReader(t)
	r.open("/account").want(200, "/signin?to=", "Sign in")
	invitation := o.invite(t, "ann@example.org", "Example Times", people.Owner)
	r.open(invitation).want(200, invitation, "Join Example Times")
	r.post(invitation, "name", "Ann", "password", "short").want(400, invitation, "at least 15 characters")
	if got := r.value("name"); got != "Ann" {
		t.Errorf("the form lost the name: %q", got)
	}
	r.post(invitation, "name", "Ann", "password", somePassword).want(200, "/account", "Example Times", "0 of 100 requests", "There is no key yet")
	o.newReader(t).open(invitation).want(404, invitation, "cannot be used")

	r.open("/account/factor").want(200, "/account/factor", "authenticator app")
	secret, sealed := r.find(`\b[A-Z2-7]{32}\b`), r.value("secret")
	r.post("/account/factor", "secret", sealed, "code", "12345").want(400, "/account/factor", "not right")
	if again := r.find(`\b[A-Z2-7]{32}\b`); again != secret {
		t.Error("a wrong code changes the secret, which the app already has")
	}
	r.post("/account/factor", "secret", sealed, "code", o.code(t, secret)).want(200, "/account/factor", "shown only now")
	recovery := r.find(`[2-9a-z]{5}-[2-9a-z]{5}`)

	r.post("/signout").want(200, "/")
	r.open("/account/keys/new?expires=2027-01-31").want(200, "/signin")
	r.post("/signin", "mail", "Ann@example.org", "password", somePassword, "to", r.value("to")).want(200, "/signin/code", "Six-digit code")
	r.open("/account").want(200, "/signin") // the password alone opens nothing
	o.clock.Add(int64(time.Minute))
	r.open("/signin/code?to=" + url.QueryEscape("/account/keys/new?expires=2027-01-31"))
	r.post("/signin/code", "code", "000000", "to", r.value("to")).want(400, "/signin/code", "not right")
	r.post("/signin/code", "code", o.code(t, secret), "to", r.value("to")).want(200, "/account/keys/new")
	if got := r.value("expires"); got != "2027-01-31" {
		t.Errorf("the form came back with %q, want the day that was typed", got)
	}

	r.post("/account/keys/new", "expires", "2020-01-31").want(400, "/account/keys/new", "in the past")
	r.post("/account/keys/new", "expires", "soon").want(400, "/account/keys/new", "not a day")
	once := r.value("once")
	r.post("/account/keys/new", "expires", "", "once", once).want(201, "/account/keys/new", "shown only now")
	key := r.find(keyPattern)
	if got := r.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("the page with the key has Cache-Control %q", got)
	}
	for range 3 {
		if status := o.status(t, key); status != 200 {
			t.Fatalf("a request with the key: %d", status)
		}
	}
	r.open("/account").want(200, "/account", "3 of 100 requests", key[4:12], "valid", "10 recovery codes are left")
	if strings.Contains(r.text(), key) {
		t.Error("the key is shown again")
	}

	r.post("/account/keys/"+key[4:12], "do", "rotate", "overlap", "1").want(201, "/account/keys/", "shown only now")
	second := r.find(keyPattern)
	r.post("/account/keys/"+key[4:12], "do", "revoke").want(200, "/account?", "was revoked", "revoked")
	stattest.Eventually(t, func() error {
		if one, two := o.status(t, key), o.status(t, second); one != 401 || two != 200 {
			return fmt.Errorf("the revoked key has status %d, its successor %d", one, two)
		}
		return nil
	})
	r.open("/account/keys/"+key[4:12]).want(200, "/account/keys/", "was revoked")

	r.post("/signout")
	r.post("/signin", "mail", "ann@example.org", "password", somePassword).want(200, "/signin/code")
	r.post("/signin/code", "code", recovery, "with", "recovery", "remember", "yes").want(200, "/account", "9 recovery codes are left")
	r.post("/signout")
	r.post("/signin", "mail", "ann@example.org", "password", somePassword).want(200, "/account") // the browser is known
}

// code returns the code of a second factor.
func (o *office) code(t testing.TB, secret string) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, o.now())
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// Guesses are limited, and an unknown address is answered like a wrong password.
func TestSignInGuesses(t *testing.T) {
	o := openOffice(t, nil)
	o.member(t, "ann@example.org", "Example Times", people.Owner)
	r := o.newReader(t)
	var texts []string
	for _, mail := range []string{"ann@example.org", "nobody@example.org"} {
		r.post("/signin", "mail", mail, "password", "wrong", "to", "/account").want(400, "/signin", "password is wrong")
		texts = append(texts, strings.ReplaceAll(textOf(r.root), mail, ""))
		if got := r.value("mail"); got != mail {
			t.Errorf("the form lost the address: %q", got)
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("an unknown address is told apart:\n%s\n%s", texts[0], texts[1])
	}
	for range 4 {
		r.post("/signin", "mail", "ann@example.org", "password", "wrong")
	}
	r.post("/signin", "mail", "ann@example.org", "password", somePassword).want(429, "/signin", "Too many attempts. Try again in 1 second.")
	if got := r.header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After is %q", got)
	}
	o.clock.Add(int64(2 * time.Second))
	r.post("/signin", "mail", "ann@example.org", "password", somePassword).want(200, "/account")
}

// A session ends after its time, by its owner from another browser, and by a new password. What
// was typed into a form comes back after signing in again.
func TestSessionsEnd(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	other := o.newReader(t).post("/signin", "mail", "ann@example.org", "password", somePassword)
	other.want(200, "/account", "Firefox, Linux")
	r.open("/account").want(200, "/account", "Sign out everywhere else")
	r.post("/account", "do", "end-session", "session", r.value("session")).want(200, "/account?", "The session has ended")
	other.open("/account").want(200, "/signin")
	other.post("/signin", "mail", "ann@example.org", "password", somePassword).want(200, "/account")
	r.post("/account/password", "password", "wrong", "new", "eight blue herons at noon").want(400, "/account/password", "password is wrong")
	r.post("/account/password", "password", somePassword, "new", "eight blue herons at noon").want(200, "/account?", "The password was changed")
	other.open("/account").want(200, "/signin")

	o.clock.Add(int64(people.SessionIdle))
	r.post("/account", "do", "invite", "mail", "bob@example.org").want(200, "/signin")
	r.post("/signin", "mail", "ann@example.org", "password", "eight blue herons at noon", "to", r.value("to")).want(200, "/account")
	if got := r.value("mail"); got != "bob@example.org" {
		t.Errorf("the form came back with %q", got)
	}
}

// Owners invite and remove members; members cannot, and nobody sees another organisation.
func TestMembers(t *testing.T) {
	o := openOffice(t, nil)
	ann := o.member(t, "ann@example.org", "Example Times", people.Owner)
	eve := o.member(t, "eve@example.org", "Other Paper", people.Owner)
	ann.post("/account", "do", "invite", "mail", "bob", "role", "member").want(400, "/account", "not a mail address")
	ann.post("/account", "do", "invite", "mail", "bob@example.org", "role", "member").want(200, "/account", "Send this address", "invited, until")
	link := strings.TrimPrefix(ann.find(`http\S+/join/\S+`), o.base)
	bob := o.newReader(t).post(link, "name", "Bob", "password", somePassword)
	bob.want(200, "/account", "Example Times", "ann@example.org", "Leave")
	for _, do := range []string{"invite", "remove", "set-role", "withdraw"} {
		bob.post("/account", "do", do, "mail", "x@example.org", "person", "x").want(403, "/account", "Only an owner")
	}
	ann.post("/account/keys/new").want(201, "/account/keys/new")
	id := ann.find(keyPattern)[4:12]
	eve.open("/account/keys/"+id).want(404, "/account/keys/", "None of your accounts")
	eve.post("/account/keys/"+id, "do", "revoke").want(404, "/account/keys/")
	eve.open("/account?account=Example+Times").want(404, "/account")
	eve.post("/account", "account", "Example Times", "do", "invite", "mail", "eve2@example.org").want(404, "/account")
	ann.post("/account", "do", "leave").want(409, "/account", "needs an owner", "Account of the organisation Example Times")
	// Bob is invited by the other organisation, too.
	second := o.invite(t, "BOB@example.org", "Other Paper", people.MemberOnly)
	ann.open(second).want(200, second, "Sign in with it")
	bob.open(second).want(200, second, "Join Other Paper")
	bob.post(second).want(200, "/account")
	bob.open("/account?account=other+paper").want(200, "/account", "Other Paper", "eve@example.org")
	bob.open("/account").want(200, "/account", "Example Times")
	bob.post("/account", "account", "Example Times", "do", "leave").want(200, "/account")
	bob.open("/account").want(200, "/account", "Other Paper")

	// Who is in none is told how to get into one.
	bob.post("/account", "account", "Other Paper", "do", "leave").want(200, "/account")
	bob.open("/account").want(200, "/account", "You belong to no organisation", "to invite bob@example.org", "Open the invitation while you are signed in")
	bob.open("/account/keys/new").want(404, "/account/keys/new", "to invite bob@example.org")
}

// Keys are listed with who made each: members, those who left, people who deleted their account, or nobody who signed in.
func TestMakersOfKeys(t *testing.T) {
	o := openOffice(t, nil)
	ann := o.member(t, "ann@example.org", "Example Times", people.Owner)
	ann.post("/account", "do", "rename", "name", "Ann")
	of := map[string]string{}
	made, err := o.access.CreateKey(t.Context(), access.KeyRequest{Account: "Example Times"})
	if err != nil {
		t.Fatal(err)
	}
	of[made.ID] = "—"
	for name, want := range map[string]string{"Bob": "Bob", "Carl": "Carl, no longer a member", "Dora": "a deleted account"} {
		r := o.newReader(t).post(o.invite(t, name+"@example.org", "Example Times", people.MemberOnly), "name", name, "password", somePassword)
		r.post("/account/keys/new").want(201, "/account/keys/new")
		of[r.find(keyPattern)[4:12]] = want
		switch name {
		case "Carl":
			r.post("/account", "do", "leave").want(200, "/account")
		case "Dora":
			r.post("/account/delete").want(200, "/account/delete", "nothing of you any more")
		}
	}
	ann.post("/account/keys/"+made.ID, "do", "rotate", "overlap", "1").want(201, "/account/keys/")
	of[ann.find(keyPattern)[4:12]] = "Ann"
	ann.open("/account").want(200, "/account", "Made by")
	rows := tableRows(withID(t, ann.root, "keys"))
	for id, want := range of {
		at := slices.IndexFunc(rows, func(row *html.Node) bool { return strings.Contains(textOf(row), id) })
		if at < 0 {
			t.Errorf("key %s is not listed", id)
		} else if got := textOf(elements(rows[at], "td")[2]); got != want {
			t.Errorf("key %s is made by %q, want %q", id, got, want)
		}
	}
}

// What the organisation follows is listed with what changed, and unfollowed.
func TestFollowedOnAccount(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.open("/account").want(200, "/account", "You follow nothing yet")
	r.post("/account/keys/new")
	request, err := http.NewRequest("PUT", o.base+"/api/followed/1", strings.NewReader(`{"country":["Germany"]}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-API-Key", r.find(keyPattern))
	request.Header.Set("Content-Type", "application/json")
	if r.send(request).status != 200 {
		t.Fatalf("following: %d %s", r.status, r.text())
	}
	r.open("/account").want(200, "/account", "Germany", "no change since 21 Nov 2025", "Unfollow")
	for _, a := range elements(r.root, "a") {
		if address, _ := attribute(a, "href"); strings.HasPrefix(address, "/datasets/1/") && !strings.Contains(address, "country=") {
			t.Errorf("the link %s does not lead to the followed part", address)
		}
	}
	r.post("/account", "do", "unfollow", "dataset", "1").want(200, "/account?", "You follow nothing yet")
	r.post("/account", "do", "unfollow", "dataset", "1").want(404, "/account", "does not follow")
}

// What is followed is named by labels: not by the code of a frequency that is the only one.
func TestFollowedHasLabels(t *testing.T) {
	o := openOfficeOver(t, realStore(t), func(*api.Options, *portal.Options) {})
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.post("/account/keys/new")
	request, err := http.NewRequest("PUT", o.base+"/api/followed/1", strings.NewReader(`{"dim1":["A"],"dim4":["F"],"country":["Greece"]}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-API-Key", r.find(keyPattern))
	request.Header.Set("Content-Type", "application/json")
	if r.send(request).status != 200 {
		t.Fatalf("following: %d %s", r.status, r.text())
	}
	r.open("/account")
	if part := textOf(withClass(withID(t, r.root, "followed"), "span", "tiny")[0]); part != "Greece; Females" {
		t.Errorf("the followed part is %q", part)
	}
}

// A link to a file that is refused because the limit is used up leads to signing in, where people have accounts.
func TestRefusedLinkLeadsToSigningIn(t *testing.T) {
	o := openOfficeOver(t, sampleStore(t), func(a *api.Options, _ *portal.Options) {
		callers, err := access.Open(t.Context(), access.Options{Dir: t.TempDir(), Limits: access.Limits{Anonymous: 1, Essential: 100, Pro: 5000}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { callers.Close() })
		a.Access = callers
	})
	const file = "/api/datasets/1/data.csv?country=Germany"
	link := []string{"Sec-Fetch-Site: same-origin", "Sec-Fetch-Dest: document"}
	ask(t, "GET", o.base+file, link...)
	got := ask(t, "GET", o.base+file, link...)
	if got.StatusCode != http.StatusTooManyRequests || len(elements(parse(t, got.body), "li")) == 0 || !strings.Contains(got.body, `<li><a href="/signin">`) {
		t.Errorf("%d %.600s", got.StatusCode, got.body)
	}
}

// The data of a person can be exported, and deleted together with the keys that nobody is left for.
func TestExportAndDeletion(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.post("/account/keys/new")
	key := r.find(keyPattern)
	r.open("/account/export").want(200, "/account/export", `"mail": "ann@example.org"`, `"organisation": "Example Times"`, `"purpose": "join"`)
	if got := r.header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") {
		t.Errorf("Content-Disposition is %q", got)
	}
	r.open("/account/delete").want(200, "/account/delete", "only member of Example Times")
	r.post("/account/delete", "revoke", "yes").want(200, "/account/delete", "nothing of you any more")
	r.open("/account").want(200, "/signin")
	r.post("/signin", "mail", "ann@example.org", "password", somePassword).want(400, "/signin", "password is wrong")
	stattest.Eventually(t, func() error {
		if status := o.status(t, key); status != 401 {
			return fmt.Errorf("the key of nobody has status %d", status)
		}
		return nil
	})
}

// Forms from pages of others are refused; cookies are for this service only; nothing is accepted
// over plain HTTP where the service is public; addresses lead only to this service.
func TestFormsAndCookies(t *testing.T) {
	proxies := access.Proxies{Trusted: access.Networks{}}
	if err := proxies.Trusted.UnmarshalText([]byte("127.0.0.1")); err != nil {
		t.Fatal(err)
	}
	o := openOffice(t, func(p *portal.Options) { p.Public, p.Proxies = true, proxies })
	o.newReader(t).open("/signin").want(403, "/signin", "only over HTTPS")
	invitation := o.invite(t, "ann@example.org", "Example Times", people.Owner)
	form := url.Values{"name": {"Ann"}, "password": {somePassword}, "to": {"//elsewhere.example"}}
	post := func(path, site string) *http.Response {
		request, err := http.NewRequest("POST", o.base+path, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Sec-Fetch-Site", site)
		request.Header.Set("X-Forwarded-Proto", "https")
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response
	}
	for _, site := range []string{"cross-site", "same-site"} {
		if got := post(invitation, site); got.StatusCode != 403 || len(got.Cookies()) != 0 {
			t.Errorf("a form from a page of another service (%s): %d, %v", site, got.StatusCode, got.Cookies())
		}
	}
	got := post(invitation, "same-origin")
	if len(got.Cookies()) != 1 {
		t.Fatalf("%d, cookies %v", got.StatusCode, got.Cookies())
	}
	c := got.Cookies()[0]
	if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
		t.Errorf("cookie %+v", c)
	}
	form = url.Values{"mail": {"ann@example.org"}, "password": {somePassword}, "to": {"https://elsewhere.example/"}}
	got = post("/signin", "same-origin")
	if to := got.Header.Get("Location"); got.StatusCode != 303 || to != "/account" {
		t.Errorf("signing in leads to %q (%d)", to, got.StatusCode)
	}
	if next := got.Cookies()[0]; next.Value == c.Value {
		t.Error("the session is not renewed")
	}
	if policy := got.Header.Get("Cache-Control"); policy != "no-store" {
		t.Errorf("Cache-Control is %q", policy)
	}
}

// A file to which a link of a page leads counts for the account of whoever is signed in. One to which a page of others leads does
// not.
func TestDownloadsCountForTheAccount(t *testing.T) {
	o := openOfficeOver(t, sampleStore(t), func(*api.Options, *portal.Options) {})
	ann := o.member(t, "ann@example.org", "Example Times", people.Owner)
	for i, site := range []string{"cross-site", "same-origin", "same-origin"} {
		request, err := http.NewRequest("GET", o.base+"/api/datasets/1/data.csv", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Sec-Fetch-Site", site)
		request.Header.Set("Sec-Fetch-Dest", "document")
		ann.send(request).want(200, "/api")
		ann.open("/account").want(200, "/account", fmt.Sprintf("%d of 100 requests", i))
	}
}

// A page with a new key that is loaded again sends its form again, which makes no other key.
func TestKeyIsMadeOnce(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	once := r.open("/account/keys/new").value("once")
	r.post("/account/keys/new", "once", once).want(201, "/account/keys/new", "shown only now")
	r.post("/account/keys/new", "once", once).want(200, "/account")
	if n := len(withClass(r.root, "span", "state")); n != 1 {
		t.Errorf("there are %d keys, want 1", n)
	}
}

// A key has the name that its owner gives it, and so has its successor. Its dates are in the list also in narrow windows.
func TestNameOfKey(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.post("/account/keys/new", "name", "--").want(400, "/account/keys/new", "must contain a letter or a digit")
	r.post("/account/keys/new", "name", " Evening  report ", "expires", "2026-01-31").want(201, "/account/keys/new", "shown only now")
	id := r.find(keyPattern)[4:12]
	r.open("/account").want(200, "/account", "Evening report "+id, "Made: 21 Nov 2025", "Expires: 31 Jan 2026")
	r.open("/account/keys/"+id).want(200, "/account/keys/", "Evening report.")
	r.post("/account/keys/"+id, "do", "rotate", "overlap", "1").want(201, "/account/keys/")
	r.open("/account").want(200, "/account")
	if n := strings.Count(r.text(), "Evening report"); n != 2 {
		t.Errorf("%d keys have the name, want the key and its successor: %s", n, r.text())
	}
	for _, cell := range withClass(r.root, "span", "show-s") {
		if !strings.Contains(textOf(cell), "Made: 21 Nov 2025") {
			t.Errorf("a key has no date for narrow windows: %s", textOf(cell))
		}
	}
}

// The only owner of an organisation with other members learns before deleting the account what to do first. A key that was revoked is
// named, a successor is offered the same last day, and a follower of no organisation finds the way back.
func TestAccountSaysWhatComes(t *testing.T) {
	o := openOffice(t, nil)
	ann := o.member(t, "ann@example.org", "Example Times", people.Owner)
	bob := o.member(t, "bob@example.org", "Example Times", people.MemberOnly)
	ann.open("/account/delete").want(200, "/account/delete", "only owner of Example Times")
	if main := withID(t, ann.root, "main"); strings.Contains(textOf(main), "Delete for good") || !strings.Contains(textOf(main), "To the members") {
		t.Errorf("the only owner may delete the account: %s", textOf(main))
	}
	ann.post("/account/keys/new", "expires", "2030-01-31")
	id := ann.find(keyPattern)[4:12]
	if ann.open("/account/keys/" + id); ann.value("expires") != "2030-01-31" {
		t.Errorf("the successor would expire on %q", ann.value("expires"))
	}
	ann.post("/account/keys/"+id, "do", "revoke").want(200, "/account?", "The key "+id+" was revoked")
	ann.open("/account/password").want(200, "/account/password", "You will be signed out")
	ann.post("/account/password", "password", somePassword, "new", somePassword).want(400, "/account/password", "the one that you have now")
	bob.post("/account", "do", "leave").want(200, "/account")
	bob.open("/account/follow?dataset=1").want(404, "/account/follow", "Back to the dataset")
	if len(elements(withID(t, bob.root, "main"), "a", "href=/datasets/1")) != 1 {
		t.Error("there is no way back to the dataset")
	}
}
