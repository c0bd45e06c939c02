package tidy

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/stat"
)

// header is what the lines before the table say besides the dataset itself.
type header struct {
	lines      map[string]int // the last line of each directive
	dimensions []stat.Dimension
	codes      map[string]bool // of the last dimension
	rows       int             // stated by #rows; -1 if it is not
}

type directive struct {
	name         string
	cells        string // after the name; those in brackets are optional
	isRepeatable bool
	apply        func(r *reader, cells []string) error
}

var directives = []directive{
	{"#source", "ID[,NAME[,URL]]", false, (*reader).setSource},
	{"#dataset", "CODE[,NAME]", false, func(r *reader, c []string) error { r.Dataset.Code, r.Dataset.Name = c[0], c[1]; return nil }},
	{"#description", "TEXT", false, (*reader).setText},
	{"#source_url", "URL", false, (*reader).setText},
	{"#metadata_url", "URL", false, (*reader).setText},
	{"#licence", "TEXT", false, (*reader).setText},
	{"#attribution", "TEXT", false, (*reader).setText},
	{"#unit", "TEXT", false, func(r *reader, c []string) error { r.Dataset.Unit = c[0]; return nil }},
	{"#updated", "TIME", false, (*reader).setUpdated},
	{"#rows", "NUMBER", false, (*reader).setRows},
	{"#dimension", "ID[,LABEL[,ROLE]]", true, (*reader).readDimension},
	{"#geography", "ID[,LABEL]", false, func(r *reader, c []string) error { return r.addDimension(c[0], c[1], stat.RoleGeo) }},
	{"#code", "ID[,LABEL[,UNIT]]", true, (*reader).addCode},
	{"#total", "CODE", true, (*reader).setTotal},
}

// readHeader reads the lines up to and including the names of the columns.
func (r *reader) readHeader() error {
	if r.in.Decimal == "," {
		return stat.BadFile(stat.Position{}, "tidy files have a decimal point; a decimal comma was stated")
	}
	if err := r.checkFirstLine(); err != nil {
		return err
	}
	for {
		err := r.next()
		if err == io.EOF {
			return stat.BadFile(stat.Position{}, "the file has no table: a line with the names of the columns must follow the lines that begin with #")
		}
		if err != nil {
			return err
		}
		if !strings.HasPrefix(r.record[0], "#") {
			break
		}
		if err := r.readDirective(); err != nil {
			return err
		}
	}
	if err := r.arrangeDimensions(); err != nil {
		return err
	}
	if err := r.readColumns(); err != nil {
		return err
	}
	return r.nameDataset()
}

func (r *reader) checkFirstLine() error {
	err := r.next()
	if err == io.EOF {
		return stat.BadFile(stat.Position{}, "the file is empty; a tidy file must begin with %s,%s", magic, version)
	}
	if err != nil {
		return err
	}
	got := trimEnd(r.record)
	switch {
	case got[0] != magic:
		return r.bad(0, "the first line is %q; a tidy file must begin with %s,%s, with a comma between cells", got[0], magic, version)
	case len(got) != 2 || got[1] != version:
		return r.bad(1, "version %q of the tidy format cannot be read, only version %s, which begins with %s,%s",
			strings.Join(got[1:], ","), version, magic, version)
	}
	return nil
}

func (r *reader) readDirective() error {
	name := r.record[0]
	i := slices.IndexFunc(directives, func(d directive) bool { return d.name == name })
	if i < 0 {
		var names []string
		for _, d := range directives {
			names = append(names, d.name)
		}
		return r.bad(0, "unknown directive %q; known are %s", name, strings.Join(names, ", "))
	}
	d := directives[i]
	if before := r.header.lines[name]; before > 0 && !d.isRepeatable {
		return r.bad(0, "%s is repeated; it is already in line %d", name, before)
	}
	r.header.lines[name] = r.rows.At(0).Line
	cells := slices.Clone(trimEnd(r.record)[1:])
	most := strings.Count(d.cells, ",") + 1
	if len(cells) == 0 || len(cells) > most || cells[0] == "" {
		return r.bad(0, "the line must be %s,%s but has %d cells after the name; text that contains a comma must be in double quotes",
			name, d.cells, len(cells))
	}
	return d.apply(r, append(cells, make([]string, most-len(cells))...))
}

func (r *reader) setSource(cells []string) error {
	id := cells[0]
	if id != strings.ToLower(id) || strings.ContainsAny(id, " :") {
		return r.bad(1, "the source's ID %q must be in lower case, without spaces and colons", id)
	}
	r.Dataset.Source = stat.Source{ID: id, Name: cells[1], URL: cells[2]}
	return nil
}

func (r *reader) setText(cells []string) error {
	*r.Dataset.Text(strings.TrimPrefix(r.record[0], "#")) = cells[0]
	return nil
}

