package watch_test

import (
	"reflect"
	"testing"
	"time"

	"almanac/internal/watch"
)

// A dataset belongs to the last item that updated it, until it vanishes from that item
// or the item is no longer watched. Its version stays recorded.
func TestDatasets(t *testing.T) {
	db := open(t, t.TempDir())
	add(t, db, "a:*", 0, refs("a", "x", "y"))
	add(t, db, "b:x", 0, refs("b", "x"))
	all := items(t, db)
	finish := func(r watch.Result) {
		t.Helper()
		if err := db.Record(t.Context(), []watch.Result{r}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(dataset int, want watch.Dataset) {
		t.Helper()
		want.ID = dataset
		if got, err := db.DatasetByID(t.Context(), dataset); err != nil || got != want {
			t.Errorf("dataset %d is %+v, %v, want %+v", dataset, got, err, want)
		}
	}
	finish(watch.Result{Item: all[0], Datasets: []watch.Dataset{{ID: 7, Version: "1.0"}, {ID: 8, Version: "1.3"}}})
	finish(watch.Result{Item: all[1], Datasets: []watch.Dataset{{ID: 9, Version: "1.0"}}})
	finish(watch.Result{Item: all[2], Datasets: []watch.Dataset{{ID: 3, Version: "1.0"}}})
	want(7, watch.Dataset{Version: "1.0", Item: all[0].ID, Ref: "a:x"})
	want(99, watch.Dataset{})
	finish(watch.Result{Datasets: []watch.Dataset{{ID: 7, Version: "1.1"}, {ID: 5, Version: "1.0"}}}) // by hand
	want(7, watch.Dataset{Version: "1.1", Item: all[0].ID, Ref: "a:x"})
	want(5, watch.Dataset{Version: "1.0"})
	finish(watch.Result{Item: all[1], Vanished: []int{7, 9}}) // of which 7 is not its
	want(7, watch.Dataset{Version: "1.1", Item: all[0].ID, Ref: "a:x"})
	want(9, watch.Dataset{Version: "1.0"})
	got, err := db.DatasetsOfItem(t.Context(), all[0].ID)
	if err != nil || len(got) != 2 || got[0].ID != 7 || got[1].Version != "1.3" {
		t.Errorf("the datasets of the first item are %+v, %v", got, err)
	}
	if ids, err := db.DatasetsOf(t.Context(), "a"); err != nil || !reflect.DeepEqual(ids, []int{7, 8}) {
		t.Errorf("the datasets of an office are %v, %v, want 7 and 8", ids, err)
	}
	if err := db.Remove(t.Context(), "a:*"); err != nil {
		t.Fatal(err)
	}
	want(8, watch.Dataset{Version: "1.3"})
	want(3, watch.Dataset{Version: "1.0", Item: all[2].ID, Ref: "b:x"})
}

// A new item has the office's title; an existing one keeps its own.
func TestTitleOfANewItem(t *testing.T) {
	db := open(t, t.TempDir())
	for _, title := range []string{`The "first"`, "Another"} {
		add(t, db, "watch of "+title, 0, []watch.Ref{{Office: "a", Text: "a:x", Title: title}})
		if got, want := string(items(t, db)[0].State), `{"title":"The \"first\""}`; got != want {
			t.Errorf("the state is %s, want %s", got, want)
		}
	}
}

// An item whose due time is far in the future, from a wrong clock, is due.
func TestFarAhead(t *testing.T) {
	db := open(t, t.TempDir())
	add(t, db, "a:*", 0, refs("a", "x", "y", "z"))
	all := items(t, db)
	for i, days := range []int{399, 401, 20} {
		all[i].Due = noon.AddDate(0, 0, days)
		if err := db.Record(t.Context(), []watch.Result{{Item: all[i]}}); err != nil {
			t.Fatal(err)
		}
		if got, want := all[i].IsDue(noon), days == 401; got != want {
			t.Errorf("due in %d days is due: %v, want %v", days, got, want)
		}
	}
	if due, err := db.Due(t.Context(), "a", noon); err != nil || !reflect.DeepEqual(names(due), []string{"a:y"}) {
		t.Errorf("due is %v, %v, want a:y", names(due), err)
	}
	if err := db.Pause(t.Context(), watch.Office{ID: "a", LastError: noon, Error: "no connection", Until: noon.Add(30 * 24 * time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if err := db.Resume(t.Context(), "a", time.Time{}); err != nil {
		t.Fatal(err)
	}
	due, err := db.Due(t.Context(), "a", noon)
	if err != nil || !reflect.DeepEqual(names(due), []string{"a:z", "a:y"}) {
		t.Errorf("after the pause, %v, %v are due, want a:z and a:y", names(due), err)
	}
	if o, _ := db.Offices(t.Context()); !o[0].Until.IsZero() || !o[0].LastSuccess.IsZero() {
		t.Errorf("the office is %+v, want neither a pause nor a success", o[0])
	}
}
