package sdmxcsv

import (
	"errors"
	"io"

	"almanac/internal/format/sdmx"
	"almanac/internal/format/text"
)

// survey holds the findings of a pass through the whole file. It is needed if no
// structure is known, if no column has the name of a time, or if numbers may have a
// decimal comma.
type survey struct {
	datasets map[string][]facts // about all columns, by the key of the dataset
	style    text.StyleFinder
	isPeriod text.Cache[bool] // of cells
}

// facts describe the cells of a column in the records of a dataset that have a value.
type facts struct {
	hasEmpty bool // some cell is empty
	hasOther bool // some cell is not a period
	hasAny   bool // some cell is not empty
}

// survey returns the findings of a pass through the file, which is made once.
func (f *file) survey() (*survey, error) {
	if f.findings != nil {
		return f.findings, nil
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
		columns := s.datasets[again.key]
		if columns == nil {
			columns = make([]facts, f.width)
			s.datasets[again.key] = columns
		}
		hasValue := len(values) == 0
		for _, c := range values {
			if cell := again.cells[c.at]; len(cell) > 0 {
				hasValue = true
				if f.sep != ',' {
					s.style.At = again.at(c.at)
					s.style.See([]byte(cell))
				}
			}
		}
		if hasValue {
			for i, cell := range again.cells {
				s.add(&columns[i], f.header, cell)
			}
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, err
	}
	f.findings = s
	return s, nil
}

func (s *survey) add(k *facts, h *header, cell string) {
	switch {
	case len(cell) == 0:
		k.hasEmpty, k.hasOther = true, true
	case !k.hasOther:
		k.hasAny = true
		isPeriod, _ := s.isPeriod.FindText(cell, func() (bool, error) {
			id, _ := h.splitLabel(cell)
			_, err := sdmx.ParsePeriod(id)
			return err == nil || sdmx.IsUndated(id), nil
		})
		k.hasOther = !isPeriod
	}
}
