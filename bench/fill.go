package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// shape is a generated dataset: a full grid of series, with every thirtieth
// value missing and some flagged.
type shape struct {
	ID      int // as the store gave it
	Code    string
	Axes    []int // number of codes in each dimension
	Areas   int   // the first so many of areas
	Freq    stat.Frequency
	Year    int // of the first period
	Periods int
}

// stores are the generated stores and what is in them.
type stores struct {
	Main, Catalog string // data directories
	Small         []shape
	Big           shape
	Million       []shape // read whole
	Sparse        int     // ID of the real partner dataset, 0 without the offices' files
}

var perYear = map[stat.Frequency]int{stat.Annual: 1, stat.Quarter: 4, stat.Month: 12}

// period is the n-th period of the shape, from 0.
func (s shape) period(n int) stat.Period {
	per := perYear[s.Freq]
	return stat.NewPeriod(s.Freq, s.Year+n/per, n%per+1)
}

// plan says which datasets the main store gets.
func plan(z size) (small []shape, big shape, million []shape) {
	for i := range z.Datasets {
		s := shape{Code: fmt.Sprintf("small_%04d", i), Axes: []int{5, 2}, Areas: 20, Freq: stat.Quarter, Year: 2010, Periods: 40}
		switch i % 3 {
		case 1:
			s.Freq, s.Year, s.Periods = stat.Annual, 1990, 30
		case 2:
			s.Freq, s.Year, s.Periods = stat.Month, 2018, 60
		}
		small = append(small, s)
	}
	series := z.Big / len(areas)
	big = shape{Code: "big", Axes: []int{max(series/200, 1), min(series, 10), min(max(series/10, 1), 20)}, Areas: len(areas), Freq: stat.Annual, Year: 2000, Periods: 20}
	for i := range 3 {
		const periods = 250
		wanted := z.Million * 104 / 100 // some will be missing
		million = append(million, shape{Code: fmt.Sprintf("million_%d", i), Axes: []int{max(wanted/periods/len(areas), 1)}, Areas: len(areas), Freq: stat.Month, Year: 2000, Periods: periods})
	}
	return small, big, million
}

