// Package sdmx shows datasets as SDMX names them. The packages below it write them: ml as
// SDMX-ML, json as SDMX-JSON and csv as SDMX-CSV.
//
// A dataset is a dataflow of its own structure. Its agency is the source in upper case, its
// ID the office's code of the dataset, and its version that of the data. The dimensions are the
// office's, in its order, with the geography in its place; then come TIME_PERIOD, OBS_VALUE
// and the attributes
//
//	UNIT_MEASURE  of a series: the unit in words without its multiplier, unless a dimension has it
//	UNIT_MULT     of a series: the power of ten by which the values are to be multiplied
//	OBS_STATUS    of an observation: a code of CL_OBS_STATUS 2.2
//	OBS_FLAG      of an observation: all flags, if there are several or the office's own
//	CONF_STATUS   of an observation: confidentiality
//	OBS_COMMENT   of an observation: notes in words
//	TRANSFORM     of the dataset: how derived values are derived
//	LICENCE       of the dataset
//
// An attribute whose ID a dimension already has gets a number: UNIT_MEASURE_2. Several flags are
// separated by spaces.
//
// IDs with characters that SDMX does not allow are escaped; see [EscapeID].
package sdmx

import (
	"cmp"
	"strconv"
	"strings"

	"almanac/internal/licence"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Flow is a dataset as SDMX names it.
type Flow struct {
	Agency     string
	ID         string
	Version    string // of the data: "1.3.0"
	Vintage    *store.Vintage
	Dataset    *stat.Dataset
	Dimensions []Dimension // without time
	Licence    licence.Licence
	Attributes // their IDs
}

// Attributes are the IDs of the attributes of a dataset.
type Attributes struct {
	Unit, Multiplier, Status, Flag, Confidentiality, Comment, Transform, LicenceID string
}

// Dimension is a dimension of a flow.
type Dimension struct {
	ID    string
	Label string
	Role  stat.Role
	Axis  int         // position in [stat.Dataset.Axes]; -1 if it is fixed
	Codes []stat.Code // as in the dataset
	IDs   []string    // of the codes, escaped
}

// IDs of the components that every flow has.
const (
	TimePeriod = "TIME_PERIOD"
	ObsValue   = "OBS_VALUE"
)

type flowKey struct{}

// FlowFor returns the flow of a vintage or of a view of one, made once. It must not be changed.
func FlowFor(v *store.Vintage) *Flow {
	return v.Memo(flowKey{}, func() any { return newFlow(v) }).(*Flow)
}

func newFlow(v *store.Vintage) *Flow {
	d := v.Dataset
	f := &Flow{Agency: AgencyOf(d.Source.ID), ID: EscapeID(d.Code), Version: SemanticVersion(v.Version), Vintage: v, Dataset: d}
	f.Licence, _ = licence.For(licence.Dataset{Source: d.Source.ID, Name: d.Name, Updated: v.LastUpdate, Licence: d.Licence, Attribution: d.Attribution})
	taken := map[string]bool{TimePeriod: true, ObsValue: true}
	add := func(dim *stat.Dimension, axis int) {
		f.Dimensions = append(f.Dimensions, Dimension{
			ID: unused(EscapeName(dim.ID), taken), Label: dim.Label, Role: dim.Role, Axis: axis, Codes: dim.Codes, IDs: idsOf(v, axis, dim.Codes),
		})
	}
	axes := d.Axes()
	for _, at := range d.WholeOrder() {
		switch {
		case at >= len(axes):
			fixed := &d.Fixed[at-len(axes)]
			add(&stat.Dimension{ID: fixed.ID, Label: fixed.Label, Role: fixed.Role, Codes: []stat.Code{fixed.Code}}, -1)
		case at < len(d.Dimensions) || !d.HasNoArea():
			add(axes[at], at)
		}
	}
	for _, a := range []struct {
		id   *string
		name string
	}{
		{&f.Unit, "UNIT_MEASURE"}, {&f.Multiplier, "UNIT_MULT"}, {&f.Status, "OBS_STATUS"}, {&f.Flag, "OBS_FLAG"}, {&f.Confidentiality, "CONF_STATUS"},
		{&f.Comment, "OBS_COMMENT"}, {&f.Transform, "TRANSFORM"}, {&f.LicenceID, "LICENCE"},
	} {
		*a.id = unused(a.name, taken)
	}
	return f
}

// AgencyOf returns the agency of a source.
func AgencyOf(source string) string { return EscapeName(strings.ToUpper(source)) }

// unused returns an ID, with a number if it is taken.
func unused(id string, taken map[string]bool) string {
	name := id
	for n := 2; taken[name]; n++ {
		name = id + "_" + strconv.Itoa(n)
	}
	taken[name] = true
	return name
}

type idsKey struct{ axis int }

// idsOf returns the escaped IDs of the codes of an axis.
func idsOf(v *store.Vintage, axis int, codes []stat.Code) []string {
	escape := func() any {
		ids := make([]string, len(codes))
		for i, code := range codes {
			ids[i] = EscapeID(code.ID)
		}
		return ids
	}
	if axis < 0 {
		return escape().([]string)
	}
	return v.Stored().Memo(idsKey{axis}, escape).([]string)
}

// StructureID returns the ID of the data structure of a flow.
func (f *Flow) StructureID() string { return ListID("DSD", f.ID) }

// ConceptSchemeID returns the ID of the list of the concepts of a flow.
func (f *Flow) ConceptSchemeID() string { return ListID("CS", f.ID) }

// ConstraintID returns the ID of the constraint that says which codes have data.
func (f *Flow) ConstraintID() string { return ListID("CR", f.ID) }

// CodelistID returns the ID of the code list of a dimension.
func (f *Flow) CodelistID(d *Dimension) string { return PartID("CL", f.ID, d.ID) }

var withoutAtAndDollar = strings.NewReplacer("@", "_x40_", "$", "_x24_")

// ListID returns the ID of an artefact of a flow: a prefix and the ID of the flow. Such IDs have
// neither @ nor $, which are escaped.
func ListID(prefix, flow string) string {
	return prefix + "_" + withoutAtAndDollar.Replace(flow)
}

// PartID returns the ID of an artefact of a part of a flow, such as a dimension, after two
// hyphens: CL_une_rt_a--geo.
func PartID(prefix, flow, part string) string {
	return ListID(prefix, flow) + "--" + strings.ReplaceAll(part, "--", "_x2D__x2D_")
}

// FlowOf returns the ID of the flow in an ID of [ListID] or [PartID].
func FlowOf(prefix, id string) string {
	id = strings.TrimPrefix(id, prefix+"_")
	if at := strings.LastIndex(id, "--"); at >= 0 && (prefix == "CL" || prefix == "CAT") {
		id = id[:at]
	}
	return id
}

// Name returns a label, or the ID if there is none.
func (d *Dimension) Name() string { return cmp.Or(d.Label, d.ID) }

// SemanticVersion returns the version as SDMX 3.0 writes it: "1.3.0" for "1.3".
func SemanticVersion(version string) string {
	if strings.Count(version, ".") == 1 {
		return version + ".0"
	}
	return version
}

// LicenceText returns the licence in one line: its name, its address and the attribution.
func (f *Flow) LicenceText() string {
	var parts []string
	for _, part := range []string{f.Licence.Name, f.Licence.URL, f.Licence.Attribution} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

// UnitOf returns the unit of a series unless a dimension has it, with the unit that the source
// states for the series.
func (f *Flow) UnitOf(key []int32, stated string) string {
	if f.Dataset.UnitCodeOf(key, stated) != "" {
		return ""
	}
	return f.Dataset.UnitOf(key, stated)
}

// IDAt returns the ID of the dimension's code in a key.
func (d *Dimension) IDAt(key []int32) string {
	if d.Axis < 0 {
		return d.IDs[0]
	}
	return d.IDs[key[d.Axis]]
}

// CodeAt returns the dimension's code in a key.
func (d *Dimension) CodeAt(key []int32) *stat.Code {
	if d.Axis < 0 {
		return &d.Codes[0]
	}
	return &d.Codes[key[d.Axis]]
}
