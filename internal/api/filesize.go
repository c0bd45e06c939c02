package api

import (
	"errors"
	"iter"

	"almanac/internal/encode"
	"almanac/internal/stat"
)

// A file of at most sampledCells observations is written to learn its length. That of a longer one is estimated
// from about as many, in stretches that begin at equal distances, because the parts of a dataset may have labels,
// notes and values of other lengths. They fill whole row groups of Parquet, each of which has the labels once.
const (
	sampledCells = 256 << 10
	stretches    = 4
)

// errBegun ends the writing of a file of which only the errors before the first byte matter.
var errBegun = errors.New("the file has begun")

// writeFileSize writes the size of a file instead of the file. A selection that the form cannot hold gives
// the error of the form.
func (x *exchange) writeFileSize(s *stream, sel *selection, f *form, o encode.Options) error {
	derived, err := sel.derive.Select(x.r.Context(), sel.vintage, sel.query)
	if err != nil {
		return err
	}
	var whole size
	rows := 0
	for b, err := range derived.Blocks {
		if err != nil {
			return err
		}
		whole.add(b)
		rows += rowsOf(b, o.Wide)
	}
	whole.rows = rows
	if whole.isExact = whole.cells <= sampledCells; whole.isExact {
		whole.bytes, _, err = x.lengthOf(sel, f, o, whole.cells)
	} else {
		whole.bytes, err = x.estimate(sel, f, o, whole.cells)
	}
	if err != nil {
		return err
	}
	x.w.Header()["X-Notice"] = noticeHeaders(sel.allNotices(derived, whole.cells == 0))
	s.Buf = whole.appendTo(s.Buf, sel.appendRest(nil, derived, whole.cells == 0))
	return nil
}

// rowsOf returns how many rows a block has in a form, without headings.
func rowsOf(b *stat.Block, w encode.Wide) int {
	switch w {
	case encode.WideArea:
		return len(b.Periods)
	case encode.WidePeriod:
		return len(b.Areas)
	}
	return len(b.Value)
}

// lengthOf returns the number of bytes of a file of [sampleBlocks], and of the observations in it.
func (x *exchange) lengthOf(sel *selection, f *form, o encode.Options, all int) (bytes, cells int, err error) {
	derived, err := sel.derive.Select(x.r.Context(), sel.vintage, sel.query)
	if err != nil {
		return 0, 0, err
	}
	t := x.table(sel, derived, x.fileAddress(sel, f))
	t.Extract.Blocks = sampleBlocks(t.Extract.Blocks, all, &cells)
	again := t.Again
	t.Again = func() (iter.Seq2[*stat.Block, error], error) {
		blocks, err := again()
		return sampleBlocks(blocks, all, new(int)), err
	}
	w := &lengthWriter{}
	err = f.write(w, t, o)
	return w.bytes, cells, err
}

// sampleBlocks returns all blocks if they have at most [sampledCells] observations, else those of the stretches.
// It counts their observations. all is the number of observations of all blocks.
func sampleBlocks(blocks iter.Seq2[*stat.Block, error], all int, cells *int) iter.Seq2[*stat.Block, error] {
	return func(yield func(*stat.Block, error) bool) {
		at := 0
		for b, err := range blocks {
			if err == nil {
				isSampled := all <= sampledCells || at%(all/stretches) < sampledCells/stretches
				if at += len(b.Value); !isSampled {
					continue
				}
				*cells += len(b.Value)
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// estimate returns the approximate number of bytes of a file with many observations from those of some, once the
// form has begun to write all of them, because only then it is known to hold them.
func (x *exchange) estimate(sel *selection, f *form, o encode.Options, cells int) (int, error) {
	derived, err := sel.derive.Select(x.r.Context(), sel.vintage, sel.query)
	if err != nil {
		return 0, err
	}
	first := &firstWriter{}
	if err := f.write(first, x.table(sel, derived, x.fileAddress(sel, f)), o); err != nil && !first.isBegun {
		return 0, err
	}
	bytes, sampled, err := x.lengthOf(sel, f, o, cells)
	return int(float64(bytes) * float64(cells) / float64(sampled)), err
}

// lengthWriter counts bytes.
type lengthWriter struct{ bytes int }

func (w *lengthWriter) Write(bytes []byte) (int, error) {
	w.bytes += len(bytes)
	return len(bytes), nil
}

// firstWriter refuses the first bytes.
type firstWriter struct{ isBegun bool }

func (w *firstWriter) Write([]byte) (int, error) {
	w.isBegun = true
	return 0, errBegun
}
