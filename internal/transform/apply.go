package transform

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/chart/words"
	"almanac/internal/stat"
)

// Derived is an extract of derived values. They have the flags of both values that they
// come from, except that [breakFlag] says whether there is a break between the two. A break before
// both does not affect a derived value.
type Derived struct {
	*stat.Extract
	// Values counts the selected values of the office. Of them, Undefined have no ratio and
	// Gaps lack the earlier value, although their series has begun by then. Unbased counts
	// the series without a value in the base period, or with only some of the periods that
	// make it up. Unpopulated counts the values without a population of their area and year,
	// Spans those of several years together, Ratios the series that are no amounts, so that they cannot
	// be divided by a population, and Selves those that are the population. The counts are complete when Blocks has been read.
	Values, Undefined, Gaps, Unbased, Unpopulated, Spans, Ratios, Selves int
	// Lacking has the first of the areas and years without a population, up to MaxLacking and one more.
	Lacking []AreaYear
	// GapAt is the period of the first value that lacks the earlier one, and GapFrom that of the earlier one.
	GapAt, GapFrom stat.Period
	// InOthers counts of the values without a population those of which each of [Population.Others] has one.
	InOthers []int
}

// MaxLacking is how many areas and years without a population are named.
const MaxLacking = 4

// Apply derives values from an extract, which must be the result of t.Query(q). The
// result has the periods that q selects by From, To, Within, FirstN and LastN, and units in a
// language.
// Missing values keep their flags. Blocks of several frequencies are split.
func (t Transform) Apply(x *stat.Extract, q stat.Query, l *words.Language) *Derived {
	d := &Derived{Extract: &stat.Extract{Dataset: x.Dataset, Periods: x.Periods}}
	w := &deriver{Transform: t, Derived: d, language: l, isSelected: make([]bool, len(x.Periods))}
	for i, p := range x.Periods {
		w.isSelected[i] = q.SelectsPeriod(p)
	}
	d.Blocks = w.blocks(x.Blocks)
	d.KeepEnds(&q)
	return d
}

// deriver derives the blocks of one extract.
type deriver struct {
	Transform
	*Derived
	language   *words.Language // of the units
	isSelected []bool          // by position in Extract.Periods
}

func (w *deriver) blocks(from iter.Seq2[*stat.Block, error]) iter.Seq2[*stat.Block, error] {
	return func(yield func(*stat.Block, error) bool) {
		for b, err := range from {
			if err != nil {
				yield(nil, err)
				return
			}
			if w.Kind == PerCapita && !w.Population.IsAmount(b) {
				w.Ratios += len(b.Areas)
				continue
			}
			if w.Kind == PerCapita && w.Population.IsSelf(b) {
				w.Selves += len(b.Areas)
				continue
			}
			g := newGrid(b, w.Periods)
			for _, f := range g.frequencies {
				if derived := w.derive(g, f); len(derived.Value) > 0 && !yield(derived, nil) {
					return
				}
			}
		}
	}
}

// grid finds the cells of a block by row and area.
type grid struct {
	*stat.Block
	periods     []stat.Period // of the rows
	rows        map[stat.Period]int
	cells       []int32 // by row, then area; -1: no observation
	frequencies []stat.Frequency
	breaks      []int32 // by row, then area: the breaks of the frequency up to the row; nil: none
}

func newGrid(b *stat.Block, periods []stat.Period) *grid {
	g := &grid{Block: b, rows: make(map[stat.Period]int, len(b.Periods)), cells: make([]int32, len(b.Periods)*len(b.Areas))}
	for i := range g.cells {
		g.cells[i] = -1
	}
	for row, at := range b.Periods {
		p := periods[at]
		g.periods = append(g.periods, p)
		g.rows[p] = row
		if !slices.Contains(g.frequencies, p.Frequency()) {
			g.frequencies = append(g.frequencies, p.Frequency())
		}
		for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
			g.cells[row*len(b.Areas)+int(b.Area[i])] = i
		}
	}
	g.countBreaks()
	return g
}

// cell returns the position of an observation in the block, or -1.
func (g *grid) cell(row, area int) int32 { return g.cells[row*len(g.Areas)+area] }

