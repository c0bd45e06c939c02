package jsonstat

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/encode"
	"almanac/internal/encode/grid"
	"almanac/internal/stat"
)

// maxSize is the number of cells up to which every reader counts positions exactly: the
// largest integer that a number of JavaScript holds.
const maxSize = 1<<53 - 1

// cube is a table with the place of each observation.
type cube struct {
	table *encode.Table
	grid  *grid.Grid
	axes  []*axis // in the order of the file; the last changes fastest
	size  int     // the product of their sizes

	keys   []*axis // of the dimensions
	area   *axis   // nil if the dataset has no geography
	period *axis
	unit   *axis            // nil unless no dimension tells the unit
	units  map[string]int32 // the positions on unit
}

// axis is a dimension of the file.
type axis struct {
	id, label string
	role      string // geo, time, metric or empty
	codes     []code
	hasUnits  bool
	hasAreas  bool
	at        []int32 // of a code of the dataset, its position here
	stride    int
}

// code is a category. Only one of the geography has an area: what available_geo calls it.
type code struct{ id, label, unit, area string }

func newCube(t *encode.Table, g *grid.Grid) (*cube, error) {
	d := t.Vintage.Dataset
	c := &cube{table: t, grid: g}
	all := d.Axes()
	for _, i := range d.SourceOrder() {
		isGeo := i == len(all)-1
		if isGeo && d.HasNoArea() {
			continue
		}
		a := newAxis(all[i], g.Codes[i])
		if isGeo {
			a.role, a.hasAreas, c.area = "geo", true, a
		}
		c.axes = append(c.axes, a)
	}
	for i := range d.Dimensions {
		at := i
		if c.area != nil && i >= min(d.GeographyAt, len(d.Dimensions)) {
			at++
		}
		c.keys = append(c.keys, c.axes[at])
	}
	for _, f := range d.Fixed {
		c.axes = append(c.axes, &axis{id: f.ID, label: f.Label, codes: []code{{id: f.Code.ID, label: f.Code.Label}}})
	}
	c.addUnits()
	c.addPeriods()
	return c, c.place()
}

// newAxis returns a dimension with the codes that occur.
func newAxis(dim *stat.Dimension, codes []int32) *axis {
	a := &axis{id: dim.ID, label: dim.Label, at: make([]int32, len(dim.Codes))}
	for i, at := range codes {
		a.at[at] = int32(i)
		a.codes = append(a.codes, code{id: dim.Codes[at].ID, label: dim.Codes[at].Label, area: dim.Codes[at].Area})
	}
	return a
}

// addPeriods adds the time. Its categories have the codes of SDMX, and are labelled as the
// source does, else as in JSON.
func (c *cube) addPeriods() {
	d := c.table.Vintage.Dataset
	c.period = &axis{id: c.newID("time"), label: "Time", role: "time", at: make([]int32, len(c.table.Extract.Periods))}
	for i, at := range c.grid.Periods {
		p := c.table.Extract.Periods[at]
		label := d.PeriodLabels[p]
		if label == "" {
			label = p.String()
		}
		c.period.at[at] = int32(i)
		c.period.codes = append(c.period.codes, code{id: p.SDMX(), label: label})
	}
	c.axes = append(c.axes, c.period)
}

// newID returns an ID that no dimension has.
func (c *cube) newID(id string) string {
	isTaken := func(id string) bool {
		return slices.ContainsFunc(c.axes, func(a *axis) bool { return strings.EqualFold(a.id, id) })
	}
	name := id
	for i := 2; isTaken(name); i++ {
		name = id + strconv.Itoa(i)
	}
	return name
}

