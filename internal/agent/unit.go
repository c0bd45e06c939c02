package agent

import (
	"fmt"
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
			code := stat.Code{ID: v.Code, Label: v.Label}
			if v.isNamed {
				code.Label = v.Code
			}
			dim.Codes = append(dim.Codes, code)
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
	}
	return withStated(unit, stated)
}

// withStated returns a unit as charts show it with the text of the office, if that is another one.
func withStated(unit, stated string) string {
	if unit == "" || strings.EqualFold(unit, stated) {
		return stated
	}
	return withCode(unit, stated)
}

// checkUnits returns an error if values of different units are ranked, and notes if amounts in national currencies are.
func (f *fetched) checkUnits() error {
	var units []string
	for i := range f.list {
		if unit := f.of.unit(&f.list[i]); !f.list[i].isMissing() && !slices.Contains(units, unit) {
			units = append(units, unit)
		}
	}
	if len(units) > 1 {
		advice := "call get_latest without order"
		for i, d := range f.of.Dimensions {
			if distinct(f.list, func(o *observation) string { return o.dims[i] }) > 1 {
				advice = fmt.Sprintf("choose one value of %q in dimensions, or %s", d.ID, advice)
				break
			}
		}
		return errorf("a ranking compares values of one unit, and this selection has several: %s; %s", fewNames(units), advice)
	}
	if len(units) == 1 && caption.IsNationalCurrency(units[0]) && len(f.areas()) > 1 {
		f.lacking = append(f.lacking, "the values are in national currencies: those of areas with different currencies cannot be ranked; choose a unit in one currency, if the dataset has one")
	}
	return nil
}

// addNames names the codes that the office gives without a label as charts do, by well-known code lists.
func (d *dimension) addNames(source string) {
	known := map[string]bool{}
	for _, v := range d.Values {
		known[v.Label] = true
	}
	for i := range d.Values {
		v := &d.Values[i]
		if v.Label != v.Code || !caption.IsCode(v.Code) {
			continue
		}
		if name := d.nameOf(source, v.Code); name != "" && !known[name] {
			v.Label, v.isNamed, known[name] = name, true, true
		}
	}
}

// nameOf returns the name of a code without a label, empty if it is not known.
func (d *dimension) nameOf(source, id string) string {
	code := stat.Code{ID: id, Label: id}
	if d.Role != string(stat.RoleUnit) {
		return caption.Label(source, d.ID, code)
	}
	only := &stat.Dataset{Source: stat.Source{ID: source}, Dimensions: []stat.Dimension{{ID: d.ID, Role: stat.RoleUnit, Codes: []stat.Code{code}}}}
	return caption.UnitOf(only, []int32{0}, "")
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
	case lower == "value per inhabitant":
		return unit + " per inhabitant"
	case strings.HasPrefix(lower, "change on") && !strings.Contains(derived, ","):
		if strings.Contains(unit, "%") || strings.Contains(strings.ToLower(unit), "percent") {
			unit = "percentage points"
		}
		return derived + ", " + unit
	}
	return derived
}

// unitOfRow returns the text of the column with the units of values: that another column has them, if a dimension says them.
func (of *structure) unitOfRow(list []observation) func(*observation) string {
	said := slices.IndexFunc(of.Dimensions, func(d dimension) bool { return of.saysUnits(&d, list) })
	switch {
	case said < 0:
		return of.unit
	case strings.EqualFold(of.Dimensions[said].Label, unitColumn):
		return func(*observation) string { return "" }
	case isSame(list, of.unit):
		return of.unit
	}
	return func(*observation) string { return "see " + of.Dimensions[said].Label }
}

// saysUnits reports whether the labels of a dimension are the units of values.
func (of *structure) saysUnits(d *dimension, list []observation) bool {
	at := of.index(d)
	isOther := func(o observation) bool {
		label, _, _ := strings.Cut(o.dims[at], " [")
		unit, _, _ := strings.Cut(of.unit(&o), " [")
		return !strings.EqualFold(label, unit)
	}
	return len(list) > 0 && !slices.ContainsFunc(list, isOther)
}
