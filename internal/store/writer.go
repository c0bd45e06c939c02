package store

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"almanac/internal/stat"
)

// Writer collects the observations of one dataset for publication: Add all of
// them, Seal, complete the dataset's labels, Publish. It is for one goroutine.
type Writer struct {
	store   *Store
	dataset *stat.Dataset

	series   map[string]int32 // key bytes (and unit) to position in keys
	keys     []int32          // of each series, axis by axis, then the unit
	width    int              // axes and the unit
	lastKey  []int32
	last     int32 // series of lastKey
	units    interned[string]
	periods  interned[stat.Period]
	flags    interned[stat.Flags]
	notes    interned[string]
	keyBytes []byte

	// one entry an observation:
	of     []int32 // series
	period []int32
	value  []float64
	flag   []uint16
	note   []int32
	at     []position

	stated []stat.Frequency // of each series; see redate
	parts  []part

	order      map[string]map[string]int32 // of the codes of dimensions, where a list says it
	sealed     *columns
	doubled    dropped
	superseded dropped
	createOnly bool
	paged      bool
	by         publisher
}

// dropped counts observations that were given and not kept.
type dropped struct {
	count   int
	example string // where the first of them stood
}

func (d *dropped) add(place string) {
	d.count++
	if d.example == "" {
		d.example = place
	}
}

// position is a [stat.Position] in little memory.
type position struct{ line, column int32 }

// interned numbers distinct values in the order they come.
type interned[T comparable] struct {
	values []T
	number map[T]int32
	recent T
	at     int32
}

func (in *interned[T]) of(v T) int32 {
	if len(in.values) > 0 && v == in.recent {
		return in.at
	}
	n, ok := in.number[v]
	if !ok {
		if in.number == nil {
			in.number = map[T]int32{}
		}
		n = int32(len(in.values))
		in.number[v] = n
		in.values = append(in.values, v)
	}
	in.recent, in.at = v, n
	return n
}

// NewWriter starts a writer. The dataset's codes may grow until Seal, its
// labels and other metadata until Publish.
func (s *Store) NewWriter(d *stat.Dataset) *Writer {
	w := &Writer{store: s, dataset: d, series: map[string]int32{}, width: len(d.Dimensions) + 2, last: -1}
	w.units.of("")
	w.flags.of("")
	w.notes.of("")
	return w
}

// Add takes one observation; one without value, flags and note is not kept.
func (w *Writer) Add(o stat.Observation) error {
	if len(o.Key) != w.width-1 {
		return fmt.Errorf("an observation has %d key positions, its dataset %d axes", len(o.Key), w.width-1)
	}
	if o.Period.IsZero() {
		return stat.BadFile(o.At, "an observation has no period")
	}
	if math.IsInf(o.Value, 0) {
		return stat.BadFile(o.At, "an observation has an infinite value")
	}
	if math.IsNaN(o.Value) && o.Flags == "" && o.Note == "" {
		return nil
	}
	flag := w.flags.of(o.Flags)
	if flag > math.MaxUint16 {
		return stat.BadFile(o.At, "more than %d different combinations of flags", math.MaxUint16)
	}
	unit := o.Unit
	if unit != "" && unit == w.dataset.UnitOf(o.Key, "") {
		unit = "" // said already: it does not tell the series from others
	}
	series := w.seriesOf(o.Key, w.units.of(unit))
	w.state(series, o)
	w.of = append(w.of, series)
	w.period = append(w.period, w.periods.of(o.Period))
	w.value = append(w.value, o.Value)
	w.flag = append(w.flag, uint16(flag))
	w.note = append(w.note, w.notes.of(o.Note))
	w.at = append(w.at, position{int32(o.At.Line), int32(o.At.Column)})
	return nil
}

// Empty reports whether nothing was added that is kept. To be called before
// Seal.
func (w *Writer) Empty() bool { return len(w.of) == 0 }

// seriesOf numbers the series of a key and unit.
func (w *Writer) seriesOf(key []int32, unit int32) int32 {
	if w.last >= 0 && w.lastKey[w.width-1] == unit && slices.Equal(w.lastKey[:w.width-1], key) {
		return w.last
	}
	w.lastKey = append(append(w.lastKey[:0], key...), unit)
	w.keyBytes = w.keyBytes[:0]
	for _, k := range w.lastKey {
		w.keyBytes = binary.LittleEndian.AppendUint32(w.keyBytes, uint32(k))
	}
	n, ok := w.series[string(w.keyBytes)]
	if !ok {
		n = int32(len(w.series))
		w.series[string(w.keyBytes)] = n
		w.keys = append(w.keys, w.lastKey...)
		w.stated = append(w.stated, unstated)
	}
	w.last = n
	return n
}

