package notice_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/notice"
	"almanac/internal/stat"
)

// service is a list of datasets, of which organisation 1 follows all and organisation 2 a part that
// never changes.
type service struct{ datasets []notice.Dataset }

func (s *service) Datasets() []notice.Dataset                      { return s.datasets }
func (s *service) Followers(context.Context, int) ([]int64, error) { return []int64{1, 2}, nil }
func (s *service) Change(_ context.Context, organisation int64, dataset int, before, version string) (notice.Change, bool, error) {
	return notice.Change{Dataset: dataset, Before: before, Version: version, Revised: 3, Revisions: json.RawMessage("[]")}, organisation == 1, nil
}

// receiver is a web server that keeps the messages that it gets.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	got    []*http.Request
	bodies []string
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{status: http.StatusNoContent}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got, r.bodies = append(r.got, q), append(r.bodies, string(body))
		w.WriteHeader(r.status)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.got)
}

func (r *receiver) answer(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// bench has what a test of notices needs.
type bench struct {
	t        *testing.T
	dir      string
	db       *notice.DB
	service  *service
	now      time.Time
	notifier *notice.Notifier
	mailer   *mailer // nil: there is none
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, dir: t.TempDir(), service: &service{}, now: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)}
	b.open()
	return b
}

// open opens the database, as a process does when it starts.
func (b *bench) open() {
	b.t.Helper()
	db, err := notice.Open(b.t.Context(), b.dir, [notice.KeyLength]byte{1})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { db.Close() })
	db.AllowsHTTP = true
	b.db = db
	o := notice.Options{DB: db, Service: b.service, Transport: http.DefaultTransport, Now: func() time.Time { return b.now }}
	if b.mailer != nil {
		o.Mailer = b.mailer
	}
	b.notifier = notice.NewNotifier(o)
}

