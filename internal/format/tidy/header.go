package tidy

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/stat"
)

// header is what the lines before the table say beside the dataset itself.
type header struct {
	seen map[string]int // the line of each directive that may stand once
	axes []*axis        // in the file's order
	rows int            // as #rows states it, -1 if it does not
}

// axis is a dimension while it is read.
type axis struct {
	dim    *stat.Dimension
	index  map[string]int32 // positions of its codes
	closed bool             // has the codes of its #code lines and no others
}

// A directive is a line before the table.
type directive struct {
	name     string
	cells    string // as the documentation writes them; the brackets are what may be left out
	min, max int    // number of cells after the name
	often    bool   // may stand more than once
	apply    func(r *reader, cells []string) error
}

var directives = []directive{
	{"#source", "ID[,NAME[,URL]]", 1, 3, false, (*reader).source},
	{"#dataset", "CODE[,NAME]", 1, 2, false, func(r *reader, c []string) error {
		r.dataset.Code, r.dataset.Name = c[0], c[1]
		return nil
	}},
	{"#description", "TEXT", 1, 1, false, func(r *reader, c []string) error { r.dataset.Description = c[0]; return nil }},
	{"#source_url", "URL", 1, 1, false, func(r *reader, c []string) error { r.dataset.SourceURL = c[0]; return nil }},
	{"#metadata_url", "URL", 1, 1, false, func(r *reader, c []string) error { r.dataset.MetadataURL = c[0]; return nil }},
	{"#licence", "TEXT", 1, 1, false, func(r *reader, c []string) error { r.dataset.Licence = c[0]; return nil }},
	{"#attribution", "TEXT", 1, 1, false, func(r *reader, c []string) error { r.dataset.Attribution = c[0]; return nil }},
	{"#unit", "TEXT", 1, 1, false, func(r *reader, c []string) error { r.dataset.Unit = c[0]; return nil }},
	{"#updated", "TIME", 1, 1, false, (*reader).updated},
	{"#rows", "NUMBER", 1, 1, false, (*reader).rows},
	{"#dimension", "ID[,LABEL[,ROLE]]", 1, 3, true, (*reader).dimension},
	{"#geography", "ID[,LABEL]", 1, 2, false, (*reader).geography},
	{"#code", "ID[,LABEL[,UNIT]]", 1, 3, true, (*reader).code},
	{"#total", "CODE", 1, 1, true, (*reader).total},
}

// readHeader reads to the names of the columns, which it reads too.
func (r *reader) readHeader() error {
	if r.in.Decimal == "," {
		return stat.BadFile(stat.Position{}, "tidy files are written with a decimal point; a decimal comma was asked for")
	}
	if err := r.firstLine(); err != nil {
		return err
	}
	for {
		err := r.next()
		if err == io.EOF {
			return stat.BadFile(stat.Position{}, "the file has no table: a line with the names of the columns is to follow the lines that begin with #")
		}
		if err != nil {
			return err
		}
		if !strings.HasPrefix(r.record[0], "#") {
			break
		}
		if err := r.directive(); err != nil {
			return err
		}
	}
	if err := r.arrangeAxes(); err != nil {
		return err
	}
	if err := r.readColumns(); err != nil {
		return err
	}
	return r.nameDataset()
}

// firstLine checks that the file is of this format and version.
func (r *reader) firstLine() error {
	err := r.next()
	if err == io.EOF {
		return stat.BadFile(stat.Position{}, "the file is empty; a tidy file begins with %s,%s", magic, version)
	}
	if err != nil {
		return err
	}
	got := withoutEmptyEnd(r.record)
	switch {
	case got[0] != magic:
		return r.bad(0, "the first line is %q; a tidy file begins with %s,%s, with a comma between cells", got[0], magic, version)
	case len(got) != 2 || got[1] != version:
		return r.bad(1, "this is version %q of the tidy format; version %s can be read, which begins with %s,%s",
			strings.Join(got[1:], ","), version, magic, version)
	}
	return nil
}

// directive takes one line that begins with #.
func (r *reader) directive() error {
	name := r.record[0]
	i := slices.IndexFunc(directives, func(d directive) bool { return d.name == name })
	if i < 0 {
		var names []string
		for _, d := range directives {
			names = append(names, d.name)
		}
		return r.bad(0, "%q is not known here; known are %s", name, strings.Join(names, ", "))
	}
	d := directives[i]
	line := r.at(0).Line
	if before := r.header.seen[name]; before > 0 && !d.often {
		return r.bad(0, "%s stands in line %d already, and may stand once", name, before)
	}
	r.header.seen[name] = line
	cells := slices.Clone(withoutEmptyEnd(r.record)[1:])
	if len(cells) < d.min || len(cells) > d.max || cells[0] == "" {
		return r.bad(0, "a line of %s is to be %s,%s and has %d cells after the name; text with a comma in it stands in double quotes",
			name, name, d.cells, len(cells))
	}
	return d.apply(r, append(cells, make([]string, d.max-len(cells))...))
}

func (r *reader) source(cells []string) error {
	id := cells[0]
	if id != strings.ToLower(id) || strings.ContainsAny(id, " :") {
		return r.bad(1, "the source's ID %q is to be in lower case, without spaces and colons", id)
	}
	r.dataset.Source = stat.Source{ID: id, Name: cells[1], URL: cells[2]}
	return nil
}

func (r *reader) updated(cells []string) error {
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04:05-0700"} {
		if t, err := time.Parse(layout, cells[0]); err == nil {
			r.dataset.Updated = t
			return nil
		}
	}
	return r.bad(1, "%q is no time of update; write 2025-07-04 or 2025-07-04T11:00:00+02:00", cells[0])
}

