package portal_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http"
	netmail "net/mail"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/database"
	"almanac/internal/mail"
	"almanac/internal/mail/mailtest"
	"almanac/internal/notice"
	"almanac/internal/people"
	"almanac/internal/portal"
	"almanac/internal/store"
)

// newsroom is an office with a store that changes, notices and a mail server.
type newsroom struct {
	office
	store    *store.Store
	notifier *notice.Notifier
	mails    *mailtest.Server
}

// storeChanges is what notices are about: the revisions of the interface.
type storeChanges struct {
	t      testing.TB
	base   string
	store  *store.Store
	access *access.Access
}

func (s *storeChanges) Datasets() iter.Seq[notice.Dataset] {
	var list []notice.Dataset
	for _, e := range s.store.Catalog().Entries {
		list = append(list, notice.Dataset{ID: e.ID, Version: e.Version})
	}
	return slices.Values(list)
}

func (s *storeChanges) Followers(ctx context.Context, dataset int) ([]int64, error) {
	return s.access.Followers(ctx, dataset)
}

func (s *storeChanges) Change(ctx context.Context, organisation int64, dataset int, before, version string) (c notice.Change, ok bool, err error) {
	accounts, err := s.access.AccountsOf(ctx, organisation)
	if err != nil {
		return c, false, err
	}
	var answer struct {
		Data                    json.RawMessage
		Added, Revised, Removed int
	}
	key, err := s.access.CreateKey(ctx, access.KeyRequest{Account: accounts[0].Name})
	if err != nil {
		return c, false, err
	}
	c = notice.Change{Dataset: dataset, Before: before, Version: version}
	got := ask(s.t, "GET", fmt.Sprintf("%s/api/datasets/%d/revisions?followed=true&from=%s&to=%s", s.base, dataset, before, version), "X-API-Key: "+key.Secret)
	err = json.Unmarshal([]byte(got.body), &answer)
	c.Revisions, c.Added, c.Revised, c.Removed = answer.Data, answer.Added, answer.Revised, answer.Removed
	return c, c.Added+c.Revised+c.Removed > 0, err
}

// births are the versions of the dataset of a newsroom.
var births = []string{"DE,2021,795492\nFR,2021,742052\n", "DE,2021,795493\nFR,2021,742052\nFR,2022,726000\n", "DE,2021,795494\nFR,2021,742052\nDE,2022,738819\n"}

// publish imports a version of births, and makes and sends the notices of it.
func (n *newsroom) publish(t testing.TB, version int) {
	t.Helper()
	load(t, n.store, "births.csv", strings.NewReader("country,year,value\nDE,2020,773144\nFR,2020,735196\n"+births[version]))
	n.step(t)
}

