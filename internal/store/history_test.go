package store_test

import (
	"slices"
	"testing"

	"almanac/internal/store"
)

// The history of a dataset has each kept version up to a chosen one, and ends when the reader
// stops.
func TestHistory(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	var id int
	for n := range 5 {
		id = (&sheet{rows: years("DE", n+1)}).publish(t, s).ID
	}
	versions := func(until string, atMost int) (list []string) {
		v, err := s.VintageAt(t.Context(), id, store.At{Version: until})
		if err != nil {
			t.Fatal(err)
		}
		for v, err := range s.History(t.Context(), v) {
			if err != nil {
				t.Fatal(err)
			}
			if list = append(list, v.Version); len(list) == atMost {
				break
			}
		}
		return list
	}
	if got, want := versions("1.4", 9), []string{"1.0", "1.1", "1.2", "1.3", "1.4"}; !slices.Equal(got, want) {
		t.Errorf("the history is %q, want %q", got, want)
	}
	if got, want := versions("1.2", 9), []string{"1.0", "1.1", "1.2"}; !slices.Equal(got, want) {
		t.Errorf("the history until 1.2 is %q, want %q", got, want)
	}
	if got, want := versions("1.4", 2), []string{"1.0", "1.1"}; !slices.Equal(got, want) {
		t.Errorf("two versions of the history are %q, want %q", got, want)
	}
	if _, err := s.Prune(t.Context(), id, 2); err != nil {
		t.Fatal(err)
	}
	if got, want := versions("1.4", 9), []string{"1.3", "1.4"}; !slices.Equal(got, want) {
		t.Errorf("after pruning, the history is %q, want %q", got, want)
	}
}
