package px

import (
	"cmp"
	"math"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// table is a dataset and what its cells need to be understood.
type table struct {
	header   *header
	shown    string // the language of the labels, where it is not the file's own
	report   *stat.Report
	dataset  *stat.Dataset
	prepared time.Time

	vars      []*variable // in the order of the cells
	stub      int         // how many of them are in the stub
	time      *variable   // nil where the caller states the period
	timeAt    int         // its place among vars
	period    stat.Period // stated by the caller
	frequency stat.Frequency
	cells     int // of the whole table
	decimal   string
	text      *scanner
}

// newTable reads everything before the cells.
func newTable(in format.Input, text *scanner, report *stat.Report) (*table, error) {
	h, err := readHeader(text)
	if err != nil {
		return nil, err
	}
	t := &table{header: h, shown: h.shown(), report: report, dataset: &stat.Dataset{}, decimal: in.Decimal, text: text}
	if err := t.variables(); err != nil {
		return nil, err
	}
	t.cells = 1
	for _, v := range t.vars {
		if t.cells > math.MaxInt/len(v.values) {
			return nil, stat.BadFile(v.at, "the table would have more cells than can be counted: the product of the numbers of values")
		}
		t.cells *= len(v.values)
	}
	if err := t.settleTime(in.Period); err != nil {
		return nil, err
	}
	t.describe(in)
	return t, t.arrange(in.Geo)
}

// arrange gives the dataset its dimensions.
func (t *table) arrange(stated string) error {
	var dims []stat.Dimension
	var vars []*variable
	for _, v := range t.vars {
		if v != t.time {
			dims, vars = append(dims, t.dimension(v)), append(vars, v)
		}
	}
	t.giveUnits(vars, dims)
	geo, err := t.geography(vars, dims, stated)
	if err != nil {
		return err
	}
	for i, axis := range assemble.Arrange(t.dataset, dims, geo) {
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

// isAreaName reports whether a variable is called as areas are.
func isAreaName(v *variable) bool {
	for _, name := range []string{v.id, v.name, v.shown} {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "region" || assemble.RoleOf(strings.ReplaceAll(name, " ", "_")) == stat.RoleGeo {
			return true
		}
	}
	return false
}

// isOfPeople reports whether a variable says where people come from: their
// citizenship or birth is never where the number was counted, even if it can
// be shown on a map.
func isOfPeople(v *variable) bool {
	for _, name := range []string{v.id, v.name, v.shown} {
		name = strings.ToLower(name)
		for _, part := range []string{"citizen", "national", "statsborg", "statsbrg", "medborg", "kansalai", "staatsang", "nacionalidad", "birth", "born", "födel", "fødsel", "födde", "fødeland", "syntymä", "nacimiento"} {
			if strings.Contains(name, part) {
				return true
			}
		}
	}
	return false
}

// giveUnits gives the values of the contents variable their units, and the
// dataset its unit.
func (t *table) giveUnits(vars []*variable, dims []stat.Dimension) {
	all := t.header.best("UNITS", t.shown)
	t.dataset.Unit = all
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
		t.dataset.Unit = ""
		if same {
			t.dataset.Unit = cmp.Or(dims[i].Codes[0].Unit, all)
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
		{"UNITS", t.shown, v.labels[at], ""}, {"UNITS", t.shown, v.shown, v.labels[at]},
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
	h, d := t.header, t.dataset
	d.Source = t.office(in.Source)
	d.Code = cmp.Or(in.Code, h.text(slot{keyword: "TABLEID"}), h.text(slot{keyword: "MATRIX"}))
	if d.Code == "" {
		d.Code = assemble.CodeFromName(in.Name, t.report)
	}
	for _, keyword := range []string{"DESCRIPTION", "TITLE", "CONTENTS"} {
		// Offices write DESCRIPTION themselves; TITLE is put together by programs.
		d.Name = cmp.Or(d.Name, oneLine(h.best(keyword, t.shown)))
	}
	d.Name = cmp.Or(d.Name, d.Code)
	if source := oneLine(h.best("SOURCE", t.shown)); !strings.EqualFold(source, d.Source.Name) {
		d.Attribution = source
	}
	if link := h.best("LINK", t.shown); strings.HasPrefix(link, "https://") || strings.HasPrefix(link, "http://") {
		d.SourceURL = link
	}
	d.Description = t.description()
	t.date()
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
