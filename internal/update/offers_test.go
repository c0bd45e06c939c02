package update_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/database"
	"almanac/internal/offer"
	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stattest"
	"almanac/internal/update"
)

// withOffers adds a database of offers to a world, and keeps its tests from the network.
func (w *world) withOffers() *offer.DB {
	w.Helper()
	made, _ := w.table.Office("made")
	w.table = sourcetest.NewTable(w, fetch.Options{Now: w.clock, Sleep: w.sleep, Hosts: []string{"127.0.0.1"}}, made)
	offers, err := offer.Open(w.Context(), database.Location{Dir: w.dir})
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { offers.Close() })
	offers.Now = w.clock
	w.updater = w.newUpdater(func(o *update.Options) { o.Offers, o.Sources = offers, w.table })
	return offers
}

// refresh reads the lists of offices and returns the results by office.
func (w *world) refresh(r update.Refresh) map[string]update.Listing {
	w.Helper()
	results := map[string]update.Listing{}
	for l := range w.updater.RefreshOffers(w.Context(), r) {
		results[l.Office] = l
	}
	return results
}

func (w *world) offerState(offers *offer.DB, source string) offer.SourceState {
	w.Helper()
	states, err := offers.Sources(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	for _, s := range states {
		if s.Source == source {
			return s
		}
	}
	return offer.SourceState{}
}

// What an office lists is stored, and an equal list changes nothing.
func TestRefreshOffers(t *testing.T) {
	w := newWorld(t, 3)
	offers := w.withOffers()
	l := w.refresh(update.Refresh{Offices: []string{"made"}})["made"]
	if l.Err != nil || l.After.Datasets != 3 || !l.Before.Listed.IsZero() || !l.Changed() {
		t.Fatalf("the first result is %+v", l)
	}
	found, err := offers.Find(t.Context(), "made", "D1")
	if err != nil || len(found) != 1 || found[0] != (offer.Offer{Source: "made", Code: "d1", Title: "Dataset d1", Language: "en"}) {
		t.Errorf("found %+v, %v", found, err)
	}
	s := w.offerState(offers, "made")
	if s.Failed != 0 || s.Error != "" || s.Due.Sub(s.Tried) != 24*time.Hour {
		t.Errorf("the state is %+v, want that it is due in a day", s)
	}
	w.pass(time.Hour)
	if l = w.refresh(update.Refresh{Offices: []string{"made"}})["made"]; l.Err != nil || l.Changed() || l.After.Listed.Sub(s.Listed) < time.Hour {
		t.Errorf("the second result is %+v", l)
	}
}

// A list that cannot be read, is empty or has lost much keeps the old one, and is due
// again after growing waits.
func TestOldListStays(t *testing.T) {
	for name, c := range map[string]struct {
		change func(w *world)
		want   string
	}{
		"outage": {func(w *world) {
			w.server.Fault(replay.Fault{Match: "/list.tsv", Status: http.StatusServiceUnavailable})
		}, "status 503"},
		"moved":    {func(w *world) { w.files.Remove("/list.tsv") }, "has no list of datasets here"},
		"damaged":  {func(w *world) { w.files.SetBody("/list.tsv", "d0\tDataset\nd1\nd2\tDataset\n") }, "line 2: must be a code, a tab and a title"},
		"empty":    {func(w *world) { w.list() }, "the server returned an empty response"},
		"few left": {func(w *world) { w.list("d0", "d1") }, "the list of made had 5 datasets and now has 2; the old list stays"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 5)
			offers := w.withOffers()
			w.refresh(update.Refresh{Offices: []string{"made"}})
			c.change(w)
			before := time.Duration(0)
			for failed := 1; failed <= 3; failed++ {
				l := w.refresh(update.Refresh{Offices: []string{"made"}})["made"]
				if l.Err == nil || !strings.Contains(l.Err.Error(), c.want) {
					t.Fatalf("error %v, want %q", l.Err, c.want)
				}
				s := w.offerState(offers, "made")
				wait := s.Due.Sub(s.Tried)
				if s.Datasets != 5 || s.Failed != failed || !strings.Contains(s.Error, c.want) || wait <= before {
					t.Errorf("the state is %+v after a wait of %v", s, before)
				}
				before = wait
			}
			w.server.Mend()
			w.list("d0", "d1", "d2")
			if l := w.refresh(update.Refresh{Offices: []string{"made"}})["made"]; l.Err != nil || l.After.Failed != 0 || l.After.Datasets != 3 {
				t.Errorf("after the repair the result is %+v", l)
			}
		})
	}
}

