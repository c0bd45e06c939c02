package store_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/stattest/postgres"
	"almanac/internal/store"
)

// clock is a clock that stands still, so that files of the same data are the same.
func clock() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// drawn is a random dataset: its observations, in random order, in parts.
type drawn struct {
	observations []stat.Observation
	parts        []int // number of observations after each part
	units        bool
	monthly      bool // the dates may be those of months
	repeats      bool // the next observation is one of those before it
}

func draw(random *rand.Rand) drawn {
	d := drawn{units: random.IntN(2) == 0, monthly: random.IntN(2) == 0}
	n := 1 + random.IntN(300)
	taken := map[string]bool{}
	for i := range n {
		o := stat.Observation{
			Key: []int32{int32(random.IntN(7)), int32(random.IntN(3)), int32(random.IntN(9))}, Value: float64(random.IntN(5)) / 4,
			Period: stat.NewPeriod(stat.Annual, 1990+random.IntN(20), 1), At: stat.Position{Line: i + 2, Column: 3},
		}
		if d.monthly {
			month := 1 + random.IntN(12)
			o.Period, o.Frequency = stat.NewDay(2000+random.IntN(3), month, 1), stat.Month
			if o.Key[0] == 3 {
				o.Period = stat.NewDay(2000, month, 1+random.IntN(2)) // not the first of each month
			}
		}
		if d.units && o.Key[0] < 3 {
			o.Unit = []string{"EUR", "USD"}[o.Key[2]%2]
		}
		if random.IntN(4) == 0 {
			o.Flags, o.Note = "E", fmt.Sprint("note ", random.IntN(4))
		}
		if random.IntN(6) == 0 {
			o.Value, o.Flags = math.NaN(), "M"
		}
		if d.repeats && len(d.observations) > 0 {
			o = d.observations[random.IntN(len(d.observations))] // in this part or another
			o.At.Line = i + 2
		}
		place := fmt.Sprint(o.Key, o.Period)
		if taken[place] && !d.repeats && random.IntN(40) > 0 {
			continue // otherwise conflicts end most tests
		}
		taken[place] = true
		d.repeats = i > 30 && random.IntN(3) == 0
		d.observations = append(d.observations, o)
		if random.IntN(60) == 0 {
			d.parts = append(d.parts, len(d.observations))
		}
	}
	return d
}

// publish publishes the dataset in a store with some memory for imports. It returns the
// files of all vintages and what was counted, or the error.
func (d *drawn) publish(t *testing.T, dir string, memory int64) (files map[string][]byte, summary store.Summary, r store.Result, err error) {
	s, err := store.Open(t.Context(), store.Options{Dir: dir, DatabaseURL: postgres.At(t, dir).URL, ImportMemory: memory, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	areas := numbered("geo", 9)
	for i := range areas.Codes {
		areas.Codes[i].Area = areas.Codes[i].ID
	}
	b := s.NewBuilder(&stat.Dataset{
		Source: stat.Source{ID: "test", Name: "Test office"}, Code: "drawn", Name: "Drawn",
		Dimensions: []stat.Dimension{numbered("item", 7), numbered("sex", 3)}, Geography: areas, GeographyAt: 2,
	})
	for i, o := range d.observations {
		if err := b.Add(o); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(d.parts, i+1) {
			b.EndPart(fmt.Sprint("part ", i), clock().AddDate(0, 0, i%3))
		}
	}
	b.EndPart("last", clock())
	draft, err := b.Finish(func(dim *stat.Dimension) map[string]int32 { return map[string]int32{dim.Codes[len(dim.Codes)-1].ID: 1} })
	if err != nil {
		return nil, summary, r, err
	}
	if n := draft.Doubled.Count + draft.Superseded.Count + draft.Rows(); n != len(d.observations) {
		t.Errorf("%d of %d observations are accounted for", n, len(d.observations))
	}
	summary = draft.Summary()
	if r, err = draft.Publish(t.Context(), store.PublishOptions{Accept: true}); err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	names, _ := filepath.Glob(filepath.Join(dir, "vintages", "*", "*", "*.parquet"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = text
	}
	return files, summary, r, nil
}

// TestSpilledIsTheSame: a dataset that goes through temporary files is the same as one that
// stays in memory: the bytes of its file, its counts, the comparison with the previous
// version, and the message about a conflict.
func TestSpilledIsTheSame(t *testing.T) {
	for seed := range uint64(stattest.Rounds(t, 12, 500)) {
		random := rand.New(rand.NewPCG(seed, 1))
		versions := []drawn{draw(random), draw(random)}
		var files [2]map[string][]byte
		var texts [2]string
		memories := [2]int64{1 << 30, 1 + random.Int64N(20_000)}
		for i, memory := range memories {
			dir := t.TempDir()
			for _, d := range versions {
				written, summary, r, err := d.publish(t, dir, memory)
				texts[i] += fmt.Sprintf("%v %v %v\n", summary, r, err)
				if err == nil {
					files[i] = written
				}
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "vintages", ".staging", "*")); len(left) > 0 {
				t.Errorf("seed %d: temporary files are left: %v", seed, left)
			}
		}
		if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
			t.Fatalf("seed %d, memory %d (-in memory +spilled):\n%s", seed, memories[1], diff)
		}
		for name, text := range files[0] {
			if !bytes.Equal(text, files[1][name]) {
				t.Fatalf("seed %d, memory %d: the file %s differs", seed, memories[1], name)
			}
		}
	}
}
