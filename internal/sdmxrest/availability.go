package sdmxrest

import (
	"context"
	"slices"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// Available returns what has data in a selection of a flow: in the mode exact the codes and
// periods that occur in it, in the mode available also the codes of each dimension that could be
// selected instead of, or besides, those that are. component names the only dimension that is
// wanted; empty: all.
func Available(ctx context.Context, f *sdmx.Flow, q stat.Query, mode, component string) (*sdmx.Region, error) {
	q.Flags = true
	exact, err := occurring(ctx, f, q)
	if err != nil {
		return nil, err
	}
	region := &sdmx.Region{First: exact.first, Last: exact.last, Series: exact.series, Observations: exact.observations}
	for i := range f.Dimensions {
		d := &f.Dimensions[i]
		if component != "" && component != d.ID {
			continue
		}
		found := exact
		if mode == "available" && d.Axis >= 0 && q.Select != nil && q.Select[d.Axis] != nil {
			open := q
			open.Select = slices.Clone(q.Select)
			open.Select[d.Axis] = nil
			if found, err = occurring(ctx, f, open); err != nil {
				return nil, err
			}
		}
		region.Keys = append(region.Keys, sdmx.RegionKey{Dimension: d.ID, Codes: found.codes(d)})
	}
	if component != "" && component != sdmx.TimePeriod {
		region.First, region.Last = stat.Period{}, stat.Period{}
	}
	return region, nil
}

// occurrence is what occurs in a selection.
type occurrence struct {
	axes         [][]bool
	first, last  stat.Period
	series       int
	observations int
}

func occurring(ctx context.Context, f *sdmx.Flow, q stat.Query) (*occurrence, error) {
	x, err := f.Vintage.Select(ctx, q)
	if err != nil {
		return nil, err
	}
	o := &occurrence{}
	for _, axis := range f.Dataset.Axes() {
		o.axes = append(o.axes, make([]bool, len(axis.Codes)))
	}
	for b, err := range x.Blocks {
		if err != nil {
			return nil, err
		}
		for axis, code := range b.Key {
			o.axes[axis][code] = true
		}
		for _, area := range b.Areas {
			o.axes[len(b.Key)][area] = true
		}
		o.series += len(b.Areas)
		o.observations += len(b.Value)
		o.extend(x.Periods[b.Periods[0]])
		o.extend(x.Periods[b.Periods[len(b.Periods)-1]])
	}
	return o, nil
}

func (o *occurrence) extend(p stat.Period) {
	if o.first.IsZero() || p.Start().Before(o.first.Start()) {
		o.first = p
	}
	if o.last.IsZero() || p.End().After(o.last.End()) {
		o.last = p
	}
}

// codes returns the IDs of the codes of a dimension that occur.
func (o *occurrence) codes(d *sdmx.Dimension) []string {
	if d.Axis < 0 {
		return d.IDs
	}
	var ids []string
	for i, occurs := range o.axes[d.Axis] {
		if occurs {
			ids = append(ids, d.IDs[i])
		}
	}
	return ids
}

// availabilityClasses maps the values of the parameter references to classes.
var availabilityClasses = map[string][]string{
	"": nil, "none": nil, "dataflow": {"Dataflow"}, "datastructure": {"DataStructure"}, "conceptscheme": {"ConceptScheme"}, "codelist": {"Codelist"},
	"dataproviderscheme": nil, "valuelist": nil, "all": {"Dataflow", "DataStructure", "ConceptScheme", "Codelist"},
}

// AvailabilityReferences returns the artefacts that come along with a region: code lists have only
// the codes of the region.
func AvailabilityReferences(s *sdmx.Structures, region *sdmx.Region, references []string) ([]*sdmx.Artefact, error) {
	var wanted []string
	for _, name := range references {
		more, ok := availabilityClasses[name]
		if !ok {
			return nil, stat.Errorf(stat.Invalid, "parameter references must be none, dataflow, datastructure, conceptscheme, codelist or all, not %.60q", name)
		}
		wanted = append(wanted, more...)
	}
	var all []*sdmx.Artefact
	for _, a := range append([]*sdmx.Artefact{s.Dataflow(), s.DataStructure(), s.ConceptScheme()}, s.Codelists()...) {
		if !slices.Contains(wanted, a.Class) {
			continue
		}
		if a.Class == "Codelist" {
			a = inRegion(s, a, region)
		}
		if a != nil {
			all = append(all, a)
		}
	}
	return all, nil
}

// inRegion returns a code list with the codes of a region, nil if the region does not have its
// dimension.
func inRegion(s *sdmx.Structures, a *sdmx.Artefact, region *sdmx.Region) *sdmx.Artefact {
	for i := range s.Dimensions {
		d := &s.Dimensions[i]
		if s.CodelistID(d) != a.ID {
			continue
		}
		for _, key := range region.Keys {
			if key.Dimension != d.ID {
				continue
			}
			part := *a
			part.Items = slices.DeleteFunc(slices.Clone(a.Items), func(item sdmx.Item) bool { return !slices.Contains(key.Codes, item.ID) })
			part.IsPartial = len(part.Items) < len(a.Items)
			return &part
		}
	}
	return nil
}

// ParseComponent returns the ID of a dimension that an availability query names, empty for all.
func ParseComponent(f *sdmx.Flow, text string) (string, error) {
	if slices.Contains(wildcards, text) {
		return "", nil
	}
	ids := []string{sdmx.TimePeriod}
	for i := range f.Dimensions {
		ids = append(ids, f.Dimensions[i].ID)
	}
	for _, id := range []string{text, sdmx.EscapeName(text)} {
		if slices.Contains(ids, id) {
			return id, nil
		}
	}
	return "", stat.Errorf(stat.Invalid, "%s has no dimension %.100q; it has %s", f.ID, text, stat.JoinWords(ids))
}
