// Package assemble holds what all readers share to build a dataset: its
// dimensions and their codes, the choice of the geography, attributes and units.
package assemble

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// Axis is a dimension of a dataset while its codes are met.
type Axis struct {
	Dim   *stat.Dimension // lives in the dataset, whose codes grow
	At    int             // its place in [stat.Observation.Key]
	index map[string]int32
}

// Arrange gives the dimensions dims, in the source's order, to the dataset:
// the one at geo as its geography (-1: there is none), the others in order. A
// dimension without a role gets the one that its ID tells. The axes come back in
// the order of dims. Codes that a dimension has already keep their positions.
func Arrange(d *stat.Dataset, dims []stat.Dimension, geo int) []*Axis {
	d.Dimensions = make([]stat.Dimension, 0, len(dims))
	for i, dim := range dims {
		if i == geo {
			dim.Role = stat.RoleGeo
			d.Geography, d.GeographyAt = dim, i
			continue
		}
		if dim.Role == "" {
			dim.Role = RoleOf(dim.ID)
		}
		if dim.Role == stat.RoleGeo {
			dim.Role = stat.RoleOther
		}
		d.Dimensions = append(d.Dimensions, dim)
	}
	axes := make([]*Axis, len(dims))
	next := 0
	for i := range dims {
		if i == geo {
			axes[i] = newAxis(&d.Geography, len(d.Dimensions))
			continue
		}
		axes[i] = newAxis(&d.Dimensions[next], next)
		next++
	}
	return axes
}

func newAxis(dim *stat.Dimension, at int) *Axis {
	a := &Axis{Dim: dim, At: at, index: make(map[string]int32, len(dim.Codes))}
	for i, c := range dim.Codes {
		a.index[c.ID] = int32(i)
	}
	return a
}

// Code returns the position of a code; a new one is appended, without a label.
func (a *Axis) Code(id []byte) int32 {
	if at, ok := a.index[string(id)]; ok {
		return at
	}
	return a.Add(stat.Code{ID: string(id)})
}

// Find returns the position of a code, and whether there is one.
func (a *Axis) Find(id string) (int32, bool) {
	at, ok := a.index[id]
	return at, ok
}

// Add appends a code that is not there yet, or returns the position of the
// one that is, whose empty label it fills in.
func (a *Axis) Add(c stat.Code) int32 {
	if at, ok := a.index[c.ID]; ok {
		if known := &a.Dim.Codes[at]; known.Label == "" {
			known.Label = c.Label
		}
		return at
	}
	at := int32(len(a.Dim.Codes))
	c.ID = strings.Clone(c.ID)
	a.Dim.Codes = append(a.Dim.Codes, c)
	a.index[c.ID] = at
	return at
}

// Key makes the key of a dataset's observations, with room for the geography.
func Key(d *stat.Dataset) []int32 { return make([]int32, len(d.Dimensions)+1) }

// StatedGeography is the position among the dimensions' IDs of the one that
// the caller says is the geography; -1 where the caller states none. The
// error names what there is.
func StatedGeography(ids []string, stated string) (int, error) {
	if stated == "" {
		return -1, nil
	}
	at := slices.IndexFunc(ids, func(id string) bool { return strings.EqualFold(id, stated) })
	if at < 0 {
		return -1, stat.BadFile(stat.Position{}, "there is no dimension %q to be the geography; the file has %s", stated, strings.Join(ids, ", "))
	}
	return at, nil
}

// CodeFromName makes a dataset's code from a file's base name, for formats
// whose files do not say it, and notes that in the report.
func CodeFromName(name string, report *stat.Report) string {
	code := strings.ToLower(strings.TrimSpace(name))
	for _, ending := range []string{".gz", ".zip", ".csv", ".tsv", ".txt", ".tab", ".json", ".xml", ".px", ".xls", ".xlsx"} {
		code = strings.TrimSuffix(code, ending)
	}
	code = strings.TrimSuffix(strings.TrimPrefix(code, "estat_"), "_tabular")
	if code != "" {
		report.Add(stat.NoteCodeFromFilename, 1, code)
	}
	return code
}

// Indicators makes the dimension of a table whose numbers stand in several
// columns, one for each indicator.
func Indicators(codes []stat.Code) stat.Dimension {
	return stat.Dimension{ID: "INDICATOR", Label: "Indicator", Role: stat.RoleOther, Codes: codes}
}

// The codes of the dimension that [Estimates] makes.
const (
	EstimateValue = "VALUE"
	EstimateLower = "LOWER"
	EstimateUpper = "UPPER"
)

// Estimates makes the dimension of a table whose values come with bounds of
// uncertainty. It stands last; who asks for nothing gets the value.
func Estimates() stat.Dimension {
	return stat.Dimension{
		ID: "ESTIMATE", Label: "Estimate", Role: stat.RoleOther, Total: EstimateValue,
		Codes: []stat.Code{{ID: EstimateValue, Label: "Value"}, {ID: EstimateLower, Label: "Lower"}, {ID: EstimateUpper, Label: "Upper"}},
	}
}

// NoteUnlabelled counts the codes that have no label, but for areas, which
// have names without a dictionary. For readers whose files may hold codes only,
// once all codes are met; the importer counts those that stay so.
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
