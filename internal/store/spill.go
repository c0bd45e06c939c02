package store

import (
	"errors"
	"iter"
	"slices"
	"syscall"

	"almanac/internal/stat"
	"almanac/internal/store/spill"
)

// A builder whose observations exceed the memory for imports writes them to a temporary
// file, chunk by chunk. Finish sorts each chunk and merges them (merge.go), so that the
// memory of an import does not grow with the dataset.

// Estimates of what a builder and its Finish need in memory.
const (
	bytesPerAdded  = 64 // for each observation of a chunk
	bytesPerSeries = 96 // for each series of a chunk, besides its keys
	bytesPerNote   = 64 // for each note, besides its text
)

// spilled is what a builder has in its temporary file.
type spilled struct {
	file     *spill.File
	sections []section
	changes  []keyChange
}

// section is the place of a chunk in the file.
type section struct {
	from, to             int64
	before               int
	series, observations int
	width                int
	changes              int // how many changes its keys include
}

// keyChange is a change of all keys of a builder: the position in the old key of each
// position in the new one.
type keyChange struct {
	width int // of the old keys
	axes  []int
}

func (b *Builder) isFull() bool {
	return int64(len(b.of))*bytesPerAdded+int64(len(b.frequency))*int64(bytesPerSeries+12*b.width) > b.store.importMemory
}

// spill moves the chunk to the temporary file.
func (b *Builder) spill() (err error) {
	if b.file == nil {
		if b.file, err = b.store.Scratch(); err != nil {
			return err
		}
	}
	s := section{from: b.file.Size(), before: b.before, series: len(b.frequency), observations: len(b.of), width: b.width, changes: len(b.changes)}
	b.before += len(b.of)
	to := spill.WriteTo(b.file)
	b.chunk.arrays(to, &s)
	if err := errors.Join(to.Err(), b.file.Flush()); err != nil {
		return b.store.diskError(err)
	}
	s.to = b.file.Size()
	b.sections = append(b.sections, s)
	clear(b.series)
	b.last = -1
	return nil
}

// arrays writes the arrays of a chunk to a section and empties them, or reads them from it.
func (c *chunk) arrays(a *spill.Arrays, s *section) {
	spill.Array(a, &c.keys, s.series*s.width)
	spill.Array(a, &c.frequency, s.series)
	spill.Array(a, &c.of, s.observations)
	spill.Array(a, &c.period, s.observations)
	spill.Array(a, &c.value, s.observations)
	spill.Array(a, &c.flag, s.observations)
	spill.Array(a, &c.note, s.observations)
	spill.Array(a, &c.line, s.observations)
	spill.Array(a, &c.column, s.observations)
}

// chunks yields all chunks in the order in which they were added, each valid until the
// next one. The last is the one in memory.
func (b *Builder) chunks() iter.Seq2[*chunk, error] {
	return func(yield func(*chunk, error) bool) {
		var c chunk
		if len(b.of) == 0 {
			c = b.chunk // its arrays
		}
		for i := range b.sections {
			err := b.readChunk(&c, &b.sections[i])
			if !yield(&c, err) || err != nil {
				return
			}
		}
		yield(&b.chunk, nil)
	}
}

func (b *Builder) readChunk(c *chunk, s *section) error {
	c.before = s.before
	from := spill.ReadFrom(b.file.Section(s.from, s.to))
	c.arrays(from, s)
	b.changeKeys(c, s)
	return stat.Wrap(from.Err(), "reading a temporary file")
}

// changeKeys applies to a chunk the changes of keys since it was written.
func (b *Builder) changeKeys(c *chunk, s *section) {
	for _, change := range b.changes[s.changes:] {
		c.keys = rearranged(c.keys, change.width, change.axes)
	}
}

// eachKeys calls use with the keys of all series of each chunk.
func (b *Builder) eachKeys(use func(keys []int32)) error {
	var c chunk
	for i := range b.sections {
		s := &b.sections[i]
		from := spill.ReadFrom(b.file.Section(s.from, s.to))
		spill.Array(from, &c.keys, s.series*s.width)
		if err := from.Err(); err != nil {
			return stat.Wrap(err, "reading a temporary file")
		}
		b.changeKeys(&c, s)
		use(c.keys)
	}
	use(b.keys)
	return nil
}

// Close releases the memory and the temporary file of a builder that is not finished.
// Closing a finished or a closed builder does nothing.
func (b *Builder) Close() {
	b.file.Close()
	*b = Builder{}
}

// Scratch creates a temporary file on the disk of the store. It vanishes when it is closed,
// and with the process.
func (s *Store) Scratch() (*spill.File, error) {
	file, err := s.blobs.Scratch()
	if err != nil {
		return nil, s.diskError(err)
	}
	return spill.New(file), nil
}

// diskError explains an error of writing a temporary file.
func (s *Store) diskError(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EFBIG) || errors.Is(err, syscall.EDQUOT) {
		return &stat.Error{Kind: stat.Unavailable, Err: err,
			Message: "the disk of the data directory is full: a dataset that is larger than the memory for imports needs temporary files of about 60 bytes for each observation there; nothing was stored"}
	}
	return stat.Wrap(err, "writing a temporary file")
}

// orderOf returns the order of a chunk's observations by series and period, and those
// of equal ones by their place in the file. rank holds the rank of each series, periodAt
// that of each period.
func (c *chunk) orderOf(rank, periodAt []int32) []int32 {
	order := numbersTo(len(c.of))
	slices.SortFunc(order, func(i, j int32) int {
		if d := rank[c.of[i]] - rank[c.of[j]]; d != 0 {
			return int(d)
		}
		if d := periodAt[c.period[i]] - periodAt[c.period[j]]; d != 0 {
			return int(d)
		}
		return int(i - j)
	})
	return order
}
