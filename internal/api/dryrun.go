package api

import (
	"fmt"
	"math"

	"almanac/internal/encode/json"
	"almanac/internal/stat"
)

// size is how large the response to a selection is.
type size struct {
	series       int // areas of all series blocks
	rows         int // of all series blocks
	cells        int // in the rows, also those that hold only flags
	observations int // values
	bytes        int // before compression
	isExact      bool
}

// sampledBytes is from which length on the rest of a response is not encoded but estimated from
// its beginning.
const sampledBytes = 4 * json.ChunkSize

// dryRun replies with the size of a selection instead of its data.
func (x *exchange) dryRun(sel *selection) *reply {
	return &reply{tag: sel.tag("dry run"), modified: sel.modified(), encode: func(s *stream) error {
		n, rest, err := x.measure(sel)
		if err != nil {
			return err
		}
		s.Buf = n.appendTo(s.Buf, rest)
		return nil
	}}
}

// appendTo appends the response with a size and what follows it.
func (n *size) appendTo(buf, rest []byte) []byte {
	buf = fmt.Appendf(buf, `{"data":[],"size":{"series":%d,"rows":%d,"observations":%d,"bytes":%d,"bytes_exact":%v,"cost":1}`, n.series, n.rows, n.observations, n.bytes, n.isExact)
	return append(append(buf, rest...), '}')
}

// measure counts what a selection has, and encodes the first blocks of its response and the rest
// after the blocks.
func (x *exchange) measure(sel *selection) (_ size, rest []byte, err error) {
	var whole, sample size
	derived, err := sel.derive.Select(x.r.Context(), sel.vintage, sel.query)
	if err != nil {
		return whole, nil, err
	}
	for b, err := range derived.Blocks {
		if err != nil {
			return whole, nil, err
		}
		whole.add(b)
	}
	if derived, err = sel.derive.Select(x.r.Context(), sel.vintage, sel.query); err != nil {
		return whole, nil, err
	}
	w := &json.Writer{}
	w.Send = func() error {
		sample.bytes += len(w.Buf)
		w.Buf = w.Buf[:0]
		return nil
	}
	whole.isExact = true
	blocks := derived.Blocks
	derived.Blocks = func(yield func(*stat.Block, error) bool) {
		for b, err := range blocks {
			if whole.isExact = sample.bytes < sampledBytes; !whole.isExact {
				return
			}
			if err == nil {
				sample.add(b)
			}
			if !yield(b, err) {
				return
			}
		}
	}
	isEmpty, err := w.Series(sel.vintage, derived.Extract, sel.seriesOptions())
	if err != nil {
		return whole, nil, err
	}
	whole.bytes = sample.bytes + len(w.Buf)
	if !whole.isExact {
		whole.bytes = int(float64(whole.bytes) * float64(whole.cells) / float64(sample.cells))
	}
	rest = sel.appendRest(nil, derived, isEmpty)
	whole.bytes += len(`{"data":}`) + len(rest)
	return whole, rest, nil
}

func (n *size) add(b *stat.Block) {
	n.series += len(b.Areas)
	n.rows += len(b.Periods)
	n.cells += len(b.Value)
	for _, v := range b.Value {
		if !math.IsNaN(v) {
			n.observations++
		}
	}
}