// operand is what a value is compared with or divided by.
type operand struct {
	value       float64 // NaN: none
	flags       []stat.Flags
	first, last int         // rows of the values that it is the mean of, in the same series
	isGap       bool        // it is missing within the series
	period      stat.Period // of the value; zero for several
}

// derive returns the derived values of one frequency of a block.
func (w *deriver) derive(g *grid, f stat.Frequency) *stat.Block {
	unit := w.Dataset.UnitOf(g.Key, g.Unit)
	if w.Kind == PerCapita && w.Population.UnitOf != nil {
		unit = w.Population.UnitOf(g.Block)
	}
	unit = w.Unit(unit, f, w.language)
	out := &stat.Block{Key: slices.Clone(g.Key), Unit: unit, Areas: slices.Clone(g.Areas), RowStart: []int32{0}}
	var bases []operand
	if w.Kind == Index {
		bases = w.bases(g, f)
	}
	begin := make([]stat.Period, len(g.Areas)) // the first period with a value
	for row, p := range g.periods {
		if p.Frequency() != f {
			continue
		}
		for area := range g.Areas {
			at := g.cell(row, area)
			if at < 0 {
				continue
			}
			if begin[area].IsZero() && !math.IsNaN(g.Value[at]) {
				begin[area] = p
			}
			if !w.isSelected[g.Periods[row]] {
				continue
			}
			if w.Kind == PerCapita && SpanOfYears(w.Dataset, p) != "" {
				w.Spans++
				continue
			}
			var from operand
			switch w.Kind {
			case Index:
				from = bases[area]
			case PerCapita:
				from = w.Population.operand(w.Dataset.Geography.Codes[g.Areas[area]].Area, p.Year())
				if math.IsNaN(from.value) && !math.IsNaN(g.Value[at]) {
					w.addLacking(AreaYear{g.Areas[area], p.Year()})
				}
			default:
				from = w.earlierOperand(g, p, area, begin[area])
			}
			w.add(out, g, row, area, from)
		}
		if n := int32(len(out.Value)); n > out.RowStart[len(out.RowStart)-1] {
			out.Periods, out.RowStart = append(out.Periods, g.Periods[row]), append(out.RowStart, n)
		}
	}
	out.DropEmptyAreas()
	return out
}

// earlierOperand returns the value that one of a period is compared with, in a series that
// begins in a period.
func (w *deriver) earlierOperand(g *grid, p stat.Period, area int, begin stat.Period) operand {
	earlier := w.previous(p)
	o := operand{value: math.NaN()}
	if row, ok := g.rows[earlier]; ok {
		o = g.operand(row, area)
	}
	o.isGap, o.period = math.IsNaN(o.value) && !begin.IsZero() && earlier.Compare(begin) > 0, earlier
	return o
}

// addGap counts a value of a period that lacks the earlier one.
func (w *deriver) addGap(at, from stat.Period) {
	if w.Gaps++; w.Gaps == 1 {
		w.GapAt, w.GapFrom = at, from
	}
}

// Gap names the first value that lacks the earlier one: "1960 would be compared with 1959, a period that the dataset does not have".
// It is empty if there is none.
func (d *Derived) Gap() string {
	if d.Gaps == 0 {
		return ""
	}
	text := d.GapAt.String() + " would be compared with " + d.GapFrom.String()
	if _, isThere := slices.BinarySearchFunc(d.Periods, d.GapFrom, stat.Period.Compare); !isThere {
		text += ", a period that the dataset does not have"
	}
	return text
}

// addLacking counts a value without a population.
func (w *deriver) addLacking(of AreaYear) {
	w.Unpopulated++
	if w.InOthers == nil {
		w.InOthers = make([]int, len(w.Population.Others))
	}
	area := w.Dataset.Geography.Codes[of.Area].Area
	for i, other := range w.Population.Others {
		if other.Has(area, of.Year) {
			w.InOthers[i]++
		}
	}
	if len(w.Lacking) <= MaxLacking && !slices.Contains(w.Lacking, of) {
		w.Lacking = append(w.Lacking, of)
	}
}

// maxClosed is the number of days over which the change of a day is that from the last day on which the
// office had values: weekends and holidays. More is a gap.
const maxClosed = 7

