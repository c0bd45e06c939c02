package notice_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/notice"
	"almanac/internal/stat"
	"almanac/internal/stattest/postgres"
)

// service is a list of datasets, of which organisation 1 follows all and organisation 2 a part that
// never changes.
type service struct{ datasets []notice.Dataset }

func (s *service) Datasets() iter.Seq[notice.Dataset]              { return slices.Values(s.datasets) }
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

// storage is an empty database that notices can be stored in.
type storage struct {
	open func() (*notice.DB, error) // as each process does
	file string                     // empty: a server has it
}

var key = [notice.KeyLength]byte{1}

func TestMain(m *testing.M) { os.Exit(postgres.Run(m)) }

// empty returns an empty database.
func empty(t *testing.T) storage {
	at := postgres.At(t, t.TempDir())
	in := storage{open: func() (*notice.DB, error) { return notice.Open(t.Context(), at, key) }}
	if !at.IsServer() {
		in.file = at.File(notice.Name)
	}
	return in
}

// isReadable reports whether the database has a text that is not encrypted.
func (in storage) isReadable(t *testing.T, text string) bool {
	t.Helper()
	if in.file == "" {
		return false // the server encodes it
	}
	all, err := os.ReadFile(in.file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(all), text)
}

// bench has what a test of notices needs.
type bench struct {
	t        *testing.T
	in       storage
	db       *notice.DB
	service  *service
	now      time.Time
	notifier *notice.Notifier
	mailer   *mailer // nil: there is none
}

func newBench(t *testing.T, in storage) *bench {
	b := &bench{t: t, in: in, service: &service{}, now: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)}
	b.open()
	return b
}

// open opens the database, as a process does when it starts.
func (b *bench) open() {
	b.t.Helper()
	db, err := b.in.open()
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { db.Close() })
	db.Networks = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
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
func TestNewVersion(t *testing.T) { testNewVersion(t, empty(t)) }

func testNewVersion(t *testing.T, in storage) {
	b := newBench(t, in)
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
	if in.isReadable(t, string(decode(t, key))) {
		t.Error("the secret is readable in the database")
	}
}

// A message that is not taken is sent again with growing pauses, with the same id. After a week of
// failures the endpoint is disabled; it can be used again.
func TestFailures(t *testing.T) { testFailures(t, empty(t)) }

func testFailures(t *testing.T, in storage) {
	b := newBench(t, in)
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
func TestAnswers(t *testing.T) { testAnswers(t, empty(t)) }

func testAnswers(t *testing.T, in storage) {
	b := newBench(t, in)
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
	b.db.Networks = nil
	for _, address := range []string{"", "ftp://example.org", "https://user:password@example.org", "example.org/hooks", "https://", "http://example.org/hooks", "https://127.0.0.1/hooks"} {
		if _, _, err := b.db.CreateEndpoint(t.Context(), 1, address, b.now); stat.KindOf(err) != stat.Invalid {
			t.Errorf("an endpoint at %q: %v, want it refused", address, err)
		}
	}
}

// A message that is on its way when the server stops is sent to its end, so that its receiver does not get it again.
func TestStopWhileSending(t *testing.T) { testStopWhileSending(t, empty(t)) }

func testStopWhileSending(t *testing.T, in storage) {
	b := newBench(t, in)
	ctx, stop := context.WithCancel(t.Context())
	r := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		stop()
		time.Sleep(50 * time.Millisecond)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer r.Close()
	e, _ := b.create(1, r.URL)
	b.test(e)
	if err := b.notifier.Step(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the stopped notifier: %v", err)
	}
	if d := b.last(e); d.Status != notice.Delivered || d.Answer != "204 No Content" {
		t.Errorf("the log has %+v", d)
	}
}

// Processes that send at the same time send each message once.
func TestManyProcesses(t *testing.T) { testManyProcesses(t, empty(t)) }

func testManyProcesses(t *testing.T, in storage) {
	b := newBench(t, in)
	r := newReceiver(t)
	e, _ := b.create(1, r.URL)
	const messages, processes = 12, 4
	for range messages {
		b.test(e)
	}
	var group errgroup.Group
	for range processes {
		b.open()
		process := b.notifier
		group.Go(func() error { return process.Step(t.Context()) })
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, one := range r.got {
		ids[one.Header.Get("webhook-id")] = true
	}
	if len(r.got) != messages || len(ids) != messages {
		t.Errorf("%d messages with %d ids, want %d", len(r.got), len(ids), messages)
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
