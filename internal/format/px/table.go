package px

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// table is a dataset and what its cells need to be understood.
type table struct {
	*assemble.Table
	header   *header
	language string // of the labels, where it is not the file's own
	text     *scanner

	vars  []*variable // in the order of the cells
	stub  int         // how many of them are in the stub
	cells int         // of the whole table

	time      int           // the variable that is the time; -1 where the caller states the period
	periods   []stat.Period // of its values; zero for one that is no period
	timeTexts []string      // that the periods were read from
	period    stat.Period   // stated by the caller
	frequency stat.Frequency
}

func newTable(ctx context.Context, in format.Input, text *scanner, report *stat.Report) (*table, error) {
	h, err := readHeader(text)
	if err != nil {
		return nil, err
	}
	t := &table{Table: assemble.New(ctx, in.Name), header: h, language: h.shown(), text: text}
	t.Report = report
	if err := t.readVariables(); err != nil {
		return nil, err
	}
	t.cells = 1
	for _, v := range t.vars {
		if t.cells > math.MaxInt/len(v.values) {
			return nil, stat.BadFile(v.at, "the table would have more cells than can be counted: the product of the numbers of values")
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
	t.giveUnits(vars, dims)
	geo, err := t.geography(vars, dims, statedGeo)
	if err != nil {
		return err
	}
	for i, axis := range t.Arrange(dims, geo) {
		vars[i].axis = axis
	}
	return nil
}

// geography chooses the dimension that is the geography, -1 if none is: the
// one that the caller states; the first that the file can show on a map, or
// calls geographical; the one with a name that areas have.
func (t *table) geography(vars []*variable, dims []stat.Dimension, stated string) (int, error) {
	ids := make([]string, len(dims))
	for i, v := range vars {
		if ids[i] = dims[i].ID; stated != "" && strings.EqualFold(strings.TrimSpace(v.name), stated) {
			return i, nil
		}
	}
	if stated != "" {
		return assemble.StatedGeography(ids, stated)
	}
	tests := []func(v *variable) bool{
		func(v *variable) bool { return t.about("MAP", v) != "" },
		func(v *variable) bool { return strings.HasPrefix(strings.ToUpper(t.about("VARIABLE-TYPE", v)), "G") },
		isAreaName,
	}
	for _, test := range tests {
		for i, v := range vars {
			if test(v) && !isOfPeople(v) {
				return i, nil
			}
		}
	}
	return -1, nil
}

func isAreaName(v *variable) bool {
	return v.isCalled(func(name string) bool {
		return name == "region" || assemble.RoleOf(strings.ReplaceAll(name, " ", "_")) == stat.RoleGeo
	})
}

// origins are parts of the names of variables that say where people come from.
var origins = []string{
	"citizen", "national", "statsborg", "statsbrg", "medborg", "kansalai", "staatsang", "nacionalidad",
	"birth", "born", "födel", "fødsel", "födde", "fødeland", "syntymä", "nacimiento",
}

// isOfPeople reports whether a variable says where people come from: their
// citizenship or birth is never where the number was counted, even if it can
// be shown on a map.
func isOfPeople(v *variable) bool {
	return v.isCalled(func(name string) bool {
		return slices.ContainsFunc(origins, func(part string) bool { return strings.Contains(name, part) })
	})
}

// giveUnits gives the values of the contents variable their units, and the
// dataset its unit.
func (t *table) giveUnits(vars []*variable, dims []stat.Dimension) {
	all := t.header.best("UNITS", t.language)
	t.Dataset.Unit = all
	contents := t.header.text(slot{keyword: "CONTVARIABLE"})
	for i, v := range vars {
		if contents == "" || strings.TrimSpace(v.name) != contents {
			continue
		}
		same := true // all have the same unit, or none of their own
		for j := range dims[i].Codes {
			c := &dims[i].Codes[j]
			c.Unit = t.unitOf(v, j)
			same = same && cmp.Or(c.Unit, all) == cmp.Or(dims[i].Codes[0].Unit, all)
		}
		t.Dataset.Unit = ""
		if same {
			t.Dataset.Unit = cmp.Or(dims[i].Codes[0].Unit, all)
			continue
		}
		for j := range dims[i].Codes { // so that none falls back on a unit that is not its own
			dims[i].Codes[j].Unit = cmp.Or(dims[i].Codes[j].Unit, all)
		}
	}
}

// unitOf is the unit of a value of the contents variable. Files name the value
// alone or after its variable.
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

// describe fills in what the file says of the table as a whole.
func (t *table) describe(in format.Input) {
	h, d := t.header, t.Dataset
	d.Source = t.office(in.Source)
	t.SetCode(in.Code, h.text(slot{keyword: "TABLEID"}), h.text(slot{keyword: "MATRIX"}))
	for _, keyword := range []string{"DESCRIPTION", "TITLE", "CONTENTS"} {
		// Offices write DESCRIPTION themselves; TITLE is put together by programs.
		d.Name = cmp.Or(d.Name, oneLine(h.best(keyword, t.language)))
	}
	d.Name = cmp.Or(d.Name, d.Code)
	if source := oneLine(h.best("SOURCE", t.language)); !strings.EqualFold(source, d.Source.Name) {
		d.Attribution = source
	}
	if link := h.best("LINK", t.language); strings.HasPrefix(link, "https://") || strings.HasPrefix(link, "http://") {
		d.SourceURL = link
	}
	d.Description = t.description()
	t.setTimes()
}

// office is the office that made the table. A source of several offices is a
// compilation, made by the office that answers for it.
func (t *table) office(stated string) stat.Source {
	h := t.header
	source := h.text(slot{keyword: "SOURCE"})
	lines := strings.Split(plain(source), "\n")
	switch {
	case stated != "":
		return office.Find(stated)
	case len(lines) > 1:
		if s, ok := office.FindIn(h.text(slot{keyword: "CONTACT"})); ok {
			return s
		}
	}
	for _, text := range append(lines, plain(h.best("SOURCE", "en"))) {
		if s, ok := office.FindIn(text); ok {
			return s
		}
		if s := office.Find(beginning(text)); s.URL != "" { // a listed office, by a short name
			return s
		}
	}
	if name := strings.TrimSpace(lines[0]); name != "" {
		return office.Find(cmp.Or(beginning(name), name))
	}
	for _, keyword := range []string{"COPYRIGHT", "CONTACT", "DATABASE"} {
		if s, ok := office.FindIn(h.best(keyword, "")); ok {
			return s
		}
	}
	return stat.Source{}
}

// beginning is what stands before the first sign that ends a name: "BFS" of
// "BFS - Beschäftigungsstatistik".
func beginning(text string) string {
	for _, sign := range []string{" - ", ",", ";", "(", "[", "©", ":"} {
		text, _, _ = strings.Cut(text, sign)
	}
	return strings.TrimSpace(text)
}
