// Package tidy is the table that several forms share: one observation a row, with all that
// describes it. [Rows] writes it from [Texts], which prepares the cells of each series, area
// and period once.
package tidy

import (
	"cmp"
	"strconv"
	"strings"

	"almanac/internal/encode"
	"almanac/internal/stat"
)

// Kind is what the cells of a column are.
type Kind uint8

// The kinds of columns.
const (
	Code   Kind = iota // codes, for programs
	Text               // for people: labels, units, notes
	Date               // 2024-12-31
	Number             // empty if the value is missing
	Flags              // flags, separated by spaces: see [stat.Flags]
)

// Column is a column of the table.
type Column struct {
	Name string
	Kind Kind
}

// The columns that every table has, or that it has if they are needed.
const (
	Dataset     = "dataset"  // source:code
	GeoISO3     = "geo_iso3" // ISO 3166-1 alpha-3; empty if there is none
	GeoISO      = "geo_iso"  // what available_geo calls the area: see [stat.Code]
	Period      = "period"
	PeriodLabel = "period_label" // as the source writes it, if it has periods that are no years
	PeriodISO   = "period_iso"   // as ISO 8601 and SDMX write it; only if wanted
	PeriodStart = "period_start"
	PeriodEnd   = "period_end"
	Value       = "value"
	Unit        = "unit"
	Status      = "status"
	Note        = "note"
	Transform   = "transform" // only of derived values
	Version     = "version"
	Source      = "source"
	Licence     = "licence"
)

// reserved are the names that no dimension has.
var reserved = []string{Dataset, GeoISO3, GeoISO, Period, PeriodLabel, PeriodISO, PeriodStart, PeriodEnd, Value, Unit, Status, Note, Transform, Version, Source, Licence}

// Names gives columns unique names, also if upper and lower case are the same.
type Names map[string]bool

// NewNames returns names of which those of the fixed columns are taken.
func NewNames() Names {
	n := Names{}
	for _, name := range reserved {
		n[name] = true
	}
	return n
}

// Take returns a name that is not taken yet, and takes it: the name, else the other one,
// else that with a number.
func (n Names) Take(name, other string) string {
	if n[strings.ToLower(name)] {
		name = other
		for i := 2; n[strings.ToLower(name)]; i++ {
			name = other + "_" + strconv.Itoa(i)
		}
	}
	n[strings.ToLower(name)] = true
	return name
}

// dimension is how a dimension is written: the columns of its code and its label.
type dimension struct{ code, label Column }

// dimensionsOf returns the columns of the dimensions of a dataset, then of its fixed ones, and of its
// geography. A dimension has its own ID as the name of its column, or ID_code if that is the
// name of another column, such as unit.
func dimensionsOf(d *stat.Dataset) (list []dimension, area dimension) {
	names := NewNames()
	columns := func(id string) dimension {
		return dimension{code: Column{names.Take(id, id+"_code"), Code}, label: Column{names.Take(id+"_label", id+"_label"), Text}}
	}
	for i := range d.Dimensions {
		list = append(list, columns(d.Dimensions[i].ID))
	}
	area = columns(d.Geography.ID)
	for i := range d.Fixed {
		list = append(list, columns(d.Fixed[i].ID))
	}
	return list, area
}

// LicenceOf returns what the column licence says: the name of the licence, else the address of the terms.
func LicenceOf(t *encode.Table) string { return cmp.Or(t.Licence.Name, t.Licence.Terms()) }

// AreaOf returns what the column GeoISO has for a code of the geography. It is empty in a dataset
// without areas.
func AreaOf(c *stat.Code) string {
	if c.Area == stat.NoArea {
		return ""
	}
	return c.Area
}

// HasCodes reports whether a choice of labels includes codes.
func HasCodes(labels encode.Labels) bool { return labels != encode.LabelsOnly }

// HasLabels reports whether a choice of labels includes labels.
func HasLabels(labels encode.Labels) bool { return labels != encode.LabelsCode }
