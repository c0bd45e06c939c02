package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"almanac/internal/stattest/postgres"
	"almanac/internal/store"
)

// openTogether opens a folder with several stores at once, as several processes do, and
// calls do with each.
func openTogether(t *testing.T, dir string, n int, do func(i int, s *store.Store) error) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			s, err := store.Open(context.Background(), store.Options{Dir: dir, DatabaseURL: postgres.At(t, dir).URL})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if err := do(i, s); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// Processes that open an empty folder at once, or one without a catalogue, wait for each
// other.
func TestOpenTogether(t *testing.T) {
	dir := t.TempDir()
	openTogether(t, dir, 8, func(i int, s *store.Store) error {
		_, err := tryPublish(s, fmt.Sprint("t", i), gdp)
		return err
	})
	postgres.Drop(t, dir, "catalog")
	openTogether(t, dir, 8, func(_ int, s *store.Store) error {
		if n := len(s.Catalog().Entries); n != 8 {
			return fmt.Errorf("the rebuilt catalogue has %d datasets, want 8", n)
		}
		return nil
	})
}

// Simultaneous publications of one dataset follow one after another. Equal ones are one
// vintage.
func TestPublishTogether(t *testing.T) {
	dir := t.TempDir()
	openTogether(t, dir, 4, func(i int, s *store.Store) error {
		cells := append([]cell(nil), gdp...)
		cells[0].Value = float64(i / 2) // two of each
		_, err := tryPublish(s, "gdp", cells)
		return err
	})
	s := open(t, store.Options{Dir: dir})
	vintages, err := s.Vintages(context.Background(), 1)
	if err != nil || len(vintages) < 2 || len(vintages) > 4 {
		t.Errorf("%d vintages, %v; want 2 to 4", len(vintages), err)
	}
}