func (r *reader) rows(cells []string) error {
	n, err := strconv.Atoi(cells[0])
	if err != nil || n < 1 {
		return r.bad(1, "%q is no number of rows; write a whole number above 0", cells[0])
	}
	r.header.rows = n
	return nil
}

func (r *reader) dimension(cells []string) error {
	role := stat.Role(cmp.Or(cells[2], string(stat.RoleOther)))
	switch role {
	case stat.RoleOther, stat.RoleUnit, stat.RoleFrequency:
	default:
		return r.bad(3, "%q is no role of a dimension; write other, unit or frequency "+
			"(the geography is a line of #geography, and time is the column %s)", cells[2], colPeriod)
	}
	return r.addAxis(cells[0], cells[1], role)
}

func (r *reader) geography(cells []string) error {
	return r.addAxis(cells[0], cells[1], stat.RoleGeo)
}

func (r *reader) addAxis(id, label string, role stat.Role) error {
	if slices.Contains(reserved, id) {
		return r.bad(1, "%q cannot be the ID of a dimension; it is the name of a column", id)
	}
	if strings.HasPrefix(id, "#") {
		return r.bad(1, "the ID of a dimension cannot begin with #, as %q does", id)
	}
	for _, a := range r.header.axes {
		if a.dim.ID == id {
			return r.bad(1, "there is a dimension or geography %q already", id)
		}
	}
	r.header.axes = append(r.header.axes, &axis{
		dim:   &stat.Dimension{ID: id, Label: label, Role: role},
		index: map[string]int32{},
	})
	return nil
}

// lastAxis is the axis that a line of #code or #total belongs to.
func (r *reader) lastAxis() (*axis, error) {
	if len(r.header.axes) == 0 {
		return nil, r.bad(0, "%s belongs to the line of #dimension or #geography above it, and there is none", r.record[0])
	}
	return r.header.axes[len(r.header.axes)-1], nil
}

func (r *reader) code(cells []string) error {
	a, err := r.lastAxis()
	if err != nil {
		return err
	}
	if _, ok := a.index[cells[0]]; ok {
		return r.bad(1, "%q has the code %q already", a.dim.ID, cells[0])
	}
	a.closed = true
	a.add(stat.Code{ID: cells[0], Label: cells[1], Unit: cells[2]})
	return nil
}

func (r *reader) total(cells []string) error {
	a, err := r.lastAxis()
	if err != nil {
		return err
	}
	if a.dim.Total != "" {
		return r.bad(1, "%q has the total %q already", a.dim.ID, a.dim.Total)
	}
	if _, ok := a.index[cells[0]]; !ok {
		return r.bad(1, "the total %q is not among the codes of %q above this line", cells[0], a.dim.ID)
	}
	a.dim.Total = cells[0]
	return nil
}

// add appends a code and returns its position.
func (a *axis) add(c stat.Code) int32 {
	position := int32(len(a.dim.Codes))
	a.dim.Codes = append(a.dim.Codes, c)
	a.index[c.ID] = position
	return position
}

// arrangeAxes gives the axes to the dataset: the geography apart, the others
// in order. The caller may say that another one is the geography.
func (r *reader) arrangeAxes() error {
	d := r.dataset
	geo := slices.IndexFunc(r.header.axes, func(a *axis) bool { return a.dim.Role == stat.RoleGeo })
	if want := r.in.Geo; want != "" {
		i := slices.IndexFunc(r.header.axes, func(a *axis) bool { return a.dim.ID == want })
		if i < 0 {
			return stat.BadFile(stat.Position{}, "the geography is to be %q, and the file has only %s", want, r.axisNames())
		}
		if geo >= 0 {
			r.header.axes[geo].dim.Role = stat.RoleOther
		}
		geo = i
		r.header.axes[geo].dim.Role = stat.RoleGeo
	}
	for i, a := range r.header.axes {
		if i == geo {
			d.GeographyAt = len(d.Dimensions)
			d.Geography = *a.dim
			continue
		}
		d.Dimensions = append(d.Dimensions, *a.dim)
		r.axes = append(r.axes, a)
	}
	if geo >= 0 {
		r.axes = append(r.axes, r.header.axes[geo])
	}
	// From here on the dimensions live in the dataset, whose codes may grow.
	for i, dim := range d.Axes()[:len(r.axes)] {
		r.axes[i].dim = dim
	}
	return nil
}

// axisNames lists the IDs of the axes for an error.
func (r *reader) axisNames() string {
	var names []string
	for _, a := range r.header.axes {
		names = append(names, fmt.Sprintf("%q", a.dim.ID))
	}
	return cmp.Or(strings.Join(names, ", "), "no dimensions")
}

// nameDataset settles the dataset's code: what the caller says, what the file
// says, or the file's name.
func (r *reader) nameDataset() error {
	r.dataset.Code = cmp.Or(r.in.Code, r.dataset.Code)
	if r.dataset.Code != "" {
		return nil
	}
	r.dataset.Code = codeFromName(r.in.Name)
	if r.dataset.Code == "" {
		return stat.BadFile(stat.Position{}, "the dataset has no code; write a line #dataset,CODE,NAME")
	}
	r.report.Add(stat.NoteCodeFromFilename, 1, r.dataset.Code)
	return nil
}

// withoutEmptyEnd is record without the empty cells at its end, with which
// spreadsheets fill up short lines.
func withoutEmptyEnd(record []string) []string {
	for len(record) > 1 && record[len(record)-1] == "" {
		record = record[:len(record)-1]
	}
	return record
}
