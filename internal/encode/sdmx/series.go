package sdmx

import (
	"cmp"
	"iter"
	"slices"

	"almanac/internal/stat"
)

// Series is the observations of one key.
type Series struct {
	Key  []int32 // code positions of [stat.Dataset.Axes]
	Unit string  // see [Flow.UnitOf]; empty if the observations have different ones
	Obs  []Obs   // in the order of time
}

// Obs is an observation.
type Obs struct {
	Period int32   // position in [stat.Extract.Periods]
	Value  float64 // NaN if there are only flags or a note
	Flags  stat.Flags
	Note   string
	Unit   string // if the series has different ones

	area int32
	unit string
}

// SeriesOf yields the series of an extract in the order of its code lists, each at most once,
// with at most the first and the last observations that the options allow. The iterator owns the
// series and reuses it.
func (m *Message) SeriesOf() iter.Seq2[*Series, error] {
	return func(yield func(*Series, error) bool) {
		g := group{message: m}
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
	next    []int32
	series  Series
}

func (g *group) add(b *stat.Block) {
	unit := g.message.Flow.UnitOf(b.Key, b.Unit)
	before := len(g.obs)
	g.obs = slices.Grow(g.obs, len(b.Value))[:before+len(b.Value)]
	out := g.obs[before:]
	g.next = append(g.next[:0], make([]int32, len(b.Areas)+1)...)
	for _, area := range b.Area {
		g.next[area+1]++
	}
	for i := range b.Areas {
		g.next[i+1] += g.next[i]
	}
	for row, period := range b.Periods {
		for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
			at := &g.next[b.Area[i]]
			o := Obs{Period: period, Value: b.Value[i], area: b.Areas[b.Area[i]], unit: unit}
			if b.Flags != nil {
				o.Flags, o.Note = b.Flags[i], b.Note[i]
			}
			out[*at] = o
			*at++
		}
	}
	g.blocks++
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
		isMixed := false
		for ; end < len(g.obs) && g.obs[end].area == g.obs[first].area; end++ {
			isMixed = isMixed || g.obs[end].unit != g.obs[first].unit
		}
		s := &g.series
		s.Key = append(append(s.Key[:0], g.key...), g.obs[first].area)
		s.Obs = g.message.limit(g.obs[first:end])
		s.Unit = g.obs[first].unit
		if isMixed {
			s.Unit = ""
			for i := range s.Obs {
				s.Obs[i].Unit = s.Obs[i].unit
			}
		}
		first = end
		if !yield(s, nil) {
			return false
		}
	}
	g.obs, g.blocks = g.obs[:0], 0
	return true
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
