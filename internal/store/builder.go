package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"almanac/internal/stat"
)

// A Builder collects the observations of one dataset. [Builder.Finish] turns it
// into a [Draft]. A Builder is not safe for concurrent use.
type Builder struct {
	store   *Store
	dataset *stat.Dataset

	width    int // length of a key: the axes and the unit
	lastKey  []int32
	last     int32 // the series of lastKey
	keyBytes []byte
	units    interned[string]
	periods  interned[stat.Period]
	flags    interned[stat.Flags]
	notes    interned[string]
	noteSize int // bytes of all different notes
	parts    []part

	series map[string]int32 // number of each series of the chunk, by the bytes of key and unit
	chunk                   // what is in memory
	spilled
}

// chunk is a run of observations.
type chunk struct {
	before    int              // number of observations before it
	keys      []int32          // of all series: one code position per axis, then the unit
	frequency []stat.Frequency // stated by the source for each series; see datedAs

	// One entry per observation:
	of           []int32 // series
	period       []int32
	value        []float64
	flag         []uint16
	note         []int32
	line, column []int32
}

// part is a run of observations from one file of a dataset in several files.
type part struct {
	end      int // number of observations after it
	name     string
	prepared time.Time
}

// interned numbers distinct values in the order in which they appear. The same value and
// the next one are found at once.
type interned[T comparable] struct {
	values []T
	number map[T]int32
	last   int
}

