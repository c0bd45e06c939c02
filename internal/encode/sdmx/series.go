package sdmx

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	"almanac/internal/stat"
)

// Series is the observations of one key.
type Series struct {
	Key  []int32 // code positions of [stat.Dataset.Axes]
	Unit string  // with its multiplier, see [Flow.UnitOf]; empty if the observations have different ones
	Obs  []Obs   // in the order of time
}

// Obs is an observation.
type Obs struct {
	Period int32 // position in [stat.Extract.Periods]
	area   int32
	Value  float64 // NaN if there are only flags or a note
	Flags  stat.Flags
	Note   string
	Unit   string // empty unless the series has different ones
}

// SeriesOf yields the series of an extract in the order of its code lists, each at most once,
// with at most the first and the last observations that the options allow. The iterator owns the
// series and reuses it.
func (m *Message) SeriesOf() iter.Seq2[*Series, error] {
	return func(yield func(*Series, error) bool) {
		g := groups.Get().(*group)
		defer g.release()
		g.message = m
		for b, err := range m.Extract.Blocks {
			if err != nil {
				yield(nil, err)
				return
			}
			if !slices.Equal(b.Key, g.key) {
				if !g.yield(yield) {
					return
				}
				g.key = append(g.key[:0], b.Key...)
			}
			g.add(b)
		}
		g.yield(yield)
	}
}

// group collects the blocks with one key: there are several if the unit differs.
type group struct {
	message *Message
	key     []int32
	obs     []Obs // by area, then by period
	blocks  int
	unit    string // of the first block
	isMixed bool   // others have different ones: each observation has its own
	next    []int32
	series  Series
	longest int // number of observations that any key had
}

// groups are groups to reuse.
var groups = sync.Pool{New: func() any { return &group{} }}

// maxPooled is the number of observations up to which the memory of a group is reused.
const maxPooled = 1 << 14

func (g *group) release() {
	if cap(g.obs) > maxPooled {
		return
	}
	clear(g.obs[:g.longest]) // or texts of the dataset would stay in memory
	*g = group{key: g.key[:0], obs: g.obs[:0], next: g.next, series: Series{Key: g.series.Key}}
	groups.Put(g)
}

func (g *group) add(b *stat.Block) {
	unit := g.setUnit(g.message.Flow.UnitOf(b.Key, b.Unit))
	before := len(g.obs)
	g.obs = slices.Grow(g.obs, len(b.Value))[:before+len(b.Value)]
	g.longest = max(g.longest, len(g.obs))
	out := g.obs[before:]
	g.next = slices.Grow(g.next[:0], len(b.Areas)+1)[:len(b.Areas)+1]
	clear(g.next)
	for _, area := range b.Area {
		g.next[area+1]++
	}
	for i := range b.Areas {
		g.next[i+1] += g.next[i]
	}
	for row, period := range b.Periods {
		for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
			at := &g.next[b.Area[i]]
			o := Obs{Period: period, area: b.Areas[b.Area[i]], Value: b.Value[i], Unit: unit}
			if b.Flags != nil {
				o.Flags, o.Note = b.Flags[i], b.Note[i]
			}
			out[*at] = o
			*at++
		}
	}
	g.blocks++
}

// setUnit notes the unit of a block. It returns the unit that each of its observations has of
// its own, empty as long as all blocks have the same.
func (g *group) setUnit(unit string) string {
	if g.blocks == 0 {
		g.unit, g.isMixed = unit, false
	} else if unit != g.unit && !g.isMixed {
		g.isMixed = true
		for i := range g.obs {
			g.obs[i].Unit = g.unit
		}
	}
	if g.isMixed {
		return unit
	}
	return ""
}

// yield yields the series of the group and empties it.
func (g *group) yield(yield func(*Series, error) bool) bool {
	if g.blocks > 1 {
		slices.SortStableFunc(g.obs, func(a, b Obs) int {
			return cmp.Or(cmp.Compare(a.area, b.area), cmp.Compare(a.Period, b.Period))
		})
	}
	for first := 0; first < len(g.obs); {
		end := first + 1
		for ; end < len(g.obs) && g.obs[end].area == g.obs[first].area; end++ {
		}
		s := &g.series
		s.Key = append(append(s.Key[:0], g.key...), g.obs[first].area)
		s.Unit = g.unit
		if g.isMixed {
			s.Unit = commonUnit(g.obs[first:end])
		}
		s.Obs = g.message.limit(g.obs[first:end])
		first = end
		if !yield(s, nil) {
			return false
		}
	}
	g.obs, g.blocks = g.obs[:0], 0
	return true
}

// commonUnit returns the unit of observations that have one each and takes it from them. If they
// have different ones, it returns none, and they keep theirs.
func commonUnit(obs []Obs) string {
	unit := obs[0].Unit
	for i := range obs {
		if obs[i].Unit != unit {
			return ""
		}
	}
	for i := range obs {
		obs[i].Unit = ""
	}
	return unit
}

// limit returns the first and the last observations that the options allow.
func (m *Message) limit(obs []Obs) []Obs {
	first, last := m.First, m.Last
	switch {
	case first == 0 && last == 0 || first > 0 && last > 0 && first+last >= len(obs):
		return obs
	case last == 0:
		return obs[:min(first, len(obs))]
	case first == 0:
		return obs[max(0, len(obs)-last):]
	}
	return append(obs[:first], obs[len(obs)-last:]...)
}
