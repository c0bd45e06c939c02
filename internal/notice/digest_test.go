package notice_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/internal/notice"
	"almanac/internal/stat"
)

// mailer keeps the mails that it is given.
type mailer struct {
	err     error
	got     []notice.Digest
	handed  func() // called after a mail was handed over
	differs bool
}

func (m *mailer) Mail(_ context.Context, d notice.Digest, handOver func() error) (bool, error) {
	if !m.differs {
		return false, nil
	}
	if err := handOver(); err != nil {
		return false, err
	}
	if m.got = append(m.got, d); m.handed != nil {
		m.handed()
	}
	return true, m.err
}

// texts returns the news of each mail: "7: 1.0 → 1.2, 8: …".
func (m *mailer) texts() (all []string) {
	for _, d := range m.got {
		var parts []string
		for _, n := range d.News {
			parts = append(parts, fmt.Sprintf("%d: %s → %s", n.Dataset, n.Before, n.Version))
		}
		all = append(all, strings.Join(parts, ", "))
	}
	return all
}

// newMailBench has two datasets in their first version, and a mailer.
func newMailBench(t *testing.T, in storage) (*bench, *mailer) {
	b, m := newBench(t, in), &mailer{differs: true}
	b.mailer = m
	b.open()
	b.service.datasets = []notice.Dataset{{ID: 7, Version: "1.0"}, {ID: 8, Version: "1.0"}}
	b.step()
	return b, m
}

func (b *bench) subscribe(person string, organisation int64, r notice.Rhythm) {
	b.t.Helper()
	if err := b.db.Subscribe(b.t.Context(), notice.Subscription{Endpoint: notice.Endpoint{Organisation: organisation}, Person: person, Rhythm: r, Language: "de"}, b.now); err != nil {
		b.t.Fatal(err)
	}
}

// publish makes new versions of datasets.
func (b *bench) publish(version string, places ...int) {
	b.t.Helper()
	for _, i := range places {
		b.service.datasets[i].Version = version
	}
	b.step()
}

// Each person is told in the own rhythm, in one mail, of what changed since the last one: of each
// dataset from the version that was known to the newest. Organisation 2 follows a part that never changes.
func TestRhythms(t *testing.T) { testRhythms(t, empty(t)) }

func testRhythms(t *testing.T, in storage) {
	b, m := newMailBench(t, in) // it is Sunday at noon
	for person, r := range map[string]notice.Rhythm{"ann": notice.EachChange, "bob": notice.Daily, "carla": notice.Weekly, "dora": notice.Never} {
		b.subscribe(person, 1, r)
	}
	b.subscribe("eve", 2, notice.EachChange)
	b.publish("1.1", 0, 1)
	b.publish("1.2", 0)
	sent := func(want ...string) {
		t.Helper()
		var got []string
		for i, text := range m.texts() {
			got = append(got, m.got[i].Subscription.Person+" "+text)
		}
		if m.got = nil; strings.Join(got, "; ") != strings.Join(want, "; ") {
			t.Errorf("at %s, the mails are %q, want %q", b.now.Format(time.DateTime), got, want)
		}
	}
	sent("ann 7: 1.0 → 1.1, 8: 1.0 → 1.1", "ann 7: 1.1 → 1.2")
	b.now = b.now.Add(18 * time.Hour) // Monday at six
	b.step()
	sent("bob 7: 1.0 → 1.2, 8: 1.0 → 1.1", "carla 7: 1.0 → 1.2, 8: 1.0 → 1.1")
	for range 6 { // until Sunday at six
		b.now = b.now.Add(24 * time.Hour)
		b.step()
	}
	sent()
	b.publish("1.3", 1) // after the mail of the day
	sent("ann 8: 1.1 → 1.3")
	b.now = b.now.Add(24 * time.Hour)
	b.step()
	sent("bob 8: 1.1 → 1.3", "carla 8: 1.1 → 1.3")
	b.subscribe("bob", 1, notice.Never)
	b.publish("1.4", 1)
	b.now = b.now.Add(24 * time.Hour)
	b.step()
	sent("ann 8: 1.3 → 1.4")
	if s, err := b.db.Subscription(t.Context(), 1, "carla"); err != nil || s.Rhythm != notice.Weekly || s.Language != "de" || !s.Next.After(b.now) {
		t.Errorf("the subscription of carla is %+v, %v", s, err)
	}
	if err := b.db.Forget(t.Context(), "carla"); err != nil {
		t.Fatal(err)
	}
	if s, err := b.db.Subscription(t.Context(), 1, "carla"); err != nil || s.Rhythm != notice.Never {
		t.Errorf("the subscription of carla, who is gone, is %+v, %v", s, err)
	}
}

// Two processes send a mail once. A mail whose process ended after the mail server got it is not
// sent again; one that the mail server did not take is, with the same id.
func TestMailArrivesOnce(t *testing.T) { testMailArrivesOnce(t, empty(t)) }

