package hits

import (
	"context"
	"testing"
	"time"
)

// TestLate checks that a page has what was read too late for an earlier one, and that only a limited number is kept.
func TestLate(t *testing.T) {
	r := NewReader(nil, nil)
	for range maxReading {
		r.reading <- struct{}{} // nothing can be read
	}
	r.late.keep(lateKey{7, "population"}, details{why: "kept"})
	for key, want := range map[string]string{"population": "kept", "births": ""} {
		r.Wait = time.Minute
		if want == "" {
			r.Wait = time.Millisecond
		}
		page := &Page{Data: []Hit{{ID: 7}}}
		inTime, cancel := context.WithTimeout(t.Context(), r.Wait)
		v := &values{reader: r, key: key, read: map[int]details{}}
		isWhole := v.addTo(inTime, page.Data)
		cancel()
		if isWhole != (want != "") || page.Data[0].NoLatest != want {
			t.Errorf("%s: whole %v, %q, want %q", key, isWhole, page.Data[0].NoLatest, want)
		}
	}
	for id := range maxLate {
		r.late.keep(lateKey{100 + id, ""}, details{})
	}
	if len(r.late.kept) > maxLate {
		t.Errorf("%d are kept", len(r.late.kept))
	}
}

// TestHurried checks that who types waits a third of the time, for the same things as others.
func TestHurried(t *testing.T) {
	r := NewReader(nil, nil)
	r.Wait = time.Minute
	h := r.Hurried()
	h.late.keep(lateKey{7, "population"}, details{why: "kept"})
	if d, ok := r.late.get(lateKey{7, "population"}); h.Wait != 20*time.Second || !ok || d.why != "kept" || h.reading != r.reading {
		t.Errorf("it waits %s, and the other one has %v", h.Wait, d)
	}
}
