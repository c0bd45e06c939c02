package fetch_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
)

// barrier is a server that counts concurrent requests. It delays each one until the
// expected number has arrived.
type barrier struct {
	want    int32
	current atomic.Int32
	peak    atomic.Int32
	reached chan struct{}
	once    sync.Once
}

func (b *barrier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := b.current.Add(1)
	defer b.current.Add(-1)
	for peak := b.peak.Load(); n > peak && !b.peak.CompareAndSwap(peak, n); peak = b.peak.Load() {
	}
	if n == b.want {
		b.once.Do(func() { close(b.reached) })
	}
	select {
	case <-b.reached:
	case <-r.Context().Done():
	}
	_, _ = w.Write([]byte("data"))
}

// A host gets one request at a time, over one connection.
func TestOneAtATime(t *testing.T) {
	handler := &barrier{want: 1, reached: make(chan struct{})}
	s := serve(t, handler)
	var connections atomic.Int32
	counted := httptest.NewUnstartedServer(handler)
	counted.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	counted.Start()
	t.Cleanup(counted.Close)
	client, _ := newClient(t)
	for _, address := range []string{s.URL, counted.URL} {
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, _, err := client.Read(t.Context(), fetch.Request{Address: address}, 100); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	if requests, got := handler.peak.Load(), connections.Load(); requests != 1 || got > 1 {
		t.Errorf("got %d concurrent requests and %d connections, want one", requests, got)
	}
}

// Requests to two hosts do not wait for each other.
func TestTwoHosts(t *testing.T) {
	both := &barrier{want: 2, reached: make(chan struct{})}
	one, two := serve(t, both), serve(t, both)
	client, _ := newClient(t)
	var all sync.WaitGroup
	for _, s := range []*replay.Server{one, two} {
		all.Go(func() {
			if _, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL}, 100); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// Requests to a host start at least the office's pause apart, whichever goroutine sends
// them.
func TestPause(t *testing.T) {
	s := serve(t, replay.NewFiles(nil))
	s.Fault(replay.Fault{Body: "data"})
	client, clock := newClient(t)
	s.Now = clock.Now
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			if _, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL, Pause: 3 * time.Second}, 100); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	requests := s.Requests("")
	for i, a := range requests {
		if want := start.Add(time.Duration(i) * 3 * time.Second); !a.At.Equal(want) {
			t.Errorf("request %d at %v, want %v", i, a.At, want)
		}
	}
	// Time that has already passed counts towards the pause.
	before := clock.total()
	if err := client.Wait(t.Context(), 2*time.Second); err != nil {
		t.Fatal(err)
	}
	if _, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL, Pause: 3 * time.Second}, 100); err != nil {
		t.Fatal(err)
	}
	if got := clock.total() - before; len(requests) != 5 || got != 3*time.Second {
		t.Errorf("waited %v, want 3s", got)
	}
}

// A request canceled in the queue is never sent.
func TestCanceledInQueue(t *testing.T) {
	arrived, release := make(chan bool), make(chan bool)
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		arrived <- true
		<-release
		_, _ = w.Write([]byte("data"))
	}))
	client, _ := newClient(t)
	var first sync.WaitGroup
	first.Go(func() {
		if _, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL}, 100); err != nil {
			t.Error(err)
		}
	})
	<-arrived
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := client.Read(ctx, fetch.Request{Address: s.URL}, 100); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the error of the context", err)
	}
	release <- true
	first.Wait()
	if n := len(s.Requests("")); n != 1 {
		t.Errorf("got %d requests, want 1", n)
	}
}

// BenchmarkUnchanged requests a dataset that has not changed.
func BenchmarkUnchanged(b *testing.B) {
	files := replay.NewFiles(nil)
	files.SetBody("/data", "data")
	s := replay.Serve(files)
	defer s.Close()
	client, err := fetch.New(fetch.Options{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "data")
	answer, err := client.Save(b.Context(), fetch.Request{Address: s.URL + "/data"}, path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := client.Save(b.Context(), fetch.Request{Address: s.URL + "/data", Known: answer.Validators}, path); err != nil {
			b.Fatal(err)
		}
	}
}
