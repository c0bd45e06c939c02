package sdmxrest

import (
	"context"
	"fmt"
	"slices"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Available returns what has observations in a selection of a flow, as messages of data have them,
// also those with only flags or a note if the query has flags: in the mode exact the codes and
// periods that occur in it, in the mode available also the codes of each dimension that could be
// selected instead of, or besides, those that are. component names the only dimension that is
// wanted; empty: all.
func Available(ctx context.Context, f *sdmx.Flow, s *Selection, mode, component string) (*sdmx.Region, error) {
	count := f.Vintage.Availability
	if f.Vintage.Changes() != nil || s.IsNarrower() {
		if mode == "available" {
			return nil, &NotImplemented{"mode=available is not supported with updatedAfter, with several keys, and with several periods in c[TIME_PERIOD]"}
		}
		count = func(ctx context.Context, _ stat.Query, _ bool) (*store.Availability, error) {
			return countSelected(ctx, f.Vintage, s)
		}
	}
	found, err := count(ctx, s.Query, false)
	if err != nil {
		return nil, err
	}
	region := &sdmx.Region{Series: found.Selected.Series, Observations: found.Selected.Observations}
	for i := range f.Dimensions {
		d := &f.Dimensions[i]
		if component != "" && component != d.ID {
			continue
		}
		key := sdmx.RegionKey{Dimension: d.ID, Codes: d.IDs}
		if d.Axis >= 0 {
			key.Codes = nil
			for at, code := range found.Codes[d.Axis] {
				if code.Series > 0 && (mode == "available" || isSelected(&s.Query, d.Axis, int32(at))) {
					key.Codes = append(key.Codes, d.IDs[at])
				}
			}
		}
		region.Keys = append(region.Keys, key)
	}
	if component == "" || component == sdmx.TimePeriod {
		region.First, region.Last = found.Selected.Oldest, found.Selected.Newest
	}
	return region, nil
}

// countSelected counts the observations of a selection, and the codes that occur in them, one after another: those
// of a view with only changes, or of periods that a query cannot state.
func countSelected(ctx context.Context, v *store.Vintage, s *Selection) (*store.Availability, error) {
	x, err := v.Select(ctx, s.Query)
	if err != nil {
		return nil, err
	}
	x = s.Of(x)
	found := &store.Availability{}
	for _, axis := range v.Dataset.Axes() {
		found.Codes = append(found.Codes, make([]store.Available, len(axis.Codes)))
	}
	geography := len(found.Codes) - 1
	keys := map[string]bool{}
	for b, err := range x.Blocks {
		if err != nil {
			return nil, err
		}
		for axis, code := range b.Key {
			found.Codes[axis][code].Series++
		}
		for _, area := range b.Areas {
			found.Codes[geography][area].Series++
			keys[fmt.Sprint(b.Key, area)] = true
		}
		found.Selected.Observations += len(b.Value)
		for _, at := range b.Periods {
			p, all := x.Periods[at], &found.Selected
			if all.Oldest.IsZero() || p.Compare(all.Oldest) < 0 {
				all.Oldest = p
			}
			if all.Newest.IsZero() || p.Compare(all.Newest) > 0 {
				all.Newest = p
			}
		}
	}
	found.Selected.Series = len(keys) // one with several units has several blocks
	return found, nil
}

// isSelected reports whether a query selects a code of an axis.
func isSelected(q *stat.Query, axis int, code int32) bool {
	if q.Select == nil || q.Select[axis] == nil {
		return true
	}
	_, ok := slices.BinarySearch(q.Select[axis], code)
	return ok
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
