package request

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"almanac/internal/defaults"
	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/transform"
)

// Dividend is what is divided by a population.
type Dividend struct {
	Vintage *store.Vintage
	Query   *stat.Query
	Edition Edition // of the vintage, as the caller chose it
}

// Populate gives a transform the population that values are divided by, if it is
// per-capita. It is that of the dataset that the caller named, else of one that the table of
// well-known datasets has for the population: see [Dividend.populations]. It is the same one for all
// queries of a dataset of which it has any area and year. A query for the latest
// values gets those that can be divided. If the
// caller chose a version of the values, the population is the one that was current then (see
// [populationTime]), so that later versions of it change nothing. The error is
// [stat.Invalid] if there is none.
func Populate(ctx context.Context, s *store.Store, from Dividend, t *transform.Transform) error {
	if t.Kind != transform.PerCapita {
		return nil
	}
	if s == nil {
		return stat.Errorf(stat.Invalid, "transform=%s is not possible here", t)
	}
	d := from.Vintage.Dataset
	if d.HasNoArea() {
		return stat.Errorf(stat.Invalid, "transform=%s needs areas, which dataset %d does not have", t, d.ID)
	}
	list, asOf, err := from.populations(ctx, s, t.Of)
	switch {
	case err != nil:
		return err
	case list == nil && t.Of == "" && isPopulation(s.Catalog(), d.ID):
		return errOwnPopulation(d, *t)
	case list == nil && t.Of != "":
		return stat.Errorf(stat.Invalid, "transform=%s: there is no dataset %.80q with the yearly population of areas of dataset %d; write source and code, as in per-capita:eurostat:demo_pjan", t, t.Of, d.ID)
	case list == nil:
		return stat.Errorf(stat.Invalid, "transform=%s needs a dataset with the population of the areas of dataset %d, and none is here; name one with per-capita:source:code, or import one, such as eurostat:demo_pjan or worldbank:SP.POP.TOTL", t, d.ID)
	}
	for _, p := range list {
		p.IsAmount = func(b *stat.Block) bool { return whyNoAmount(d, b) == "" }
		p.IsSelf = func(b *stat.Block) bool { return isPopulationItself(d, b.Key) }
		p.UnitOf = func(b *stat.Block) string { return unitInWords(d, b) }
		if !p.IsLater {
			p.AsOf = asOf
		}
	}
	t.Population = from.choose(list)
	from.endWith(t.Population)
	return nil
}

// populations returns the populations that have areas of the dataset, and a time at which all
// candidates were as they are in the list. The first is the one that has the most areas and years of the
// whole dataset; of several, one of the same source, else the first by its reference. Those that were published after
// the chosen version come last, and in the order in which they were, so that further ones change nothing.
func (from *Dividend) populations(ctx context.Context, s *store.Store, named string) (list []*transform.Population, asOf time.Time, err error) {
	v := from.Vintage
	at, err := populationTime(v, from.Edition)
	if err != nil {
		return nil, at, err
	}
	published := map[*transform.Population]time.Time{} // of those after the chosen version
	asOf = v.Imported
	for _, c := range populationCandidates(s.Catalog(), named) {
		of, err := versionThen(ctx, s, c.entry.ID, at)
		if err != nil {
			return nil, asOf, err
		}
		p, err := c.read(ctx, of)
		if err != nil {
			return nil, asOf, err
		}
		by := p.Population // with the same numbers
		if by.IsLater = !at.IsZero() && of.Imported.After(at); by.IsLater {
			published[&by] = of.Imported
		} else if of.Imported.After(asOf) {
			asOf = of.Imported
		}
		switch {
		case p.hasAreaOf(v.Dataset):
			list = append(list, &by)
		case named != "" && p.why != "":
			return nil, asOf, stat.Errorf(stat.Invalid, "transform=%s:%s: that dataset is no population: %s", transform.PerCapita, named, p.why)
		}
	}
	slices.SortFunc(list, func(a, b *transform.Population) int {
		return cmp.Or(published[a].Compare(published[b]), cmp.Compare(from.coveredBy(b), from.coveredBy(a)),
			otherSource(a, v.Dataset)-otherSource(b, v.Dataset), strings.Compare(a.Reference, b.Reference))
	})
	return list, asOf, nil
}

// otherSource returns 1 if a population is not of the source of a dataset, else 0.
func otherSource(p *transform.Population, d *stat.Dataset) int {
	if strings.HasPrefix(p.Reference, d.Source.ID+":") {
		return 0
	}
	return 1
}

// populationTime returns the time whose population belongs to a version that the caller chose: that
// of as_of, else when the version was published here; zero: now.
func populationTime(v *store.Vintage, e Edition) (time.Time, error) {
	at, err := e.At()
	if err == nil && at.Version != "" {
		at.Time = v.Imported
	}
	return at.Time, err
}