// Seal ends the adding: it sorts the observations, drops what was given twice
// ([Writer.Doubled]) and removes codes that do not occur from the dataset. Two
// different values at one place are a [stat.FileError] naming both. Where the
// file brought no labels for a dimension, its codes keep the order that the
// previous vintage (nil if there is none) had them in: the order of a code
// list, if only of one that was at hand then. After it the importer completes
// labels and areas, and may call Fix.
func (w *Writer) Seal(previous *stat.Dataset) error {
	axes := w.dataset.Axes()
	remap := make([][]int32, len(axes))
	for axis, d := range axes {
		remap[axis] = w.compact(axis, d, previous)
	}
	order := w.sortSeries(remap)
	w.redate()
	periods, periodAt := w.sortPeriods()
	if err := w.sortObservations(order, periodAt); err != nil {
		return err
	}
	c := w.buildColumns(order, remap)
	c.periods = periods
	w.sealed = c
	w.series, w.keys, w.of, w.at, w.keyBytes, w.stated = nil, nil, nil, nil, nil, nil
	return nil
}

// Doubled returns how many observations, with or without a value, were given
// twice with the same value and flags, and so dropped, and where one stood.
func (w *Writer) Doubled() (count int, example string) { return w.doubled.count, w.doubled.example }

// compact removes an axis's codes that do not occur, orders the others, and
// returns the new position of each old one.
func (w *Writer) compact(axis int, d *stat.Dimension, previous *stat.Dataset) []int32 {
	if len(d.Codes) == 0 {
		return []int32{0} // a file without a geography: the importer names the one area
	}
	occurs := make([]bool, len(d.Codes))
	for s := axis; s < len(w.keys); s += w.width {
		occurs[w.keys[s]] = true
	}
	var order []int32 // old positions in new order
	labelled := false
	for i, code := range d.Codes {
		if occurs[i] {
			order = append(order, int32(i))
			labelled = labelled || code.Label != ""
		}
	}
	if rank := w.order[d.ID]; rank != nil {
		orderBy(order, d, rank)
	} else if !labelled {
		orderAs(order, d, previous)
	}
	remap := make([]int32, len(d.Codes))
	codes := make([]stat.Code, len(order))
	for i, old := range order {
		remap[old], codes[i] = int32(i), d.Codes[old]
	}
	d.Codes = codes
	return remap
}

// SetOrder gives the codes of a dimension the order of a list, by their
// positions in it; those that it lacks come last, as they are. To be called
// before Seal.
func (w *Writer) SetOrder(dimension string, position map[string]int32) {
	if w.order == nil {
		w.order = map[string]map[string]int32{}
	}
	w.order[dimension] = position
}

// orderBy puts code positions in the order of a list.
func orderBy(order []int32, d *stat.Dimension, position map[string]int32) {
	at := func(i int32) int32 {
		if p, ok := position[d.Codes[i].ID]; ok {
			return p
		}
		return math.MaxInt32
	}
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(at(i), at(j)) })
}

// orderAs puts code positions in the order that the previous vintage has the
// codes in; new ones come last, as they are.
func orderAs(order []int32, d *stat.Dimension, previous *stat.Dataset) {
	if previous == nil {
		return
	}
	rank := map[string]int{}
	for _, before := range previous.Axes() {
		if before.ID == d.ID {
			for i, code := range before.Codes {
				rank[code.ID] = i - len(before.Codes) // below 0, the rank of new ones
			}
		}
	}
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(rank[d.Codes[i].ID], rank[d.Codes[j].ID]) })
}

// sortSeries returns the series in the order of their keys: dimensions, unit,
// geography.
func (w *Writer) sortSeries(remap [][]int32) []int32 {
	n := len(w.series)
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	geography := w.width - 2
	key := func(s int32, i int) int32 { return w.keys[int(s)*w.width+i] }
	slices.SortFunc(order, func(s, t int32) int {
		for axis := range geography {
			if c := cmp.Compare(remap[axis][key(s, axis)], remap[axis][key(t, axis)]); c != 0 {
				return c
			}
		}
		if c := cmp.Compare(key(s, w.width-1), key(t, w.width-1)); c != 0 {
			return c
		}
		return cmp.Compare(remap[geography][key(s, geography)], remap[geography][key(t, geography)])
	})
	return order
}

// sortPeriods returns the periods in order and the place of each number.
func (w *Writer) sortPeriods() (periods []stat.Period, at []int32) {
	periods = slices.Clone(w.periods.values)
	slices.SortFunc(periods, stat.Period.Compare)
	at = make([]int32, len(periods))
	for i, p := range periods {
		at[w.periods.number[p]] = int32(i)
	}
	return periods, at
}

