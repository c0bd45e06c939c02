//go:build linux

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/stattest"
	"almanac/internal/stattest/faultfs"
)

// TestNoticesAreStoppedAtEveryOperation kills a server that tells of a new version before each of its operations that change a file, and cuts
// the power there, or lets a sync fail and cuts the power later. The next server goes on: the message arrives, each
// time with the same ID, by which its receiver knows it again.
func TestNoticesAreStoppedAtEveryOperation(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	store := storeWithNews(t, r)
	whole := faultfs.Mount(t, store)
	r.serveUntilTold(t, exec.Command("almanac", r.serve(whole.Dir)...))
	if ids := r.take(); len(ids) == 0 {
		t.Fatal("no message arrived")
	}
	operations, syncs := whole.Operations(), whole.Syncs()
	for _, at := range pointsOf(t, operations) {
		for cut, copyLeft := range map[string]func(*faultfs.FS, testing.TB, string){"killed": (*faultfs.FS).Left, "power cut": (*faultfs.FS).LeftByPowerCut} {
			f := faultfs.Mount(t, store)
			cmd := exec.Command("almanac", r.serve(f.Dir)...)
			f.StopAt(at, func() { _ = cmd.Process.Kill() })
			r.serveUntilTold(t, cmd)
			r.checkNext(t, f, copyLeft, fmt.Sprintf("%s before operation %d of %d", cut, at, operations))
		}
	}
	for _, at := range pointsOf(t, syncs) {
		f := faultfs.Mount(t, store)
		f.FailSync(at)
		r.serveUntilTold(t, exec.Command("almanac", r.serve(f.Dir)...))
		r.checkNext(t, f, (*faultfs.FS).LeftByPowerCut, fmt.Sprintf("failure of sync %d of %d", at, syncs))
	}
	t.Logf("%d operations, of these %d syncs", operations, syncs)
}

// receiver is a webhook.
type receiver struct {
	url string
	mu  sync.Mutex
	ids []string // of the messages since the last call of take
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.ids = append(r.ids, request.Header.Get("webhook-id"))
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

func (r *receiver) take() (ids []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids, r.ids = r.ids, nil
	return ids
}

func (r *receiver) isTold() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.ids) > 0
}

// serve returns the arguments of a server that may send messages to this machine.
func (r *receiver) serve(dir string) []string {
	return []string{"serve", "--data", dir, "--listen", "127.0.0.1:0", "--webhook-networks", "127.0.0.0/8"}
}

// storeWithNews returns a store with a version about which its last server has not told the receiver.
func storeWithNews(t *testing.T, r *receiver) (dir string) {
	t.Helper()
	dir = t.TempDir()
	file := filepath.Join(t.TempDir(), "births.csv")
	publish := func(value string) {
		if err := os.WriteFile(file, []byte("country,year,value\nDE,2020,773144\nDE,2021,"+value+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		must(t, "import", "--data", dir, file)
	}
	publish("795492")
	key := makeKey(t, dir, "desk", "pro")
	must(t, "webhook", "create", "--data", dir, "--organisation", "desk", "--webhook-networks", "127.0.0.0/8", r.url)
	s := startCommand(t, exec.Command("almanac", r.serve(dir)...))
	follow(t, s.url+"/api/followed/1", key.Key, `{"country": ["DE"]}`)
	s.stop(t)
	publish("795493")
	return dir
}

// serveUntilTold runs a server until it ends or has told the receiver. Then the server has a moment to record that.
func (r *receiver) serveUntilTold(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	defer func() {
		_ = cmd.Process.Kill() // an error means that it has ended
		<-ended
	}()
	for !r.isTold() {
		select {
		case err := <-ended:
			ended <- err
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	time.Sleep(time.Second)
}

// checkNext lets another server go on with what is left of the files.
func (r *receiver) checkNext(t *testing.T, f *faultfs.FS, copyLeft func(*faultfs.FS, testing.TB, string), where string) {
	t.Helper()
	before := r.take()
	left := t.TempDir()
	copyLeft(f, t, left)
	s := startCommand(t, exec.Command("almanac", r.serve(left)...))
	defer s.kill()
	stattest.Eventually(t, func() error {
		if log := must(t, "webhook", "log", "--data", left, "--organisation", "desk", "1", "--json"); !strings.Contains(log, `"status":"delivered"`) {
			return fmt.Errorf("%s: the log is\n%s", where, log)
		}
		return nil
	})
	if ids := slices.Compact(slices.Concat(before, r.take())); len(ids) != 1 {
		t.Errorf("%s: messages with the IDs %q arrived, want one message, as often as it was sent", where, ids)
	}
}