// versionThen opens the version of a dataset that was current at a time, else the oldest that
// is kept. The zero time is now.
func versionThen(ctx context.Context, s *store.Store, id int, at time.Time) (*store.Vintage, error) {
	v, err := s.VintageAt(ctx, id, store.At{Time: at})
	if at.IsZero() || stat.KindOf(err) != stat.NotFound {
		return v, err
	}
	list, err := s.Versions(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.VintageAt(ctx, id, store.At{Version: list[0].Version})
}

// populationCandidate is a dataset that may hold the population, and the codes that select it.
type populationCandidate struct {
	entry *store.Entry
	codes map[string][]string // see [defaults.Series.Codes]
}

// populationCandidates returns the dataset that a caller named, else those of the table of well-known
// datasets, in its order.
func populationCandidates(c *store.Catalog, named string) (list []populationCandidate) {
	concepts := defaults.Concepts()
	at := slices.IndexFunc(concepts, func(c defaults.Concept) bool { return c.ID == "population" })
	if source, code, _ := strings.Cut(named, ":"); named != "" {
		if e := c.Find(source, code); e != nil {
			list = append(list, populationCandidate{entry: e})
		}
	}
	for i := range concepts[at].Series {
		row := &concepts[at].Series[i]
		for j := range c.Entries {
			e := &c.Entries[j]
			switch {
			case !row.Covers(e.Source, e.Code):
			case named == "":
				list = append(list, populationCandidate{e, row.Codes})
			case len(list) > 0 && list[0].entry.ID == e.ID && list[0].codes == nil:
				list[0].codes = row.Codes
			}
		}
	}
	return list
}

// isPopulation reports whether the table of well-known datasets has a dataset for the population.
func isPopulation(c *store.Catalog, id int) bool {
	return slices.ContainsFunc(populationCandidates(c, ""), func(one populationCandidate) bool { return one.entry.ID == id })
}

// population is the population in a dataset, and the areas that it has.
type population struct {
	transform.Population
	areas map[string]bool
	why   string // why it has none
}

// hasAreaOf reports whether there is a population of any area of a dataset.
func (p *population) hasAreaOf(d *stat.Dataset) bool {
	return slices.ContainsFunc(d.Geography.Codes, func(c stat.Code) bool { return p.areas[c.Area] })
}

type populationKey struct{}

// read returns the population in a version of the dataset, which is empty if the numbers are not
// the yearly population of countries. It is read once for each version.
func (c *populationCandidate) read(ctx context.Context, v *store.Vintage) (*population, error) {
	known := v.Memo(populationKey{}, func() any { return new(atomic.Pointer[population]) }).(*atomic.Pointer[population])
	if p := known.Load(); p != nil {
		return p, nil
	}
	p, err := c.readSeries(ctx, v)
	if err == nil {
		known.Store(p)
	}
	return p, err
}

func (c *populationCandidate) readSeries(ctx context.Context, v *store.Vintage) (*population, error) {
	p := &population{areas: map[string]bool{}}
	p.Reference, p.Version = v.Dataset.Source.ID+":"+v.Dataset.Code, v.Version
	key, why, err := c.series(v)
	if p.why = why; why != "" || err != nil {
		return p, err
	}
	selected := make([][]int32, len(v.Dataset.Dimensions)+1)
	for i, code := range key {
		selected[i] = []int32{code}
	}
	x, err := v.Select(ctx, stat.Query{Select: selected, Flags: true})
	if err != nil {
		return p, err
	}
	return p, p.add(x)
}

// personsIn is the population of an area in a year, in the dataset's unit.
type personsIn struct {
	area  string
	year  int
	value float64
	flags stat.Flags
}

// add adds the yearly values of an extract of one series for each area.
func (p *population) add(x *stat.Extract) error {
	var all []personsIn
	for b, err := range x.Blocks {
		if err != nil {
			return err
		}
		for row, at := range b.Periods {
			if x.Periods[at].Frequency() != stat.Annual {
				continue
			}
			for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
				area := x.Dataset.Geography.Codes[b.Areas[b.Area[i]]].Area
				all = append(all, personsIn{area, x.Periods[at].Year(), b.Value[i], b.Flags[i]})
			}
		}
	}
	factor := personsPerUnit(all)
	if factor == 0 {
		p.why = "its yearly numbers are not similar to the populations of countries"
	}
	for _, o := range all {
		if factor > 0 && !math.IsNaN(o.value) {
			p.Add(o.area, o.year, o.value*factor, o.flags)
			p.areas[o.area] = true
		}
	}
	return nil
}

// personsPerUnit returns 1, 1000 or 1,000,000: in what numbers of persons values are. It
// is 0 if none of these makes the last numbers of most countries similar to their known sizes.
func personsPerUnit(all []personsIn) float64 {
	last := map[string]personsIn{}
	for _, o := range all {
		if before, ok := last[o.area]; !math.IsNaN(o.value) && geo.Population(o.area) > 0 && (!ok || o.year > before.year) {
			last[o.area] = o
		}
	}
	for _, factor := range []float64{1, 1e3, 1e6} {
		similar := 0
		for _, o := range last {
			if ratio := o.value * factor / (1000 * float64(geo.Population(o.area))); ratio > .2 && ratio < 5 {
				similar++
			}
		}
		if similar > 0 && 4*similar >= 3*len(last) {
			return factor
		}
	}
	return 0
}
