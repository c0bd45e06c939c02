package faostat

import (
	"slices"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// fixed are the headings that are not dimensions.
var fixed = []string{"Domain", "Year", "Months", "Unit", "Value", "Flag", headDescription, "Note"}

// areas are the dimensions that may be the geography, in order of preference.
var areas = []string{"Area", "Reporter Country", "Recipient Country", "Country"}

// headings are those of a file, with the dimensions that they form.
type headings struct {
	all    []string
	isWide bool // years are columns
	dims   []dimension
}

// dimension has columns such as "Area Code", "Area Code (M49)" and "Area".
type dimension struct {
	name   string // without Code, in the singular: "Reporter Country"
	labels string // heading of the labels; empty: there are none
	codes  []string
}

// newHeadings groups headings into dimensions, in the order of their first columns.
func newHeadings(all []string) headings {
	h := headings{all: all}
	for _, heading := range all {
		name, isCode := cutCode(heading)
		switch {
		case heading == "" || slices.Contains(fixed, name):
			continue
		case yearHeading.MatchString(heading):
			h.isWide = true
			continue
		}
		at := slices.IndexFunc(h.dims, func(d dimension) bool { return d.name == name })
		if at < 0 {
			at = len(h.dims)
			h.dims = append(h.dims, dimension{name: name})
		}
		if isCode {
			h.dims[at].codes = append(h.dims[at].codes, heading)
		} else {
			h.dims[at].labels = heading
		}
	}
	return h
}

// cutCode returns the dimension that a heading belongs to, and whether its column
// holds codes: "Area Code (M49)", "Reporter Countries", "ISO Currency Code".
func cutCode(heading string) (name string, isCode bool) {
	name, rest, _ := strings.Cut(heading, " (")
	if rest != "" && !strings.HasSuffix(name, " Code") {
		name = heading
	}
	name, isCode = strings.CutSuffix(name, " Code")
	if isCode {
		name = strings.TrimPrefix(name, "ISO ")
	}
	if many, ok := strings.CutSuffix(name, "Countries"); ok {
		name = many + "Country"
	}
	return name, isCode
}

func (h headings) has(heading string) bool { return slices.Contains(h.all, heading) }

// geography returns the position of the dimension of areas, or -1.
func (h headings) geography() int {
	for _, name := range areas {
		if at := slices.IndexFunc(h.dims, func(d dimension) bool { return d.name == name }); at >= 0 {
			return at
		}
	}
	return -1
}

func (d dimension) isArea() bool {
	return strings.HasSuffix(d.name, "Area") || strings.HasSuffix(d.name, "Country")
}

// codeColumn returns the column of codes to read: FAO's own, which are complete, but
// shared ones for areas. It is empty if there is none.
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

// axes returns the dimensions of the mapping and the columns of codes that it does not
// use. A dimension with neither labels nor usable codes is an error.
func (h headings) axes() (axes []table.Axis, unused []string, err error) {
	geo := h.geography()
	for i, d := range h.dims {
		axis := table.Axis{Codes: d.codeColumn(), Labels: d.labels, ID: d.name, Label: d.name, Role: stat.RoleOther, Split: unquote}
		if axis.Codes == "" && axis.Labels == "" {
			return nil, nil, stat.BadFile(stat.Position{Line: 1},
				"%q is FAO's own numbering of areas, in which other offices mean other areas; the file needs a column %q of names, or %q", d.codes[0], d.name, d.name+" Code (M49)")
		}
		if i == geo {
			axis.Role = stat.RoleGeo
		}
		axes = append(axes, axis)
		unused = append(unused, slices.DeleteFunc(slices.Clone(d.codes), func(c string) bool { return c == axis.Codes })...)
	}
	return axes, unused, nil
}

func unquote(cell string) (code, label string) { return strings.TrimPrefix(cell, "'"), "" }
