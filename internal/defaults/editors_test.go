package defaults_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// The shares of dimensions and of periods on which editors and the rules must agree.
const (
	wantedDimensions = 0.92
	wantedPeriods    = 0.92
)

// Editors choose as the rules do, in most of the offices' files.
func TestEditors(t *testing.T) {
	text, err := os.ReadFile("testdata/editors.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := stattest.DataDir(t)
	stattest.SampleMore(t, "fred-graph/fredgraph.csv") // skips the test if the folder is missing
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all comparison
	for line := range strings.Lines(string(text)) {
		file, choices, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(file, "#") {
			continue
		}
		outcomes := im.Import(ctx, filepath.Join(dir, filepath.FromSlash(file)))
		v, err := s.Vintage(ctx, outcomes[0].ID)
		if err != nil {
			t.Fatalf("%s: %v: %s", file, err, outcomes[0].Error)
		}
		all.compare(t, file, v, choices)
	}
	all.dimensions.check(t, "dimensions", wantedDimensions)
	all.periods.check(t, "periods", wantedPeriods)
}

type comparison struct{ dimensions, periods agreement }

// agreement counts choices of editors, and those that are ours too.
type agreement struct{ all, equal int }

func (a *agreement) add(isEqual bool) {
	a.all++
	if isEqual {
		a.equal++
	}
}

func (a *agreement) check(t *testing.T, of string, least float64) {
	t.Helper()
	share := float64(a.equal) / float64(a.all)
	t.Logf("%d of %d %s as the editors (%.0f%%)", a.equal, a.all, of, 100*share)
	if a.all < 40 || share < least {
		t.Errorf("%s: want %.0f%% of at least 40", of, 100*least)
	}
}

// compare compares an editor's choices with the default series and its last observed period.
func (c *comparison) compare(t *testing.T, file string, v *store.Vintage, choices string) {
	t.Helper()
	d := v.Dataset
	latest, err := v.Default()
	if err != nil {
		t.Fatal(err)
	}
	sel := make([][]int32, len(d.Dimensions)+1)
	for i := range d.Dimensions {
		sel[i] = latest.Key[i : i+1]
	}
	for choice := range strings.SplitSeq(choices, "; ") {
		id, accepted, _ := strings.Cut(choice, "=")
		wanted := strings.Split(accepted, "|")
		var ours []string
		if id == "period" {
			observed, err := v.LatestOf(sel, stat.LatestObserved)
			if err != nil {
				t.Fatal(err)
			}
			ours = []string{observed.Period.String()}
		} else {
			axis := slices.IndexFunc(d.Dimensions, func(d stat.Dimension) bool { return d.ID == id })
			if axis < 0 {
				t.Fatalf("%s has no dimension %s", file, id)
			}
			code := d.Dimensions[axis].Codes[latest.Key[axis]]
			ours = []string{code.ID, code.Label, latest.Rules[axis]}
		}
		isEqual := slices.ContainsFunc(wanted, func(w string) bool { return slices.Contains(ours, w) })
		if !isEqual {
			t.Logf("%s: %s is %s, an editor chose %s", file, id, strings.Join(ours, ", "), accepted)
		}
		if id == "period" {
			c.periods.add(isEqual)
		} else {
			c.dimensions.add(isEqual)
		}
	}
}
