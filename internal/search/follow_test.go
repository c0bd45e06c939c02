package search_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"almanac/internal/database"
	"almanac/internal/importer"
	"almanac/internal/offer"
	"almanac/internal/search"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// world is a store and the offices' lists in a temporary folder, and a search that
// follows them.
type world struct {
	t      *testing.T
	store  *store.Store
	offers *offer.DB
	search *search.Search
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	s, err1 := store.Open(t.Context(), store.Options{Dir: dir})
	offers, err2 := offer.Open(t.Context(), database.Location{Dir: dir})
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	w := &world{t, s, offers, search.New(search.Options{Store: s, Offers: offers})}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.search.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		offers.Close()
		s.Close()
	})
	return w
}

func (w *world) offer(source string, offers ...offer.Offer) {
	w.t.Helper()
	for i := range offers {
		offers[i].Source = source
	}
	if _, err := w.offers.Replace(w.t.Context(), source, withoutErrors(slices.Values(offers))); err != nil {
		w.t.Fatal(err)
	}
}

func withoutErrors(offers iter.Seq[offer.Offer]) iter.Seq2[offer.Offer, error] {
	return func(yield func(offer.Offer, error) bool) {
		for o := range offers {
			if !yield(o, nil) {
				return
			}
		}
	}
}

// load imports a table of areas and years with one indicator, and returns the dataset's ID.
func (w *world) load(source, code, name, indicator string, areas ...string) int {
	w.t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, "indicator,country,year,value")
	for i, area := range areas {
		fmt.Fprintf(&b, "%s,%s,2020,%d\n%s,%s,2021,%d\n", indicator, area, i+1, indicator, area, i+2)
	}
	im, err := importer.New(w.store, importer.Options{Source: source, Code: code, Name: name})
	if err != nil {
		w.t.Fatal(err)
	}
	outcomes := im.Read(w.t.Context(), code+".csv", strings.NewReader(b.String()))
	if len(outcomes) != 1 || outcomes[0].ID == 0 {
		w.t.Fatalf("importing %s: %+v", code, outcomes)
	}
	return outcomes[0].ID
}

// find returns the codes of the hits, with @ if they are in the store.
func (w *world) find(q search.Query) string {
	w.t.Helper()
	r, err := w.search.Find(w.t.Context(), q)
	if err != nil {
		w.t.Fatal(err)
	}
	var codes []string
	for _, h := range r.Hits {
		if h.ID != 0 {
			h.Code += "@"
		}
		codes = append(codes, h.Code)
	}
	return strings.Join(codes, " ")
}

// waitFor waits until a question finds exactly these datasets.
func (w *world) waitFor(q search.Query, want string) {
	w.t.Helper()
	stattest.Eventually(w.t, func() error {
		if got := w.find(q); got != want {
			return fmt.Errorf("%+v finds %q, not %q", q, got, want)
		}
		return nil
	})
}

// Imports, removals and new lists are followed, and a dataset is found once, whether it is
// offered, in the store, or both.
func TestFollow(t *testing.T) {
	w := newWorld(t)
	sheep := search.Query{Text: "sheep"}
	w.offer("eurostat", offer.Offer{Code: "apro_sheep", Title: "Sheep population", Language: "en"})
	w.waitFor(sheep, "apro_sheep")

	id := w.load("eurostat", "APRO_SHEEP", "Number of animals", "Rams", "DE", "FR")
	w.waitFor(sheep, "APRO_SHEEP@")
	w.waitFor(search.Query{Text: "rams"}, "APRO_SHEEP@")
	w.waitFor(search.Query{Text: "apro sheep"}, "APRO_SHEEP@")

	other := w.load("statcan", "sheep", "Sheep on farms", "Head", "CA")
	w.waitFor(search.Query{Text: "sheep", Source: []string{"statcan"}}, "sheep@")
	w.waitFor(search.Query{Text: "sheep", Area: []string{"FRA"}}, "APRO_SHEEP@")

	w.offer("eurostat", offer.Offer{Code: "apro_sheep", Title: "Quokka livestock", Language: "en"})
	w.waitFor(search.Query{Text: "quokka"}, "APRO_SHEEP@")
	for _, remove := range []int{id, other} {
		if err := w.store.Remove(t.Context(), remove); err != nil {
			t.Fatal(err)
		}
	}
	w.waitFor(search.Query{Text: "rams"}, "")
	w.waitFor(search.Query{Text: "quokka"}, "apro_sheep")
}

// Many imports are found one after another, and each once.
func TestFollowMany(t *testing.T) {
	w := newWorld(t)
	for i := range 20 {
		w.load("local", fmt.Sprintf("d%02d", i), fmt.Sprintf("Number %c of goats", 'a'+i), "Goats", "DE")
		if err := w.search.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r, err := w.search.Find(t.Context(), search.Query{Text: "goats"}); err != nil || r.Total != i+1 {
			t.Fatalf("after %d imports %d datasets are found, error %v", i+1, r.Total, err)
		}
	}
}
