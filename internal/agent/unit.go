package agent

import (
	"slices"
	"strings"

	"almanac/internal/chart/caption"
	"almanac/internal/stat"
)

const (
	unitColumn = "unit"
	noUnit     = "not stated by the office"
)

// describe keeps what the units of series are found in: the names of the dataset, and its dimensions.
func (of *structure) describe(m *metadata) {
	d := &stat.Dataset{Source: stat.Source{ID: m.Source, Name: m.SourceName}, Code: m.Code, Name: m.Name, Description: m.Description, Unit: m.Unit}
	for _, one := range of.Dimensions {
		dim := stat.Dimension{ID: one.ID, Label: one.Label, Role: stat.Role(one.Role)}
		for _, v := range one.Values {
			dim.Codes = append(dim.Codes, stat.Code{ID: v.Code, Label: v.Label})
		}
		d.Dimensions = append(d.Dimensions, dim)
	}
	of.dataset, of.units = d, map[string]string{}
}

// position returns the place of a code among the values of a dimension, -1 if it is none of them.
func (d *dimension) position(code string) int32 {
	if d.positions == nil {
		d.positions = make(map[string]int32, len(d.Values))
		for i, v := range d.Values {
			d.positions[v.Code] = int32(i)
		}
	}
	if at, ok := d.positions[code]; ok {
		return at
	}
	return -1
}

// unit returns the unit of a value with the text of the office if that is another one: "Million euro [MIO_EUR]". It is the one
// that charts show: of a dataset for which the office states none that which its title or the label of its measure has.
func (of *structure) unit(o *observation) string {
	stated := o.unit
	if o.isDerived {
		stated = ""
	}
	unit := of.seriesUnit(o.key, stated)
	switch {
	case o.isDerived:
		return derivedUnit(o.unit, unit)
	case unit == "" && stated == "":
		return noUnit
	case unit == "" || strings.EqualFold(unit, stated):
		return stated
	}
	return withCode(unit, stated)
}

// seriesUnit returns the unit of a series as charts show it, empty if there is none.
func (of *structure) seriesUnit(key []int32, stated string) string {
	if of.dataset == nil || slices.Contains(key, -1) {
		return stated
	}
	id := make([]byte, 0, 4*len(key))
	for _, at := range key {
		id = append(id, byte(at), byte(at>>8), byte(at>>16), byte(at>>24))
	}
	id = append(id, stated...)
	unit, ok := of.units[string(id)]
	if !ok {
		unit = caption.UnitOf(of.dataset, key, stated)
		of.units[string(id)] = unit
	}
	return unit
}

// derivedUnit completes the unit of derived values by that of the office's, if the interface does not know it: "Change on
// previous year, current US$".
func derivedUnit(derived, unit string) string {
	switch lower := strings.ToLower(derived); {
	case unit == "" || strings.Contains(derived, unit):
	case strings.HasPrefix(lower, "per inhabitant"):
		return unit + " " + derived
	case strings.HasPrefix(lower, "change on") && !strings.Contains(derived, ","):
		if strings.Contains(unit, "%") || strings.Contains(strings.ToLower(unit), "percent") {
			unit = "percentage points"
		}
		return derived + ", " + unit
	}
	return derived
}

// unitOfRow returns the text of the column with the units of values: empty if a column of a dimension says them.
func (of *structure) unitOfRow(list []observation) func(*observation) string {
	if len(list) == 0 {
		return of.unit
	}
	said := -1
	for i, d := range of.Dimensions {
		if d.Role == string(stat.RoleUnit) {
			said = i
		}
	}
	if said < 0 {
		return of.unit
	}
	isSaid := func(o *observation) bool {
		label, _, _ := strings.Cut(o.dims[said], " [")
		unit, _, _ := strings.Cut(of.unit(o), " [")
		return strings.EqualFold(label, unit)
	}
	for i := range list {
		if !isSaid(&list[i]) {
			return of.unit
		}
	}
	name := of.Dimensions[said].Label
	switch {
	case strings.EqualFold(name, unitColumn):
		return func(*observation) string { return "" }
	case isSame(list, of.unit):
		return of.unit
	}
	return func(*observation) string { return "see " + name }
}
