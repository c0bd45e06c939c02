package watch_test

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/stat"
	"almanac/internal/watch"
)

const leased = time.Minute

// request returns a request for a job without limits.
func request(ref string) watch.JobRequest {
	return watch.JobRequest{Ref: ref, Office: "made", Subject: "account:1", Limit: -1, LimitOfAll: -1, Now: noon, Since: noon}
}

func addJob(t *testing.T, db *watch.DB, r watch.JobRequest) watch.AddedJob {
	t.Helper()
	added, err := db.AddJob(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

func take(t *testing.T, db *watch.DB, j watch.Job) (watch.Job, watch.Lease) {
	t.Helper()
	taken, lease, unlock, ok, err := db.TakeJob(t.Context(), j, noon, noon.Add(leased))
	if err != nil || !ok {
		t.Fatalf("taking %+v: %v, %v", j, ok, err)
	}
	unlock() // as if the process ended
	return taken, lease
}

func job(t *testing.T, db *watch.DB, id int64) watch.Job {
	t.Helper()
	j, ok, err := db.Job(t.Context(), id)
	if err != nil || !ok {
		t.Fatalf("job %d: %v, %v", id, ok, err)
	}
	return j
}

// Requests for a dataset share a job until it ends, and get the result of one that was done
// while they looked. After that there is a new job.
func TestOneJobForADataset(t *testing.T) {
	db := open(t, t.TempDir())
	first := addJob(t, db, request("made:d1"))
	if want := (watch.Job{ID: 1, Ref: "made:d1", Office: "made", Status: watch.JobWaiting, Created: noon}); !first.IsNew || !reflect.DeepEqual(first.Job, want) {
		t.Errorf("the first request gets %+v, want %+v", first, want)
	}
	if again := addJob(t, db, request("made:D1")); again.IsNew || again.ID != 1 {
		t.Errorf("the second request gets %+v, want job 1", again)
	}
	_, lease := take(t, db, first.Job)
	if again := addJob(t, db, request("made:d1")); again.IsNew || again.Status != watch.JobRunning {
		t.Errorf("a request during the job gets %+v, want job 1", again)
	}
	if err := db.FinishJob(t.Context(), lease, watch.JobEnd{At: noon.Add(time.Second), Dataset: 7, Version: "1.0"}, nil); err != nil {
		t.Fatal(err)
	}
	if again := addJob(t, db, request("made:d1")); again.IsNew || again.Dataset != 7 {
		t.Errorf("a request that began before the end gets %+v, want job 1", again)
	}
	later := request("made:d1")
	later.Since = noon.Add(time.Minute)
	if again := addJob(t, db, later); !again.IsNew || again.ID != 2 {
		t.Errorf("a later request gets %+v, want job 2", again)
	}
}

// Two handles, like those of two processes, add jobs at the same time, and no limit is
// exceeded.
func TestJobLimits(t *testing.T) {
	dir := t.TempDir()
	handles := []*watch.DB{open(t, dir), open(t, dir)}
	var added, ofSubject, ofAll atomic.Int64
	var adding sync.WaitGroup
	for i := range 60 {
		adding.Go(func() {
			r := request(fmt.Sprintf("made:d%d", i))
			r.Subject, r.Limit, r.LimitOfAll = fmt.Sprintf("account:%d", i%3), 7, 18
			got, err := handles[i%2].AddJob(t.Context(), r)
			switch {
			case err != nil:
				t.Error(err)
			case got.IsNew:
				added.Add(1)
			case got.UsedUp == watch.SubjectLimit:
				ofSubject.Add(1)
			case got.UsedUp == watch.LimitOfAll:
				ofAll.Add(1)
			}
		})
	}
	adding.Wait()
	if added.Load() != 18 || ofSubject.Load()+ofAll.Load() != 42 {
		t.Errorf("%d added, %d and %d refused; want 18 of 60 added", added.Load(), ofSubject.Load(), ofAll.Load())
	}
	tomorrow := request("made:x")
	tomorrow.Subject, tomorrow.Limit, tomorrow.Now = "account:0", 1, noon.Add(12*time.Hour)
	if got := addJob(t, handles[0], tomorrow); !got.IsNew {
		t.Errorf("on the next day: %+v, want a job", got)
	}
	tomorrow.Ref = "made:y"
	if got := addJob(t, handles[0], tomorrow); got.UsedUp != watch.SubjectLimit {
		t.Errorf("a second job on that day: %+v, want none", got)
	}
}

// A job for a dataset that the office does not have uses nothing of the limits, but there are
// at most ten times as many of these.
func TestMissingDatasetsAndLimits(t *testing.T) {
	db := open(t, t.TempDir())
	add := func(ref string) watch.AddedJob {
		r := request(ref)
		r.Subject, r.Limit, r.LimitOfAll = "account:1", 2, -1
		return addJob(t, db, r)
	}
	fail := func(ref string, fault watch.JobFault) {
		_, lease := take(t, db, add(ref).Job)
		if err := db.FinishJob(t.Context(), lease, watch.JobEnd{At: noon, Fault: fault, Error: "no"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	fail("made:missing", watch.FaultMissing)
	fail("made:broken", watch.FaultRefused)
	if got := add("made:d1"); !got.IsNew {
		t.Errorf("after a missing and a refused one: %+v, want a second job", got)
	}
	if got := add("made:d2"); got.UsedUp != watch.SubjectLimit {
		t.Errorf("after two that count: %+v, want none", got)
	}
	other := request("made:x")
	other.Subject, other.Limit = "account:2", 0
	if got := addJob(t, db, other); got.UsedUp != watch.SubjectLimit {
		t.Errorf("without any allowed: %+v", got)
	}
	db = open(t, t.TempDir())
	for i := range 2 * watch.MissingPerLimit {
		fail(fmt.Sprintf("made:m%d", i), []watch.JobFault{watch.FaultMissing, watch.FaultUnlisted}[i%2])
	}
	if got := add("made:d1"); got.UsedUp != watch.MissingLimit {
		t.Errorf("after 20 missing ones: %+v, want none", got)
	}
}

// A process whose job was taken by another one can no longer change anything.
func TestFence(t *testing.T) {
	db := open(t, t.TempDir())
	added := addJob(t, db, request("made:d1"))
	seen, old := take(t, db, added.Job)
	if _, _, _, ok, err := db.TakeJob(t.Context(), added.Job, noon, noon); ok || err != nil {
		t.Errorf("a job that was read before it was taken is taken: %v, %v", ok, err)
	}
	taken, current := take(t, db, seen)
	if taken.Attempts != 2 || taken.Status != watch.JobRunning {
		t.Errorf("the job is %+v, want its second attempt", taken)
	}
	entry := watch.Entry{At: noon, Ref: "made:d1", Office: "made", Status: "created"}
	end := watch.JobEnd{At: noon, Dataset: 7, Version: "1.0", Item: watch.Item{Ref: "made:d1", Office: "made"}}
	results := []watch.Result{{Entry: &entry}}
	changes := map[string]func(watch.Lease) error{
		"renew":   func(l watch.Lease) error { return db.RenewLease(t.Context(), l, noon, watch.JobReading, 5) },
		"publish": func(l watch.Lease) error { return db.RecordPublishing(t.Context(), l, nil) },
		"check":   func(l watch.Lease) error { return db.CheckLease(t.Context(), l) },
		"return":  func(l watch.Lease) error { return db.ReturnJob(t.Context(), l, noon) },
		"finish":  func(l watch.Lease) error { return db.FinishJob(t.Context(), l, end, results) },
	}
	for name, change := range changes {
		if err := change(old); !watch.IsLeaseLost(err) || stat.KindOf(err) != stat.Conflict {
			t.Errorf("%s by the first process: %v, want that the job is taken", name, err)
		}
	}
	if log, err := db.Log(t.Context(), "", 9); err != nil || len(log) != 0 {
		t.Errorf("the first process has written %v, %v", log, err)
	}
	for _, name := range []string{"renew", "publish", "check", "finish"} {
		if err := changes[name](current); err != nil {
			t.Errorf("%s by the second process: %v", name, err)
		}
	}
	if j := job(t, db, 1); j.Status != watch.JobDone || j.Dataset != 7 || j.Stage != "" {
		t.Errorf("the job is %+v, want done", j)
	}
	for name, change := range changes {
		if err := change(current); !watch.IsLeaseLost(err) {
			t.Errorf("%s after the end: %v, want an error", name, err)
		}
	}
}

// A dataset that was brought is watched, with the state of its fetch.
func TestBroughtDatasetIsWatched(t *testing.T) {
	db := open(t, t.TempDir())
	_, lease := take(t, db, addJob(t, db, request("made:d1")).Job)
	it := watch.Item{Ref: "made:d1", Office: "made", State: []byte(`{"title":"D"}`), Dataset: 7, Checked: noon, Changed: noon, Tried: noon, Due: noon.Add(time.Hour)}
	results := []watch.Result{{Item: it, Datasets: []watch.Dataset{{ID: 7, Version: "1.0"}, {ID: 8, Version: "1.0"}}}}
	if err := db.FinishJob(t.Context(), lease, watch.JobEnd{At: noon, Dataset: 7, Version: "1.0", Item: it}, results); err != nil {
		t.Fatal(err)
	}
	list, err := db.List(t.Context())
	if want := []watch.Watch{{Ref: "made:d1", Added: noon, Expanded: noon, Items: 1}}; err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("the watches are %+v, %v, want %+v", list, err, want)
	}
	all := items(t, db)
	it.ID = all[0].ID
	if !reflect.DeepEqual(all, []watch.Item{it}) {
		t.Errorf("the items are %+v, want %+v", all, it)
	}
	if ids, err := db.DatasetsOf(t.Context(), "made"); err != nil || !reflect.DeepEqual(ids, []int{7, 8}) {
		t.Errorf("the datasets of the item are %v, %v", ids, err)
	}
}

// A job is taken by one process, by another when that has ended, or when its lease has
// ended. Then nobody takes it because the first process frees its lock.
func TestTakeJob(t *testing.T) {
	db := open(t, t.TempDir())
	added := addJob(t, db, request("made:d1"))
	try := func(name string, now time.Time, want bool) (l watch.Lease, unlock func()) {
		t.Helper()
		_, l, unlock, ok, err := db.TakeJob(t.Context(), job(t, db, added.ID), now, now.Add(leased))
		if ok != want || err != nil {
			t.Fatalf("%s: taken is %v, %v, want %v", name, ok, err, want)
		}
		return l, unlock
	}
	_, unlock := try("a new job", noon, true)
	try("a job that another process works on", noon, false)
	unlock()
	_, unlockStopped := try("a job whose process has ended", noon, true)
	lease, unlock := try("a job whose lease has ended", noon.Add(leased), true)
	unlockStopped()
	try("a job that was taken without the lock", noon.Add(leased), false)
	unlock()
	if err := db.ReturnJob(t.Context(), lease, noon.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	for after, want := range map[time.Duration]int{0: 0, time.Minute: 1} {
		if list, err := db.UnfinishedJobs(t.Context(), noon.Add(after)); err != nil || len(list) != want || want > 0 && list[0].Attempts != 2 {
			t.Errorf("after %v: %+v, %v, want %d jobs with two attempts", after, list, err, want)
		}
	}
}

func TestTasks(t *testing.T) {
	db := open(t, t.TempDir())
	if has, err := db.IsDone(watch.BringsJobs); has || err != nil {
		t.Errorf("a new database has a process that works on jobs: %v", err)
	}
	leave, ok, err := db.Register(watch.BringsJobs)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, ok, _ := db.Register(watch.BringsJobs); ok {
		t.Error("a second process is registered beside the first")
	}
	if has, err := db.IsDone(watch.BringsJobs); !has || err != nil {
		t.Errorf("no process works on jobs: %v", err)
	}
	if has, err := db.IsDone(watch.FetchesUpdates); has || err != nil {
		t.Errorf("a process that works on jobs fetches updates: %v", err)
	}
	leave()
	if has, _ := db.IsDone(watch.BringsJobs); has {
		t.Error("a process that has left works on jobs")
	}
}

func TestTrimJobs(t *testing.T) {
	db := open(t, t.TempDir())
	for i := range 3 {
		j := addJob(t, db, request(fmt.Sprintf("made:d%d", i)))
		if i == 2 {
			break
		}
		_, lease := take(t, db, j.Job)
		if err := db.FinishJob(t.Context(), lease, watch.JobEnd{At: noon.AddDate(0, 0, i), Error: "none", Fault: watch.FaultFailed}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.TrimJobs(t.Context(), noon.AddDate(0, 0, 1)); err != nil {
		t.Fatal(err)
	}
	list, err := db.Jobs(t.Context(), 9)
	if err != nil || len(list) != 2 || list[0].Ref != "made:d2" || list[1].Status != watch.JobFailed {
		t.Errorf("the jobs are %+v, %v, want the unfinished one and the newer of the finished", list, err)
	}
}

func TestReadJobLimits(t *testing.T) {
	for text, want := range map[string]watch.JobLimits{
		"": watch.DefaultJobLimits, " all=unlimited , account=0": {Account: 0, Anonymous: 20, All: -1}, "anonymous=7": {Account: 20, Anonymous: 7, All: 200},
	} {
		var got watch.JobLimits
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"all", "all=", "all=-1", "all=+1", "all=1,all=2", "everyone=1", "all=1e3", "account=99999999999"} {
		var got watch.JobLimits
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
