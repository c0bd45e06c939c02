package update_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
	"almanac/internal/stattest"
	"almanac/internal/update"
	"almanac/internal/watch"
)

// addJob adds a job for a dataset.
func (w *world) addJob(ref string) watch.Job {
	w.Helper()
	added, err := w.watches.AddJob(w.Context(), watch.JobRequest{Ref: ref, Office: "made", Limit: -1, LimitOfAll: -1, Now: w.clock(), Since: w.clock()})
	if err != nil {
		w.Fatal(err)
	}
	return added.Job
}

// take takes a job as another process would, and ends like this.
func (w *world) take(id int64, now time.Time) (watch.Job, watch.Lease) {
	j, _, err := w.watches.Job(context.Background(), id)
	taken, lease, unlock, ok, takeErr := w.watches.TakeJob(context.Background(), j, now, now.Add(time.Minute))
	if err != nil || takeErr != nil || !ok {
		w.Error(err, takeErr, ok)
		return taken, lease
	}
	unlock()
	return taken, lease
}

// wait waits, and advances the clock by as much.
func (w *world) wait(ctx context.Context, d time.Duration) error {
	err := fetch.Sleep(ctx, d)
	w.pass(d)
	return err
}

// bring works on jobs until all have ended, and returns the last one. The waits are real, and
// the clock follows them.
func (w *world) bring(notify func(update.Event)) watch.Job {
	w.Helper()
	u := w.newUpdater(func(o *update.Options) { o.Sleep, o.Notify = w.wait, notify })
	ctx, stop := context.WithCancel(w.Context())
	ended := make(chan error)
	go func() { ended <- u.Bring(ctx) }()
	var last watch.Job
	stattest.Eventually(w, func() error {
		jobs, err := w.watches.Jobs(ctx, 9)
		if err != nil {
			return err
		}
		for _, j := range jobs {
			if j.Finished.IsZero() {
				return fmt.Errorf("job %+v has not ended", j)
			}
		}
		last = jobs[0]
		return nil
	})
	stop()
	if err := <-ended; err != nil {
		w.Fatal(err)
	}
	return last
}

// A job brings a dataset, which is watched from then on, with the state of its fetch: the
// next round finds that nothing changed.
func TestBring(t *testing.T) {
	w := newWorld(t, 2)
	w.files.Header("/data/d1.csv", "ETag", `"1"`)
	w.addJob("made:D1")
	j := w.bring(w.record)
	if j.Status != watch.JobDone || j.Version != "1.0" || j.Attempts != 1 || j.Bytes == 0 {
		t.Errorf("the job is %+v, want done", j)
	}
	if stored := w.store.Catalog().Entry(j.Dataset); stored == nil || stored.Code != "d1" || stored.Name != "Dataset d1" {
		t.Errorf("the dataset is %+v", stored)
	}
	log, err := w.watches.Log(t.Context(), "made:d1", 9)
	if err != nil || len(log) != 1 || log[0].Status != "created" || log[0].Dataset != j.Dataset {
		t.Errorf("the log is %+v, %v", log, err)
	}
	items, err := w.watches.Items(t.Context())
	if err != nil || len(items) != 1 || items[0].Ref != "made:d1" || items[0].Dataset != j.Dataset || !items[0].Due.After(w.clock()) {
		t.Errorf("the items are %+v, %v", items, err)
	}
	w.wantSync(update.Summary{Items: 1, Unchanged: 1}, "made:d1")
	w.publish("d1", 2)
	w.files.Header("/data/d1.csv", "ETag", `"2"`)
	w.wantSync(update.Summary{Items: 1, Updated: 1}, "made:d1")
}

// A job that fails says whose fault it is, and the dataset is not watched.
func TestBringFails(t *testing.T) {
	for _, c := range []struct {
		name, ref string
		prepare   func(*world)
		fault     watch.JobFault
		want      string
	}{
		{"not listed", "made:x", func(*world) {}, watch.FaultMissing, "lists no such dataset"},
		{"listed but gone", "made:d0", func(w *world) { w.files.Remove("/data/d0.csv") }, watch.FaultMissing, "404"},
		{"a pattern", "made:d*", func(*world) {}, watch.FaultRefused, "not a single dataset"},
		{"a part", "made:d0/M", func(*world) {}, watch.FaultRefused, "only whole datasets"},
		{"no data", "made:d0", func(w *world) { w.files.SetBody("/data/d0.csv", "Country,Year,Value\nAT,2022,x\n") }, watch.FaultRefused, "made:d0:1: "},
		{"no server", "made:d0", func(w *world) { w.server.Fault(replay.Fault{Match: "d0.csv", Status: 400}) }, watch.FaultFailed, "400"},
		{"without a key", "destatis:12411-0001", func(*world) {}, watch.FaultKeyless, "only requests with a key"},
		{"an unknown office", "nowhere:d0", func(*world) {}, watch.FaultMissing, "unknown source"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 1)
			c.prepare(w)
			w.addJob(c.ref)
			j := w.bring(w.record)
			if j.Status != watch.JobFailed || j.Fault != c.fault || !strings.Contains(j.Error, c.want) || j.Dataset != 0 {
				t.Errorf("the job is %+v, want %s: %s", j, c.fault, c.want)
			}
			if list, err := w.watches.List(t.Context()); err != nil || len(list) > 0 {
				t.Errorf("the watches are %+v, %v, want none", list, err)
			}
		})
	}
}