// fill makes the stores for a run, or finds them where an earlier run left
// them. The two are kept apart, so that one can be made anew without the other.
func fill(ctx context.Context, o options, log io.Writer) (*stores, error) {
	s := &stores{}
	dir := filepath.Join(o.dir, fmt.Sprintf("main-%d-%d-%d", o.size.Datasets, o.size.Big, o.size.Million))
	err := once(dir, log, s, func() error {
		s.Main = filepath.Join(dir, "data")
		if err := s.fillMain(ctx, o.size); err != nil {
			return err
		}
		var err error
		s.Sparse, err = importSparse(ctx, o, s.Main)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("filling the main store: %w", err)
	}
	dir = filepath.Join(o.dir, fmt.Sprintf("catalog-%d", o.size.Catalog))
	err = once(dir, log, &s.Catalog, func() error {
		s.Catalog = filepath.Join(dir, "data")
		return fillCatalog(ctx, s.Catalog, o.size.Catalog)
	})
	if err != nil {
		return nil, fmt.Errorf("filling the catalog store: %w", err)
	}
	return s, nil
}

// once calls work, which fills dir and what result points to, and keeps the
// result in dir; where an earlier run did so, it reads that result instead.
func once(dir string, log io.Writer, result any, work func() error) error {
	index := filepath.Join(dir, "result.json")
	if text, err := os.ReadFile(index); err == nil {
		return json.Unmarshal(text, result)
	}
	fmt.Fprintf(log, "filling %s\n", dir)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return os.WriteFile(index, text, 0o644)
}

func (s *stores) fillMain(ctx context.Context, z size) (err error) {
	db, err := store.Open(ctx, store.Options{Dir: s.Main})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	s.Small, s.Big, s.Million = plan(z)
	all := []*shape{&s.Big}
	for i := range s.Million {
		all = append(all, &s.Million[i])
	}
	for i := range s.Small {
		all = append(all, &s.Small[i])
	}
	for i, shape := range all {
		if err := shape.publish(ctx, db, uint64(i)); err != nil {
			return fmt.Errorf("%s: %w", shape.Code, err)
		}
	}
	return nil
}

// fillCatalog makes many datasets of a few values each; every second has Germany.
func fillCatalog(ctx context.Context, dir string, datasets int) (err error) {
	db, err := store.Open(ctx, store.Options{Dir: dir})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	for i := range datasets {
		group.Go(func() error {
			s := shape{Code: fmt.Sprintf("entry_%06d", i), Axes: []int{1}, Areas: 1 + i/2%6, Freq: stat.Annual, Year: 2020, Periods: 2}
			d := s.dataset()
			if i%2 == 1 { // without Germany, which is the first
				d.Geography.Codes = d.Geography.Codes[1:]
				s.Areas = len(d.Geography.Codes)
			}
			if s.Areas == 0 {
				d.Geography.Codes, s.Areas = []stat.Code{area(1)}, 1
			}
			return s.write(ctx, db, d, uint64(i))
		})
	}
	return group.Wait()
}

func (s *shape) publish(ctx context.Context, db *store.Store, seed uint64) error {
	return s.write(ctx, db, s.dataset(), seed)
}

// axisNames name the dimensions of generated datasets, the second being the unit.
var axisNames = []struct {
	id, label, code string
	role            stat.Role
}{
	{"na_item", "National accounts indicator", "Gross value added of branch %02d of the economy", stat.RoleOther},
	{"unit", "Unit of measure", "Million units of national currency, variant %02d", stat.RoleUnit},
	{"s_adj", "Seasonal adjustment", "Adjustment method number %02d", stat.RoleOther},
}

func label(axis, code int) string { return fmt.Sprintf(axisNames[axis].code, code) }

func (s *shape) dataset() *stat.Dataset {
	d := &stat.Dataset{
		Source:      stat.Source{ID: "bench", Name: "Generated for benchmarks"},
		Code:        s.Code,
		Name:        "Value added by branch, unit and area (" + s.Code + ")",
		Description: "A generated dataset whose structure is like that of national accounts.",
		Geography:   stat.Dimension{ID: "geo", Label: "Geopolitical entity", Role: stat.RoleGeo},
	}
	for axis, n := range s.Axes {
		name := axisNames[axis]
		dim := stat.Dimension{ID: name.id, Label: name.label, Role: name.role}
		for code := range n {
			dim.Codes = append(dim.Codes, stat.Code{ID: fmt.Sprintf("%s%02d", name.id, code), Label: label(axis, code)})
		}
		d.Dimensions = append(d.Dimensions, dim)
	}
	for i := range s.Areas {
		d.Geography.Codes = append(d.Geography.Codes, area(i))
	}
	d.GeographyAt = len(d.Dimensions)
	return d
}

// write gives the store every observation of the grid.
func (s *shape) write(ctx context.Context, db *store.Store, d *stat.Dataset, seed uint64) error {
	b := db.NewBuilder(d)
	random := rand.New(rand.NewPCG(seed, 7))
	key := make([]int32, len(s.Axes)+1)
	for more := true; more; more = s.next(key) {
		value := 100 + 900*random.Float64()
		for n := range s.Periods {
			value *= 1 + (random.Float64()-0.48)/20
			o := stat.Observation{Key: key, Period: s.period(n), Value: math.Round(value*10) / 10}
			switch random.IntN(30) {
			case 0:
				if n > 0 {
					continue
				}
			case 1:
				o.Flags = "P"
			}
			if err := b.Add(o); err != nil {
				return err
			}
		}
	}
	draft, err := b.Finish(store.CodeOrder{})
	if err != nil {
		return err
	}
	result, err := draft.Publish(ctx, store.PublishOptions{})
	s.ID = result.ID
	return err
}

// next moves key to the next series of the grid; false after the last one.
func (s *shape) next(key []int32) bool {
	for i := len(key) - 1; i >= 0; i-- {
		limit := s.Areas
		if i < len(s.Axes) {
			limit = s.Axes[i]
		}
		if key[i]++; int(key[i]) < limit {
			return true
		}
		key[i] = 0
	}
	return false
}