func (b *bench) step() {
	b.t.Helper()
	if err := b.notifier.Step(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) create(organisation int64, address string) (notice.Endpoint, string) {
	b.t.Helper()
	e, secret, err := b.db.CreateEndpoint(b.t.Context(), organisation, address, b.now)
	if err != nil {
		b.t.Fatal(err)
	}
	return e, secret
}

func (b *bench) last(e notice.Endpoint) notice.Delivery {
	b.t.Helper()
	list, err := b.db.Deliveries(b.t.Context(), e.ID, 1)
	if err != nil || len(list) == 0 {
		b.t.Fatalf("messages to endpoint %d: %v, %v", e.ID, list, err)
	}
	return list[0]
}

// A new version gives one message to each endpoint of the organisations for which something
// changed, signed with the secret of the endpoint, also after a restart and with two processes.
func TestNewVersion(t *testing.T) {
	b := newBench(t)
	b.service.datasets = []notice.Dataset{{ID: 7, Version: "1.0"}}
	b.step() // what is there at the start is no news
	mine, theirs := newReceiver(t), newReceiver(t)
	e, secret := b.create(1, mine.URL)
	b.create(2, theirs.URL)
	b.service.datasets[0].Version = "1.1"
	first := b.notifier
	b.open()
	b.step()
	if err := first.Step(t.Context()); err != nil { // the other process
		t.Fatal(err)
	}
	b.step()
	if mine.count() != 1 || theirs.count() != 0 {
		t.Fatalf("%d messages to who follows what changed, want 1; %d to who follows the rest, want none", mine.count(), theirs.count())
	}
	h, body := mine.got[0].Header, mine.bodies[0]
	key, ok := strings.CutPrefix(secret, "whsec_")
	if !ok {
		t.Fatalf("the secret is %q", secret)
	}
	if want := notice.Sign(decode(t, key), h.Get("webhook-id"), b.now, body); h.Get("webhook-signature") != want {
		t.Errorf("the signature is %q, want %q", h.Get("webhook-signature"), want)
	}
	var got struct {
		Type string
		Data notice.Change
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || got.Type != "dataset.changed" || got.Data.Before != "1.0" || got.Data.Version != "1.1" || got.Data.Revised != 3 {
		t.Errorf("the message is %s: %v", body, err)
	}
	if d := b.last(e); d.Status != notice.Delivered || d.Attempts != 1 || d.Answer != "204 No Content" {
		t.Errorf("the log has %+v", d)
	}
	if text, err := os.ReadFile(filepath.Join(b.dir, notice.File)); err != nil || strings.Contains(string(text), string(decode(t, key))) {
		t.Errorf("the secret is readable in the database: %v", err)
	}
}

// A message that is not taken is sent again with growing pauses, with the same id. After a week of
// failures the endpoint is disabled; it can be used again.
func TestFailures(t *testing.T) {
	b := newBench(t)
	r := newReceiver(t)
	e, _ := b.create(1, r.URL)
	r.answer(http.StatusInternalServerError)
	b.test(e)
	b.step()
	b.step()
	if r.count() != 1 {
		t.Fatalf("%d attempts at once, want 1", r.count())
	}
	for range 30 {
		b.now = b.now.Add(time.Hour)
		b.step()
	}
	if n := r.count(); n < 6 || n > 10 {
		t.Errorf("%d attempts in 30 hours, want 6 to 10", n)
	}
	for _, one := range r.got {
		if id := one.Header.Get("webhook-id"); id != r.got[0].Header.Get("webhook-id") {
			t.Errorf("an attempt has the id %q, want that of the first", id)
		}
	}
	for range 8 {
		b.now = b.now.Add(24 * time.Hour)
		b.step()
	}
	list, err := b.db.Endpoints(t.Context(), 1)
	if err != nil || list[0].Disabled.IsZero() {
		t.Fatalf("after nine days of failures: %+v, %v; want it disabled", list, err)
	}
	if d := b.last(e); d.Status != notice.Failed || d.Answer != "500 Internal Server Error" {
		t.Errorf("the log has %+v", d)
	}
	if err := b.db.QueueTest(t.Context(), 1, e.ID, "{}", b.now); stat.KindOf(err) != stat.NotFound {
		t.Errorf("testing a disabled endpoint: %v", err)
	}
	if err := b.db.EnableEndpoint(t.Context(), 1, e.ID); err != nil {
		t.Fatal(err)
	}
	r.answer(http.StatusOK)
	b.test(e)
	b.step()
	if d := b.last(e); d.Status != notice.Delivered {
		t.Errorf("after enabling it, the log has %+v", d)
	}
}

// A receiver that is gone is disabled at once, a redirect is a failure, and one organisation does
// not see the endpoints of another.
func TestAnswers(t *testing.T) {
	b := newBench(t)
	r := newReceiver(t)
	e, _ := b.create(1, r.URL)
	r.answer(http.StatusFound)
	b.test(e)
	b.step()
	if d := b.last(e); d.Status != notice.Waiting || d.Answer != "302 Found" {
		t.Errorf("after a redirect, the log has %+v", d)
	}
	r.answer(http.StatusGone)
	b.now = b.now.Add(time.Hour)
	b.step()
	if list, err := b.db.Endpoints(t.Context(), 1); err != nil || list[0].Disabled.IsZero() {
		t.Errorf("after 410: %+v, %v; want it disabled", list, err)
	}
	for name, err := range map[string]error{
		"removing": b.db.RemoveEndpoint(t.Context(), 2, e.ID), "enabling": b.db.EnableEndpoint(t.Context(), 2, e.ID),
		"testing": b.db.QueueTest(t.Context(), 2, e.ID, "{}", b.now),
	} {
		if stat.KindOf(err) != stat.NotFound {
			t.Errorf("%s the endpoint of another organisation: %v", name, err)
		}
	}
	b.db.AllowsHTTP = false
	for _, address := range []string{"", "ftp://example.org", "https://user:password@example.org", "example.org/hooks", "https://", "http://example.org/hooks"} {
		if _, _, err := b.db.CreateEndpoint(t.Context(), 1, address, b.now); stat.KindOf(err) != stat.Invalid {
			t.Errorf("an endpoint at %q: %v, want it refused", address, err)
		}
	}
}

func (b *bench) test(e notice.Endpoint) {
	b.t.Helper()
	if err := b.db.QueueTest(b.t.Context(), e.Organisation, e.ID, notice.TestBody(b.now), b.now); err != nil {
		b.t.Fatal(err)
	}
}

func decode(t *testing.T, text string) []byte {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return key
}
