package px

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

type reader struct {
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

	notes   *notes
	marks   map[string]cell // texts in place of numbers
	decimal string          // as the caller states it
	style   text.Style
	at      []int32 // position of the current cell in each variable
	obs     stat.Observation
	gap     gap
	quote   []byte // the last text in quotation marks
	bareEnd int    // offset behind the last cell without quotation marks
}

func (r *reader) readStructure(in format.Input) (err error) {
	if r.header, err = readHeader(r.text); err != nil {
		return err
	}
	r.language = r.header.labelLanguage()
	if err := r.readVariables(); err != nil {
		return err
	}
	if r.cells, err = r.countCells(); err != nil {
		return err
	}
	if err := r.setTime(in.Period); err != nil {
		return err
	}
	r.describe(in)
	if err := r.setDimensions(in.Geo); err != nil {
		return err
	}
	r.setTranslations()
	r.decimal, r.style.Decimal = in.Decimal, '.'
	if in.Decimal == "," {
		r.style.Decimal = ','
	}
	r.at, r.obs.Key = make([]int32, len(r.vars)), r.Key
	if r.notes, err = r.readNotes(); err != nil {
		return err
	}
	return r.readMarks()
}

// countCells returns the product of the numbers of values.
func (r *reader) countCells() (int, error) {
	cells := 1
	for _, v := range r.vars {
		if cells > math.MaxInt/len(v.values) {
			return 0, stat.BadFile(v.at, "the table has too many cells to count: their number is the product of the numbers of values")
		}
		cells *= len(v.values)
	}
	return cells, nil
}

func (r *reader) setDimensions(statedGeo string) error {
	var dims []stat.Dimension
	var vars []*variable
	for i, v := range r.vars {
		if i != r.time {
			dims, vars = append(dims, r.dimension(v)), append(vars, v)
		}
	}
	r.setUnits(vars, dims)
	geo, err := r.geography(vars, dims, statedGeo)
	if err != nil {
		return err
	}
	for i, axis := range r.Arrange(dims, geo) {
		vars[i].axis = axis
	}
	return nil
}

// geography returns the position of the geography, -1 if there is none: the variable
// that the caller states, else the first with a map, the type geographical, or the name
// of areas.
func (r *reader) geography(vars []*variable, dims []stat.Dimension, stated string) (int, error) {
	if stated != "" {
		if i := slices.IndexFunc(vars, func(v *variable) bool { return strings.EqualFold(strings.TrimSpace(v.name), stated) }); i >= 0 {
			return i, nil
		}
		return assemble.Geography(dims, stated)
	}
	for _, isGeography := range []func(v *variable) bool{
		func(v *variable) bool { return r.textOf("MAP", v) != "" },
		func(v *variable) bool { return strings.HasPrefix(strings.ToUpper(r.textOf("VARIABLE-TYPE", v)), "G") },
		func(v *variable) bool {
			return v.hasName(func(name string) bool {
				return assemble.IsAreaWord(name) || assemble.RoleOf(strings.ReplaceAll(name, " ", "_")) == stat.RoleGeo
			})
		},
	} {
		if i := slices.IndexFunc(vars, func(v *variable) bool { return isGeography(v) && !isOrigin(v) }); i >= 0 {
			return i, nil
		}
	}
	return -1, nil
}

// origins are parts of the names of variables about where people come from.
var origins = []string{
	"citizen", "national", "statsborg", "statsbrg", "medborg", "kansalai", "staatsang", "nacionalidad",
	"birth", "born", "födel", "fødsel", "födde", "fødeland", "syntymä", "nacimiento",
}

// isOrigin reports whether a variable is about where people come from, which is not
// where they were counted, even if it has a map.
func isOrigin(v *variable) bool {
	return v.hasName(func(name string) bool {
		return slices.ContainsFunc(origins, func(part string) bool { return strings.Contains(name, part) })
	})
}

// setUnits gives the values of the contents variable their units, and the dataset
// its unit.
func (r *reader) setUnits(vars []*variable, dims []stat.Dimension) {
	all := oneLine(r.header.best("UNITS", r.language))
	r.Dataset.Unit = all
	i := slices.IndexFunc(vars, r.isContents)
	if i < 0 {
		return
	}
	codes := dims[i].Codes
	for j := range codes {
		codes[j].Unit = r.unitOf(vars[i], j)
	}
	unit := cmp.Or(codes[0].Unit, all)
	if slices.ContainsFunc(codes, func(c stat.Code) bool { return cmp.Or(c.Unit, all) != unit }) {
		unit = ""
		for j := range codes { // so that no code gets the unit of another
			codes[j].Unit = cmp.Or(codes[j].Unit, all)
		}
	}
	r.Dataset.Unit = unit
}

// unitOf returns the unit of a value of the contents variable. Files name the value
// alone or after its variable.
func (r *reader) unitOf(v *variable, at int) string {
	for _, s := range []slot{
		{"UNITS", r.language, v.labels[at], ""}, {"UNITS", r.language, v.label, v.labels[at]},
		{"UNITS", "", v.values[at], ""}, {"UNITS", "", v.name, v.values[at]},
	} {
		if unit := r.header.text(s); unit != "" {
			return unit
		}
	}
	return ""
}
