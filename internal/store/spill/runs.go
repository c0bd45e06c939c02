package spill

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"almanac/internal/stat"
)

// Series holds observations of one key, in the order in which they were added.
type Series struct {
	Key          []int32
	Frequency    stat.Frequency // as stated by the source
	Observations []Observation
}

// Observation is an observation of a series. Period, Flag and Note are numbers that the
// caller gives them.
type Observation struct {
	Value        float64
	Period       int32
	Flag, Note   int32
	Line, Column int32
	Index        int // its number in the order of the file
}

// Runs are sorted runs of series in a file: in each run the keys ascend and differ.
// All keys have the same length.
type Runs struct {
	file  *File
	width int
	ends  []int64 // of the runs
	text  []byte
}

// NewRuns returns runs of series with keys of a length. They are written to file, which
// must be empty.
func NewRuns(file *File, width int) *Runs { return &Runs{file: file, width: width} }

// Add appends a series to the run that is being written.
func (r *Runs) Add(s *Series) error {
	text := r.text[:0]
	for _, code := range s.Key {
		text = binary.AppendUvarint(text, uint64(uint32(code)))
	}
	text = append(text, byte(s.Frequency))
	text = binary.AppendUvarint(text, uint64(len(s.Observations)))
	for i := range s.Observations {
		text = s.Observations[i].appendTo(text)
	}
	r.text = text
	var length [binary.MaxVarintLen64]byte
	if _, err := r.file.Write(binary.AppendUvarint(length[:0], uint64(len(text)))); err != nil {
		return err
	}
	_, err := r.file.Write(text)
	return err
}

func (o *Observation) appendTo(text []byte) []byte {
	text = binary.LittleEndian.AppendUint64(text, math.Float64bits(o.Value))
	for _, n := range [...]uint64{uint64(o.Period), uint64(o.Flag), uint64(o.Note), uint64(uint32(o.Line)), uint64(uint32(o.Column)), uint64(o.Index)} {
		text = binary.AppendUvarint(text, n)
	}
	return text
}

// EndRun ends the run that is being written.
func (r *Runs) EndRun() error {
	r.ends = append(r.ends, r.file.Size())
	return r.file.Flush()
}

// Memory for reading all runs at once.
const (
	readMemory = 32 << 20
	minBuffer  = 4 << 10
	maxBuffer  = 1 << 20
)

// Merge calls use with each series of all runs, in the order of the keys. The
// observations of a series are those of the first run, then those of the second, and so
// on. Its frequency is the one that all runs state, else conflict. The series is valid
// until use returns.
func (r *Runs) Merge(conflict stat.Frequency, use func(*Series) error) error {
	var h cursors
	begin := int64(0)
	buffer := min(max(readMemory/max(len(r.ends), 1), minBuffer), maxBuffer)
	for run, end := range r.ends {
		c := &cursor{in: bufio.NewReaderSize(r.file.Section(begin, end), buffer), run: run, series: Series{Key: make([]int32, r.width)}}
		if more, err := c.next(); err != nil {
			return err
		} else if more {
			h = append(h, c)
		}
		begin = end
	}
	heap.Init(&h)
	merged := Series{Key: make([]int32, r.width)}
	for len(h) > 0 {
		merged.Observations = merged.Observations[:0]
		copy(merged.Key, h[0].series.Key)
		merged.Frequency = h[0].series.Frequency
		for len(h) > 0 && slices.Equal(h[0].series.Key, merged.Key) {
			c := h[0]
			if c.series.Frequency != merged.Frequency {
				merged.Frequency = conflict
			}
			merged.Observations = append(merged.Observations, c.series.Observations...)
			more, err := c.next()
			switch {
			case err != nil:
				return err
			case more:
				heap.Fix(&h, 0)
			default:
				heap.Pop(&h)
			}
		}
		if err := use(&merged); err != nil {
			return err
		}
	}
	return nil
}

// cursor reads a run.
type cursor struct {
	in     *bufio.Reader
	run    int
	text   []byte
	series Series // the current one
}

// next reads the next series; false at the end of the run.
func (c *cursor) next() (bool, error) {
	length, err := binary.ReadUvarint(c.in)
	if err == io.EOF {
		return false, nil
	}
	if err == nil {
		c.text = slices.Grow(c.text[:0], int(length))[:length]
		_, err = io.ReadFull(c.in, c.text)
	}
	if err != nil {
		return false, fmt.Errorf("reading a temporary file: %w", err)
	}
	text := c.text
	number := func() uint64 {
		n, size := binary.Uvarint(text)
		text = text[size:]
		return n
	}
	for i := range c.series.Key {
		c.series.Key[i] = int32(number())
	}
	c.series.Frequency, text = stat.Frequency(text[0]), text[1:]
	n := int(number())
	c.series.Observations = slices.Grow(c.series.Observations[:0], n)[:n]
	for i := range c.series.Observations {
		o := &c.series.Observations[i]
		o.Value, text = math.Float64frombits(binary.LittleEndian.Uint64(text)), text[8:]
		o.Period, o.Flag, o.Note = int32(number()), int32(number()), int32(number())
		o.Line, o.Column, o.Index = int32(number()), int32(number()), int(number())
	}
	return true, nil
}

// cursors is a heap of cursors, by key, then by run.
type cursors []*cursor

func (h cursors) Len() int      { return len(h) }
func (h cursors) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h cursors) Less(i, j int) bool {
	if c := slices.Compare(h[i].series.Key, h[j].series.Key); c != 0 {
		return c < 0
	}
	return h[i].run < h[j].run
}

// Push appends a cursor, for package heap.
func (h *cursors) Push(c any) { *h = append(*h, c.(*cursor)) }

// Pop removes the last cursor, for package heap.
func (h *cursors) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	*h = (*h)[:last]
	return c
}