func (n *newsroom) step(t testing.TB) {
	t.Helper()
	if err := n.notifier.Step(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func openNewsroom(t testing.TB) *newsroom {
	t.Helper()
	n := &newsroom{store: newStore(t), mails: mailtest.New(t)}
	load(t, n.store, "births.csv", strings.NewReader("country,year,value\nDE,2020,773144\nFR,2020,735196\n"+births[0]))
	sender, err := mail.New(mail.Options{Server: n.mails.Address, From: "Almanac <almanac@example.org>"})
	if err != nil {
		t.Fatal(err)
	}
	if n.people, err = people.Open(context.Background(), people.Options{Dir: t.TempDir(), Now: n.now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.people.Close() })
	notices, err := notice.Open(context.Background(), database.Location{Dir: t.TempDir()}, [notice.KeyLength]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	notices.Networks = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	t.Cleanup(func() { notices.Close() })
	base, pages := servePages(t, n.store, func(a *api.Options, p *portal.Options) {
		n.access = a.Access
		p.People, p.Notices, p.Mail, p.Now = n.people, notices, sender, n.now
	})
	n.base = base
	n.notifier = notice.NewNotifier(notice.Options{
		DB: notices, Service: &storeChanges{t, n.base, n.store, n.access}, Transport: http.DefaultTransport, Mailer: pages, Now: n.now,
	})
	n.step(t)
	return n
}

// letter is a mail as its reader sees it.
type letter struct {
	header      netmail.Header
	subject     string
	plain, html string
}

func readLetter(t testing.TB, m mailtest.Mail) letter {
	t.Helper()
	parsed, err := netmail.ReadMessage(strings.NewReader(m.Text))
	if err != nil {
		t.Fatal(err)
	}
	l := letter{header: parsed.Header}
	if l.subject, err = new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	kind, parameters, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("the mail is %s: %v", kind, err)
	}
	for parts := multipart.NewReader(parsed.Body, parameters["boundary"]); ; {
		part, err := parts.NextRawPart()
		if err == io.EOF {
			return l
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			l.html = string(text)
		} else {
			l.plain = strings.ReplaceAll(strings.ReplaceAll(string(text), "\r\n", "\n"), "\u202f", " ")
		}
	}
}

// Who chooses it when following gets a mail with each change, in the language of the page, that says
// value by value what changed in the followed part, as text and formatted. One POST to its address
// ends it.
func TestMailSaysWhatChanged(t *testing.T) {
	n := openNewsroom(t)
	r := n.member(t, "ann@example.org", "Example Times", people.Owner)
	r.open("/account/follow?dataset=1&country=DE").want(200, "/account/follow?", "Tell me by mail", "never")
	r.post("/account/follow?lang=de", "dataset", "1", "country", "DE", "part", "shown", "mail", "often").want(400, "/account/follow", "often")
	r.post("/account/follow?lang=de", "dataset", "1", "country", "DE", "part", "shown", "mail", "change").want(200, "/datasets/1/")
	n.publish(t, 1)
	m := n.mails.Next(t)
	got := readLetter(t, m)
	if m.To != "ann@example.org" || got.subject != "births: 0 neu, 1 revidiert, 0 entfallen" {
		t.Errorf("a mail to %s with the subject %q", m.To, got.subject)
	}
	for _, want := range []string{
		"Example Times abonniert", "Version 1.1 vom 21. Nov. 2025, verglichen mit Version 1.0", "Abonnierter Teil: Deutschland\n0 neu, 1 revidiert, 0 entfallen",
		"\n  Deutschland, 2021: 795 492 → 795 493\n", n.base + "/datasets/1/births/versions?a=1.0&b=1.1", n.base + "/datasets/1/births?country=DE", n.base + "/account/changes",
	} {
		if !strings.Contains(got.plain, want) {
			t.Errorf("the text has no %q:\n%s", want, got.plain)
		}
	}
	if strings.Contains(got.plain, "742 ") || strings.Contains(got.plain, "<") {
		t.Errorf("the text has values of France, or HTML:\n%s", got.plain)
	}
	formatted := parse(t, got.html)
	if rows := rowsOf(formatted); rows != "Deutschland 2021 795 492 795 493" {
		t.Errorf("the formatted part has the rows %q", rows)
	}
	end := strings.Trim(got.header.Get("List-Unsubscribe"), "<>")
	if !strings.HasPrefix(end, n.base+"/unsubscribe/alm_") || got.header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" || !strings.Contains(got.plain, end) {
		t.Errorf("the address that ends it is %q, %q", end, got.header.Get("List-Unsubscribe-Post"))
	}
	for _, a := range elements(formatted, "a") {
		address, _ := attribute(a, "href")
		if answer := ask(t, "GET", address); answer.StatusCode >= http.StatusBadRequest {
			t.Errorf("%s: %d", address, answer.StatusCode)
		}
	}
	anonymous := n.newReader(t) // a mail program, which does not follow what pages of others are refused for
	path := strings.TrimPrefix(end, n.base)
	anonymous.open(path).want(200, path, "Example Times")
	answer, err := http.Post(end, "application/x-www-form-urlencoded", strings.NewReader("List-Unsubscribe=One-Click"))
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("ending it: %v, %v", answer, err)
	}
	answer.Body.Close()
	anonymous.open(path).want(404, path, "ended already")
	n.publish(t, 2)
	if n.mails.Sent() != 0 {
		t.Errorf("a mail after the end: %s", n.mails.Next(t).Text)
	}
}

