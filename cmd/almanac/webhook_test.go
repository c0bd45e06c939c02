package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"almanac/internal/stattest"
)

// Who follows a part of a dataset is told, value by value, what an update changes in that part, by
// a signed message, and is told nothing of an update that changes only the rest. A server that is
// killed before it sends the message sends it after its restart.
func TestWebhookSaysWhatChanged(t *testing.T) {
	t.Parallel()
	dir, files := t.TempDir(), t.TempDir()
	var mu sync.Mutex
	var bodies []string
	status := http.StatusServiceUnavailable
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if bodies = append(bodies, string(body)); !strings.HasPrefix(r.Header.Get("webhook-signature"), "v1,") {
			t.Errorf("a message has the signature %q", r.Header.Get("webhook-signature"))
		}
		w.WriteHeader(status)
	}))
	defer receiver.Close()
	received := func(n int) func() error {
		return func() error {
			mu.Lock()
			defer mu.Unlock()
			if len(bodies) < n {
				return fmt.Errorf("%d messages arrived, want %d", len(bodies), n)
			}
			return nil
		}
	}
	file := filepath.Join(files, "births.csv")
	publish := func(germany, france string) {
		t.Helper()
		text := "country,year,value\nDE,2020,773144\nDE,2021," + germany + "\nFR,2020,735196\nFR,2021," + france + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		must(t, "import", "--data", dir, file)
	}
	publish("795492", "742052")
	key := makeKey(t, dir, "desk", "pro")
	must(t, "webhook", "create", "--data", dir, "--organisation", "desk", "--webhook-networks", "127.0.0.0/8", receiver.URL)
	s := startProgram(t, dir, "--webhook-networks", "127.0.0.0/8")
	follow(t, s.url+"/api/followed/1", key.Key, `{"country": ["DE"]}`)

	publish("795493", "742052") // Germany is followed
	stattest.Eventually(t, received(1))
	s.kill()
	mu.Lock()
	status = http.StatusNoContent
	mu.Unlock()
	s = startProgram(t, dir, "--webhook-networks", "127.0.0.0/8")
	stattest.Eventually(t, received(2))
	publish("795493", "742053") // France is not
	publish("795494", "742053")
	stattest.Eventually(t, received(3))
	s.stop(t)

	want := []string{"795492 → 795493", "795492 → 795493", "795493 → 795494"}
	for i, body := range bodies {
		var message struct {
			Data struct {
				Reference string
				Revised   int
				Revisions []struct {
					Country string
					Old     json.Number `json:"old_value"`
					New     json.Number `json:"new_value"`
				}
			}
		}
		if err := json.Unmarshal([]byte(body), &message); err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		d := message.Data
		if d.Revised != 1 || len(d.Revisions) != 1 || d.Revisions[0].Country != "Germany" || d.Revisions[0].Old.String()+" → "+d.Revisions[0].New.String() != want[i] {
			t.Errorf("message %d is %s, want Germany's %s", i, body, want[i])
		}
	}
	log := must(t, "webhook", "log", "--data", dir, "--organisation", "desk", "1")
	if strings.Count(log, "delivered") != 2 || !strings.Contains(log, "204 No Content") {
		t.Errorf("the log is\n%s", log)
	}
}

// Without permission, nothing is sent to addresses of this machine.
func TestWebhooksReachPublicAddressesOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a message arrived") }))
	defer receiver.Close()
	must(t, "organisation", "create", "--data", dir, "desk")
	must(t, "webhook", "create", "--data", dir, "--organisation", "desk", "--webhook-networks", "127.0.0.0/8", receiver.URL)
	s := startProgram(t, dir) // without the networks that the command had
	must(t, "webhook", "test", "--data", dir, "--organisation", "desk", "1")
	stattest.Eventually(t, func() error {
		if log := must(t, "webhook", "log", "--data", dir, "--organisation", "desk", "1"); !strings.Contains(log, "http is not allowed; use https") {
			return fmt.Errorf("the log is\n%s", log)
		}
		return nil
	})
	s.stop(t)
}

func follow(t *testing.T, address, key, selection string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address, strings.NewReader(selection))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-API-Key", key)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusCreated {
		body, _ := io.ReadAll(answer.Body)
		t.Fatalf("following %s: %d %s", address, answer.StatusCode, body)
	}
}
