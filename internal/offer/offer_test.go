package offer_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/offer"
	"almanac/internal/stat"
	"almanac/internal/stattest/postgres"
)

func TestMain(m *testing.M) { os.Exit(postgres.Run(m)) }

func open(t *testing.T, dir string) *offer.DB {
	t.Helper()
	db, err := offer.Open(t.Context(), postgres.At(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// listOf yields offers, and then err if it is not nil.
func listOf(err error, offers ...offer.Offer) iter.Seq2[offer.Offer, error] {
	return func(yield func(offer.Offer, error) bool) {
		for _, o := range offers {
			if !yield(o, nil) {
				return
			}
		}
		if err != nil {
			yield(offer.Offer{}, err)
		}
	}
}

func collect(t *testing.T, db *offer.DB, source string) (list []offer.Offer) {
	t.Helper()
	for o, err := range db.Offers(t.Context(), source) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
	return list
}

func generation(t *testing.T, db *offer.DB) int64 {
	t.Helper()
	n, err := db.Generation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var whole = offer.Offer{
	Source: "x", Code: "POP", Title: "Population", Description: "On 1 January", Topic: "Society / Population", Language: "en",
	Frequency: "A", First: "1990", Last: "2025", Updated: "2026-11-02",
}

// What was stored is returned, in the list's order, by every process at once.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	db, other := open(t, dir), open(t, dir)
	french := offer.Offer{Source: "x", Code: "POP", Title: "Population", Language: "fr"}
	second := offer.Offer{Source: "x", Code: "Births", Title: "Births", Language: "en"}
	n, err := db.Replace(t.Context(), "x", listOf(nil, second, whole, french))
	if n != 3 || err != nil {
		t.Fatalf("Replace returns %d, %v", n, err)
	}
	if got, want := collect(t, other, "x"), []offer.Offer{second, whole, french}; !slices.Equal(got, want) {
		t.Errorf("the offers are %v, want %v", got, want)
	}
	states, err := other.Sources(t.Context())
	if err != nil || len(states) != 1 {
		t.Fatalf("the sources are %v, %v", states, err)
	}
	if s := states[0]; s.Source != "x" || s.Datasets != 2 || s.Entries != 3 || s.Generation != 1 || time.Since(s.Listed) > time.Hour {
		t.Errorf("the state is %+v", s)
	}
	if _, err := db.Replace(t.Context(), "x", listOf(nil, second)); err != nil {
		t.Fatal(err)
	}
	if got := collect(t, other, "x"); !slices.Equal(got, []offer.Offer{second}) {
		t.Errorf("after the second list the offers are %v", got)
	}
	if n := generation(t, other); n != 2 {
		t.Errorf("the generation is %d, want 2", n)
	}
}

// A list that equals the old one changes no generation, but the time of listing.
func TestSameList(t *testing.T) {
	db := open(t, t.TempDir())
	for range 2 {
		if n, err := db.Replace(t.Context(), "x", listOf(nil, whole)); n != 1 || err != nil {
			t.Fatalf("Replace returns %d, %v", n, err)
		}
	}
	if n := generation(t, db); n != 1 {
		t.Errorf("the generation is %d, want 1", n)
	}
}

// A list that fails leaves the old one.
func TestKeepOld(t *testing.T) {
	late, small := errors.New("connection lost"), errors.New("too small")
	refuse := func(old offer.SourceState, datasets int) error {
		return fmt.Errorf("%d, %d: %w", old.Datasets, datasets, small)
	}
	other := offer.Offer{Code: "other", Language: "en"}
	for name, c := range map[string]struct {
		offers iter.Seq2[offer.Offer, error]
		accept func(offer.SourceState, int) error
		want   string
	}{
		"error at the end": {listOf(late, other), nil, "connection lost"},
		"no code":          {listOf(nil, other, offer.Offer{Title: "Births"}), nil, `an entry in the list of x has no code: "Births"`},
		"twice":            {listOf(nil, other, other), nil, `the list of x contains other twice in the same language ("en")`},
		"refused":          {listOf(nil), refuse, "1, 0: too small"},
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t, t.TempDir())
			if _, err := db.Replace(t.Context(), "x", listOf(nil, whole)); err != nil {
				t.Fatal(err)
			}
			_, err := db.ReplaceList(t.Context(), offer.List{Source: "x", Offers: c.offers, Accept: c.accept})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if got := collect(t, db, "x"); !slices.Equal(got, []offer.Offer{whole}) {
				t.Errorf("the offers are %v", got)
			}
			if n := generation(t, db); n != 1 {
				t.Errorf("the generation is %d, want 1", n)
			}
		})
	}
}

