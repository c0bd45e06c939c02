// Package assemble holds what all readers share to build a dataset: its dimensions
// and their codes, the choice of the geography, attributes and units.
package assemble

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"almanac/internal/stat"
)

// Axis is a dimension of a dataset whose codes grow while it is read.
type Axis struct {
	Dim   *stat.Dimension // in the dataset
	At    int             // its position in [stat.Observation.Key]
	index map[string]int32
	last  string // the code that [Axis.Find] found last, and its position
	found int32
}

// Arrange gives the dataset the dimensions dims, in the source's order: the one at
// geo as its geography (-1: there is none), the others in order. A dimension without
// a role gets the one of its ID. The axes have the order of dims. Codes that a
// dimension already has keep their positions.
func (t *Table) Arrange(dims []stat.Dimension, geo int) []*Axis {
	d := t.Dataset
	d.Dimensions = make([]stat.Dimension, 0, len(dims)) // so that it does not move when it grows
	axes := make([]*Axis, len(dims))
	for i, dim := range dims {
		if i == geo {
			dim.Role = stat.RoleGeo
			d.Geography, d.GeographyAt = dim, i
			axes[i] = &Axis{Dim: &d.Geography}
			continue
		}
		if dim.Role = cmp.Or(dim.Role, RoleOf(dim.ID)); dim.Role == stat.RoleGeo {
			dim.Role = stat.RoleOther
		}
		d.Dimensions = append(d.Dimensions, dim)
		at := len(d.Dimensions) - 1
		axes[i] = &Axis{Dim: &d.Dimensions[at], At: at}
	}
	if geo >= 0 {
		axes[geo].At = len(d.Dimensions)
	}
	for _, a := range axes {
		a.index = make(map[string]int32, len(a.Dim.Codes))
		for i, c := range a.Dim.Codes {
			a.index[c.ID] = int32(i)
		}
	}
	t.Key = make([]int32, len(d.Dimensions)+1)
	return axes
}

// Code returns the position of a code and appends a new one without a label.
func (a *Axis) Code(id []byte) int32 {
	if at, ok := a.index[string(id)]; ok {
		return at
	}
	return a.Add(stat.Code{ID: string(id)})
}

// Find returns the position of a code and reports whether there is one.
func (a *Axis) Find(id string) (int32, bool) {
	if id == a.last && id != "" {
		return a.found, true
	}
	at, ok := a.index[id]
	if ok {
		a.last, a.found = a.Dim.Codes[at].ID, at
	}
	return at, ok
}

// OneLine returns a text with blanks for line breaks and other control characters, which codes
// have not.
func OneLine(text string) string {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// OneLines returns headings in one line each.
func OneLines(headings []string) []string {
	lines := slices.Clone(headings)
	for i, h := range headings {
		lines[i] = OneLine(h)
	}
	return lines
}

// Add returns the position of a code, in one line. It appends a new one; a known one without a
// label gets that of c.
func (a *Axis) Add(c stat.Code) int32 {
	if line := OneLine(c.ID); line != c.ID {
		written := strings.Clone(c.ID)
		c.ID = line
		a.index[written] = a.Add(c)
		return a.index[written]
	}
	if at, ok := a.index[c.ID]; ok {
		known := &a.Dim.Codes[at]
		known.Label = cmp.Or(known.Label, c.Label)
		return at
	}
	at := int32(len(a.Dim.Codes))
	c.ID = strings.Clone(c.ID)
	a.Dim.Codes = append(a.Dim.Codes, c)
	a.index[c.ID] = at
	return at
}

// CodeFromName returns the code of a dataset from the base name of its file, for files
// that do not state it. The report gets a note.
func CodeFromName(name string, report *stat.Report) string {
	code := strings.ToLower(strings.TrimSpace(name))
	for _, ending := range []string{".gz", ".zip", ".csv", ".tsv", ".txt", ".dat", ".tab", ".json", ".xml", ".px", ".xls", ".xlsx", ".xlsm", ".ods", ".ndjson", ".jsonl", ".parquet"} {
		code = strings.TrimSuffix(code, ending)
	}
	code = strings.TrimSuffix(strings.TrimPrefix(code, "estat_"), "_tabular")
	if code != "" {
		report.Add(stat.NoteCodeFromFilename, 1, code)
	}
	return code
}

// Indicators returns the dimension of a table with a column of numbers for each
// indicator.
func Indicators(codes []stat.Code) stat.Dimension {
	return stat.Dimension{ID: "INDICATOR", Label: "Indicator", Role: stat.RoleOther, Codes: codes}
}

// The codes of the dimension of [Estimates].
const (
	EstimateValue = "VALUE"
	EstimateLower = "LOWER"
	EstimateUpper = "UPPER"
)

// Estimates returns the dimension of a table whose values have bounds of
// uncertainty. It must be the last; its default is the value.
func Estimates() stat.Dimension {
	return stat.Dimension{
		ID: "ESTIMATE", Label: "Estimate", Role: stat.RoleOther, Total: EstimateValue,
		Codes: []stat.Code{{ID: EstimateValue, Label: "Value"}, {ID: EstimateLower, Label: "Lower"}, {ID: EstimateUpper, Label: "Upper"}},
	}
}

// NoteUnlabelled notes the codes without a label, except areas, which have names without
// a dictionary. Readers of files that may lack labels call it when they have all codes;
// the importer then counts the codes that no dictionary has.
func NoteUnlabelled(d *stat.Dataset, report *stat.Report) {
	for _, axis := range d.Axes() {
		unlabelled, first := 0, ""
		for _, c := range axis.Codes {
			if c.Label == "" && axis.Role != stat.RoleGeo {
				unlabelled++
				first = cmp.Or(first, c.ID)
			}
		}
		if unlabelled > 0 {
			report.Add(stat.NoteNoLabels, unlabelled, axis.ID+": "+first)
		}
	}
}
