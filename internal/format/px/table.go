package px

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// table is a dataset and what its cells need to be understood.
type table struct {
	*assemble.Table
	header   *header
	language string // of the labels; empty where it is the file's own
	text     *text.Scanner

	vars  []*variable // in the order of the cells
	stub  int         // number of variables in the stub
	cells int         // of the whole table

	time      int           // the variable that is the time; -1 where the caller states the period
	periods   []stat.Period // of its values; zero for one that is not a period
	timeTexts []string      // texts of the periods
	period    stat.Period   // stated by the caller
	frequency stat.Frequency
}

func newTable(ctx context.Context, in format.Input, text *text.Scanner, report *stat.Report) (*table, error) {
	h, err := readHeader(text)
	if err != nil {
		return nil, err
	}
	t := &table{Table: assemble.New(ctx, in.Name), header: h, language: h.labelLanguage(), text: text}
	t.Report = report
	if err := t.readVariables(); err != nil {
		return nil, err
	}
	t.cells = 1
	for _, v := range t.vars {
		if t.cells > math.MaxInt/len(v.values) {
			return nil, stat.BadFile(v.at, "the table has too many cells to count: their number is the product of the numbers of values")
		}
		t.cells *= len(v.values)
	}
	if err := t.setTime(in.Period); err != nil {
		return nil, err
	}
	t.describe(in)
	return t, t.setDimensions(in.Geo)
}

func (t *table) setDimensions(statedGeo string) error {
	var dims []stat.Dimension
	var vars []*variable
	for i, v := range t.vars {
		if i != t.time {
			dims, vars = append(dims, t.dimension(v)), append(vars, v)
		}
	}
	t.setUnits(vars, dims)
	geo, err := t.geography(vars, dims, statedGeo)
	if err != nil {
		return err
	}
	for i, axis := range t.Arrange(dims, geo) {
		vars[i].axis = axis
	}
	return nil
}

// geography returns the dimension that is the geography, -1 if there is none: the
// one that the caller states; the first that has a map or the type geographical;
// the first with a name that areas have.
func (t *table) geography(vars []*variable, dims []stat.Dimension, stated string) (int, error) {
	if stated != "" {
		ids := make([]string, len(dims))
		for i, v := range vars {
			if ids[i] = v.id; strings.EqualFold(strings.TrimSpace(v.name), stated) {
				return i, nil
			}
		}
		return assemble.StatedGeography(ids, stated)
	}
	for _, isGeography := range []func(v *variable) bool{
		func(v *variable) bool { return t.textOf("MAP", v) != "" },
		func(v *variable) bool { return strings.HasPrefix(strings.ToUpper(t.textOf("VARIABLE-TYPE", v)), "G") },
		isAreaName,
	} {
		if i := slices.IndexFunc(vars, func(v *variable) bool { return isGeography(v) && !isOrigin(v) }); i >= 0 {
			return i, nil
		}
	}
	return -1, nil
}

func isAreaName(v *variable) bool {
	return v.hasName(func(name string) bool {
		return name == "region" || assemble.RoleOf(strings.ReplaceAll(name, " ", "_")) == stat.RoleGeo
	})
}

// origins are parts of the names of variables for where people come from.
var origins = []string{
	"citizen", "national", "statsborg", "statsbrg", "medborg", "kansalai", "staatsang", "nacionalidad",
	"birth", "born", "födel", "fødsel", "födde", "fødeland", "syntymä", "nacimiento",
}

// isOrigin reports whether a variable is about where people come from. Their
// citizenship or birth is never where they were counted, even if it has a map.
func isOrigin(v *variable) bool {
	return v.hasName(func(name string) bool {
		return slices.ContainsFunc(origins, func(part string) bool { return strings.Contains(name, part) })
	})
}

// setUnits gives the values of the contents variable their units, and the dataset
// its unit.
func (t *table) setUnits(vars []*variable, dims []stat.Dimension) {
	all := t.header.best("UNITS", t.language)
	t.Dataset.Unit = all
	contents := t.header.text(slot{keyword: "CONTVARIABLE"})
	i := slices.IndexFunc(vars, func(v *variable) bool { return contents != "" && strings.TrimSpace(v.name) == contents })
	if i < 0 {
		return
	}
	codes := dims[i].Codes
	for j := range codes {
		codes[j].Unit = t.unitOf(vars[i], j)
	}
	unit := cmp.Or(codes[0].Unit, all)
	if slices.ContainsFunc(codes, func(c stat.Code) bool { return cmp.Or(c.Unit, all) != unit }) {
		unit = ""
		for j := range codes { // so that none gets the unit of another
			codes[j].Unit = cmp.Or(codes[j].Unit, all)
		}
	}
	t.Dataset.Unit = unit
}

// unitOf returns the unit of a value of the contents variable. Files name the
// value alone or after its variable.
func (t *table) unitOf(v *variable, at int) string {
	for _, s := range []slot{
		{"UNITS", t.language, v.labels[at], ""}, {"UNITS", t.language, v.shown, v.labels[at]},
		{"UNITS", "", v.values[at], ""}, {"UNITS", "", v.name, v.values[at]},
	} {
		if unit := t.header.text(s); unit != "" {
			return unit
		}
	}
	return ""
}