func TestFind(t *testing.T) {
	db := open(t, t.TempDir())
	code := func(code, language string) offer.Offer {
		return offer.Offer{Source: "x", Code: code, Language: language}
	}
	if _, err := db.Replace(t.Context(), "x", listOf(nil, code("Pop", "en"), code("ab", "en"), code("AB", "en"), code("Pop", "fr"))); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		source, code string
		want         []offer.Offer
	}{
		"all languages":        {"x", "Pop", []offer.Offer{code("Pop", "en"), code("Pop", "fr")}},
		"other case":           {"x", "POP", []offer.Offer{code("Pop", "en"), code("Pop", "fr")}},
		"differ only in case":  {"x", "AB", []offer.Offer{code("AB", "en")}},
		"neither of the cases": {"x", "aB", []offer.Offer{code("ab", "en")}},
		"not offered":          {"x", "births", nil},
		"other source":         {"y", "Pop", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := db.Find(t.Context(), c.source, c.code)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("found %v, %v, want %v", got, err, c.want)
			}
		})
	}
}

func TestNear(t *testing.T) {
	db := open(t, t.TempDir())
	var list []offer.Offer
	for _, code := range []string{"UNICEF,CME_SUBNATIONAL", "UNICEF,CME", "UNICEF,NUTRITION", "une_rt_m", "une_rt_q", "une_rt_a", "une_rt_a_h"} {
		list = append(list, offer.Offer{Source: "x", Code: code})
	}
	if _, err := db.Replace(t.Context(), "x", listOf(nil, list...)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		source, code string
		want         []string
	}{
		"without the agency": {"x", "cme", []string{"UNICEF,CME", "UNICEF,CME_SUBNATIONAL"}},
		"typo":               {"x", "UNICEF,NUTRITOIN", []string{"UNICEF,NUTRITION"}},
		"three at most":      {"x", "une_rt", []string{"une_rt_a", "une_rt_m", "une_rt_q"}},
		"wildcard":           {"x", "%", nil},
		"nothing like it":    {"x", "completely different", nil},
		"other source":       {"y", "CME", nil},
	} {
		if got, err := db.Near(t.Context(), c.source, c.code); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
}

// A try is recorded, also of a source that was never listed; a list ends the failures.
func TestRecord(t *testing.T) {
	db := open(t, t.TempDir())
	now := time.Now().UTC().Truncate(time.Millisecond)
	try := offer.Try{Tried: now, Due: now.Add(time.Hour), Failed: 2, Error: "no answer"}
	if err := db.Record(t.Context(), "x", try); err != nil {
		t.Fatal(err)
	}
	states, err := db.Sources(t.Context())
	if want := []offer.SourceState{{Source: "x", Try: try}}; err != nil || !slices.Equal(states, want) {
		t.Errorf("the sources are %+v, %v, want %+v", states, err, want)
	}
	if _, err := db.Replace(t.Context(), "x", listOf(nil, whole)); err != nil {
		t.Fatal(err)
	}
	if states, err = db.Sources(t.Context()); err != nil || states[0].Failed != 0 || states[0].Error != "" || states[0].Listed.IsZero() {
		t.Errorf("the sources are %+v, %v", states, err)
	}
}

// Readers and several writers at once see whole lists.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	const entries = 50
	list := func(version string) iter.Seq2[offer.Offer, error] {
		return func(yield func(offer.Offer, error) bool) {
			for i := range entries {
				if !yield(offer.Offer{Code: fmt.Sprint(i), Title: version}, nil) {
					return
				}
			}
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var readers, writers sync.WaitGroup
	for range 2 {
		db := open(t, dir)
		readers.Go(func() {
			for ctx.Err() == nil {
				titles := map[string]int{}
				for o, err := range db.Offers(t.Context(), "x") {
					if err != nil {
						t.Error(err)
						return
					}
					titles[o.Title]++
				}
				for title, n := range titles {
					if n != entries {
						t.Errorf("%d entries of list %s", n, title)
						return
					}
				}
			}
		})
	}
	for w := range 3 {
		db := open(t, dir)
		writers.Go(func() {
			for i := range 10 {
				if _, err := db.Replace(t.Context(), "x", list(fmt.Sprint(w, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	stop()
	readers.Wait()
	if n := generation(t, open(t, dir)); n != 30 {
		t.Errorf("the generation is %d, want 30", n)
	}
}

// A list that was refused is [stat.Refused].
func TestRefused(t *testing.T) {
	_, err := open(t, t.TempDir()).Replace(t.Context(), "x", listOf(nil, offer.Offer{}))
	if stat.KindOf(err) != stat.Refused {
		t.Errorf("error %v, want one that is refused", err)
	}
}