// A list that has lost much is accepted on request, or if the old one was not from the
// office.
func TestAcceptedLoss(t *testing.T) {
	w := newWorld(t, 5)
	offers := w.withOffers()
	w.refresh(update.Refresh{Offices: []string{"made"}})
	w.list("d0")
	if l := w.refresh(update.Refresh{Offices: []string{"made"}, AcceptLoss: true})["made"]; l.Err != nil || l.After.Datasets != 1 {
		t.Errorf("the result is %+v", l)
	}
	_, err := offers.ReplaceList(t.Context(), offer.List{Source: "made", Origin: "table.tsv", Offers: func(yield func(offer.Offer, error) bool) {
		for i := range 10 {
			if !yield(offer.Offer{Code: fmt.Sprint(i)}, nil) {
				return
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if l := w.refresh(update.Refresh{Offices: []string{"made"}})["made"]; l.Err != nil || l.After.Datasets != 1 || l.After.Origin != "" {
		t.Errorf("after a table the result is %+v", l)
	}
}

// In the background a list is read at once and then daily, by one of several processes.
func TestRunOffers(t *testing.T) {
	w := newWorld(t, 2)
	offers := w.withOffers()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for range 2 {
		u := w.newUpdater(func(o *update.Options) {
			o.Offers = offers
			o.Sleep = func(ctx context.Context, _ time.Duration) error { return fetch.Sleep(ctx, time.Millisecond) }
		})
		running.Go(func() {
			if err := u.RunOffers(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	defer running.Wait()
	defer stop()
	listed := func(datasets, requests int) {
		t.Helper()
		stattest.Eventually(t, func() error {
			s := w.offerState(offers, "made")
			if n := len(w.server.Requests("/list.tsv")); s.Datasets != datasets || n != requests {
				return fmt.Errorf("the list has %d datasets after %d requests, want %d after %d", s.Datasets, n, datasets, requests)
			}
			if s.Due.IsZero() { // it depends on the time at which the reading ends
				return errors.New("the reading of the list has not ended")
			}
			return nil
		})
	}
	listed(2, 1)
	w.publish("new", 1)
	w.pass(20 * time.Hour)
	time.Sleep(50 * time.Millisecond) // not due yet
	listed(2, 1)
	w.pass(7 * time.Hour)
	listed(3, 2)
}

// A list that is stored when the process is asked to end is recorded and logged.
func TestStoppedAfterAList(t *testing.T) {
	w := newWorld(t, 2)
	offers := w.withOffers()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var log bytes.Buffer
	u := w.newUpdater(func(o *update.Options) {
		o.Offers, o.Log = offers, slog.New(slog.NewTextHandler(&log, nil))
		o.Now = func() time.Time {
			if w.offerState(offers, "made").Datasets == 2 {
				stop()
			}
			return w.clock()
		}
	})
	if err := u.RunOffers(ctx); err != nil || ctx.Err() == nil {
		t.Fatal(err, ctx.Err())
	}
	if text := log.String(); !strings.Contains(text, "list of an office updated") || strings.Contains(text, "failed") {
		t.Errorf("the log is %s", text)
	}
	if s := w.offerState(offers, "made"); !s.Due.After(w.clock()) {
		t.Errorf("the state is %+v", s)
	}
}

// A list that takes long lets others request datasets of the office.
func TestOthersDuringRefresh(t *testing.T) {
	w := newWorld(t, 1)
	w.withOffers()
	w.watch("made:d0")
	codes := []string{"d0"}
	for i := range 10_000 {
		codes = append(codes, fmt.Sprintf("other%d", i))
	}
	w.list(codes...)
	var syncing sync.WaitGroup
	defer syncing.Wait()
	synced := make(chan update.Summary, 1)
	isSynced := false
	w.refresh(update.Refresh{Offices: []string{"made"}, Notify: func(_ string, n int) {
		if n == 1 {
			syncing.Go(func() {
				s, err := w.updater.Sync(t.Context(), "made:d0")
				if err != nil {
					t.Error(err)
				}
				synced <- s
			})
		}
		if !isSynced {
			w.pass(time.Minute)
			time.Sleep(time.Millisecond)
			isSynced = len(synced) > 0
		}
	}})
	if !isSynced {
		t.Fatal("the dataset was not fetched before the list ended")
	}
	if s := <-synced; s.Created != 1 {
		t.Errorf("the summary is %+v", s)
	}
}

// The lists of all offices can be requested but those that need a key or have no list.
func TestCanList(t *testing.T) {
	table := sourcetest.NewTable(t, fetch.Options{})
	lists := 0
	for _, o := range table.Offices() {
		if table.CanList(o.ID) {
			lists++
		}
	}
	if lists < 57 {
		t.Errorf("%d offices have lists, want 57 or more", lists)
	}
	for _, id := range []string{"owid", "fred", "unknown"} { // no list, a key, no office
		if table.CanList(id) {
			t.Errorf("%s has a list", id)
		}
	}
}