func (in *interned[T]) of(v T) int32 {
	for next := in.last; next < min(in.last+2, len(in.values)); next++ {
		if in.values[next] == v {
			in.last = next
			return int32(next)
		}
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
	in.last = int(n)
	return n
}

// NewBuilder returns a builder for d. Codes may be added to d until Finish is
// called, labels and other metadata until the draft is published.
func (s *Store) NewBuilder(d *stat.Dataset) *Builder {
	b := &Builder{store: s, dataset: d, series: map[string]int32{}, width: len(d.Dimensions) + 2, last: -1}
	b.units.of("")
	b.flags.of("")
	b.notes.of("")
	return b
}

// Add adds an observation. It ignores one without a value, flags or a note.
func (b *Builder) Add(o stat.Observation) error {
	b.omitUnit(&o)
	return b.add(&o)
}

// omitUnit removes the dataset's unit, which does not distinguish series.
func (b *Builder) omitUnit(o *stat.Observation) {
	if o.Unit != "" && o.Unit == b.dataset.UnitOf(o.Key, "") {
		o.Unit = ""
	}
}

// add is Add without a look at the dataset.
func (b *Builder) add(o *stat.Observation) error {
	if len(o.Key) != b.width-1 {
		return fmt.Errorf("an observation has %d key positions, but its dataset has %d axes", len(o.Key), b.width-1)
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
	flag := b.flags.of(o.Flags)
	if flag > math.MaxUint16 {
		return stat.BadFile(o.At, "more than %d different combinations of flags", math.MaxUint16)
	}
	note, err := b.noteOf(o)
	if err != nil {
		return err
	}
	series := b.seriesOf(o.Key, b.units.of(o.Unit))
	b.setFrequency(series, o)
	if len(b.of) == cap(b.of) {
		b.grow()
	}
	b.of = append(b.of, series)
	b.period = append(b.period, b.periods.of(o.Period))
	b.value = append(b.value, o.Value)
	b.flag = append(b.flag, uint16(flag))
	b.note = append(b.note, note)
	b.line = append(b.line, int32(o.At.Line))
	b.column = append(b.column, int32(o.At.Column))
	if b.isFull() {
		return b.spill()
	}
	return nil
}

// grow enlarges the arrays of the chunk, long ones eightfold up to the size of a full chunk:
// memory that nothing is written to costs nothing, and copying does.
func (b *Builder) grow() {
	c, n := &b.chunk, max(len(b.of), 256)
	if n > 32<<10 {
		n = max(min(7*n, int(b.store.importMemory/bytesPerAdded)+1-n), 256)
	}
	c.of, c.period, c.value = enlarge(c.of, n), enlarge(c.period, n), enlarge(c.value, n)
	c.flag, c.note = enlarge(c.flag, n), enlarge(c.note, n)
	c.line, c.column = enlarge(c.line, n), enlarge(c.column, n)
}

// enlarge is [slices.Grow] without writing to the new memory.
func enlarge[T any](array []T, n int) []T {
	to := make([]T, len(array), len(array)+n)
	copy(to, array)
	return to
}

// maxNotes bounds the bytes of all different notes of a dataset, which stay in memory.
const maxNotes = 128 << 20

// noteOf returns the number of an observation's note.
func (b *Builder) noteOf(o *stat.Observation) (int32, error) {
	before := len(b.notes.values)
	note := b.notes.of(o.Note)
	if len(b.notes.values) > before {
		b.noteSize += len(o.Note) + bytesPerNote
	}
	if b.noteSize > maxNotes {
		return 0, stat.BadFile(o.At, "the different notes of the observations take more than %d MiB", maxNotes>>20)
	}
	return note, nil
}

// count returns the number of observations.
func (b *Builder) count() int { return b.before + len(b.of) }

// IsEmpty reports whether the builder has no observations.
func (b *Builder) IsEmpty() bool { return b.count() == 0 }

// seriesOf returns the number of the series with a key and unit.
func (b *Builder) seriesOf(key []int32, unit int32) int32 {
	if b.last >= 0 && b.lastKey[b.width-1] == unit && slices.Equal(b.lastKey[:b.width-1], key) {
		return b.last
	}
	b.lastKey = append(append(b.lastKey[:0], key...), unit)
	b.keyBytes = appendKey(b.keyBytes[:0], b.lastKey)
	n, ok := b.series[string(b.keyBytes)]
	if !ok {
		n = int32(len(b.series))
		b.series[string(b.keyBytes)] = n
		b.keys = append(b.keys, b.lastKey...)
		b.frequency = append(b.frequency, unstated)
	}
	b.last = n
	return n
}

func appendKey(to []byte, key []int32) []byte {
	for _, k := range key {
		to = binary.LittleEndian.AppendUint32(to, uint32(k))
	}
	return to
}

// Special frequencies of a series.
const (
	unstated stat.Frequency = 0
	asDated  stat.Frequency = math.MaxUint8 // the periods stay unchanged
)

// setFrequency records the frequency that an observation states for its series.
func (b *Builder) setFrequency(series int32, o *stat.Observation) {
	f := o.Frequency
	if o.Period.Frequency() != stat.Day || f == unstated || f >= stat.Day {
		f = asDated
	}
	if before := b.frequency[series]; before == unstated {
		b.frequency[series] = f
	} else if before != f {
		b.frequency[series] = asDated
	}
}

// EndPart marks the observations added since the last call as one part of the
// dataset, with its name and the time when the office prepared it. Of observations
// of the same series and period in two parts, that of the later part is kept
// ([Draft.Superseded]).
func (b *Builder) EndPart(name string, prepared time.Time) {
	b.parts = append(b.parts, part{b.count(), name, prepared})
}

// partOf returns the part of an observation, the zero part if there are no parts.
func (b *Builder) partOf(i int) part {
	n := sort.Search(len(b.parts), func(n int) bool { return b.parts[n].end > i })
	if n == len(b.parts) {
		return part{}
	}
	return b.parts[n]
}

// Append adds all observations and parts of another builder, which must not be used
// afterwards. For each axis, at maps its code positions to those of b.
func (b *Builder) Append(other *Builder, at [][]int32) error {
	begin := b.count()
	for c, err := range other.chunks() {
		if err != nil {
			return err
		}
		if err := b.appendChunk(other, c, at); err != nil {
			return err
		}
	}
	for _, p := range other.parts {
		p.end += begin
		b.parts = append(b.parts, p)
	}
	other.Close()
	return nil
}

func (b *Builder) appendChunk(other *Builder, c *chunk, at [][]int32) error {
	key := make([]int32, b.width-1)
	for i, series := range c.of {
		theirs := c.keys[int(series)*other.width:][:other.width]
		for axis := range key {
			key[axis] = 0
			if code := theirs[axis]; int(code) < len(at[axis]) {
				key[axis] = at[axis][code]
			}
		}
		o := stat.Observation{
			Key: key, Period: other.periods.values[c.period[i]], Value: c.value[i],
			Flags: other.flags.values[c.flag[i]], Note: other.notes.values[c.note[i]],
			Unit: other.units.values[theirs[other.width-1]],
			At:   stat.Position{Line: int(c.line[i]), Column: int(c.column[i])},
		}
		if f := c.frequency[series]; f != asDated {
			o.Frequency = f
		}
		if err := b.Add(o); err != nil {
			return err
		}
	}
	return nil
}

// SetGeography makes the i-th dimension the geography. The previous geography
// becomes a dimension at its place in the source's order, or is removed if it has no
// ID.
func (b *Builder) SetGeography(i int) {
	d := b.dataset
	axes, inOrder := d.Axes(), d.SourceOrder()
	if d.Geography.ID == "" {
		inOrder = slices.DeleteFunc(inOrder, func(axis int) bool { return axis == len(d.Dimensions) })
	}
	d.GeographyAt = slices.Index(inOrder, i)
	inKey := append(slices.Delete(inOrder, d.GeographyAt, d.GeographyAt+1), i)

	dimensions := make([]stat.Dimension, len(inKey))
	for at, axis := range inKey {
		dimensions[at] = *axes[axis]
		if dimensions[at].Role == stat.RoleGeo {
			dimensions[at].Role = stat.RoleOther
		}
	}
	d.Geography = dimensions[len(dimensions)-1]
	d.Geography.Role = stat.RoleGeo
	d.Dimensions = dimensions[:len(dimensions)-1]

	b.rearrange(inKey)
}

// rearrange changes the keys to those of the given axes, in their order.
func (b *Builder) rearrange(axes []int) {
	change := slices.Concat(axes, []int{b.width - 1}) // and the unit
	b.keys = rearranged(b.keys, b.width, change)
	b.changes = append(b.changes, keyChange{b.width, change})
	b.width, b.last = len(change), -1
	clear(b.series)
	for at := 0; at < len(b.keys); at += b.width {
		b.series[string(appendKey(nil, b.keys[at:at+b.width]))] = int32(at / b.width)
	}
}

// rearranged returns keys of a width with the positions that axes lists.
func rearranged(keys []int32, width int, axes []int) []int32 {
	to := make([]int32, 0, len(keys)/width*len(axes))
	for at := 0; at < len(keys); at += width {
		for _, axis := range axes {
			to = append(to, keys[at+axis])
		}
	}
	return to
}
