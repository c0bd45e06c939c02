package store_test

import (
	"errors"
	"slices"
	"testing"

	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/stattest/postgres"
	"almanac/internal/store"
)

// checkEntries compares what the catalogue lists of each dataset with its vintage.
func checkEntries(t *testing.T, s *store.Store) {
	t.Helper()
	c := s.Catalog()
	if len(c.Entries) == 0 {
		t.Fatal("the catalogue is empty")
	}
	for at, e := range c.Entries {
		v, err := s.Vintage(t.Context(), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Vintages(t.Context(), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		texts, err := s.Descriptions(t.Context(), []int{e.ID})
		if err != nil {
			t.Fatal(err)
		}
		d := v.Dataset
		if e.SourceName != d.Source.Name || e.Oldest != v.Oldest || e.Newest != v.Newest || e.Observations != v.Observations ||
			e.Licence != d.Licence || e.Attribution != d.Attribution || texts[e.ID] != d.Description {
			t.Errorf("dataset %d is listed as %+v (%q), want %+v", e.ID, e, texts[e.ID], v)
		}
		if !slices.Equal(e.Frequencies, stat.FrequenciesOf(v.Periods)) || e.Versions != len(all) || !slices.Equal(c.Areas(at), d.Areas()) {
			t.Errorf("dataset %d has frequencies %v, %d versions and areas %v, want %v, %d and %v",
				e.ID, e.Frequencies, e.Versions, c.Areas(at), stat.FrequenciesOf(v.Periods), len(all), d.Areas())
		}
	}
}

// Stores of earlier programs are described when they are opened.
func TestStoredCatalogsAreDescribed(t *testing.T) {
	postgres.FilesOnly(t)
	for _, name := range stattest.Stores(t) {
		t.Run(name, func(t *testing.T) {
			dir, _ := stattest.CopyStore(t, name)
			for range 2 { // the second time nothing is left to describe
				s := openAt(t, dir)
				checkEntries(t, s)
				s.Close()
			}
		})
	}
}

// The catalogue describes what was published, edited, pruned and rebuilt.
func TestCatalogDescribes(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	publish(t, s, "gdp", gdp, func(d *stat.Dataset) { d.Description, d.Licence = "All of it.", "CC0 1.0" })
	replace(t, s, "gdp", gdp[:2])
	publish(t, s, "other", gdp[:1])
	checkEntries(t, s)
	if got := s.Catalog().Entries[0].Versions; got != 2 {
		t.Errorf("%d versions, want 2", got)
	}
	if _, err := s.Prune(t.Context(), 1, 1); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for _, file := range []string{"", "catalog"} { // opened again, and rebuilt
		if file != "" {
			postgres.Drop(t, dir, file)
		}
		s := openAt(t, dir)
		checkEntries(t, s)
		s.Close()
	}
}

// A dataset is found by source and code in upper or lower case, unless it was removed.
func TestFindEntry(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	id := publish(t, s, "BE/BE0101/Folk:1", gdp).ID
	source := s.Catalog().Entries[0].Source
	for _, code := range []string{"BE/BE0101/Folk:1", "be/be0101/FOLK:1"} {
		if e := s.Catalog().Find(source, code); e == nil || e.ID != id {
			t.Errorf("%s: got %+v", code, e)
		}
	}
	if e := s.Catalog().Find(source+":BE/BE0101/Folk", "1"); e != nil {
		t.Errorf("a part of the code was taken for the source: %+v", e)
	}
	if err := s.Remove(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if e := s.Catalog().Find(source, "BE/BE0101/Folk:1"); e != nil {
		t.Errorf("a removed dataset was found: %+v", e)
	}
}

// What the host decided about sources is in a catalogue that is rebuilt from the files.
func TestBulkIsRebuilt(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	for source, allowed := range map[string]bool{"eurostat": false, "a/b: c": false, "ecb": false, "bis": true} {
		if err := s.SetBulk(t.Context(), source, allowed); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // twice the same
		if err := s.SetBulk(t.Context(), "ecb", true); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	postgres.Drop(t, dir, "catalog")
	again := openAt(t, dir).Catalog()
	for source, want := range map[string]bool{"eurostat": false, "a/b: c": false, "ecb": true, "bis": true} {
		if again.AllowsBulk(source) != want {
			t.Errorf("%s: want %t after the rebuild", source, want)
		}
	}
}

// Whether whole datasets are handed out is stored, and other processes see it.
func TestBulk(t *testing.T) {
	dir := t.TempDir()
	s, other := openAt(t, dir), openAt(t, dir)
	if !s.Catalog().AllowsBulk("eurostat") {
		t.Error("forbidden at first")
	}
	for _, allowed := range []bool{false, true} {
		if err := s.SetBulk(t.Context(), "eurostat", allowed); err != nil {
			t.Fatal(err)
		}
		stattest.Eventually(t, func() error {
			if other.Catalog().AllowsBulk("eurostat") != allowed {
				return errors.New("another process does not see the change")
			}
			return nil
		})
		if s.Catalog().AllowsBulk("eurostat") != allowed || !s.Catalog().AllowsBulk("ecb") {
			t.Errorf("want eurostat %t, ecb true", allowed)
		}
	}
}