// A daily mail joins the updates since the last one; members who have left get none.
func TestDailyMail(t *testing.T) {
	n := openNewsroom(t)
	ann := n.member(t, "ann@example.org", "Example Times", people.Owner)
	bob := n.member(t, "bob@example.org", "Example Times", people.Owner)
	ann.post("/account/follow", "dataset", "1", "part", "whole", "mail", "day").want(200, "/datasets/1/")
	bob.post("/account/changes", "do", "mail", "mail", "day").want(200, "/account/changes", "daily")
	bob.open("/account/export")
	if !strings.Contains(bob.text(), `"mail_on_changes": "day"`) {
		t.Errorf("the export has no rhythm: %s", bob.text())
	}
	n.publish(t, 1)
	n.publish(t, 2)
	if n.mails.Sent() != 0 {
		t.Fatal("a mail before the time")
	}
	bob.post("/account", "do", "leave").want(200, "/account")
	n.clock.Add(int64(24 * time.Hour))
	n.step(t)
	m := n.mails.Next(t)
	if m.To != "ann@example.org" || n.mails.Sent() != 0 {
		t.Errorf("a mail to %s, and %d more", m.To, n.mails.Sent())
	}
	got := readLetter(t, m)
	for _, want := range []string{"compared with version 1.0", "Germany, 2021: 795 492 → 795 494", "Germany, 2022: … → 738 819"} {
		if !strings.Contains(got.plain, want) {
			t.Errorf("the text has no %q:\n%s", want, got.plain)
		}
	}
	if got.subject != "births: 1 added, 1 revised, 0 removed" || strings.Contains(got.plain, "726 ") {
		t.Errorf("%s\n%s", got.subject, got.plain)
	}
	ann.post("/signin", "mail", "ann@example.org", "password", somePassword).want(200, "/account")
	ann.open("/account/changes").want(200, "/account/changes", "accepted by the mail server", "795 494", "726 000")
	ann.post("/account/delete", "password", somePassword).want(200, "/account/delete")
	n.clock.Add(int64(24 * time.Hour))
	n.publish(t, 1)
	n.clock.Add(int64(24 * time.Hour))
	n.step(t)
	if n.mails.Sent() != 0 {
		t.Errorf("a mail to somebody who is gone: %s", n.mails.Next(t).Text)
	}
}

