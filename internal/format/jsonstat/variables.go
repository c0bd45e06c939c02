package jsonstat

import (
	"bytes"
	"io"
	"slices"

	"almanac/internal/stat"
)

// Variable is a dimension of a dataset that is described without its values.
type Variable struct {
	ID       string
	Codes    []string
	IsMetric bool // its codes are what is measured
}

// Variables reads what a server says that a dataset is made of, in the order of
// the cells. Sizes are passed over: some servers give others than the dimensions
// have.
func Variables(text []byte) ([]Variable, error) {
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	f, err := readFile(open, "", &stat.Report{})
	if err != nil {
		return nil, err
	}
	if len(f.cubes) == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the text has no dimensions")
	}
	c := f.cubes[0]
	c.sizes = nil
	if err := c.checkDimensions(); err != nil {
		return nil, err
	}
	var all []Variable
	for _, id := range c.ids {
		all = append(all, Variable{ID: id, Codes: c.dims[id].codes, IsMetric: slices.Contains(c.roles["metric"], id)})
	}
	return all, nil
}
