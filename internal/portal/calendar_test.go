package portal_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-ical"

	"almanac/internal/people"
)

// pxWith returns a table of Statistics Finland that states its next update.
func pxWith(matrix, next string) string {
	return `CHARSET="ANSI"; AXIS-VERSION="2000"; LANGUAGE="en"; CREATION-DATE="20251101 08:00"; LAST-UPDATED="20251101 08:00"; NEXT-UPDATE="` + next + `";
MATRIX="` + matrix + `"; SOURCE="Statistics Finland"; SUBJECT-CODE="B"; SUBJECT-AREA="Births"; TITLE="` + matrix + `; by sex, and year"; CONTENTS="Births"; UNITS="number"; DECIMALS=0;
STUB="Sex"; HEADING="Year"; VALUES("Sex")="Women","Men"; VALUES("Year")="2023","2024"; TIMEVAL("Year")=TLIST(A1),"2023","2024"; DATA= 1 2 3 4;`
}

// events returns the start and summary of the events of a calendar, as another program reads them.
func events(t *testing.T, address string) (list []string) {
	t.Helper()
	got := ask(t, "GET", address)
	if kind := got.Header.Get("Content-Type"); got.StatusCode != http.StatusOK || kind != "text/calendar; charset=utf-8" {
		t.Fatalf("%s: %d, %s", address, got.StatusCode, kind)
	}
	calendar, err := ical.NewDecoder(strings.NewReader(got.body)).Decode()
	if err != nil {
		t.Fatalf("%s: %v\n%s", address, err, got.body)
	}
	for _, e := range calendar.Events() {
		start, err := e.DateTimeStart(time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		summary, err := e.Props.Get(ical.PropSummary).Text()
		if err != nil {
			t.Fatal(err)
		}
		text := start.UTC().Format("2006-01-02 15:04")
		if e.Props.Get(ical.PropDateTimeStart).ValueType() == ical.ValueDate {
			text = start.Format(time.DateOnly)
		}
		list = append(list, text+" "+summary)
		if page := ask(t, "GET", e.Props.Get(ical.PropURL).Value); page.StatusCode != http.StatusOK {
			t.Errorf("the page of an event: %d", page.StatusCode)
		}
		for _, name := range []string{ical.PropUID, ical.PropDateTimeStamp} {
			if e.Props.Get(name) == nil {
				t.Errorf("an event has no %s", name)
			}
		}
	}
	return list
}

// The calendars have when offices say that they update their data next: of a dataset, of a source, and of
// what an organisation follows. A date that changes without the data is known; one that is long past, and
// datasets that state none, are left out.
func TestCalendars(t *testing.T) {
	n := openNewsroom(t) // dataset 1 states nothing
	load(t, n.store, "births.px", strings.NewReader(pxWith("births", "20251215 09:00")))
	load(t, n.store, "deaths.px", strings.NewReader(pxWith("deaths", "20251210")))
	const births, deaths = "2025-12-15 07:00 Statistics Finland: births; by sex, and year", "2025-12-10 Statistics Finland: deaths; by sex, and year"
	want := func(path string, want ...string) {
		t.Helper()
		if got := events(t, n.base+path); !slices.Equal(got, want) {
			t.Errorf("%s has the events %q, want %q", path, got, want)
		}
	}
	want("/datasets/1/calendar.ics")
	want("/datasets/2/calendar.ics", births)
	want("/sources/statfin/calendar.ics", deaths, births)
	r := n.member(t, "ann@example.org", "Example Times", people.Owner)
	r.post("/account/follow", "dataset", "2", "part", "whole").want(200, "/datasets/2/")
	r.post("/account/changes", "do", "renew").want(200, "/account/changes", "calendar.ics")
	token := r.find(`/followed/alm_[0-9a-f]+/`)
	want(token+"calendar.ics", births)
	if got := ask(t, "GET", n.base+"/followed/alm_1/calendar.ics"); got.StatusCode != http.StatusNotFound {
		t.Errorf("a calendar with another token: %d", got.StatusCode)
	}
	r.open("/datasets/2/births").want(200, "/datasets/2/births", "Next update", "15 Dec 2025, 07:00 UTC")
	if r.open("/datasets/1/births"); strings.Contains(r.text(), "Next update") {
		t.Error("a page has the next update of an office that states none")
	}
	r.open("/sources/statfin").want(200, "/sources/statfin", "Release calendar")

	load(t, n.store, "births.px", strings.NewReader(pxWith("births", "20251222 09:00")))
	if meta := ask(t, "GET", n.base+"/api/datasets/2/meta").body; !strings.Contains(meta, `"version":"1.0"`) || !strings.Contains(meta, `"next_update":"2025-12-22T09:00:00+02:00"`) {
		t.Errorf("after a new date: %s", meta)
	}
	want("/datasets/2/calendar.ics", strings.Replace(births, "15", "22", 1))
	n.clock.Add(int64(40 * 24 * time.Hour)) // 31 December
	want("/sources/statfin/calendar.ics", deaths, strings.Replace(births, "15", "22", 1))
	r.open("/datasets/2/births")
	n.clock.Add(int64(20 * 24 * time.Hour))
	want("/sources/statfin/calendar.ics", strings.Replace(births, "15", "22", 1))
	n.clock.Add(int64(20 * 24 * time.Hour))
	want("/sources/statfin/calendar.ics")
}