func (r *reader) setUpdated(cells []string) error {
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04:05-0700"} {
		if t, err := time.Parse(layout, cells[0]); err == nil {
			r.Dataset.Updated = t
			return nil
		}
	}
	return r.bad(1, "invalid time of update %q: must be like 2025-07-04 or 2025-07-04T11:00:00+02:00", cells[0])
}

func (r *reader) setRows(cells []string) error {
	n, err := strconv.Atoi(cells[0])
	if err != nil || n < 1 {
		return r.bad(1, "invalid number of rows %q: must be a whole number above 0", cells[0])
	}
	r.header.rows = n
	return nil
}

func (r *reader) readDimension(cells []string) error {
	role := stat.Role(cmp.Or(cells[2], string(stat.RoleOther)))
	switch role {
	case stat.RoleOther, stat.RoleUnit, stat.RoleFrequency:
	default:
		return r.bad(3, "invalid role %q of a dimension: must be other, unit or frequency "+
			"(the geography is a line of #geography, and time is the column %s)", cells[2], colPeriod)
	}
	return r.addDimension(cells[0], cells[1], role)
}

func (r *reader) addDimension(id, label string, role stat.Role) error {
	if slices.Contains(reserved, id) {
		return r.bad(1, "%q cannot be the ID of a dimension: it is the name of a column", id)
	}
	if strings.HasPrefix(id, "#") {
		return r.bad(1, "the ID %q of a dimension cannot begin with #", id)
	}
	if slices.ContainsFunc(r.header.dimensions, func(d stat.Dimension) bool { return d.ID == id }) {
		return r.bad(1, "another dimension or geography has the ID %q", id)
	}
	r.header.dimensions = append(r.header.dimensions, stat.Dimension{ID: id, Label: label, Role: role})
	r.header.codes = map[string]bool{}
	return nil
}

// lastDimension returns the dimension that a line of #code or #total belongs to.
func (r *reader) lastDimension() (*stat.Dimension, error) {
	if len(r.header.dimensions) == 0 {
		return nil, r.bad(0, "%s must follow a line of #dimension or #geography", r.record[0])
	}
	return &r.header.dimensions[len(r.header.dimensions)-1], nil
}

func (r *reader) addCode(cells []string) error {
	dim, err := r.lastDimension()
	if err != nil {
		return err
	}
	if r.header.codes[cells[0]] {
		return r.bad(1, "%q already has the code %q", dim.ID, cells[0])
	}
	r.header.codes[cells[0]] = true
	dim.Codes = append(dim.Codes, stat.Code{ID: cells[0], Label: cells[1], Unit: cells[2]})
	return nil
}

func (r *reader) setTotal(cells []string) error {
	dim, err := r.lastDimension()
	if err != nil {
		return err
	}
	if dim.Total != "" {
		return r.bad(1, "%q already has the total %q", dim.ID, dim.Total)
	}
	if !r.header.codes[cells[0]] {
		return r.bad(1, "the total %q is not among the codes of %q above this line", cells[0], dim.ID)
	}
	dim.Total = cells[0]
	return nil
}

// arrangeDimensions sets the dimensions of the dataset. The geography that the caller
// states takes precedence over that of the file.
func (r *reader) arrangeDimensions() error {
	dims := r.header.dimensions
	geo := slices.IndexFunc(dims, func(d stat.Dimension) bool { return d.Role == stat.RoleGeo })
	if stated := r.in.Geo; stated != "" {
		if geo = slices.IndexFunc(dims, func(d stat.Dimension) bool { return d.ID == stated }); geo < 0 {
			return stat.BadFile(stat.Position{}, "the stated geography %q is not a dimension of the file, which has %s", stated, r.dimensionNames())
		}
	}
	for _, a := range r.Arrange(dims, geo) {
		r.axes = append(r.axes, axis{Axis: a, isClosed: len(a.Dim.Codes) > 0})
	}
	slices.SortFunc(r.axes, func(a, b axis) int { return a.At - b.At })
	return nil
}

func (r *reader) dimensionNames() string {
	var names []string
	for _, dim := range r.header.dimensions {
		names = append(names, strconv.Quote(dim.ID))
	}
	return cmp.Or(strings.Join(names, ", "), "no dimensions")
}

// nameDataset sets the dataset's code: the stated one, that of the file, or the file's
// name.
func (r *reader) nameDataset() error {
	if r.Dataset.Code = cmp.Or(r.in.Code, r.Dataset.Code); r.Dataset.Code != "" {
		return nil
	}
	stem, _, _ := strings.Cut(r.in.Name, ".")
	if r.Dataset.Code = strings.ToLower(strings.TrimSpace(stem)); r.Dataset.Code == "" {
		return stat.BadFile(stat.Position{}, "the dataset has no code; add a line #dataset,CODE,NAME")
	}
	r.Report.Add(stat.NoteCodeFromFilename, 1, r.Dataset.Code)
	return nil
}

// trimEnd removes the empty cells with which spreadsheet programs pad short lines.
func trimEnd(record []string) []string {
	for len(record) > 1 && record[len(record)-1] == "" {
		record = record[:len(record)-1]
	}
	return record
}
