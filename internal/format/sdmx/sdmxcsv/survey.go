package sdmxcsv

import (
	"bytes"
	"errors"
	"io"

	"almanac/internal/format/sdmx"
	"almanac/internal/format/text"
)

// survey is what a look through the whole file finds. It is needed where no
// structure tells which columns are dimensions, where no column is called the
// time, and where numbers may have a decimal comma.
type survey struct {
	datasets map[string][]facts // by their keys, each with the facts of all columns
	style    text.StyleFinder
}

// facts are what the cells of a dataset's column have in common, in records with
// a value.
type facts struct {
	isEmpty   bool   // some cell is
	isUndated bool   // some cell is not a period
	last      []byte // the last cell of a column of periods only
}

// survey looks through the file, once.
func (f *file) survey() (*survey, error) {
	if f.surveyed != nil {
		return f.surveyed, nil
	}
	again := &file{in: f.in}
	if err := again.open(); err != nil {
		return nil, err
	}
	defer again.closer.Close()
	s := &survey{datasets: map[string][]facts{}}
	values := f.valueColumns("")
	err := again.next()
	for ; err == nil; err = again.next() {
		known := s.datasets[again.key]
		if known == nil {
			known = make([]facts, f.width)
			s.datasets[again.key] = known
		}
		hasValue := len(values) == 0
		for _, c := range values {
			if cell := again.cells[c.at]; len(cell) > 0 {
				hasValue = true
				if f.sep != ',' {
					s.style.At = again.at(c.at)
					s.style.See(cell)
				}
			}
		}
		if hasValue {
			for i, cell := range again.cells {
				known[i].see(f.header, cell)
			}
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, err
	}
	f.surveyed = s
	return s, nil
}

func (k *facts) see(h *header, cell []byte) {
	switch {
	case len(cell) == 0:
		k.isEmpty, k.isUndated = true, true
	case !k.isUndated && !bytes.Equal(cell, k.last):
		k.last = append(k.last[:0], cell...)
		id, _ := h.splitLabel(cell)
		_, err := sdmx.ParsePeriod(string(id))
		k.isUndated = err != nil && !sdmx.IsUndated(string(id))
	}
}