// A list that cannot be read says nothing about a dataset, so the job requests it.
func TestBringWithoutList(t *testing.T) {
	w := newWorld(t, 1)
	w.files.Remove("/list.tsv")
	w.addJob("made:d0")
	if j := w.bring(w.record); j.Status != watch.JobDone || j.Dataset == 0 {
		t.Errorf("the job is %+v, want done", j)
	}
	w.addJob("made:x")
	if j := w.bring(w.record); j.Fault != watch.FaultUnlisted || !strings.Contains(j.Error, "404") || !strings.Contains(j.Error, "the list of the office could not be read") {
		t.Errorf("the job is %+v, want %s", j, watch.FaultUnlisted)
	}
}

// A process whose job was taken by another one, while it was stopped, publishes nothing and
// records nothing.
func TestBringOvertaken(t *testing.T) {
	w := newWorld(t, 1)
	id := w.addJob("made:d0").ID
	finished := make(chan bool, 9)
	_ = w.bring(func(e update.Event) {
		switch e.Stage {
		case update.Importing:
			_, other := w.take(id, w.clock().Add(time.Hour)) // the lease has ended
			go func() {
				<-finished
				if n := len(w.store.Catalog().Entries); n != 0 {
					t.Errorf("%d datasets are published", n)
				}
				if err := w.watches.FinishJob(context.Background(), other, watch.JobEnd{At: w.clock(), Error: "by the other process"}, nil); err != nil {
					t.Error(err)
				}
			}()
		case update.Finished:
			finished <- true
		}
	})
	if log, err := w.watches.Log(t.Context(), "", 9); err != nil || len(log) != 0 {
		t.Errorf("the log is %+v, %v, want none", log, err)
	}
	j, _, _ := w.watches.Job(t.Context(), id)
	if j.Error != "by the other process" || j.Attempts != 2 {
		t.Errorf("the job is %+v, want the end by the other process", j)
	}
}

// A job whose process was killed after it had published is done: nothing is fetched again.
func TestBringFindsPublished(t *testing.T) {
	w := newWorld(t, 1)
	id := w.addJob("made:d0").ID
	_, lease := w.take(id, w.clock())
	outcomes := w.updater.Import(t.Context(), "made:d0")
	stored := w.store.Catalog().Entry(outcomes[0].ID)
	if err := w.watches.RecordPublishing(t.Context(), lease, []watch.DatasetName{{Source: stored.Source, Code: stored.Code}}); err != nil {
		t.Fatal(err)
	}
	before := len(w.server.Requests(""))
	j := w.bring(w.record)
	if j.Status != watch.JobDone || j.Dataset != stored.ID || j.Version != "1.0" || j.Attempts != 2 {
		t.Errorf("the job is %+v, want done at the second attempt", j)
	}
	if n := len(w.server.Requests("")); n != before {
		t.Errorf("%d requests to the office, want none", n-before)
	}
	if items, err := w.watches.Items(t.Context()); err != nil || len(items) != 1 || items[0].Dataset != stored.ID {
		t.Errorf("the items are %+v, %v", items, err)
	}
}

// A job that is interrupted often is done, but not at once if its last attempt was short;
// one that ends its process each time is given up.
func TestBringInterrupted(t *testing.T) {
	for _, c := range []struct {
		name     string
		attempts int
		lasted   time.Duration // the last attempt
		waits    bool
		want     watch.JobStatus
		error    string
	}{
		{"once", 1, 0, false, watch.JobDone, ""},
		{"five times", 5, 0, false, watch.JobDone, ""},
		{"six times", 6, 0, true, watch.JobDone, ""},
		{"as often as is allowed", 29, time.Minute, false, watch.JobDone, ""},
		{"too often", 30, time.Minute, false, watch.JobFailed, "made:d0: given up after 30 attempts that were interrupted"},
		{"often, by a clock that was ahead", 29, -time.Hour, false, watch.JobDone, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 1)
			id := w.addJob("made:d0").ID
			for range c.attempts {
				w.take(id, w.clock().Add(-c.lasted))
			}
			before := w.clock()
			j := w.bring(w.record)
			if j.Status != c.want || j.Error != c.error || j.Attempts != c.attempts+1 {
				t.Errorf("the job is %+v, want %s after %d attempts", j, c.want, c.attempts+1)
			}
			if waits := j.Started.After(before); waits != c.waits {
				t.Errorf("the last attempt began at %v, the process at %v; want a wait: %t", j.Started, before, c.waits)
			}
		})
	}
}

// A process that is told to stop returns its job, and the next one does it.
func TestBringStopped(t *testing.T) {
	w := newWorld(t, 1)
	w.addJob("made:d0")
	ctx, stop := context.WithCancel(t.Context())
	u := w.newUpdater(func(o *update.Options) {
		o.Sleep = fetch.Sleep
		o.Notify = func(e update.Event) {
			if e.Stage == update.Fetching {
				stop()
			}
		}
	})
	if err := u.Bring(ctx); err != nil {
		t.Fatal(err)
	}
	if j, _, _ := w.watches.Job(t.Context(), 1); j.Status != watch.JobWaiting || j.Attempts != 0 {
		t.Errorf("the job is %+v, want waiting", j)
	}
	if j := w.bring(w.record); j.Status != watch.JobDone || j.Attempts != 1 {
		t.Errorf("the job is %+v, want done", j)
	}
}