// addUnits gives units to the categories of the first dimension that tells them: the unit
// dimension, else one whose codes have units, else any other. If none does, because units
// differ by area, the file gets a dimension of units.
func (c *cube) addUnits() {
	d := c.table.Vintage.Dataset
	var candidates []int
	for _, isCandidate := range []func(dim *stat.Dimension) bool{
		func(dim *stat.Dimension) bool { return dim.Role == stat.RoleUnit },
		func(dim *stat.Dimension) bool {
			return slices.ContainsFunc(dim.Codes, func(c stat.Code) bool { return c.Unit != "" })
		},
		func(dim *stat.Dimension) bool { return true },
	} {
		for i := range d.Dimensions {
			if isCandidate(&d.Dimensions[i]) && !slices.Contains(candidates, i) {
				candidates = append(candidates, i)
			}
		}
	}
	hasUnits := false
	for _, b := range c.grid.Blocks {
		hasUnits = hasUnits || d.UnitOf(b.Key, b.Unit) != ""
	}
	if !hasUnits || slices.ContainsFunc(candidates, c.tellsUnits) {
		return
	}
	c.unit, c.units = &axis{id: c.newID("unit"), label: "Unit", role: "metric", hasUnits: true}, map[string]int32{}
	for _, b := range c.grid.Blocks {
		unit := d.UnitOf(b.Key, b.Unit)
		if _, ok := c.units[unit]; !ok {
			c.units[unit] = int32(len(c.unit.codes))
			c.unit.codes = append(c.unit.codes, code{id: unitCode(unit), label: unit, unit: unit})
		}
	}
	c.axes = append(c.axes, c.unit)
}

// unitCode returns the code of a unit on a dimension of units: its text, since nothing else
// is known of it.
func unitCode(unit string) string {
	if unit == "" {
		return stat.NoArea // not applicable
	}
	return unit
}

// tellsUnits reports whether all series with the same code of a dimension have the same unit,
// and if so gives the units to the codes.
func (c *cube) tellsUnits(dim int) bool {
	d, a := c.table.Vintage.Dataset, c.keys[dim]
	units := map[int32]string{}
	for _, b := range c.grid.Blocks {
		unit := d.UnitOf(b.Key, b.Unit)
		if known, ok := units[a.at[b.Key[dim]]]; ok && known != unit {
			return false
		}
		units[a.at[b.Key[dim]]] = unit
	}
	for i := range a.codes {
		a.codes[i].unit = units[int32(i)]
		if c.table.Transform != "" {
			a.codes[i].label = derivedLabel(a.codes[i].label, a.codes[i].unit)
		}
	}
	a.role, a.hasUnits = "metric", true
	return true
}

// derivedLabel returns the label of a code whose values are derived. It also says their unit,
// since readers that make tables of the labels do not show units.
func derivedLabel(label, unit string) string {
	switch {
	case unit == "":
		return label
	case strings.HasPrefix(unit, label):
		return unit // "Million euro per inhabitant"
	}
	return label + ": " + unit
}

// place sets the strides of the dimensions and the size of the cube.
func (c *cube) place() error {
	c.size = 1
	for _, a := range slices.Backward(c.axes) {
		a.stride = c.size
		if n := len(a.codes); n > 0 && c.size > maxSize/n {
			return stat.Errorf(stat.Invalid, "JSON-stat numbers all combinations of the codes, of which this selection has more than 2^53; select less, or use data.csv or data.ndjson, which have no limit")
		}
		c.size *= len(a.codes)
	}
	return nil
}

// eachCell calls a function with each observation and its position in the cube.
func (c *cube) eachCell(do func(b *stat.Block, i int32, at int) error) error {
	for _, b := range c.grid.Blocks {
		base := 0
		for i, code := range b.Key {
			base += int(c.keys[i].at[code]) * c.keys[i].stride
		}
		if c.unit != nil {
			base += int(c.units[c.table.Vintage.Dataset.UnitOf(b.Key, b.Unit)]) * c.unit.stride
		}
		for row, period := range b.Periods {
			inRow := base + int(c.period.at[period])*c.period.stride
			for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
				at := inRow
				if c.area != nil {
					at += int(c.area.at[b.Areas[b.Area[i]]]) * c.area.stride
				}
				if err := do(b, i, at); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