// previous returns the period that a value of p is compared with: of a day, the last one before it on which
// any series of the dataset has an observation.
func (w *deriver) previous(p stat.Period) stat.Period {
	if p.Frequency() != stat.Day || w.Kind == PercentYear {
		return w.earlier(p)
	}
	at, _ := slices.BinarySearchFunc(w.Periods, p, stat.Period.Compare)
	for _, before := range slices.Backward(w.Periods[:at]) {
		if p.StartDay()-before.StartDay() > maxClosed {
			break
		}
		if before.Frequency() == stat.Day {
			return before
		}
	}
	return w.earlier(p)
}

// add appends to a block what is derived from the observation of an area in a row and an
// operand. A missing value keeps its flags.
func (w *deriver) add(out *stat.Block, g *grid, row, area int, from operand) {
	at := g.cell(row, area)
	v := g.Value[at]
	isMissing := math.IsNaN(v)
	if !isMissing {
		w.Values++
		if from.isGap {
			w.addGap(g.periods[row], from.period)
		}
		v = w.combine(from.value, v)
	}
	if math.IsNaN(v) && (!isMissing || g.Flags == nil) {
		return
	}
	out.Area, out.Value = append(out.Area, int32(area)), append(out.Value, v)
	if g.Flags == nil {
		return
	}
	flags := g.Flags[at]
	if !isMissing {
		flags = w.joinFlags(flags, from.flags)
		if !w.OwnBreaks && w.Kind != PerCapita && g.isBroken(row, area, from) {
			flags = stat.NewFlags(append(flags.List(), breakFlag)...)
		}
	}
	out.Flags, out.Note = append(out.Flags, flags), append(out.Note, g.Note[at])
}

func (g *grid) operand(row, area int) operand {
	at := g.cell(row, area)
	if at < 0 {
		return operand{value: math.NaN()}
	}
	o := operand{value: g.Value[at], first: row, last: row}
	if g.Flags != nil {
		o.flags = []stat.Flags{g.Flags[at]}
	}
	return o
}

// bases returns the value of each area in the base period: the mean of its periods of the
// frequency.
func (w *deriver) bases(g *grid, f stat.Frequency) []operand {
	bases := make([]operand, len(g.Areas))
	for area := range g.Areas {
		n, sum, o, has := 0, 0.0, operand{}, false
		for row, p := range g.periods {
			at := g.cell(row, area)
			if at < 0 || p.Frequency() != f || math.IsNaN(g.Value[at]) {
				continue
			}
			has = has || w.isSelected[g.Periods[row]]
			if p.Within(w.Base) {
				if n == 0 {
					o.first = row
				}
				n, sum, o.last = n+1, sum+g.Value[at], row
				if g.Flags != nil && g.Flags[at] != "" {
					o.flags = append(o.flags, g.Flags[at])
				}
			}
		}
		if o.value = sum / float64(n); n == 0 || n < expected(w.Base.Frequency(), f) {
			o.value = math.NaN()
			if has {
				w.Unbased++
			}
		}
		bases[area] = o
	}
	return bases
}

// combine returns the derived value, or NaN if there is none.
func (w *deriver) combine(from, to float64) float64 {
	switch {
	case w.Kind == PerCapita:
		return to / from
	case math.IsNaN(from):
		return from
	case w.Kind == Change:
		return difference(to, from)
	case from <= 0 || to < 0:
		w.Undefined++
		return math.NaN()
	case w.Kind == Index:
		return 100 * (to / from)
	}
	return 100 * ((to - from) / from)
}

// difference returns a − b as a calculation by hand gives it: 3.3 − 3.2 is 0.1, although
// the floats differ by slightly less.
func difference(a, b float64) float64 {
	text := strconv.FormatFloat(a-b, 'f', max(decimals(a), decimals(b)), 64)
	v, _ := strconv.ParseFloat(text, 64) // ±Inf if a − b is
	return v
}

// decimals returns the number of digits after the point.
func decimals(v float64) int {
	_, fraction, _ := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
	return len(fraction)
}

func dayOf(t time.Time) stat.Period { return stat.NewDay(t.Year(), int(t.Month()), t.Day()) }
