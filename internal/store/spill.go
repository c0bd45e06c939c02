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
	c := &b.chunk
	err = errors.Join(spill.WriteArray(b.file, c.keys), spill.WriteArray(b.file, c.frequency),
		spill.WriteArray(b.file, c.of), spill.WriteArray(b.file, c.period), spill.WriteArray(b.file, c.value),
		spill.WriteArray(b.file, c.flag), spill.WriteArray(b.file, c.note),
		spill.WriteArray(b.file, c.line), spill.WriteArray(b.file, c.column), b.file.Flush())
	if err != nil {
		return b.store.diskError(err)
	}
	s.to = b.file.Size()
	b.sections = append(b.sections, s)
	c.before += len(c.of)
	c.keys, c.frequency, c.of, c.period, c.value = c.keys[:0], c.frequency[:0], c.of[:0], c.period[:0], c.value[:0]
	c.flag, c.note, c.line, c.column = c.flag[:0], c.note[:0], c.line[:0], c.column[:0]
	clear(b.series)
	b.last = -1
	return nil
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
	from := b.file.Section(s.from, s.to)
	var errs [9]error
	c.before = s.before
	c.keys, errs[0] = spill.ReadArray(from, c.keys, s.series*s.width)
	c.frequency, errs[1] = spill.ReadArray(from, c.frequency, s.series)
	c.of, errs[2] = spill.ReadArray(from, c.of, s.observations)
	c.period, errs[3] = spill.ReadArray(from, c.period, s.observations)
	c.value, errs[4] = spill.ReadArray(from, c.value, s.observations)
	c.flag, errs[5] = spill.ReadArray(from, c.flag, s.observations)
	c.note, errs[6] = spill.ReadArray(from, c.note, s.observations)
	c.line, errs[7] = spill.ReadArray(from, c.line, s.observations)
	c.column, errs[8] = spill.ReadArray(from, c.column, s.observations)
	b.changeKeys(c, s)
	return stat.Wrap(errors.Join(errs[:]...), "reading a temporary file")
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
		var err error
		if c.keys, err = spill.ReadArray(b.file.Section(s.from, s.to), c.keys, s.series*s.width); err != nil {
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