// sortObservations orders the observations by series, then period, and drops
// doubled ones. Afterwards w.of holds the rank of the series.
func (w *Writer) sortObservations(order, periodAt []int32) error {
	rank := make([]int32, len(order))
	for r, s := range order {
		rank[s] = int32(r)
	}
	sorted := true
	for i := range w.of {
		w.of[i], w.period[i] = rank[w.of[i]], periodAt[w.period[i]]
		sorted = sorted && (i == 0 || w.compare(i-1, i) < 0)
	}
	if sorted {
		return nil
	}
	by := make([]int32, len(w.of))
	for i := range by {
		by[i] = int32(i)
	}
	slices.SortStableFunc(by, func(i, j int32) int { return w.compare(int(i), int(j)) })
	kept := by[:0]
	for _, i := range by {
		if len(kept) > 0 && w.compare(int(kept[len(kept)-1]), int(i)) == 0 {
			keep, err := w.drop(int(kept[len(kept)-1]), int(i))
			if err != nil {
				return err
			}
			kept[len(kept)-1] = int32(keep)
			continue
		}
		kept = append(kept, i)
	}
	w.of, w.period = pick(w.of, kept), pick(w.period, kept)
	w.value, w.flag, w.note = pick(w.value, kept), pick(w.flag, kept), pick(w.note, kept)
	return nil
}

func (w *Writer) compare(i, j int) int {
	if w.of[i] != w.of[j] {
		return cmp.Compare(w.of[i], w.of[j])
	}
	return cmp.Compare(w.period[i], w.period[j])
}

// drop decides between two observations of one series and period, of which j
// was added after i: that of the part prepared later stays, and of one part
// the first, if both say the same.
func (w *Writer) drop(i, j int) (keep int, err error) {
	switch first, second := w.partOf(i).prepared, w.partOf(j).prepared; {
	case first.IsZero() || second.IsZero(): // nobody knows which is the later
	case first.Before(second):
		w.superseded.add(w.place(i, j))
		return j, nil
	case second.Before(first):
		w.superseded.add(w.place(j, i))
		return i, nil
	}
	if !sameValue(w.value[i], w.value[j]) || w.flag[i] != w.flag[j] || w.note[i] != w.note[j] {
		at := stat.Position{Line: int(w.at[j].line), Column: int(w.at[j].column)}
		here := "here"
		if p := w.partOf(j); p.name != w.partOf(i).name {
			here = "in " + p.name
		}
		return 0, stat.BadFile(at, "%s stands %s for the same series and period for which %s has %s: one of them must go",
			w.text(j), here, w.place(i, j), w.text(i))
	}
	w.doubled.add(w.place(j, i))
	return i, nil
}

// text shows an observation in a message.
func (w *Writer) text(i int) string {
	text := "no value"
	if !math.IsNaN(w.value[i]) {
		text = fmt.Sprintf("the value %v", w.value[i])
	}
	if f := w.flags.values[w.flag[i]]; f != "" {
		text += fmt.Sprintf(" with flags %s", f)
	}
	return text
}

// sameValue is equality in which no value is equal to no value.
func sameValue(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func pick[T any](from []T, at []int32) []T {
	picked := make([]T, len(at))
	for i, j := range at {
		picked[i] = from[j]
	}
	return picked
}

// buildColumns makes the series table and takes over the observations.
func (w *Writer) buildColumns(order []int32, remap [][]int32) *columns {
	c := &columns{period: w.period, value: w.value, flagSet: w.flags.values, noteSet: w.notes.values}
	if len(w.flags.values) > 1 {
		c.flag = w.flag
	}
	if len(w.notes.values) > 1 {
		c.note = w.note
	}
	for axis := range remap {
		key := make([]int32, len(order))
		for r, s := range order {
			key[r] = remap[axis][w.keys[int(s)*w.width+axis]]
		}
		c.keys = append(c.keys, key)
	}
	if len(w.units.values) > 1 {
		c.units = w.units.values
		c.unit = make([]int32, len(order))
		for r, s := range order {
			c.unit[r] = w.keys[int(s)*w.width+w.width-1]
		}
	}
	c.start = make([]int32, len(order)+1)
	for _, r := range w.of {
		c.start[r+1]++
	}
	for r := range order {
		c.start[r+1] += c.start[r]
	}
	return c
}

// Fix takes a dimension with a single code out of the key and of the
// dataset's Dimensions: the importer keeps it in Dataset.Fixed. To be called
// after Seal.
func (w *Writer) Fix(axis int) {
	w.dataset.Dimensions = slices.Delete(w.dataset.Dimensions, axis, axis+1)
	w.sealed.keys = slices.Delete(w.sealed.keys, axis, axis+1)
	if axis < w.dataset.GeographyAt {
		w.dataset.GeographyAt--
	}
}

// Stored returns the number of observations with a value. To be called after
// Seal.
func (w *Writer) Stored() int { return w.sealed.values() }

// values counts the observations with a value.
func (c *columns) values() int {
	n := 0
	for _, v := range c.value {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}
