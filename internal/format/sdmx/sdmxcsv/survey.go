package sdmxcsv

import (
	"bytes"
	"errors"
	"io"

	"almanac/internal/format/sdmx"
	"almanac/internal/format/text"
)

// Bounds of a file with several datasets, against hostile ones.
const (
	maxDatasets = 1000
	maxFacts    = 1 << 20 // datasets × columns
)

// survey is what a look through the whole file says. It is needed where no
// structure says which columns are dimensions, where no column is called the
// time, and where numbers may have a decimal comma.
type survey struct {
	datasets map[string]*facts
	style    text.StyleFinder
}

// facts are what the cells of a dataset's columns have in common, by the
// column's place.
type facts struct {
	empty   []bool // a record with a value has nothing there
	used    []bool // some record has something there
	undated []bool // a record with a value has something there that is no period
	last    [][]byte
}

// survey looks through the file, once.
func (f *file) survey() (*survey, error) {
	if f.looked != nil {
		return f.looked, nil
	}
	again := &file{in: f.in}
	if err := again.open(); err != nil {
		return nil, err
	}
	defer again.text.Close()
	s := &survey{datasets: map[string]*facts{}}
	var known *facts
	var name []byte
	values := f.header.valueColumns(nil)
	for {
		err := again.next()
		if errors.Is(err, io.EOF) {
			f.looked = s
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		cells := again.records.cells
		if cell := again.cell(f.header.dataflow); known == nil || !bytes.Equal(cell, name) {
			name = append(name[:0], cell...)
			if known, err = s.dataset(again, f.header.datasetKey(string(cell))); err != nil {
				return nil, err
			}
		}
		if len(values) == 0 {
			known.see(cells, f.header)
			continue
		}
		valued := false
		for _, c := range values {
			if len(cells[c.at]) > 0 {
				valued = true
				if f.records.sep != ',' {
					s.style.At = again.records.at(c.at)
					s.style.See(cells[c.at])
				}
			}
		}
		if valued {
			known.see(cells, f.header)
		}
	}
}

// dataset finds the facts of a dataset.
func (s *survey) dataset(f *file, key string) (*facts, error) {
	known := s.datasets[key]
	if known == nil {
		if len(s.datasets) == maxDatasets || len(s.datasets)*f.header.width > maxFacts {
			return nil, f.records.bad(f.header.dataflow, "the file holds more than %d datasets: split it by dataset", len(s.datasets))
		}
		n := f.header.width
		known = &facts{empty: make([]bool, n), used: make([]bool, n), undated: make([]bool, n), last: make([][]byte, n)}
		s.datasets[key] = known
	}
	return known, nil
}

// see takes in a record with a value.
func (k *facts) see(cells [][]byte, h *header) {
	for i, cell := range cells {
		switch {
		case len(cell) == 0:
			k.empty[i], k.undated[i] = true, true
		case k.undated[i]:
			k.used[i] = true
		case !bytes.Equal(cell, k.last[i]):
			k.used[i] = true
			k.last[i] = append(k.last[i][:0], cell...)
			id, _ := h.split(cell)
			_, err := sdmx.ParsePeriod(string(id))
			k.undated[i] = err != nil && !sdmx.IsUndated(string(id))
		}
	}
}
