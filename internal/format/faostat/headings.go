package faostat

import (
	"slices"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// fixed are the headings that are no dimension.
var fixed = []string{"Domain", "Year", "Months", "Unit", "Value", "Flag", headDescription, "Note"}

// areas are the dimensions that may be the geography, the first that there is.
var areas = []string{"Area", "Reporter Country", "Recipient Country", "Country"}

// headings are those of a file, with the dimensions that they make.
type headings struct {
	all  []string
	wide bool // years are columns
	dims []dimension
}

// dimension is one with its columns: "Area Code", "Area Code (M49)" and "Area".
type dimension struct {
	name   string // without Code, and as of one thing: "Reporter Country"
	labels string // heading of the labels; empty: there is none
	codes  []string
}

// newHeadings groups headings to dimensions, in the order in which each begins.
func newHeadings(all []string) headings {
	h := headings{all: all}
	for _, heading := range all {
		name, code := cutCode(heading)
		switch {
		case heading == "" || slices.Contains(fixed, name):
			continue
		case yearHeading.MatchString(heading):
			h.wide = true
			continue
		}
		at := slices.IndexFunc(h.dims, func(d dimension) bool { return d.name == name })
		if at < 0 {
			at = len(h.dims)
			h.dims = append(h.dims, dimension{name: name})
		}
		if code {
			h.dims[at].codes = append(h.dims[at].codes, heading)
		} else {
			h.dims[at].labels = heading
		}
	}
	return h
}

// cutCode is the name of the dimension that a heading belongs to, and whether
// it is that of codes: "Area Code (M49)", "Reporter Countries", "ISO Currency
// Code".
func cutCode(heading string) (name string, code bool) {
	name, rest, _ := strings.Cut(heading, " (")
	if rest != "" && !strings.HasSuffix(name, " Code") {
		name = heading
	}
	name, code = strings.CutSuffix(name, " Code")
	if code {
		name = strings.TrimPrefix(name, "ISO ")
	}
	if many, ok := strings.CutSuffix(name, "Countries"); ok {
		name = many + "Country"
	}
	return name, code
}

func (h headings) has(heading string) bool { return slices.Contains(h.all, heading) }

// geography is the dimension of areas; -1 where there is none.
func (h headings) geography() int {
	for _, name := range areas {
		if at := slices.IndexFunc(h.dims, func(d dimension) bool { return d.name == name }); at >= 0 {
			return at
		}
	}
	return -1
}

// isArea reports whether the codes of the dimension are areas'.
func (d dimension) isArea() bool {
	return strings.HasSuffix(d.name, "Area") || strings.HasSuffix(d.name, "Country")
}

// codeColumn is the column of codes that a dimension is read by: the
// organization's own, of which there is one for each thing, but for areas those
// that mean the same elsewhere. It is empty where there is none of these.
func (d dimension) codeColumn() string {
	systems := []string{" Code", " Code (FAO)", " Code (CPC)"}
	if d.isArea() {
		systems = []string{" Code (M49)", " Code (ISO3)"}
	}
	for _, system := range systems {
		if slices.Contains(d.codes, d.name+system) {
			return d.name + system
		}
	}
	if d.isArea() || len(d.codes) == 0 {
		return ""
	}
	return d.codes[0]
}

// axes are the dimensions of the mapping, and the columns of codes that it does
// not use. The error says which dimension has neither labels nor codes that can
// be used.
func (h headings) axes() (axes []table.Axis, unused []string, err error) {
	geo := h.geography()
	for i, d := range h.dims {
		axis := table.Axis{Codes: d.codeColumn(), Labels: d.labels, ID: d.name, Label: d.name, Role: stat.RoleOther, Split: unquote}
		if axis.Codes == "" && axis.Labels == "" {
			return nil, nil, stat.BadFile(stat.Position{Line: 1},
				"%q is FAO's own numbering of areas, which others mean differently; a column %q of names or %q is needed", d.codes[0], d.name, d.name+" Code (M49)")
		}
		if i == geo {
			axis.Role = stat.RoleGeo
		}
		axes = append(axes, axis)
		unused = append(unused, slices.DeleteFunc(slices.Clone(d.codes), func(c string) bool { return c == axis.Codes })...)
	}
	return axes, unused, nil
}

// unquote takes off the apostrophe that keeps spreadsheets from reading a code
// as a number.
func unquote(cell string) (code, label string) { return strings.TrimPrefix(cell, "'"), "" }