func testMailArrivesOnce(t *testing.T, in storage) {
	b, m := newMailBench(t, in)
	b.subscribe("ann", 1, notice.EachChange)
	first := b.notifier
	b.open()
	b.publish("1.1", 0)
	if err := first.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(m.got) != 1 {
		t.Fatalf("%d mails, want 1", len(m.got))
	}

	m.err = errors.New("the mail server is busy")
	b.publish("1.2", 0)
	m.err = nil
	b.step()
	if len(m.got) != 2 {
		t.Fatalf("%d mails, want no second attempt at once", len(m.got))
	}
	b.now = b.now.Add(time.Minute)
	b.step()
	if len(m.got) != 3 || m.got[1].Message != m.got[2].Message || m.texts()[2] != "7: 1.1 → 1.2" {
		t.Fatalf("the mails are %+v, want the second one sent again", m.got)
	}

	m.handed = func() { b.db.Close() } // as if the process ended
	b.service.datasets[0].Version = "1.3"
	if err := b.notifier.Step(t.Context()); err == nil {
		t.Fatal("a step with a closed database was no error")
	}
	m.handed = nil
	b.open()
	b.now = b.now.Add(48 * time.Hour)
	b.step()
	if len(m.got) != 4 {
		t.Errorf("%d mails, want 4: %q", len(m.got), m.texts())
	}
	s, err := b.db.Subscription(t.Context(), 1, "ann")
	if err != nil {
		t.Fatal(err)
	}
	if d := b.last(s.Endpoint); d.Status != notice.HandedOver {
		t.Errorf("the log has %+v", d)
	}
}

// Nothing is sent if nothing differs when a mail is due, or without a mailer, which may be there
// later. What the server refuses is not tried again, and who is no member is told nothing more.
func TestMailIsNotSent(t *testing.T) { testMailIsNotSent(t, empty(t)) }

func testMailIsNotSent(t *testing.T, in storage) {
	b, m := newMailBench(t, in)
	b.subscribe("ann", 1, notice.EachChange)
	s, err := b.db.Subscription(t.Context(), 1, "ann")
	if err != nil {
		t.Fatal(err)
	}
	m.differs = false
	b.publish("1.1", 0)
	if d := b.last(s.Endpoint); d.Status != notice.Delivered || d.Answer != "not sent: nothing differs any more" {
		t.Errorf("the log has %+v", d)
	}
	m.differs = true
	b.mailer = nil
	b.open()
	b.publish("1.2", 0)
	b.mailer = m
	b.open()
	b.step()
	if got := m.texts(); len(got) != 1 || got[0] != "7: 1.1 → 1.2" {
		t.Errorf("the mails are %q", got)
	}
	m.err = fmt.Errorf("%w: 550 no such mailbox", notice.ErrRefused)
	b.publish("1.3", 0)
	if d := b.last(s.Endpoint); d.Status != notice.Failed || !strings.Contains(d.Answer, "550") {
		t.Errorf("after a refusal, the log has %+v", d)
	}
	m.err = notice.ErrGone
	b.publish("1.4", 0)
	m.got, m.err = nil, nil
	b.publish("1.5", 0)
	if len(m.got) != 0 {
		t.Errorf("who is no member got %q", m.texts())
	}
}

// The token of a mail ends its subscription only, and that of a feed reads one feed, until it is
// made anew or revoked. Secrets cannot be read in the database.
func TestTokens(t *testing.T) { testTokens(t, empty(t)) }

func testTokens(t *testing.T, in storage) {
	b, m := newMailBench(t, in)
	ctx := t.Context()
	b.subscribe("ann", 1, notice.EachChange)
	b.subscribe("bob", 1, notice.EachChange)
	b.publish("1.1", 0)
	if s, err := b.db.SubscriptionOf(ctx, m.got[0].Unsubscribe); err != nil || s.Person != m.got[0].Subscription.Person {
		t.Errorf("the token of %s ends %+v, %v", m.got[0].Subscription.Person, s, err)
	}
	for _, organisation := range []int64{1, 2} {
		if err := b.db.RenewFeed(ctx, organisation, b.now); err != nil {
			t.Fatal(err)
		}
	}
	token, err := b.db.FeedToken(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	if organisation, err := b.db.FeedOf(ctx, token); err != nil || organisation != 2 {
		t.Errorf("the token reads the feed of %d, %v", organisation, err)
	}
	if in.isReadable(t, token[12:]) {
		t.Error("the token is readable in the database")
	}
	wrong := []string{"", "alm_", token[:len(token)-1], token[:len(token)-1] + "x", strings.Replace(token, "alm_00000002", "alm_00000001", 1), m.got[0].Unsubscribe}
	for _, one := range wrong {
		if _, err := b.db.FeedOf(ctx, one); stat.KindOf(err) != stat.NotFound {
			t.Errorf("a feed with the token %q: %v", one, err)
		}
	}
	if _, err := b.db.SubscriptionOf(ctx, token); stat.KindOf(err) != stat.NotFound {
		t.Errorf("the token of a feed ends a subscription: %v", err)
	}
	if err := b.db.RenewFeed(ctx, 2, b.now); err != nil {
		t.Fatal(err)
	}
	renewed, err := b.db.FeedToken(ctx, 2)
	if _, was := b.db.FeedOf(ctx, token); err != nil || renewed == token || stat.KindOf(was) != stat.NotFound {
		t.Errorf("after a new token, the old one: %v, %v", was, err)
	}
	if err := b.db.RevokeFeed(ctx, 2); err != nil {
		t.Fatal(err)
	}
	if _, err := b.db.FeedOf(ctx, renewed); stat.KindOf(err) != stat.NotFound {
		t.Errorf("a revoked token: %v", err)
	}
}