// The private feed of an organisation has what changed in what it follows. Its address is made,
// made anew and revoked in the account, by members only.
func TestPrivateFeed(t *testing.T) {
	n := openNewsroom(t)
	r := n.member(t, "ann@example.org", "Example Times", people.Owner)
	r.post("/account/follow", "dataset", "1", "country", "DE", "part", "shown").want(200, "/datasets/1/")
	r.post("/account/changes", "do", "renew").want(200, "/account/changes")
	empty := r.find(`/followed/alm_[0-9a-f]+/feed`)
	checkFeed(t, n.base+empty, 0)
	r.post("/account/changes", "do", "revoke")
	n.publish(t, 1)
	r.open("/account/changes").want(200, "/account/changes", "The organisation has no feed", "795 493")
	r.post("/account/changes", "do", "renew").want(200, "/account/changes", "Make a new address")
	first := r.find(`/followed/alm_[0-9a-f]+/feed`)
	var feed atom
	got := ask(t, "GET", n.base+first+".atom")
	if err := xml.Unmarshal([]byte(got.body), &feed); err != nil || len(feed.Entries) != 1 || got.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d, %v, %s: %s", got.StatusCode, err, got.Header.Get("Cache-Control"), got.body)
	}
	if e := feed.Entries[0]; rowsOf(parse(t, e.Content)) != "Germany 2021 795 492 795 493" || e.Title != "births, version 1.1: 0 added, 1 revised, 0 removed" || !strings.Contains(e.Content, "Followed part: Germany") {
		t.Errorf("the entry is %+v", e)
	}
	var asJSON struct {
		Title string
		Items []struct{ ID string }
	}
	if got := ask(t, "GET", n.base+first+".json"); json.Unmarshal([]byte(got.body), &asJSON) != nil || len(asJSON.Items) != 1 || asJSON.Title != "What changed for Example Times" {
		t.Errorf("as JSON: %s", got.body)
	}
	other := n.member(t, "bob@example.org", "Other Times", people.Owner)
	ids := append(checkFeed(t, n.base+first, 1), checkFeed(t, n.base+"/datasets/1/feed", 2)...)
	slices.Sort(ids)
	if len(slices.Compact(slices.Clone(ids))) != len(ids) || strings.Contains(strings.Join(ids, " "), "alm_") {
		t.Errorf("feeds have the same ids, or secret ones: %q", ids)
	}
	other.post("/account/changes", "do", "revoke").want(200, "/account/changes", "The organisation has no feed", "No update has changed")
	r.post("/account/changes", "do", "renew").want(200, "/account/changes")
	second := r.find(`/followed/alm_[0-9a-f]+/feed`)
	for address, want := range map[string]int{first: 404, second: 200} {
		if got := ask(t, "GET", n.base+address+".atom"); got.StatusCode != want {
			t.Errorf("after a new address, %s: %d, want %d", address, got.StatusCode, want)
		}
	}
	r.post("/account/changes", "do", "revoke").want(200, "/account/changes", "The organisation has no feed")
	if got := ask(t, "GET", n.base+second+".atom"); got.StatusCode != http.StatusNotFound {
		t.Errorf("after revoking it: %d", got.StatusCode)
	}
	r.post("/account/changes", "do", "nothing").want(400, "/account/changes")
}

// checkFeed reads a feed in both formats, checks what they require, and returns the ids of the feed and its entries.
func checkFeed(t *testing.T, address string, entries int) []string {
	t.Helper()
	var feed atom
	got := ask(t, "GET", address+".atom")
	if err := xml.Unmarshal([]byte(got.body), &feed); err != nil || len(feed.Entries) != entries {
		t.Errorf("%d, %v: %s", got.StatusCode, err, got.body)
	}
	if _, err := time.Parse(time.RFC3339, feed.Updated); err != nil {
		t.Errorf("the feed was updated at %q: %v", feed.Updated, err)
	}
	var asJSON struct {
		Version, Title string
		Items          []struct{ ID string }
	}
	if got := ask(t, "GET", address+".json"); json.Unmarshal([]byte(got.body), &asJSON) != nil || asJSON.Items == nil || len(asJSON.Items) != entries || asJSON.Version == "" || asJSON.Title == "" {
		t.Errorf("as JSON: %s", got.body)
	}
	ids := []string{feed.ID}
	for i, e := range feed.Entries {
		if ids = append(ids, e.ID); i < len(asJSON.Items) && asJSON.Items[i].ID != e.ID {
			t.Errorf("the entry has the ids %s and %s", e.ID, asJSON.Items[i].ID)
		}
	}
	return ids
}

// The private feed of an organisation in which nobody is left ends with the account of its last member.
func TestPrivateFeedOfNobody(t *testing.T) {
	n := openNewsroom(t)
	r := n.member(t, "ann@example.org", "Example Times", people.Owner)
	r.post("/account/changes", "do", "renew").want(200, "/account/changes")
	feed := n.base + r.find(`/followed/alm_[0-9a-f]+/feed`) + ".atom"
	if got := ask(t, "GET", feed); got.StatusCode != http.StatusOK {
		t.Fatalf("the feed: %d", got.StatusCode)
	}
	r.post("/account/delete").want(200, "/account/delete", "nothing of you any more")
	if got := ask(t, "GET", feed); got.StatusCode != http.StatusNotFound {
		t.Errorf("the feed of nobody: %d", got.StatusCode)
	}
}
